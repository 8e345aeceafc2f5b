"""The games as environments of TextArena: `NumberQuest-Last-v0`, if the slug is `last`. See docs/textarena.md.

Importing this module registers them. TextArena seeds the random numbers of the whole program; ours have their own, and
leave those alone.
"""

from __future__ import annotations

from typing import Any, Final

from numberquest.core.contract import CHANCE, in_words, player_name
from numberquest.core.match import Match
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.core.seen_history import told_history
from numberquest.core.view import said
from numberquest.envs.arguments import needing
from numberquest.explain.review import Review, result, review
from numberquest.players.answers import read_move
from numberquest.players.prompt import instructions

with needing("textarena", adapter=True):
    import textarena as ta
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions

from numberquest.core.line import Line

EVERYBODY: Final = -1
"""To whom TextArena passes on what is meant for all."""
ENTRY_POINT: Final = "numberquest.envs.textarena:NumberQuestEnv"


def environment_id(slug: str) -> str:
    """The id of a game with TextArena."""
    return f"NumberQuest-{slug.capitalize()}-v0"


class NumberQuestEnv(ta.Env):
    """A game for two, who answer with a move in square brackets."""

    def __init__(self, game: str, *, error_allowance: int = 1, list_moves: bool = True, **settings: Any) -> None:
        """`error_allowance`: so many wrong answers in a row may be mended; the next one loses the game."""
        self.game = make_game(game, **settings)
        self.error_allowance, self.list_moves = error_allowance, list_moves

    def reset(self, num_players: int = 2, seed: int | str | None = None) -> None:
        """Begin a game; the same seed deals the same again."""
        self.match: Match[Any] = Match(self.game, seed=seed)
        # Without the seed: with it, TextArena would seed the random numbers of the whole program.
        self.state = ta.TwoPlayerState(num_players=num_players, error_allowance=self.error_allowance)
        self.state.reset(
            game_state={"history": ()},
            player_prompt_function=self._prompt,
            role_mapping={seat: player_name(seat) for seat in (0, 1)},
        )
        self._tell_reveals(self.match.line.since(0))
        self._tell_position()
        self.state.manually_set_current_player_id(self.match.player)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer, read as everywhere: best with the move in square brackets."""
        state, match = self.state, self.match
        seat = state.current_player_id
        # In a game with secrets nobody else hears how it was said.
        to = seat if self.game.has_secrets else EVERYBODY
        state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=to)
        move, why = read_move(action, match.moves, self.game.actions)
        if move is None:
            self._refuse(f"{why}.")
        else:
            before = match.line.length
            match.play(move)
            state.game_state["history"] = match.history
            self._tell_played(seat, before)
            self._tell_reveals(match.line.since(before + 1))
            if match.outcome is None:
                self._tell_position()
            else:
                self._end()
        done, info = state.step(rotate_player=False)
        if move is not None and not done:
            # Who moves next, the game says: it is not always the other player's turn.
            state.manually_set_current_player_id(match.player)
        return done, info

    def review(self) -> Review:
        """What every move was worth, exactly; also while the game goes on."""
        return review(self.match)

    def get_board_str(self) -> str:
        """Where the game stands, for TextArena's wrappers that draw it."""
        p = self.match.position
        # It is drawn for whoever is to move.
        seen = p if self.match.outcome is not None else self.game.sees(p, self.match.player)
        return "\n".join(said(self.game, seen))

    def _refuse(self, why: str) -> None:
        state = self.state
        seat = state.current_player_id
        state.set_invalid_move(reason=why)
        if state.made_invalid_move:
            # TextArena counts players from 0, and our rules from 1.
            sender, words, kind = state.observations[seat][-1]
            words = words.replace(f"Player {seat} ", f"{player_name(seat)} ", 1)
            state.observations[seat][-1] = (sender, words, kind)

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        return f"{instructions(self.game)}\n\nYou are {player_name(player_id)}."

    def _readers(self) -> tuple[tuple[int | None, int], ...]:
        """To whom something is told, and to which number of TextArena's that is: where nothing is secret, to all."""
        return ((0, 0), (1, 1)) if self.game.has_secrets else ((None, EVERYBODY),)

    def _tell_played(self, seat: int, at: int) -> None:
        """Say the move in this place of the history, to each who can tell it."""
        for who, to in self._readers():
            told = told_history(self.game, self.match.history, who)[at]
            words = (
                f"{player_name(seat)} makes a secret move." if told is None else f"{player_name(seat)} plays {told}."
            )
            self.state.add_observation(words, ta.ObservationType.GAME_ACTION_DESCRIPTION, to_id=to)

    def _tell_reveals(self, lines: list[Line[Any]]) -> None:
        for who, to in self._readers():
            told = told_history(self.game, self.match.history, who)
            for line in lines:
                entry = told[line.length - 1]
                if entry and line.before is not None and self.game.player(line.before.position) == CHANCE:
                    self.state.add_observation(f"Chance brings {entry}.", ta.ObservationType.GAME_MESSAGE, to_id=to)

    def _tell_position(self) -> None:
        mover = self.match.player
        for who, to in self._readers():
            words = [
                *said(self.game, self.game.sees(self.match.position, who)),
                f"It is the turn of {player_name(mover)}.",
            ]
            if self.list_moves and who in (None, mover):
                words.append(f"Allowed now: {' '.join(f'[{move}]' for move in self.match.moves)}")
            self.state.add_observation("\n".join(words), ta.ObservationType.GAME_BOARD, to_id=to)

    def _end(self) -> None:
        outcome = self.match.outcome
        reason = in_words(self.game, result(Review(self.game, (), (), 0, outcome)))
        self.state.add_observation(reason, ta.ObservationType.GAME_ADMIN)
        if outcome is None or outcome.winner is None:
            self.state.set_draw(reason=reason)
        else:
            self.state.set_winner(player_id=outcome.winner, reason=reason)


def register() -> None:
    """Make every game known to TextArena; those that are known already stay as they are."""
    wrappers = {"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS}
    for slug in GAMES:
        if environment_id(slug) not in ENV_REGISTRY:
            register_with_versions(id=environment_id(slug), entry_point=ENTRY_POINT, wrappers=wrappers, game=slug)


register()
