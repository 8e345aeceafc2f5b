"""How strong the computer players are, exactly: how often each wins against each, in both seats."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.files import write_whole
from numberquest.games import part
from numberquest.lab.mixed import Chance, Everywhere, Pair
from numberquest.players import PLAYERS
from numberquest.solver import table as tables
from numberquest.solver.budget import silently

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.solver.budget import Progress

VERSION: Final = 3
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


def levels(game: Game[Any], *, progress: Progress | None = None, warn: Callable[[str], None] | None = None) -> Levels:
    """How often each level wins against each. `TooLarge` where that cannot be worked out."""
    names = tuple(PLAYERS)
    known = results(game, [Pair(a, b) for a in names for b in names], progress=progress, warn=warn)
    return Levels(
        game,
        names,
        tuple(tuple(known[Pair(a, b)].first for b in names) for a in names),
        tuple(tuple(known[Pair(a, b)].draw for b in names) for a in names),
    )


def chances(
    game: Game[Any],
    pairs: Sequence[Pair],
    *,
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> dict[Pair, float]:
    """For each pair of levels, Player 1's share of the points: how often that player wins, and half of the draws."""
    return {pair: found.share for pair, found in results(game, pairs, progress=progress, warn=warn).items()}


def results(
    game: Game[Any],
    pairs: Sequence[Pair],
    *,
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> dict[Pair, Chance]:
    """For each pair of levels, how often Player 1 wins and how often nobody; kept on disk after the first time.

    `warn` is told what is wrong with a kept file.
    """
    warn = warn or silently
    known = _kept(game, warn)
    missing = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    if missing:
        found = _worked_out(game, missing, progress or silently)
        known.update(zip(missing, found, strict=True))
        _keep(game, known, warn)
    return {pair: known[pair] for pair in pairs}


def _worked_out(game: Game[Any], pairs: Sequence[Pair], progress: Progress) -> list[Chance]:
    own = part(type(game), "levels")
    if own is not None:
        # Games with such a part are never drawn.
        return [Chance(first) for first in own.chances(game, pairs, progress)]
    from numberquest.lab.recurrence import chances as from_the_rules

    return from_the_rules(game, pairs, progress)


def everywhere(game: Game[Any], pair: Pair, *, progress: Progress | None = None) -> Everywhere:
    """For a pair of levels, Player 1's share of the points from every position on. `TooLarge` where it is too much."""
    own = part(type(game), "levels")
    if own is not None:
        found: Everywhere = own.everywhere(game, pair, progress or silently)
        return found
    from numberquest.lab.recurrence import everywhere as from_the_rules

    return from_the_rules(game, pair, progress or silently)


def kept_path(game: Game[Any]) -> str:
    """The file that the chances of a game are kept in."""
    return f"{tables.path_for(game, f'levels{VERSION}')}.json"


def _head(game: Game[Any]) -> dict[str, object]:
    """What must be the same for a kept file to be of use."""
    any_move = {name: PLAYERS[name].any_move for name in PLAYERS}
    return {"rules": repr(game), "source": tables.source_of(game), "version": VERSION, "any_move": any_move}


def _kept(game: Game[Any], warn: Callable[[str], None]) -> dict[Pair, Chance]:
    """What was kept; nothing where there is no file, or one that is damaged or of other levels."""
    if tables.source_of(game) is None or not os.path.isfile(kept_path(game)):
        return {}
    try:
        with open(kept_path(game), encoding="utf-8") as file:
            said = json.load(file)
        head = _head(game)
        if {name: said[name] for name in head} != head:
            return {}
        known = {
            Pair(*names.split()): Chance(float(chance), float(said["draws"][names]))
            for names, chance in said["first"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        warn(f"{kept_path(game)} cannot be used; it is made anew.")
        return {}
    sound = all(
        pair.first in PLAYERS and pair.second in PLAYERS and 0 <= found.first <= 1 and 0 <= found.draw <= 1
        for pair, found in known.items()
    )
    return known if sound else {}


def _keep(game: Game[Any], known: dict[Pair, Chance], warn: Callable[[str], None]) -> None:
    """Keep all of it or nothing; a folder that cannot be written to only costs time."""
    if tables.source_of(game) is None:
        # Rules that are in no file may be others the next time.
        return
    path = kept_path(game)
    said = {
        **_head(game),
        "first": {" ".join(pair): found.first for pair, found in known.items()},
        "draws": {" ".join(pair): found.draw for pair, found in known.items()},
    }
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_whole(path, [json.dumps(said, indent=1).encode()])
    except OSError as error:
        warn(f"{path} cannot be written ({error.strerror}), so the next time takes as long as this one.")
