"""What the page makes of a match that has gone on: what is said, what can be played again, what is shown in turn."""

from typing import Any

import pytest

from numberquest.server.refusal import SENTENCES
from tests.page.node import Node


def state(*history: str, **other: Any) -> dict[str, Any]:
    """A match between friends after these entries, `1 5` for a 5 of Player 1 and `0 7` for a 7 that came up."""
    lines = [{"player": int(entry[0]), "entry": entry[2:]} for entry in history]
    return {
        "ply": len(lines),
        "history": lines,
        "opponent": "friend",
        "players": [{"name": "Ann", "kind": "human"}, {"name": "Bo", "kind": "human"}],
        "take_back": {"asked": None, "moves": [[], []]},
        "outcome": None,
        "computer": None,
        "turn": 1,
        "board": len(lines),
        "moves": ["1"],
        "seal": None,
        "series": 1,
        **other,
    }


def asked(seat: int, *moves: str) -> dict[str, Any]:
    """A player has asked to take these moves back."""
    return {"asked": seat, "moves": [list(moves) if at == seat else [] for at in (1, 2)]}


ASKED = state("1 5", "2 6", take_back={"asked": 1})


@pytest.mark.parametrize(
    ("after", "seats", "who"),
    [
        # The other one said no, or moved on instead of answering.
        (state("1 5", "2 6"), [1], 2),
        (state("1 5", "2 6", "2 7"), [1], 2),
        # Whoever asked and then moved on has changed their mind: nobody refused them anything.
        (state("1 5", "2 6", "1 7"), [1], None),
        (state("1 5", "2 6", "1 7", "2 8"), [1], None),
        # It was taken back.
        (state("1 5"), [1], None),
        # It is still open, or the game is over.
        (ASKED, [1], None),
        (state("1 5", "2 6", outcome={"winner": 1}), [1], None),
        # Only who asked is told.
        (state("1 5", "2 6"), [2], None),
        (state("1 5", "2 6"), [], None),
    ],
)
def test_who_would_rather_not_take_it_back(
    node: Node, after: dict[str, Any], seats: list[int], who: int | None
) -> None:
    snippet = "return (await page('screens/match.js')).refuser(before, { state: after, seats });"
    assert node(snippet, before=ASKED, after=after, seats=seats) == who


def test_nobody_asked_is_nobody_refused(node: Node) -> None:
    snippet = "return (await page('screens/match.js')).refuser(before, { state: after, seats: [1] });"
    assert node(snippet, before=state("1 5"), after=state("1 5", "2 6")) is None
    asked_by_two = state("1 5", take_back={"asked": 2})
    snippet = snippet.replace("[1]", "[2]")
    assert node(snippet, before=asked_by_two, after=state("1 5")) == 1


@pytest.mark.parametrize(
    ("before", "after", "kept", "expected"),
    [
        (state("1 5", "2 6", opponent="screen"), state("1 5", opponent="screen"), [], ["6"]),
        (state("1 5", opponent="screen"), state(opponent="screen"), ["6"], ["5", "6"]),
        (state(opponent="screen"), state("1 5", opponent="screen"), ["5", "6"], ["6"]),
        (state(opponent="screen"), state("1 4", opponent="screen"), ["5", "6"], []),
        # The computer answers anew: only the own move comes back, and is gone when something is played.
        (state("1 5", "2 6", opponent="computer"), state(opponent="computer"), [], ["5"]),
        (state(opponent="computer"), state("1 5", opponent="computer"), ["5"], []),
        (state("1 5", "2 6"), state("1 5"), ["7"], []),
    ],
)
def test_what_can_be_played_again(
    node: Node, before: dict[str, Any], after: dict[str, Any], kept: list[str], expected: list[str]
) -> None:
    snippet = "return (await page('screens/match.js')).redo(before, after, kept);"
    assert node(snippet, before=before, after=after, kept=kept) == expected


PARTS = """
(await page('parts/keep.js')).set('fast', fast);
const between = (before, after) => `${before} to ${after}`;
return (await page('parts/stages.js')).parts(before, after, ['key'], between);
"""


