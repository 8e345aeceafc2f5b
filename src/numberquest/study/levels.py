"""How strong the computer players are, exactly: how often each wins against each, in both seats."""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from numberquest.core.contract import Game
from numberquest.core.files import write_whole
from numberquest.core.progress import Progress, silently
from numberquest.core.registry import part
from numberquest.players.levels import PLAYERS
from numberquest.solver import table
from numberquest.solver.numbers import IN_PAGE
from numberquest.solver.pool_recurrence import PoolRules, pool_rules
from numberquest.study import pool_policies
from numberquest.study.policy_values import Chance, Everywhere, Pair, listed_shares, shares
from numberquest.study.policy_values import chances as listed_chances
from numberquest.study.secret_values import between, level_policy

Warn = Callable[[str], None]
T = TypeVar("T")


class Kept:
    """The file of one kind of figures of one rule set. `version` goes up when these, or the players, change.

    `warn` is told what is wrong with it: that only costs time.
    """

    def __init__(self, game: Game[Any], kind: str, version: int, warn: Warn = silently) -> None:
        self.warn = warn
        self.path = f"{table.path_for(game, f'{kind}{version}')}.json"
        any_move = {name: level.any_move for name, level in PLAYERS.items()}
        # Rules that are in no file may be others the next time, and are not kept.
        self._source = table.source_of(game)
        self._head = {"rules": repr(game), "source": self._source, "version": version, "any_move": any_move}

    def read(self, use: Callable[[dict[str, Any]], T], nothing: T) -> T:
        """What becomes of what was kept; or nothing: no file, one of other rules or players, or a damaged one."""
        if self._source is None or not os.path.isfile(self.path):
            return nothing
        try:
            with open(self.path, encoding="utf-8") as file:
                said = json.load(file)
            return use(said) if {name: said[name] for name in self._head} == self._head else nothing
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.warn(f"{self.path} cannot be used; it is made anew.")
            return nothing

    def write(self, figures: dict[str, Any]) -> None:
        """Keep all of it or nothing."""
        if self._source is None:
            return
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            write_whole(self.path, [json.dumps({**self._head, **figures}, indent=1).encode()])
        except OSError as error:
            self.warn(f"{self.path} cannot be written ({error.strerror}), so the next time takes as long as this one.")


VERSION: Final = 4
"""Goes up when the recurrence or the players change, so that no old file is taken for a new one."""

EQUAL: Final = 1e-6
"""Chances closer than this differ only by rounding."""


class Levels(NamedTuple):
    """How often the level of the row, as Player 1, wins against the level of the column; and how often nobody does."""

    game: Game[Any]
    names: tuple[str, ...]
    first: tuple[tuple[float, ...], ...]
    draws: tuple[tuple[float, ...], ...]

    def chance(self, a: str, b: str, seat: int = 0) -> float:
        """How often `a` wins against `b`, as Player 1 or, in seat 1, as Player 2."""
        row, column = self.names.index(a), self.names.index(b)
        return 1 - self.first[column][row] - self.draws[column][row] if seat else self.first[row][column]

    def drawn(self, a: str, b: str, seat: int = 0) -> float:
        """How often nobody wins when `a` plays against `b`, as Player 1 or, in seat 1, as Player 2."""
        row, column = self.names.index(a), self.names.index(b)
        return self.draws[column][row] if seat else self.draws[row][column]

    @property
    def matters(self) -> bool:
        """Whether it makes any difference how well somebody plays."""
        return any(
            max(one for row in table for one in row) - min(one for row in table for one in row) > EQUAL
            for table in (self.first, self.draws)
        )


def levels(game: Game[Any], *, progress: Progress = silently, warn: Warn = silently) -> Levels:
    """How often each level wins against each. `TooLarge` where that cannot be worked out."""
    names = tuple(PLAYERS)
    known = results(game, [Pair(a, b) for a in names for b in names], progress=progress, warn=warn)
    first, draws = (
        tuple(tuple(known[Pair(a, b)][at] for b in names) for a in names) for at in range(len(Chance._fields))
    )
    return Levels(game, names, first, draws)


