"""What a rule set is like to play, exactly: how fair, how long, how much luck, how much skill, how exciting.

For two players of known levels everything that can happen has a known chance, so nothing has to be played out.
docs/laboratory.md defines each measure by a formula.
"""

import json
import os
import time
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.progress import Progress, silently
from numberquest.players.levels import PLAYERS, player
from numberquest.solver import solve
from numberquest.solver.budget import TooLarge
from numberquest.solver.ordered import OrderedGraph, ordered, ordered_from
from numberquest.solver.table import source_of
from numberquest.study.atlas import place_for
from numberquest.study.fairness import Circles, NoPoints, after_the_pie_rule, best_head_start
from numberquest.study.levels import Kept, chances, has_own_way, pools_of
from numberquest.study.policy_values import GeneralWalk, Pair, first_shares
from numberquest.study.pool_policies import PoolWalk, Walked
from numberquest.study.secret_values import between, level_policy

LEVELS: Final = tuple(reversed(PLAYERS))
"""From the best to the weakest."""
STEPS: Final = tuple(pairwise(LEVELS))
NOT_SEEN: Final = "it is measured at positions, and in a game with secrets the players do not see the same"
SAME: Final = 1e-12
"""An outcome that scatters less than this does not scatter."""

VERSION: Final = 2
"""Goes up when a measure or the players change, so that no old file is taken for a new one."""
SHIPPED: Final = f"measures-{VERSION}"
"""The file beside a game's rules with what is often asked for; `python -m numberquest.study.classics` makes it."""
LONG: Final = 2.0
"""What took fewer seconds is not worth a file."""


