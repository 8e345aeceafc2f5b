"""The settings that come nearest to what somebody wishes a game to be: fair, so long, with so much skill in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.progress import Progress, silently
from numberquest.report.report import brief
from numberquest.study.atlas import ADVANTAGE, ALIKE, OUT_OF_REACH
from numberquest.study.plot import SHARES
from numberquest.study.row import SweepRow
from numberquest.study.sweep import MOST, Sweep
from numberquest.study.workers import Workers

BEST: Final = 10
AT_A_TIME: Final = 16
"""So many settings are measured before one looks again whether the others still matter; for each who works."""
PEOPLE: Final = ("medium", "medium")
"""Who is thought to play, unless somebody says otherwise: between two who never err, no skill decides anything."""
FAIR, PEOPLE_FAIR, LENGTH, SKILL = "fair", "fair-people", "length", "skill"


@dataclass(frozen=True)
class Wish:
    """What a column is to be: from `low` to `high`; or, with a sign, as much of it as can be had, or as little."""

    name: str
    """A measure; or `fair` under best play, or `fair-people` between the two who play."""
    low: float = -inf
    high: float = inf
    sign: int = 0

    @property
    def is_fair(self) -> bool:
        """Whether it is about how far Player 1's chance is from one half."""
        return self.name in (FAIR, PEOPLE_FAIR)

    @property
    def column(self) -> str:
        """Where its figure stands."""
        return {FAIR: "value", PEOPLE_FAIR: ADVANTAGE}.get(self.name, self.name)

    def figure(self, row: SweepRow) -> float | None:
        """What it is in this row."""
        found = row.value if self.name == FAIR else row.measures.get(self.column)
        # Over both ways to take the seats: half of the advantage is what Player 1's chance is away from one half.
        return (1 + found) / 2 if self.name == PEOPLE_FAIR and found is not None else found

    def miss(self, row: SweepRow) -> float | None:
        """How far it is from what is wished, in its own units; 0 where it is as wished, None where nobody knows."""
        figure = self.figure(row)
        return None if figure is None else max(self.low - figure, figure - self.high, 0.0)

    def weight(self) -> float:
        """A miss of so much is as bad as any other can be: a whole chance, or a game twice as long as wished."""
        if self.is_fair or self.column in SHARES:
            return 0.5 if self.is_fair else 1.0
        return max(self.high if self.high < inf else self.low, 1.0)

    def drawn(self, row: SweepRow) -> float | None:
        """What is drawn of it in a picture: for fairness, how far it is from one half, whoever it favours."""
        figure = self.figure(row)
        return abs(figure - 0.5) if self.is_fair and figure is not None else figure

    @property
    def drawn_ends(self) -> tuple[float, float]:
        """From where to where it is as wished, as it is drawn."""
        return (0.0, self.high - 0.5) if self.is_fair else (max(self.low, 0.0), self.high)

    def badness(self, row: SweepRow) -> float:
        """For a comparison of two rows by this wish alone: the lower, the better, also where both are as wished."""
        figure, miss = self.drawn(row), self.miss(row)
        if figure is None or miss is None:
            return inf
        more = 0 if self.is_fair else self.sign or (self.high == inf and self.column in SHARES)
        return -figure * more if more else figure if self.is_fair else miss

    def in_words(self) -> str:
        """What is wished, for people."""
        if self.sign:
            return f"{'most' if self.sign > 0 else 'least'} {self.name}"
        if self.is_fair:
            who = " between the players" if self.name == PEOPLE_FAIR else ""
            return f"fair within {100 * (self.high - 0.5):.3g} %{who}"
        low, high = (f"{100 * end:.3g} %" if self.column in SHARES else f"{end:g}" for end in (self.low, self.high))
        words = f"at least {low}" if self.high == inf else f"at most {high}" if self.low <= 0 else f"{low} to {high}"
        return f"{words} moves" if self.name == LENGTH else f"{self.name} {words}"

    def missed(self, row: SweepRow) -> str:
        """By how much it is missed, in a sentence without its full stop; empty where it is not."""
        figure, miss = self.figure(row), self.miss(row)
        if not miss or figure is None:
            return "" if figure is not None else f"{self.name} is not known"
        if self.is_fair:
            between = " between the players" if self.name == PEOPLE_FAIR else ""
            return f"Player {1 if figure > 0.5 else 2} wins {brief(100 * miss)} more of 100 games than wished{between}"
        if self.name == LENGTH:
            return f"{miss:.3g} moves too {'short' if figure < self.low else 'long'}"
        much = f"{brief(100 * miss)} points" if self.column in SHARES else brief(miss)
        return f"{self.name} is {much} {'less' if figure < self.low else 'more'} than wished"


