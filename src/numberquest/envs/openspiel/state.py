"""One game being played in OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel

from numberquest.contract import Outcome, player_name
from numberquest.envs.openspiel.game_tree import OVER, REVEAL
from numberquest.envs.picture import result
from numberquest.settings import as_text
from numberquest.view import fields_of

if TYPE_CHECKING:
    from numberquest.envs.openspiel.game_tree import Node


class QuestState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state. OpenSpiel keeps the history; all else follows from the node.

    OpenSpiel copies and writes down every attribute, so there is only one.
    """

    def __init__(self, game: pyspiel.Game, root: Node) -> None:
        """Use `game.new_initial_state()`."""
        super().__init__(game)
        self._node = root

    @property
    def position(self) -> Any:
        """The position, as `numberquest` has it: `numberquest.solve(game.rules).value(state.position)`."""
        return self._node.position

    def current_player(self) -> int:
        """0 or 1, or what OpenSpiel calls chance and the end."""
        return self._node.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._node.player == OVER

    def is_chance_node(self) -> bool:
        """Whether something is to be revealed."""
        return self._node.player == REVEAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What may be chosen now, ids in ascending order."""
        # Asked for at every step of everything: OpenSpiel would come back here five times to answer.
        node = self._node
        if player is None or player == node.player:
            return node.choices[:] if node.tree.in_order else sorted(node.choices)
        actions: list[int] = super().legal_actions(player)
        return actions

    def _legal_actions(self, player: int) -> list[int]:
        return self._node.choices

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Everything that can be revealed now, by its id, with how likely it is."""
        node = self._node
        if node.player != REVEAL:
            raise RuntimeError("nothing is to be revealed here: chance_outcomes() is for chance nodes")
        weights = node.tree.game.weights(node.position)
        total = sum(weights)
        odds = [(outcome, weight / total) for outcome, weight in zip(node.choices, weights, strict=True)]
        return odds if node.tree.in_order else sorted(odds)

    def _apply_action(self, action: int) -> None:
        node = self._node
        self._node = node.tree.after(node, action)

    def _action_to_string(self, player: int, action: int) -> str:
        tree = self._node.tree
        moves = tree.reveals if player == REVEAL else tree.actions
        # OpenSpiel also asks for words about what it is about to refuse.
        return moves[action] if 0 <= action < len(moves) else f"no action {action}"

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser; 0 for both in a draw, and before the end."""
        node = self._node
        outcome = node.tree.game.outcome(node.position)
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [-1.0, 1.0] if outcome.winner else [1.0, -1.0]

    def __str__(self) -> str:
        # Algorithms of OpenSpiel tell positions apart by this text, so it says all that is in one.
        node = self._node
        game, position = node.tree.game, node.position
        fields = [f"{name}: {_words(value)}" for name, value in fields_of(position).items()]
        if node.player == OVER:
            said = result(game, game.outcome(position) or Outcome(None, "endless"))
        elif node.player == REVEAL:
            said = f"Chance is to move for {player_name(game.turn(position))}."
        else:
            said = f"{player_name(node.player)} is to move."
        return "\n".join([*fields, said])


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(_words(item) for item in value) or "none"
    return as_text(value) if isinstance(value, int) else str(value)
