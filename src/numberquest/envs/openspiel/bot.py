"""Our computer players as bots of OpenSpiel, such as `perfect`."""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING

import pyspiel

from numberquest.envs.action_ids import action_ids
from numberquest.envs.arguments import asked_move
from numberquest.evaluate import asking
from numberquest.evaluate.who import who
from numberquest.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.envs.openspiel.game import QuestGame
    from numberquest.envs.openspiel.state import QuestState


class ComputerBot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel has no types
    """Plays like the player of that name: `ComputerBot(game, "perfect")`, `"./file.py:name"`, in either seat."""

    def __init__(
        self, game: QuestGame, name: str, *, seed: int | None = None, tell: Callable[[str], None] = print
    ) -> None:
        """A seed gives the same moves again; `tell` hears, for one, that a game is too large to be played perfectly."""
        super().__init__()
        self._rules = game.rules
        self._ids = action_ids(game.rules)
        self._player = who(name)
        self._player.prepare(game.rules, tell)
        self._dice = Stream(token_hex() if seed is None else str(seed), f"openspiel {name}")

    def step(self, state: QuestState) -> int:
        """The action id of the move chosen."""
        if getattr(state.get_game(), "rules", None) != self._rules:
            raise ValueError(f"this bot plays {self._rules!r}, not another game")
        if state.current_player() not in (0, 1):
            raise ValueError("nobody is to move here: the game is over, or chance is to move")
        return self._ids[asked_move(self._player, self._rules, state.position, self._dice)]

    def close(self) -> None:
        """End what the player has started, such as a process."""
        asking.close(self._player)

    def restart(self) -> None:
        """Begin another game. Nothing is remembered of the last one."""

    def restart_at(self, state: QuestState) -> None:
        """Go on from this state. Nothing is remembered of any other."""
