"""What a player of OpenSpiel sees: the table as it is now, or everything that has happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from numberquest.contract import player_name
from numberquest.envs.observation import Observer
from numberquest.envs.openspiel.game_tree import REVEAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from numberquest.envs.openspiel.game_tree import GameTree
    from numberquest.envs.openspiel.state import QuestState


class TableObserver:
    """The table now, from the seat of the player who looks. `Observer.parts` says what the numbers are."""

    def __init__(self, tree: GameTree, *, both_alike: bool = False) -> None:
        """`both_alike` shows everybody what Player 1 sees."""
        self._observer = Observer(tree.game)
        self._both_alike = both_alike
        self.tensor: NDArray[np.float32] = np.zeros(self._observer.size, np.float32)
        self.dict = {part.name: self.tensor[self._observer.at(part.name)] for part in self._observer.parts}

    def set_from(self, state: QuestState, player: int) -> None:
        """Look at this state."""
        self.tensor[:] = self._observer.see(state.position, 0 if self._both_alike else player)

    def string_from(self, state: QuestState, player: int) -> str:
        """The same in words: `turn=1 mine=7 other=0 pool=2,2,2,…`."""
        seen = self._observer.see(state.position, 0 if self._both_alike else player)
        parts = {part.name: seen[self._observer.at(part.name)].tolist() for part in self._observer.parts}
        return " ".join(f"{name}={','.join(f'{number:g}' for number in numbers)}" for name, numbers in parts.items())


class HistoryObserver:
    """Every move and every reveal so far, which both players have seen, and who is looking."""

    def __init__(self, tree: GameTree, *, both_alike: bool = False) -> None:
        """`both_alike` does not tell who is looking."""
        self._tree = tree
        self._both_alike = both_alike
        moves = len(tree.actions)
        shape = (tree.game.bound, moves + len(tree.reveals))
        self.tensor: NDArray[np.float32] = np.zeros(2 + shape[0] * shape[1], np.float32)
        self.dict = {"player": self.tensor[:2], "history": self.tensor[2:].reshape(shape)}
        """A row for each step: a 1 at the action id, or behind the actions at the id of what was revealed."""

    def set_from(self, state: QuestState, player: int) -> None:
        """Look back from this state."""
        self.tensor.fill(0)
        if not self._both_alike:
            self.dict["player"][player] = 1
        history = self.dict["history"]
        for row, step in enumerate(state.full_history()):
            history[row, step.action + (len(self._tree.actions) if step.player == REVEAL else 0)] = 1

    def string_from(self, state: QuestState, player: int) -> str:
        """The same as a record has it: `Player 1: 1,1 (7) 2,3 (5)`."""
        tree = self._tree
        said = [
            f"({tree.reveals[step.action]})" if step.player == REVEAL else tree.actions[step.action]
            for step in state.full_history()
        ]
        if not self._both_alike:
            said.insert(0, f"{player_name(player)}:")
        return " ".join(said)


class NothingObserver:
    """What a player knows that the other does not: nothing, in any of our games."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: QuestState, player: int) -> None:
        """There is nothing to look at."""

    def string_from(self, state: QuestState, player: int) -> str:
        """There is nothing to say."""
        return ""


AnyObserver = TableObserver | HistoryObserver | NothingObserver


def make_observer(tree: GameTree, kind: Any, parameters: Mapping[str, object] | None) -> AnyObserver:
    """The observer of the kind that OpenSpiel asks for (an `IIGObservationType`, or None)."""
    if isinstance(kind, dict):
        # OpenSpiel passes only the parameters where no kind was named.
        kind, parameters = None, kind
    if parameters:
        raise ValueError(f"these observers take no parameters, not {dict(parameters)!r}")
    if kind is None:
        return TableObserver(tree)
    if not kind.public_info:
        return NothingObserver()
    # A public observation is the same whoever looks.
    both_alike = kind.private_info == pyspiel.PrivateInfoType.NONE
    return (HistoryObserver if kind.perfect_recall else TableObserver)(tree, both_alike=both_alike)
