"""Any game in OpenSpiel: import this, then `pyspiel.load_game("numberquest_last(heap=12)")`. docs/openspiel.md.

Every game is called `numberquest_` and its slug, and every rule setting is a parameter. `load` takes other people's
games too. A reveal is a chance node of its own. In most games both players see it, and nothing that one knows is hidden
from the other; a game with secrets says so, and has information states of what each player has seen and done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from secrets import token_hex
from types import SimpleNamespace
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import CHANCE, Game, Outcome, player_name
from numberquest.core.knowledge import in_text
from numberquest.core.loading import BadGame
from numberquest.core.registry import GAMES
from numberquest.core.seen_history import known_after, told_history
from numberquest.core.settings import SettingValue, UpTo, as_text
from numberquest.core.stream import Stream
from numberquest.core.view import fields_of
from numberquest.envs.arguments import AnyGame, asked_move, needing, rules_for
from numberquest.envs.episode import result
from numberquest.envs.observation import Observer, action_ids
from numberquest.players import asking
from numberquest.players.named import who

with needing("openspiel"):
    import pyspiel

__all__ = ["ComputerBot", "HistoryObserver", "QuestGame", "QuestState", "TableObserver", "load", "register"]

REVEAL: Final = int(pyspiel.PlayerId.CHANCE)
OVER: Final = int(pyspiel.PlayerId.TERMINAL)
MOST_LOOKED_AT: Final = 50_000
"""In how many positions, those nearest to the start, what can be drawn is looked for."""


class GameTree:
    """One game by numbers: action ids are places in `actions`, outcome ids of a reveal are places in `reveals`."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.actions = game.actions
        self.reveals = _all_reveals(game)
        self._action_ids = action_ids(game)
        self._reveal_ids = {move: number for number, move in enumerate(self.reveals)}
        # The same moves are allowed in many positions; how many such sets there are is bounded by the pool.
        self._actions_of: dict[tuple[str, ...], list[int]] = {}
        self._reveals_of: dict[tuple[str, ...], list[int]] = {}
        self.in_order = True
        """Whether all reveals so far were listed in the order of their ids, as OpenSpiel wants them."""
        # OpenSpiel wants to know how long a game can be. One that has no end by its rules has one here.
        self._bound = game.bound if game.longest is None else None
        self.root = self.node(game.start(), 0)

    def node(self, position: Any, steps: int) -> Node:
        """The node of a position after so many moves and reveals, which are only counted where they are bounded."""
        game = self.game
        moves = game.moves(position)
        if not moves or steps == self._bound:
            return Node(self, position, OVER, [], steps)
        player = game.player(position)
        if player == CHANCE:
            known, ids, player = self._reveals_of, self._reveal_ids, REVEAL
        else:
            known, ids = self._actions_of, self._action_ids
        chosen = known.get(moves)
        if chosen is None:
            unknown = [move for move in moves if move not in ids]
            if unknown:
                raise BadGame(
                    f"{game.slug}: {unknown[0]} can be drawn, but in none of the {MOST_LOOKED_AT:,} positions nearest "
                    "to the start: OpenSpiel has to know it beforehand"
                )
            chosen = known[moves] = [ids[move] for move in moves]
            self.in_order = self.in_order and chosen == sorted(chosen)
        return Node(self, position, player, chosen, steps)

    def after(self, node: Node, action: int) -> Node:
        """The node after an action or a reveal."""
        move = (self.reveals if node.player == REVEAL else self.actions)[action]
        return self.node(self.game.play(node.position, move), node.steps if self._bound is None else node.steps + 1)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return tree_of, (self.game,)


class Node(NamedTuple):
    """Never changes, so that a copy of a state can share it: OpenSpiel copies at every step of a search."""

    tree: GameTree
    position: Any
    player: int
    choices: list[int]
    """Ids, one for each of the moves there. Shared, and not to be written to."""
    steps: int

    def __deepcopy__(self, memo: dict[int, object]) -> Node:
        return self

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return GameTree.node, (self.tree, self.position, self.steps)


@lru_cache(maxsize=64)
def tree_of(game: Game[Any]) -> GameTree:
    """The tree of this game; the last few are kept."""
    return GameTree(game)


