"""What the tests of the fold share: matches, entries as they are written down, and what is shown of a state."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from numberquest.server import wire
from numberquest.server.boards import Showing
from numberquest.server.match.entries import (
    AGREE,
    HINT,
    JOIN,
    REFUSE,
    REMATCH,
    RESIGN,
    TAKE_BACK,
    Action,
    Entry,
    MatchHeader,
    Move,
)
from numberquest.server.match.state import MatchState
from numberquest.server.store.base import entry_of

TOKENS = (b"1" * 32, b"2" * 32)
SHOWING = Showing(lambda match: f"after-{match}")


def header(game: Any, opponent: str = "friend", **other: Any) -> MatchHeader:
    computer = opponent not in ("friend", "screen")
    made = {
        "match": "match-of-a-test",
        "game": game.slug,
        "settings": game.settings_text,
        "seed": "a secret seed" if game.chance else "",
        "start": "",
        "opponent": opponent,
        "names": ("Ann", "Bo"),
        "kinds": ("human", opponent if computer else "human"),
        "tokens": (TOKENS[0], b"" if computer else TOKENS[1]),
        "invite": b"",
        "round": 1,
        "rounds": 1,
        "points": (0, 0),
        "created": 1_700_000_000.0,
    }
    return MatchHeader(**{**made, **other})


def whole(state: MatchState) -> wire.State:
    """What everybody is shown, as it is read at the other end."""
    return msgspec.json.decode(msgspec.json.encode(SHOWING.whole(state)), type=wire.State)


def change(state: MatchState) -> wire.Change:
    """What the last entry has changed, as it is read at the other end."""
    return msgspec.json.decode(msgspec.json.encode(SHOWING.change(state)), type=wire.Change)


def written(state: MatchState, seat: int, text: str) -> Entry:
    """The next entry, in short: a move, or `!` and a deed."""
    deed, _, rest = text[1:].partition(" ") if text.startswith("!") else ("", "", text)
    return entry_of(state.ply, seat, deed, rest, "", 0.0)


def do(state: MatchState, *done: tuple[int, str]) -> MatchState:
    """The match after these seats have done these things."""
    for seat, text in done:
        state = state.apply(written(state, seat, text))
    return state


@st.composite
def matches_kept(draw: st.DrawFn, game: Any) -> MatchHeader:
    """A match of this game against anybody, one in a series, or one in which a friend is still awaited."""
    opponent = draw(st.sampled_from(["friend", "friend", "screen", "easy"]))
    rounds = draw(st.integers(1, 5))
    number = draw(st.integers(1, rounds))
    won = draw(st.integers(0, number - 1))
    series = {"round": number, "rounds": rounds, "points": (won, draw(st.integers(0, number - 1 - won)))}
    if opponent == "friend" and draw(st.booleans()):
        series |= {"tokens": (TOKENS[0], b""), "invite": b"i" * 32}
    return header(game, opponent, **series)


@st.composite
def entries(draw: st.DrawFn, state: MatchState) -> Entry:
    """Something that somebody may wish for in this match: mostly a thing that is allowed, now and then not."""
    seat, key = draw(st.integers(0, 1)), draw(st.sampled_from(["", "key", "ß 7"]))
    moves = [*state.line.moves] if state.turn is not None else []
    kind = draw(
        st.sampled_from(["move"] * 6 + [TAKE_BACK, TAKE_BACK, AGREE, REFUSE, HINT, REMATCH, JOIN, "odd", "end"])
    )
    if kind == "move":
        if moves and draw(st.integers(0, 9)) > 0:
            return Move(state.ply, state.line.player, key, 0.0, draw(st.sampled_from(moves)))
        return Move(state.ply, seat, key, 0.0, draw(st.sampled_from([*state.line.game.actions])))
    if kind == "odd":
        odd = [
            Move(state.ply, seat, key, 0.0, draw(st.text(max_size=20))),
            Move(state.ply + draw(st.sampled_from([-1, 1])), seat, key, 0.0, state.line.game.actions[0]),
            Action(state.ply, seat, key, 0.0, draw(st.text(max_size=20))),
        ]
        return draw(st.sampled_from(odd))
    if kind == JOIN:
        return Action(state.ply, 1, key, 0.0, JOIN, TOKENS[1], draw(st.sampled_from(["Bo", "Bo and  Cy", " ", ""])))
    if kind in (AGREE, REFUSE) and state.asked is not None:
        seat = 1 - state.asked
    return Action(state.ply, seat, key, 0.0, RESIGN if kind == "end" else kind)