def chances(
    game: Game[Any], pairs: Sequence[Pair], *, progress: Progress = silently, warn: Warn = silently
) -> dict[Pair, float]:
    """For each pair of levels, Player 1's share of the points: how often that player wins, and half of the draws."""
    return {pair: found.share for pair, found in results(game, pairs, progress=progress, warn=warn).items()}


def results(
    game: Game[Any], pairs: Sequence[Pair], *, progress: Progress = silently, warn: Warn = silently
) -> dict[Pair, Chance]:
    """For each pair of levels, how often Player 1 wins and how often nobody; kept on disk after the first time.

    `warn` is told what is wrong with a kept file.
    """
    file = Kept(game, "levels", VERSION, warn)
    known = file.read(_known_in, dict[Pair, Chance]())
    missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    if missing:
        known.update(zip(missing, _worked_out(game, missing, progress), strict=True))
        fields: dict[str, dict[str, float]] = {"first": {}, "draws": {}}
        for pair, chance in known.items():
            fields["first"][" ".join(pair)], fields["draws"][" ".join(pair)] = chance
        file.write(fields)
    return {pair: known[pair] for pair in pairs}


def _worked_out(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[Chance]:
    if game.has_secrets:
        one, two = (list(dict.fromkeys(pair[seat] for pair in pairs)) for seat in (0, 1))
        firsts, seconds = ([level_policy(game, name) for name in names] for names in (one, two))
        found_all = between(game, firsts, seconds, progress)
        return [found_all[one.index(pair.first)][two.index(pair.second)].chance for pair in pairs]
    pools = pools_of(game)
    if pools is not None:
        # Such games are never drawn.
        return [Chance(first) for first in pool_policies.chances(pools, pairs, progress)]
    own = _own(game)
    if own is not None:
        # Nor are those that work it out themselves.
        found = own(game, shares(pairs), progress, everywhere=False)
        return [Chance(first) for first in found.at(game.start()).tolist()]
    return listed_chances(game, pairs, progress)


def everywhere(game: Game[Any], pair: Pair, *, progress: Progress = silently) -> Everywhere:
    """For a pair of levels, Player 1's share of the points from every position on. `TooLarge` where it is too much."""
    pools = pools_of(game)
    if pools is not None:
        return pool_policies.everywhere(pools, pair, progress)
    own = _own(game)
    if own is not None:
        found = own(game, shares([pair]), progress, everywhere=True)
        return Everywhere(game, pair, lambda p: float(found.at(p)[0]))
    return listed_shares(game, pair, progress)


def has_own_way(game: Game[Any]) -> bool:
    """Whether a game brings what makes this faster than its positions one by one."""
    return pools_of(game) is not None or _own(game) is not None


def pools_of(game: Game[Any]) -> PoolRules[Any] | None:
    """The rules of a game over pools, whose positions are not looked at one by one; in a page they are."""
    return None if IN_PAGE else pool_rules(game)


def _own(game: Game[Any]) -> Callable[..., Any] | None:
    """The way of a game to work it out faster, if it has one."""
    own: Callable[..., Any] | None = None
    if not IN_PAGE and not game.has_secrets:
        own = getattr(part(type(game), "solver"), "between_players", None)
    return own


def _known_in(said: dict[str, Any]) -> dict[Pair, Chance]:
    """What was kept; nothing where that is of other levels, or where there are no such chances."""
    known = {
        Pair(*names.split()): Chance(float(chance), float(said["draws"][names]))
        for names, chance in said["first"].items()
    }
    sound = all({*pair} <= {*PLAYERS} and 0 <= min(found) <= max(found) <= 1 for pair, found in known.items())
    return known if sound else {}