def test_a_move_is_seen_before_what_it_uncovers_and_that_before_the_end(node: Node) -> None:
    before = state("1 5", turn=2, seal="sealed", series=0)
    over = state("1 5", "2 6", "0 9", "0 8", ply=2, outcome={"winner": 2}, turn=None, seal="open", moves=[])
    move, reveal, end = node(PARTS, before=before, after=over, fast=False)
    assert [one["done"] for one in (move, reveal, end)] == [["key"], [], []]
    # Nothing of what is not seen yet: neither the numbers, nor the board with them, nor the result, nor the secret.
    assert [line["entry"] for line in move["state"]["history"]] == ["5", "6"]
    assert move["state"]["board"] == f"{before['board']} to {over['board']}"
    for part in (move, reveal):
        hidden = {name: part["state"][name] for name in ("outcome", "moves", "turn", "seal", "series")}
        assert hidden == {"outcome": None, "moves": [], "turn": 2, "seal": "sealed", "series": 0}
    assert (reveal["state"]["history"], reveal["state"]["board"]) == (over["history"], over["board"])
    assert end["state"] == over
    assert [one["wait"] for one in (move, reveal, end)] == [0, 500, 800]


def test_a_move_that_uncovers_something_and_ends_nothing_has_two_parts(node: Node) -> None:
    after = state("1 5", "2 6", "0 9", ply=2)
    move, reveal = node(PARTS, before=state("1 5"), after=after, fast=False)
    assert len(move["state"]["history"]) == 2
    assert (reveal["state"], reveal["wait"]) == (after, 500)


def test_the_computer_seems_to_think_for_a_moment(node: Node) -> None:
    players = [{"name": "Ann", "kind": "human"}, {"name": "Bo", "kind": "hard"}]
    before, after = state("1 5", players=players), state("1 5", "2 6", players=players)
    shown = [node(PARTS, before=before, after=after, fast=False) for _ in range(50)]
    assert all([one["state"] for one in parts] == [after] for parts in shown)
    waits = {part["wait"] for (part,) in shown}
    assert len(waits) > 1
    assert all(400 <= wait <= 700 for wait in waits)
    (mine,) = node(PARTS, before=state(), after=state("1 5"), fast=False)
    assert mine["wait"] == 0


@pytest.mark.parametrize(
    ("after", "fast"),
    [
        (state("1 5", "2 6", "0 9", ply=2), True),
        # Whoever was away, and what is no move.
        (state("1 5", "2 6", "0 9", "1 3", ply=3), False),
        (state("1 5", "0 9", ply=2), False),
        (state(ply=2), False),
        (state("1 5", ply=2, outcome={"winner": 1, "resigned": True}), False),
    ],
)
def test_what_need_not_be_followed_is_shown_at_once(node: Node, after: dict[str, Any], fast: bool) -> None:
    assert node(PARTS, before=state("1 5"), after=after, fast=fast) == [{"state": after, "done": ["key"], "wait": 0}]


STAGE = """
const { Stage } = await page('parts/stages.js');
const shown = [];
const stage = new Stage((state) => shown.push([state, clock.time]));
const part = (state, wait = 0) => ({ state, done: [], wait });
"""


def test_a_stage_shows_parts_in_their_order_each_in_its_time(node: Node) -> None:
    snippet = """
        stage.add([part('a'), part('b', 30), part('c', 10)]);
        stage.add([part('d')]);
        const facts = [stage.busy, stage.last];
        clock.run(1000);
        return [facts, shown, stage.busy, stage.last ?? null];
    """
    shown = [["a", 0], ["b", 30], ["c", 40], ["d", 40]]
    assert node(STAGE + snippet) == [[True, "d"], shown, False, None]


def test_what_is_skipped_is_shown_at_once_and_what_is_cleared_never(node: Node) -> None:
    snippet = """
        stage.add([part('a'), part('b', 1e6), part('c', 1e6)]);
        stage.skip();
        stage.add([part('d', 0), part('e', 1e6)]);
        stage.clear();
        stage.skip();
        return [shown.map(([state]) => state), stage.busy];
    """
    assert node(STAGE + snippet) == [["a", "b", "c", "d"], False]


