"""One game as OpenSpiel walks through it: nodes, each a position with whose turn it is there and what may be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import pyspiel

from numberquest.core.contract import CHANCE, Game
from numberquest.core.loading import BadGame
from numberquest.core.settings import SettingValue, UpTo
from numberquest.envs.observation import action_ids

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


class Node:
    """Never changes, so that a copy of a state can share it: OpenSpiel copies at every step of a search."""

    __slots__ = ("choices", "player", "position", "steps", "tree")

    def __init__(self, tree: GameTree, position: Any, player: int, choices: list[int], steps: int) -> None:
        self.tree = tree
        self.position = position
        self.player = player
        self.choices = choices
        """Ids, one for each of the moves there. Shared, and not to be written to."""
        self.steps = steps

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
_READ_AS_NUMBER: Final = frozenset("+-0123456789")
"""OpenSpiel takes a text of only these for a whole number, and refuses the game if it is none."""


def defaults(kind: type[Game[Any]]) -> dict[str, SettingValue]:
    """The classic settings of a game, as OpenSpiel is told them."""
    return {
        name: AS_MANY_AS_THERE_ARE if isinstance(kind.fields[name], UpTo) else _written(value)
        for name, value in kind().settings.items()
    }


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
    return {name: _written(value) for name, value in game.settings.items()}


def _written(value: SettingValue) -> SettingValue:
    if isinstance(value, str) and _READ_AS_NUMBER.issuperset(value):
        return f"'{value}'"
    return value