def _all_reveals(game: Game[Any]) -> tuple[str, ...]:
    """Everything that chance can reveal, numbers first: of a deck its numbers, of draws those that are found."""
    if game.chance == "deck":
        return tuple(str(number) for number in sorted(set(game.deck)))
    found: set[str] = set()
    listed = [game.start()] if game.chance else []
    positions = set(listed)
    # The list grows while it is read.
    for position in listed:
        moves = game.moves(position)
        if moves and game.player(position) == CHANCE:
            found.update(moves)
        for move in moves:
            following = game.play(position, move)
            if following not in positions and len(listed) < MOST_LOOKED_AT:
                positions.add(following)
                listed.append(following)
    return tuple(sorted(found, key=lambda face: (not face.isdecimal(), int(face) if face.isdecimal() else 0, face)))


AS_MANY_AS_THERE_ARE: Final = 0
"""A setting that reaches up to another one follows it, unless it is given: a default that no player can mean."""


def from_parameters(kind: type[Game[Any]], parameters: Mapping[str, Any]) -> Game[Any]:
    """The game with these parameters; `BadSetting` says what is allowed instead."""
    return kind(
        **{
            name: value.strip("'") if isinstance(value, str) else value
            for name, value in parameters.items()
            if not (isinstance(kind.fields.get(name), UpTo) and value == AS_MANY_AS_THERE_ARE)
        }
    )


def to_parameters(game: Game[Any]) -> dict[str, SettingValue]:
    """All settings of a game, so that OpenSpiel can write them down and read them again."""
    # OpenSpiel takes a text of only these signs for a whole number, and refuses the game if it is none.
    return {
        name: f"'{value}'" if isinstance(value, str) and set(value) <= set("+-0123456789") else value
        for name, value in game.settings.items()
    }