ANNOUNCED = """
const { announce } = await page('screens/match.js');
const { teller } = await page('parts/words.js');
const module = { written: String, told: ({ entry }) => `plays ${entry}` };
const words = [];
const context = { say: (text) => words.push(text), tell: (text) => words.push(`! ${text}`) };
const says = teller({ settings: [], endings: {} }, module, {}, ['Ann', 'Bo']);
const shown = { state: after, seats, context, ahead, module, teller: says };
announce(before, shown);
return [...words, shown.ahead];
"""
AHEAD = {"code": "computer-looks-ahead", "facts": {}}
THINKING = {"code": "computer-thinking", "facts": {}}


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (state("1 5"), state("1 5", "2 6", turn=1), ["Bo plays 6."]),
        (state("1 5", turn=2), state("1 5", "2 6", turn=1), ["Bo plays 6. Your turn."]),
        (state(turn=1), state("1 5", turn=2), ["Ann plays 5. Bo’s turn."]),
        (state("1 5", turn=2), state(turn=1), ["Taken back: Ann’s 5. Your turn."]),
        (state("1 5", "2 6", turn=1), state(turn=1), ["Taken back: Ann’s 5, Bo’s 6."]),
        (
            state("1 5", turn=2),
            state("1 5", "2 6", turn=None, outcome={"winner": 2, "reason": "has won", "facts": {}}),
            ["Bo plays 6. Bo has won."],
        ),
        # Only who is asked hears it, and only who asked hears a refusal.
        (state("1 5"), state("1 5", take_back=asked(2, "6")), ["Bo wants to take back 6."]),
        (state("1 5"), state("1 5", take_back=asked(2, "6", "5")), ["Bo wants to take back 6; your 5 goes too."]),
        (state("1 5"), state("1 5", take_back=asked(2, "6", "5", "4")), ["Bo wants to take back 6; your 5, 4 go too."]),
        (state("1 5"), state("1 5", take_back={"asked": 1}), []),
        (ASKED, state("1 5", "2 6"), ["! Bo would rather not take it back."]),
        (ASKED, state("1 5", "2 6", "1 7"), ["Ann plays 7."]),
    ],
)
def test_what_has_happened_is_announced(
    node: Node, before: dict[str, Any], after: dict[str, Any], words: list[str]
) -> None:
    assert node(ANNOUNCED, before=before, after=after, seats=[1], ahead=False) == [*words, False]


def test_that_the_computer_looks_ahead_is_said_once_and_that_it_thinks_each_time(node: Node) -> None:
    for ahead in (False, True):
        *said, now = node(ANNOUNCED, before=state(), after=state(computer=AHEAD), seats=[1], ahead=ahead)
        assert (len(said), now) == (0 if ahead else 1, True)
        *said, _ = node(ANNOUNCED, before=state(), after=state(computer=THINKING), seats=[1], ahead=ahead)
        assert said == ["The computer is still thinking. You can wait, or come back later: the game is kept."]
        *said, _ = node(
            ANNOUNCED, before=state(computer=THINKING), after=state(computer=THINKING), seats=[1], ahead=ahead
        )
        assert said == []


@pytest.mark.parametrize(
    ("now", "seats", "hidden", "title"),
    [
        (state(turn=1), [1], False, "Your turn – Fifty"),
        (state(turn=1), [1], True, "● Your turn – Fifty"),
        (state(turn=2), [1], True, "Bo’s turn – Fifty"),
        # At one screen, and for who watches, it is always somebody's turn.
        (state(turn=1), [1, 2], True, "Ann’s turn – Fifty"),
        (state(turn=1), [], True, "Ann’s turn – Fifty"),
        (state(turn=None), [1], True, "Waiting for the other player – Fifty"),
        (state(turn=1, outcome={"winner": 1}), [1], True, "Game over – Fifty"),
        (state(turn=1, players=[{"name": "Chris"}, {"name": "Bo"}]), [], False, "Chris’ turn – Fifty"),
    ],
)
def test_the_tab_says_whose_turn_it_is(
    node: Node, now: dict[str, Any], seats: list[int], hidden: bool, title: str
) -> None:
    snippet = """
        document.hidden = hidden;
        const found = (await page('parts/turn.js')).titled({ state: now, seats });
        document.hidden = false;
        return found;
    """
    assert node(snippet, now={**now, "short_title": "Fifty"}, seats=seats, hidden=hidden) == title


