"""One rule set in OpenSpiel, and how OpenSpiel is told of the games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pyspiel

from numberquest.contract import Game
from numberquest.envs.arguments import rules_for
from numberquest.envs.openspiel.game_tree import game_tree
from numberquest.envs.openspiel.observer import make_observer
from numberquest.envs.openspiel.parameters import defaults, from_parameters, to_parameters
from numberquest.envs.openspiel.state import QuestState
from numberquest.games import GAMES
from numberquest.loading import BadGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numberquest.envs.arguments import AnyGame
    from numberquest.envs.openspiel.observer import AnyObserver


class QuestGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game. `rules` is the same as `numberquest.game(...)`."""

    game_type: ClassVar[Any]
    """What OpenSpiel knows of it, whatever the settings."""
    kind: ClassVar[type[Game[Any]]]
    """The class of the rules."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Use `pyspiel.load_game("numberquest_SLUG(…)")`, or `load`."""
        self.rules = rules = from_parameters(self.kind, parameters or {})
        self.tree = game_tree(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions),
            max_chance_outcomes=len(self.tree.reveals),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # What the players do may take all of it; reveals are counted below.
            max_game_length=rules.bound,
        )
        super().__init__(self.game_type, info, to_parameters(rules))

    def new_initial_state(self) -> QuestState:
        """A state at the start."""
        return QuestState(self, self.tree.root)

    def max_chance_nodes_in_history(self) -> int:
        """Every hidden number is revealed at most once; of draws, none comes after the longest game."""
        rules = self.rules
        return min(len(rules.deck), rules.bound) if rules.chance == "deck" else rules.bound if rules.chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, object] | None = None) -> AnyObserver:
        """What turns states into observations (perfect_recall=False) or information states (True)."""
        return make_observer(self.tree, iig_obs_type, params)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return load, (self.rules,)


def load(game: AnyGame, **settings: Any) -> QuestGame:
    """A game in OpenSpiel: by its slug, by the path of its file, by its class, or as it is."""
    rules = rules_for(game, settings)
    _register(type(rules))
    loaded: QuestGame = pyspiel.load_game(_name(rules.slug), to_parameters(rules))
    return loaded


def register() -> None:
    """Tell OpenSpiel of all games, those too that have been brought since; once more does no harm."""
    for kind in GAMES.values():
        _register(kind)


_known: dict[str, type[Game[Any]]] = {}


def _register(kind: type[Game[Any]]) -> None:
    if kind.slug in _known:
        if _known[kind.slug] is not kind:
            raise BadGame(f"OpenSpiel knows another game called {kind.slug}, and cannot forget it: take another slug")
        return
    _known[kind.slug] = kind
    # OpenSpiel holds what makes a game until after Python has ended, and then lets go of it. A class survives that,
    # because it refers to itself; a function or a `partial` would be torn down there, and crash.
    made: Any = type(
        f"Quest{kind.__name__}", (QuestGame,), {"kind": kind, "game_type": _type(kind), "__doc__": kind.summary}
    )
    pyspiel.register_game(made.game_type, made)


def _name(slug: str) -> str:
    return f"numberquest_{slug}"


def _type(kind: type[Game[Any]]) -> Any:
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=_name(kind.slug),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        # Whatever its settings, a game in which something is left to chance has weights.
        chance_mode=chance.EXPLICIT_STOCHASTIC if kind.weights is not Game.weights else chance.DETERMINISTIC,
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
        parameter_specification=defaults(kind),
    )