class QuestState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state. OpenSpiel keeps the history; all else follows from the node.

    OpenSpiel copies and writes down every attribute, so there is only one.
    """

    def __init__(self, game: pyspiel.Game, root: Node) -> None:
        """Use `game.new_initial_state()`."""
        super().__init__(game)
        self._node = root

    @property
    def tree(self) -> GameTree:
        """The game by numbers."""
        return self._node.tree

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


def entries_of(state: QuestState) -> list[str]:
    """All moves and reveals of a state, as they are written."""
    tree = state.tree
    return [(tree.reveals if step.player == REVEAL else tree.actions)[step.action] for step in state.full_history()]


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
        nobody = None if self._observer.game.has_secrets else 0
        self.tensor[:] = self._observer.see(state.position, nobody if self._both_alike else player)

    def string_from(self, state: QuestState, player: int) -> str:
        """The same in words: `turn=1 mine=7 other=0 pool=2,2,2,…`."""
        self.set_from(state, player)
        return " ".join(f"{name}={','.join(f'{number:g}' for number in part)}" for name, part in self.dict.items())


class HistoryObserver:
    """Every move and every reveal so far that whoever looks can tell, and who that is.

    In a game with secrets what is seen now stands behind them, and the words are those of what is known.
    """

    def __init__(self, tree: GameTree, *, both_alike: bool = False) -> None:
        """`both_alike` does not tell who is looking."""
        self._tree = tree
        self._both_alike = both_alike
        moves = len(tree.actions)
        shape = (tree.game.bound, moves + len(tree.reveals))
        end = 2 + shape[0] * shape[1]
        self._observer = Observer(tree.game) if tree.game.has_secrets else None
        self.tensor: NDArray[np.float32] = np.zeros(end + (self._observer.size if self._observer else 0), np.float32)
        self.dict = {"player": self.tensor[:2], "history": self.tensor[2:end].reshape(shape)}
        """A row for each step: a 1 at the action id, or behind the actions at the id of what was revealed."""
        if self._observer is not None:
            self.dict["seen"] = self.tensor[end:]

    def set_from(self, state: QuestState, player: int) -> None:
        """Look back from this state."""
        self.tensor.fill(0)
        if not self._both_alike:
            self.dict["player"][player] = 1
        history, game = self.dict["history"], self._tree.game
        who = None if self._both_alike else player
        told = told_history(game, entries_of(state), who) if self._observer is not None else None
        for row, step in enumerate(state.full_history()):
            if told is None or told[row] is not None:
                history[row, step.action + (len(self._tree.actions) if step.player == REVEAL else 0)] = 1
        if self._observer is not None:
            self.dict["seen"][:] = self._observer.see(state.position, who)

    def string_from(self, state: QuestState, player: int) -> str:
        """The same as a record has it: `Player 1: 1,1 (7) 2,3 (5)`."""
        tree = self._tree
        if tree.game.has_secrets:
            who = None if self._both_alike else player
            known = in_text(known_after(tree.game, entries_of(state), who))
            return known if who is None else f"{player_name(player)}: {known}"
        said = [
            f"({tree.reveals[step.action]})" if step.player == REVEAL else tree.actions[step.action]
            for step in state.full_history()
        ]
        if not self._both_alike:
            said.insert(0, f"{player_name(player)}:")
        return " ".join(said)


AnyObserver = TableObserver | HistoryObserver | SimpleNamespace


class QuestGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game. `rules` is the same as `numberquest.game(...)`."""

    game_type: ClassVar[Any]
    """What OpenSpiel knows of it, whatever the settings."""
    kind: ClassVar[type[Game[Any]]]
    """The class of the rules."""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Use `pyspiel.load_game("numberquest_SLUG(…)")`, or `load`."""
        self.rules = rules = from_parameters(self.kind, parameters or {})
        self.tree = tree_of(rules)
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
        super().__init__(_type(self.kind, rules), info, to_parameters(rules))

    def new_initial_state(self) -> QuestState:
        """A state at the start."""
        return QuestState(self, self.tree.root)

    def max_chance_nodes_in_history(self) -> int:
        """Every hidden number is revealed at most once; of draws, none comes after the longest game."""
        rules = self.rules
        return min(len(rules.deck), rules.bound) if rules.chance == "deck" else rules.bound if rules.chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, object] | None = None) -> AnyObserver:
        """What turns states into observations (perfect_recall=False) or information states (True)."""
        kind = iig_obs_type
        if isinstance(kind, dict):
            # OpenSpiel passes only the parameters where no kind was named.
            kind, params = None, kind
        if params:
            raise ValueError(f"these observers take no parameters, not {dict(params)!r}")
        if kind is None:
            return TableObserver(self.tree)
        if not kind.public_info:
            if self.rules.has_secrets:
                return TableObserver(self.tree)
            # What a player knows that the other does not: nothing.
            return SimpleNamespace(tensor=None, dict={}, set_from=lambda *_: None, string_from=lambda *_: "")
        # A public observation is the same whoever looks.
        both_alike = kind.private_info == pyspiel.PrivateInfoType.NONE
        return (HistoryObserver if kind.perfect_recall else TableObserver)(self.tree, both_alike=both_alike)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return load, (self.rules,)


def load(game: AnyGame, **settings: Any) -> QuestGame:
    """A game in OpenSpiel: by its slug, by the path of its file, by its class, or as it is."""
    rules = rules_for(game, settings)
    _register(type(rules))
    loaded: QuestGame = pyspiel.load_game(f"numberquest_{rules.slug}", to_parameters(rules))
    return loaded


def register() -> None:
    """Tell OpenSpiel of all games, those too that have been brought since; once more does no harm."""
    for kind in GAMES.known.values():
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
        f"Quest{kind.__name__}",
        (QuestGame,),
        {"kind": kind, "game_type": _type(kind, kind()), "__doc__": kind().summary},
    )
    pyspiel.register_game(made.game_type, made)


def _type(kind: type[Game[Any]], rules: Game[Any]) -> Any:
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    defaults = to_parameters(kind())
    defaults |= {name: AS_MANY_AS_THERE_ARE for name, field in kind.fields.items() if isinstance(field, UpTo)}
    return pyspiel.GameType(
        short_name=f"numberquest_{kind.slug}",
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        # Whatever its settings, a game in which something is left to chance has weights.
        chance_mode=chance.EXPLICIT_STOCHASTIC if kind.weights is not Game.weights else chance.DETERMINISTIC,
        # Otherwise what is hidden is hidden from both alike, and comes by chance.
        information=information.IMPERFECT_INFORMATION if rules.has_secrets else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )


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
        history = entries_of(state) if self._rules.has_secrets else None
        return self._ids[asked_move(self._player, self._rules, state.position, self._dice, history)]

    def close(self) -> None:
        """End what the player has started, such as a process."""
        asking.close(self._player)

    def restart_at(self, state: QuestState) -> None:
        """Go on from this state. Nothing is remembered of any other."""


register()