@pytest.mark.parametrize(
    ("points", "words"),
    [([0, 0], "Ann 0 : 0 Bo"), ([0.5, 0.5], "Ann ½ : ½ Bo"), ([1.5, 10], "Ann 1½ : 10 Bo")],
)
def test_the_points_of_a_series_have_halves(node: Node, points: list[float], words: str) -> None:
    snippet = "return (await page('parts/words.js')).points(now);"
    assert node(snippet, now=state(series={"round": 1, "points": points})) == words
    # Who sat down first stands first, wherever they sit now.
    changed = state(series={"round": 2, "points": points[::-1]})
    changed["players"].reverse()
    assert node(snippet, now=changed) == words


@pytest.mark.parametrize(
    ("luck", "code"), [(0, 0), (1e-10, 0), (0.1, 1), (0.35, 2), (0.7, 2), (0.75, 3), (0.99, 3), (1 - 1e-10, 4), (1, 4)]
)
def test_how_much_luck_is_in_a_game(node: Node, luck: float, code: int) -> None:
    found = node("return (await page('parts/words.js')).luckWords(luck);", luck=luck)
    assert found == SENTENCES[f"game-luck-{code}"]


HEADLINE = """
return (await page('screens/review.js')).headline({ steps, names: ['Ann', 'Bo'], outcome }, me, sure, String);
"""


def step(player: int, number: int, loss: float, **other: Any) -> dict[str, Any]:
    facts = {"reveal": False, "best": ["7"], "entry": "5", "verdict": "mistake", "before": 0.6, "after": 0.4, **other}
    return {"player": player, "number": number, "loss": loss, **facts}


def test_a_review_in_one_sentence_names_the_costliest_move_of_who_looks(node: Node) -> None:
    steps = [step(1, 1, 0.004), step(1, 2, 0.2), step(2, 3, 0.5), step(1, 4, 0.125, before=0.3), step(1, 5, 0.125)]
    lost = {"winner": 2}
    found = node(HEADLINE, steps=steps, outcome=lost, me=1, sure=False)
    assert found == {"words": "You had better odds until move 2: 7 was worth 20 points more than 5.", "at": 1}
    found = node(HEADLINE, steps=steps, outcome=lost, me=2, sure=False)
    assert found == {"words": "You won in spite of move 3: 7 was worth 50 points more than 5.", "at": 2}
    # Of two that cost the same the later one, for whoever lost where nobody is known to look; little is no lesson.
    found = node(HEADLINE, steps=steps[3:], outcome=lost, me=None, sure=False)
    assert found == {"words": "Ann had better odds until move 5: 7 was worth 12 points more than 5.", "at": 1}
    found = node(HEADLINE, steps=steps[:1], outcome=lost, me=1, sure=False)
    assert found == {"words": "You made no mistake: luck decided it.", "at": None}
    found = node(HEADLINE, steps=steps[:1], outcome=None, me=1, sure=False)
    assert found == {"words": "No mistake so far.", "at": None}


@pytest.mark.parametrize(("before", "after", "ahead"), [(0.5, 0.3, 0), (0.504, 0.3, 0), (0.6, 0.5, 1), (0.9, 0.6, 0)])
def test_nobody_was_ahead_at_one_half_or_until_a_move_that_left_them_ahead(
    node: Node, before: float, after: float, ahead: int
) -> None:
    steps = [step(1, 1, 0.2, before=before, after=after)]
    words = node(HEADLINE, steps=steps, outcome={"winner": 2}, me=1, sure=False)["words"]
    assert words.split(":")[0] == ("Your costliest move was move 1", "You had better odds until move 1")[ahead]


def test_a_review_without_chance_says_who_could_win(node: Node) -> None:
    thrown = [step(1, 3, 1.0, verdict="win thrown away"), step(2, 4, 0.5, verdict="draw thrown away")]
    found = node(HEADLINE, steps=thrown[:1], outcome={"winner": 2}, me=None, sure=True)
    assert found["words"] == "Ann was winning until move 3: 7 kept it, 5 threw it away."
    found = node(HEADLINE, steps=thrown[1:], outcome={"winner": 1}, me=2, sure=True)
    assert found["words"] == "You could hold the draw until move 4: 7 kept it, 5 threw it away."
    found = node(HEADLINE, steps=[], outcome={"winner": 1}, me=1, sure=True)
    assert found["words"] == "You could win from the start and never let go."
    assert node(HEADLINE, steps=[], outcome={"winner": None}, me=1, sure=True)["words"] == "Neither let the draw go."


