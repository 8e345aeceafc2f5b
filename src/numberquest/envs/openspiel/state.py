"""One game being played in OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel

from numberquest.contract import player_name
from numberquest.envs.openspiel.place import OVER, REVEAL
from numberquest.settings import as_text

if TYPE_CHECKING:
    from numberquest.envs.openspiel.game import QuestGame
    from numberquest.envs.openspiel.place import Place


class QuestState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state. OpenSpiel keeps the history; all else follows from the place.

    OpenSpiel copies and writes down every attribute, so there is only one.
    """

    def __init__(self, game: QuestGame) -> None:
        """Use `game.new_initial_state()`."""
        super().__init__(game)
        self._place: Place = game.book.start

    @property
    def position(self) -> Any:
        """The position, as `numberquest` has it: `numberquest.solve(game.rules).value(state.position)`."""
        return self._place.position

    def current_player(self) -> int:
        """0 or 1, or what OpenSpiel calls chance and the end."""
        return self._place.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._place.player == OVER

    def is_chance_node(self) -> bool:
        """Whether something is to be revealed."""
        return self._place.player == REVEAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What may be chosen now, ids in ascending order."""
        # Asked for at every step of everything: OpenSpiel would come back here five times to answer.
        place = self._place
        if player is None or player == place.player:
            return place.choices[:]
        actions: list[int] = super().legal_actions(player)
        return actions

    def _legal_actions(self, player: int) -> list[int]:
        return self._place.choices

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every number that can be revealed now, by its id, with how likely it is."""
        place = self._place
        if place.player != REVEAL:
            raise RuntimeError("nothing is to be revealed here: chance_outcomes() is for chance nodes")
        weights = place.book.game.weights(place.position)
        unseen = sum(weights)
        return [(outcome, weight / unseen) for outcome, weight in zip(place.choices, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        place = self._place
        self._place = place.book.after(place, action)

    def _action_to_string(self, player: int, action: int) -> str:
        book = self._place.book
        moves = book.reveals if player == REVEAL else book.actions
        # OpenSpiel also asks for words about what it is about to refuse.
        return moves[action] if 0 <= action < len(moves) else f"no action {action}"

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser; 0 for both before the end."""
        place = self._place
        outcome = place.book.game.outcome(place.position)
        if outcome is None:
            return [0.0, 0.0]
        return [-1.0, 1.0] if outcome.winner else [1.0, -1.0]

    def __str__(self) -> str:
        # Algorithms of OpenSpiel tell positions apart by this text, so it says all that is in one.
        place = self._place
        game, position = place.book.game, place.position
        fields = [f"{name}: {_words(value)}" for name, value in position._asdict().items()]
        outcome = game.outcome(position)
        if outcome is not None:
            said = f"{player_name(outcome.winner)} wins: {outcome.reason}."
        elif place.player == REVEAL:
            said = f"A number is to be revealed for {player_name(game.turn(position))}."
        else:
            said = f"{player_name(place.player)} is to move."
        return "\n".join([*fields, said])


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(_words(item) for item in value) or "none"
    return as_text(value) if isinstance(value, int) else str(value)