def fair(within: float, name: str = FAIR) -> Wish:
    """The chance of Player 1 under best play, or of the players themselves, is one half, give or take so much."""
    return Wish(name, 0.5 - within, 0.5 + within)


def length(low: float, high: float = inf) -> Wish:
    """A game takes so many moves on average."""
    return Wish(LENGTH, low, high)


def skill(least: float) -> Wish:
    """Skill has at least this share in who wins."""
    return Wish(SKILL, least)


class Candidate(NamedTuple):
    """A rule set, and how far it is from all wishes together; 0 where it is as wished."""

    row: SweepRow
    far: float


@dataclass
class Design:
    """The search for the best settings: their value first, which is soon known, and the measures where they matter."""

    kind: type[Game[Any]]
    games: Sequence[Game[Any]]
    wishes: Sequence[Wish]
    players: tuple[str, str]
    most: float
    looked_at: list[Candidate] = field(default_factory=list)
    """Those that were measured, the best first."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many more rule sets are the same games as these, by how that is known: `ALIKE` or `OUT_OF_REACH`."""
    unmeasured: int = 0
    """So many are larger than what the atlas has measures of, and were not measured."""
    unknown: int = 0
    """So many are too large to know."""

    @property
    def measures(self) -> list[str]:
        """The columns that the wishes need besides the value; the length and the skill are told in any case."""
        return list(dict.fromkeys([*(wish.column for wish in self.wishes if wish.name != FAIR), LENGTH, SKILL]))

    def valued(self) -> Sweep:
        """The first part: what every setting is worth."""
        return Sweep(self.kind, self.games, (), self.players, self.most)

    def choose(self, rows: Sequence[SweepRow], workers: Workers | None = None, progress: Progress = silently) -> None:
        """The second part: measure those that can still be among the best, the fairest first, until no other can."""
        order = {row.key: at for at, row in enumerate(rows)}
        known = [row for row in rows if row.value is not None]
        self.unknown = len(rows) - len(known)
        ahead = sorted(known, key=lambda row: (self._at_least(row), abs((row.value or 0.0) - 0.5), order[row.key]))
        step = AT_A_TIME * (1 if workers is None else workers.number)
        charted = {row.key: row for row in self._measuring(ahead).charted()}
        found = [Candidate(one, self.far(one)) for row in ahead if (one := charted.get(row.key))]

        def rank(one: Candidate) -> tuple[Any, ...]:
            return one.far, *self._taste(one.row), order[one.row.key]

        def matters(row: SweepRow) -> bool:
            """Whoever is farther away by the value alone cannot come nearer by the measures."""
            return len(found) < BEST or self._at_least(row) <= found[BEST - 1].far

        found.sort(key=rank)
        late = [row for row in ahead if row.key not in charted and matters(row)]
        if charted and self.most == MOST:
            # Each of them takes as long as thousands of those that the atlas knows.
            self.unmeasured, late = len(late), []
        whole = sum(map(self._cost, late))
        for start in range(0, len(late), step):
            if not matters(late[start]):
                break
            sweep = self._measuring(late[start : start + step])
            with sweep.swept() as kept:
                found += [Candidate(row, self.far(row)) for row in sweep.run(kept, workers)]
            found.sort(key=rank)
            # By what they cost, not by their number, so that what is said to be left does not grow.
            progress(sum(map(self._cost, late[: start + step])), whole)
        self.looked_at = [one for one in found if matters(one.row)]

    def _cost(self, row: SweepRow) -> int:
        """What measuring it takes, in positions; what is too large is only passed over."""
        size = row.positions or 1
        return size if size <= self.most else 1

    def _measuring(self, rows: Sequence[SweepRow]) -> Sweep:
        games = [self.kind(**row.settings) for row in rows]
        return Sweep(self.kind, games, self.measures, self.players, self.most)

    def _at_least(self, row: SweepRow) -> float:
        """How far away it is by what is known without measuring."""
        return sum((wish.miss(row) or 0.0) / wish.weight() for wish in self.wishes if wish.name == FAIR)

    def far(self, row: SweepRow) -> float:
        """How far a row is from the wishes, all together: infinitely where one is not known."""
        misses = [(wish.miss(row), wish.weight()) for wish in self.wishes]
        return sum(inf if miss is None else miss / weight for miss, weight in misses)

    def _taste(self, row: SweepRow) -> tuple[float, ...]:
        """Among those that are as near: by what most or least is wished, then the fairer one, then skill."""
        extremes = (wish.badness(row) for wish in self.wishes if wish.sign)
        return *extremes, abs((row.value or 0.0) - 0.5), -(row.measures.get(SKILL) or 0.0)

    @property
    def best(self) -> list[Candidate]:
        """The ten that come nearest."""
        return [one for one in self.looked_at if one.far < inf][:BEST]

    @property
    def fitting(self) -> int:
        """How many of those that were looked at are as wished."""
        return sum(one.far == 0 for one in self.looked_at)

    @property
    def axes(self) -> tuple[Wish, Wish]:
        """The two wishes that are drawn against one another; rather such of which something is known."""
        by_name = {wish.name: wish for wish in self.wishes}
        usual = {FAIR: fair(0.5), SKILL: skill(0.0), LENGTH: length(0.0)}
        first = {name: by_name[name] for name in usual if name in by_name}
        known = sorted(usual, key=lambda name: all(usual[name].drawn(each.row) is None for each in self.looked_at))
        one, two, *_ = {**first, **by_name, **{name: usual[name] for name in known if name not in by_name}}.values()
        return one, two

    def front(self) -> list[SweepRow]:
        """Those that nothing beats in both wishes that are drawn: to gain in one is to give up in the other."""
        one, two = self.axes
        rows = sorted(
            (each.row for each in self.looked_at if each.far < inf),
            key=lambda row: (one.badness(row), two.badness(row)),
        )
        front: list[SweepRow] = []
        for row in rows:
            if not front or two.badness(row) < two.badness(front[-1]):
                front.append(row)
        return front

    def data(self) -> dict[str, Any]:
        """For programs."""
        return {
            "game": self.kind.slug,
            "players": list(self.players),
            "wishes": {
                wish.name: {
                    "low": None if wish.low == -inf else wish.low,
                    "high": None if wish.high == inf else wish.high,
                    "sign": wish.sign,
                }
                for wish in self.wishes
            },
            "settings": len(self.games) + sum(self.left_out.values()),
            "left_out": {why: self.left_out.get(why, 0) for why in (ALIKE, OUT_OF_REACH)},
            "measured": len(self.looked_at),
            "fitting": self.fitting,
            "best": [
                {
                    **one.row.data(),
                    "settings": one.row.settings,
                    "fits": one.far == 0,
                    "misses": {wish.name: wish.miss(one.row) for wish in self.wishes},
                }
                for one in self.best
            ],
            "front": [row.settings for row in self.front()],
        }