def test_a_stage_that_was_cleared_goes_on_with_what_comes_next(node: Node) -> None:
    snippet = "stage.add([part('a', 0), part('b', 50)]); stage.clear(); stage.add([part('c')]); return shown;"
    assert [name for name, _ in node(STAGE + snippet)] == ["a", "c"]


CALLED = """
const calls = [];
globalThis.Notification = class {
  static permission = 'granted';
  constructor(title, { body }) { calls.push([title, body ?? null]); }
};
(await page('parts/keep.js')).set('call', wished);
document.hidden = hidden;
const { call } = await page('parts/turn.js');
call(before, { id: 'm', state: after, seats: [1], teller: { line: ({ entry }) => entry } });
document.hidden = false;
return calls;
"""


@pytest.mark.parametrize(
    ("before", "after", "hidden", "wished", "called"),
    [
        (state("1 5", turn=2), state("1 5", "2 6", turn=1), True, True, True),
        # The turn can come without a move, when the other player has sat down.
        (state(turn=None), state(turn=1), True, True, True),
        (state("1 5", turn=2), state("1 5", "2 6", turn=1), False, True, False),
        (state("1 5", turn=2), state("1 5", "2 6", turn=1), True, False, False),
        (state(turn=1), state(turn=1), True, True, False),
        (state(turn=1), state("1 5", turn=2), True, True, False),
        (state("1 5", turn=2), state("1 5", "2 6", turn=1, outcome={"winner": 2}), True, True, False),
    ],
)
def test_somebody_is_called_when_their_turn_has_come_and_they_do_not_look(
    node: Node, before: dict[str, Any], after: dict[str, Any], hidden: bool, wished: bool, called: bool
) -> None:
    after = {**after, "short_title": "Fifty"}
    last = after["history"][-1]["entry"] if after["history"] else None
    expected = [["● Your turn – Fifty", last]] if called else []
    assert node(CALLED, before=before, after=after, hidden=hidden, wished=wished) == expected


@pytest.mark.parametrize(
    ("verdict", "loss", "after", "over", "codes"),
    [
        ("win thrown away", 1.0, 0.0, False, ["why win thrown away", "best-was"]),
        ("win thrown away", 0.5, 0.5, False, ["why win thrown away drawn", "best-was"]),
        ("win thrown away", 0.5, 0.5, True, ["why win thrown away drawn over", "best-was"]),
        ("win kept", 0.0, 1.0, True, ["why win kept over"]),
        ("all alike", 0.0, 0.5, True, ["why all alike"]),
        ("best", 0.0, 0.6, False, ["why best"]),
        ("only move", 0.0, 0.6, False, ["why only move"]),
        ("mistake", 0.1, 0.6, False, ["why not best", "best-was"]),
    ],
)
def test_a_verdict_says_why_and_what_was_better_where_something_was(
    node: Node, verdict: str, loss: float, after: float, over: bool, codes: list[str]
) -> None:
    snippet = "return (await page('parts/words.js')).because(step, over);"
    step = {"verdict": verdict, "loss": loss, "after": after, "player": 1, "best": ["7"]}
    found = node(snippet, step=step, over=over)
    assert [one["code"] for one in found] == codes
    assert found[0]["facts"] == {"player": 1, "rival": 2, "loss": loss}


@pytest.mark.parametrize(
    ("values", "chance", "sure"),
    [([0, 1], "", True), ([0, 0.5], "", True), ([0, 0.5], "deck", False), ([1, 0.7], "", False), ([1], "draws", True)],
)
def test_nothing_is_open_where_every_move_wins_loses_or_without_chance_draws(
    node: Node, values: list[float], chance: str, sure: bool
) -> None:
    worths = [{"move": "1", "value": value} for value in values]
    assert node("return (await page('parts/chart.js')).certain(worths, chance);", worths=worths, chance=chance) is sure
