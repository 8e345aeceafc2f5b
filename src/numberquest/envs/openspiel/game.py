"""One rule set in OpenSpiel, and how OpenSpiel is told of all five games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pyspiel

from numberquest.envs.openspiel.observer import make_observer
from numberquest.envs.openspiel.parameters import defaults, from_parameters, to_parameters
from numberquest.envs.openspiel.place import book
from numberquest.envs.openspiel.state import QuestState
from numberquest.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numberquest.envs.openspiel.observer import AnyObserver


class QuestGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game. `rules` is the same as `numberquest.game(...)`."""

    kind: ClassVar[Any]
    """The `GameType`, which all settings of a game share."""
    slug: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Use `pyspiel.load_game("numberquest_SLUG(…)")`."""
        self.rules = rules = from_parameters(self.slug, parameters or {})
        self.book = book(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions),
            max_chance_outcomes=len(self.book.reveals),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Only what the players do; reveals are counted below.
            max_game_length=rules.longest - len(rules.deck),
        )
        super().__init__(self.kind, info, to_parameters(rules))

    def new_initial_state(self) -> QuestState:
        """A state at the start."""
        return QuestState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Every hidden number is revealed at most once."""
        return len(self.rules.deck)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, object] | None = None) -> AnyObserver:
        """What turns states into observations (perfect_recall=False) or information states (True)."""
        return make_observer(self.book, iig_obs_type, params)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _load, (str(self),)


def _load(text: str) -> QuestGame:
    # Where a game is read that was written in another process, this file has told OpenSpiel of the games first.
    game: QuestGame = pyspiel.load_game(text)
    return game


def _type(slug: str) -> Any:
    kind = GAMES[slug]
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=f"numberquest_{slug}",
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if kind().deck else chance.DETERMINISTIC,
        # What is hidden is hidden from both alike, and comes by chance.
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(slug),
    )


# OpenSpiel holds what makes a game until after Python has ended, and then lets go of it. A class survives that,
# because it refers to itself; a function or a `partial` would be torn down there, and crash.
_KINDS: list[type[QuestGame]] = [
    type(f"Quest{kind.__name__}", (QuestGame,), {"slug": slug, "kind": _type(slug), "__doc__": kind.summary})
    for slug, kind in GAMES.items()
]


def register() -> None:
    """Tell OpenSpiel of the games; once more does no harm."""
    for game in _KINDS:
        pyspiel.register_game(game.kind, game)