def _means(meaning: str) -> Any:
    return field(default=None, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Measures:
    """Every measure of one rule set, between two players; None where it cannot be told, and `why` says why not."""

    value: float | None = _means("Player 1's share of the points: how often Player 1 wins, and half of the draws")
    draw: float | None = _means("how often nobody wins")
    length: float | None = _means("how many moves a game takes, both players' together; uncovering a number is no move")
    length_spread: float | None = _means("how far games usually are from that length, up or down")
    branching: float | None = _means("how many moves one may choose from, on average over all moves of a game")
    decisions: float | None = _means(
        "how many moves of a game are a real choice: there is more than one to choose from"
    )
    mattered: float | None = _means("how many of those choices mattered: some move was better than another")
    stake: float | None = _means(
        "how much of the chance to win the worst move would have thrown away, where the choice mattered"
    )
    blind: float | None = _means("how much of it somebody throws away who chooses blindly there")
    lead_changes: float | None = _means(
        "how often the lead goes over from one player to the other; who leads is more likely to win"
    )
    behind: float | None = _means("for how much of the game the player who won in the end had been behind")
    drama: float | None = _means(
        "how far behind: by how much the other was more likely to win, while the later winner was behind"
    )
    decided: float | None = _means(
        "when it was settled: after which part of the moves the winner was ahead and stayed ahead"
    )
    luck: float | None = _means(
        "how much of who wins is luck: the share that the numbers uncovered or the dice have in it"
    )
    skill: float | None = _means(
        "how much of who wins is skill: the share that the players' own better and worse moves have in it"
    )
    advantage: float | None = _means("how much more often one wins as Player 1 than as Player 2")
    pie: float | None = _means(
        "what is left of that where Player 2 may change seats after the first turn (the pie rule)"
    )
    head_start: float | None = _means(
        "how many points Player 2 must be given at the start to make it as fair as can be; below 0, Player 1 is "
        "given them"
    )
    head_start_leaves: float | None = _means("what is left of the advantage then")
    ladder: tuple[float, ...] | None = _means(
        "how much more often the better player wins: perfect over hard, hard over medium, medium over easy, easy "
        "over random"
    )
    gain: float | None = _means("how much more often a perfect player wins than one who chooses blindly")
    why: Mapping[str, str] = field(default_factory=dict)
    """For a measure that is None, the reason, in a sentence without its full stop."""
    positions: int = 0

    def data(self) -> dict[str, Any]:
        """As JSON: every measure under its name, then `why` and `positions`."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


MEASURES: Final[dict[str, str]] = {
    one.name: one.metadata["meaning"] for one in fields(Measures) if "meaning" in one.metadata
}
"""Every measure by its name, with what it means."""
FAIRNESS: Final = frozenset({"advantage", "pie"})
HEAD_START: Final = frozenset({"head_start", "head_start_leaves"})
LADDER: Final = frozenset({"ladder", "gain"})
FLOW: Final = frozenset(MEASURES) - FAIRNESS - HEAD_START - LADDER


def measure(
    game: Game[Any],
    players: tuple[str, str] = ("perfect", "perfect"),
    *,
    only: Collection[str] = tuple(MEASURES),
    progress: Progress | None = None,
) -> Measures:
    """Measure a rule set, as these two play it; with `only`, no more than those measures.

    What is too large to be worked out is None, and `why` says so.
    """
    return Study(game, progress).measures(players, only=only)


class Study:
    """One rule set under study: its positions are looked at once, however many pairs are asked about."""

    def __init__(self, game: Game[Any], progress: Progress | None = None, *, shipped: bool = True) -> None:
        """With `shipped`, what comes with the game is not worked out again."""
        self.game = game
        self._progress = progress or silently
        # Rules in somebody's own file may have been changed since.
        shipped = shipped and source_of(game) == ""
        self._shipped = _shipped(type(game)).get(game.settings_text, {}) if shipped else {}
        self._walked: dict[Pair, Walked] = {}
        self._pools = pools_of(game)

    @cached_property
    def _looked_at(self) -> OrderedGraph | TooLarge:
        try:
            return ordered(self.game, self._progress)
        except TooLarge as reason:
            # So that nobody tries again.
            return reason

    @property
    def _positions(self) -> OrderedGraph:
        if isinstance(self._looked_at, TooLarge):
            raise self._looked_at
        return self._looked_at

    def walked(self, pair: Pair) -> Walked:
        """The game as these two play it."""
        if pair not in self._walked:
            if self._pools is None:
                self._walked[pair] = GeneralWalk(self._positions, pair)
            else:
                self._walked[pair] = PoolWalk(self._pools, pair, self._progress)
        return self._walked[pair]

    def measures(self, players: tuple[str, str], *, only: Collection[str] = tuple(MEASURES)) -> Measures:
        """The measures between these two players."""
        pair = Pair(player(players[0]).name, player(players[1]).name)
        asked = set(only)
        unknown = asked - set(MEASURES)
        if unknown:
            raise ValueError(f"there is no measure called {min(unknown)!r}; there is {', '.join(MEASURES)}")
        shipped = self._shipped.get(" ".join(pair))
        if shipped is not None:
            why = {name: reason for name, reason in shipped["why"].items() if name in asked}
            return _measures_of({**shipped, **dict.fromkeys(set(MEASURES) - asked), "why": why})
        return self._kept(pair) if asked == set(MEASURES) else self._worked_out(pair, asked)[0]

    def _kept(self, pair: Pair) -> Measures:
        """All measures, as they were kept or worked out now."""
        file = Kept(self.game, "measures", VERSION)
        name = " ".join(pair)
        before: dict[str, Any] = file.read(lambda said: dict(said["measures"]), {})
        known = before.get(name)
        if isinstance(known, dict) and set(known) == set(Measures().data()):
            return _measures_of(known)
        started = time.process_time()
        found, complete = self._worked_out(pair, set(MEASURES))
        if complete and time.process_time() - started > LONG:
            file.write({"measures": {**before, name: found.data()}})
        return found

    def _worked_out(self, pair: Pair, asked: set[str]) -> tuple[Measures, bool]:
        """The measures that were asked for, and whether nothing was too large."""
        if self.game.has_secrets:
            return self._in_secret(pair, asked)
        found: dict[str, Any] = {}
        why: dict[str, str] = {}
        complete = True
        for names, work_out in (
            (FLOW, self._flow),
            (FAIRNESS, self._fairness),
            (HEAD_START, self._head_start),
            (LADDER, self._ladder),
        ):
            if asked & names:
                try:
                    found |= work_out(pair, why)
                except TooLarge as reason:
                    why |= dict.fromkeys(sorted(names), str(reason))
                    complete = False
        positions = self._walked[pair].positions if pair in self._walked else 0
        told = {name: value for name, value in found.items() if name in asked}
        reasons = {name: reason for name, reason in why.items() if name in asked}
        return Measures(**told, why=reasons, positions=positions), complete

    def _in_secret(self, pair: Pair, asked: set[str]) -> tuple[Measures, bool]:
        """What can be told where the players do not see the same: what games between these two come to."""
        game = self.game
        try:
            one, two = ([level_policy(game, name)] for name in pair)
            flow, other = between(game, one, two, self._progress)[0][0], between(game, two, one, self._progress)[0][0]
            found: dict[str, Any] = {"value": flow.chance.share, "draw": flow.draw, "length": flow.moves}
            found["length_spread"] = max(flow.squares - flow.moves**2, 0.0) ** 0.5
            found["advantage"] = flow.chance.share + other.chance.share - 1
            found["decisions"] = flow.decisions
            found |= {"branching": flow.allowed / flow.moves} if flow.moves else {}
            found |= self._ladder(pair, {}) if asked & LADDER else {}
        except TooLarge as reason:
            return Measures(why=dict.fromkeys(sorted(asked), str(reason))), False
        why = dict.fromkeys(sorted(asked - set(found)), NOT_SEEN)
        told = {name: value for name, value in found.items() if name in asked}
        return Measures(**told, why=why, positions=solve(game).positions), True

    def _flow(self, pair: Pair, why: dict[str, str]) -> dict[str, Any]:
        """The measures of one pair's games, from what these come to."""
        flow = self.walked(pair).flow
        draw = max(1 - flow.first - flow.second, 0.0)
        value = (1 + flow.first - flow.second) / 2
        found: dict[str, Any] = {
            "value": value,
            "draw": draw if draw > SAME else 0.0,
            "lead_changes": flow.lead_changes,
        }
        # A draw is half a point to both.
        variance = flow.first + draw / 4 - value**2
        if variance > SAME:
            total = flow.by_chance + flow.by_choice
            found |= {"luck": flow.by_chance / total, "skill": flow.by_choice / total}
        else:
            why |= dict.fromkeys(("luck", "skill"), "between these players every game ends alike")
        if flow.endless:
            never = f"{100 * flow.endless:.3g} of 100 games never end"
            why |= dict.fromkeys(sorted(FLOW - set(found) - set(why)), never)
            return found
        found |= {"length": flow.moves, "length_spread": flow.spread, "decisions": flow.decisions}
        found["mattered"] = flow.mattered
        if flow.moves < SAME:
            why |= dict.fromkeys(sorted(FLOW - set(found) - set(why)), "nobody ever makes a move")
            return found
        found["branching"] = flow.allowed / flow.moves
        found |= {"behind": flow.behind / flow.moves, "decided": flow.unsettled / flow.moves}
        found["drama"] = flow.deficit / flow.behind if flow.behind > SAME else 0.0
        if flow.mattered > SAME:
            found |= {"stake": flow.staked / flow.mattered, "blind": flow.blindly / flow.mattered}
        else:
            why |= dict.fromkeys(("stake", "blind"), "no choice ever mattered")
        return found

    def _fairness(self, pair: Pair, why: dict[str, str]) -> dict[str, Any]:
        """Over both ways to take the seats, so that it does not matter who is the stronger one."""
        other = Pair(pair.second, pair.first)
        one, two = self.walked(pair), self.walked(other)
        start = self.game.start()
        found: dict[str, Any] = {"advantage": one.share(start) + two.share(start) - 1}
        try:
            found["pie"] = after_the_pie_rule(self.game, one, two)
        except Circles as reason:
            why["pie"] = str(reason)
        return found

    def _head_start(self, pair: Pair, why: dict[str, str]) -> dict[str, Any]:
        pairs = (pair, Pair(pair.second, pair.first))
        start = self.game.start()

        def advantage(p: Any) -> float:
            if p == start or self._pools is not None:
                return sum(self.walked(one).share(p) for one in pairs) - 1
            positions = ordered_from(self.game, p, self._progress)
            return sum(float(first_shares(positions, one)[positions.number(p)]) for one in pairs) - 1

        try:
            points, left = best_head_start(self.game, advantage)
        except NoPoints as reason:
            why |= dict.fromkeys(sorted(HEAD_START), str(reason))
            return {}
        return {"head_start": float(points), "head_start_leaves": left}

    def _ladder(self, _: Pair, __: dict[str, str]) -> dict[str, Any]:
        steps = [*STEPS, (LEVELS[0], LEVELS[-1])]
        pairs = [Pair(*seats) for better, worse in steps for seats in ((better, worse), (worse, better))]
        shares = self._shares(pairs)
        gains = [shares[Pair(better, worse)] - shares[Pair(worse, better)] for better, worse in steps]
        return {"ladder": tuple(gains[:-1]), "gain": gains[-1]}

    def _shares(self, pairs: list[Pair]) -> dict[Pair, float]:
        """Player 1's share at the start, for each pair."""
        if self.game.has_secrets or has_own_way(self.game):
            return chances(self.game, pairs, progress=self._progress)
        start = self._positions.number(self.game.start())
        return {pair: float(first_shares(self._positions, pair)[start]) for pair in pairs}


@cache
def _shipped(kind: type[Game[Any]]) -> Mapping[str, Any]:
    """The measures that come with a game: of each rule set as it is typed, and of each pair."""
    path = place_for(kind, SHIPPED)
    if not os.path.isfile(path):
        return {}
    with open(path, "rb") as file:
        found: dict[str, Any] = json.loads(zlib.decompress(file.read()))
        return found


def _measures_of(data: Mapping[str, Any]) -> Measures:
    return Measures(**{**data, "ladder": data["ladder"] and tuple(data["ladder"])})
