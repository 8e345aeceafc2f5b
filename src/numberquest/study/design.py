"""The settings that come nearest to what somebody wishes a game to be: fair, so long, with so much skill in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.progress import Progress, silently
from numberquest.study.row import SweepRow
from numberquest.study.sweep import Sweep
from numberquest.study.workers import Workers

BEST: Final = 10
AT_A_TIME: Final = 16
"""So many settings are measured before one looks again whether the others still matter; for each who works."""
PEOPLE: Final = ("medium", "medium")
"""Who is thought to play, unless somebody says otherwise: between two who never err, no skill decides anything."""
FAIR, LENGTH, SKILL = "fair", "length", "skill"


@dataclass(frozen=True)
class Wish:
    """What a column is to be: from `low` to `high`."""

    name: str
    low: float
    high: float

    @property
    def column(self) -> str:
        """Where its figure stands."""
        return "value" if self.name == FAIR else self.name

    def figure(self, row: SweepRow) -> float | None:
        """What it is in this row."""
        return row.value if self.name == FAIR else row.measures.get(self.name)

    def miss(self, row: SweepRow) -> float | None:
        """How far it is from what is wished, in its own units; 0 where it is as wished, None where nobody knows."""
        figure = self.figure(row)
        return None if figure is None else max(self.low - figure, figure - self.high, 0.0)

    def weight(self) -> float:
        """A miss of so much is as bad as any other can be: a whole chance, or a game twice as long as wished."""
        if self.name == FAIR:
            return 0.5
        return max(self.high if self.high < float("inf") else self.low, 1.0) if self.name == LENGTH else 1.0

    def drawn(self, row: SweepRow) -> float | None:
        """What is drawn of it in a picture: for fairness, how far it is from one half, whoever it favours."""
        figure = self.figure(row)
        return None if figure is None else abs(figure - 0.5) if self.name == FAIR else figure

    @property
    def drawn_ends(self) -> tuple[float, float]:
        """From where to where it is as wished, as it is drawn."""
        return (0.0, self.high - 0.5) if self.name == FAIR else (self.low, self.high)

    def badness(self, row: SweepRow) -> float:
        """For a comparison of two rows by this wish alone: the lower, the better, also where both are as wished."""
        figure = self.figure(row)
        if figure is None:
            return float("inf")
        if self.name == FAIR:
            return abs(figure - 0.5)
        return -figure if self.name == SKILL else max(self.low - figure, figure - self.high, 0.0)

    def in_words(self) -> str:
        """What is wished, for people."""
        if self.name == FAIR:
            return f"fair within {100 * (self.high - 0.5):.3g} %"
        if self.name == SKILL:
            return f"skill at least {100 * self.low:.3g} %"
        if self.high == float("inf"):
            return f"at least {self.low:g} moves"
        return f"{self.low:g} to {self.high:g} moves" if self.low else f"at most {self.high:g} moves"

    def missed(self, row: SweepRow) -> str:
        """By how much it is missed, in a sentence without its full stop; empty where it is not."""
        figure, miss = self.figure(row), self.miss(row)
        if not miss or figure is None:
            return "" if figure is not None else f"{self.name} is not known"
        if self.name == FAIR:
            who = "Player 1" if figure > 0.5 else "Player 2"
            return f"{who} wins {100 * miss:.3g} % more often than wished"
        if self.name == SKILL:
            return f"skill is {100 * miss:.3g} % less than wished"
        return f"{miss:.3g} moves too {'short' if figure < self.low else 'long'}"


def fair(within: float) -> Wish:
    """The chance of Player 1 under best play is one half, give or take so much."""
    return Wish(FAIR, 0.5 - within, 0.5 + within)


def length(low: float, high: float = float("inf")) -> Wish:
    """A game takes so many moves on average."""
    return Wish(LENGTH, low, high)


def skill(least: float) -> Wish:
    """Skill has at least this share in who wins."""
    return Wish(SKILL, least, float("inf"))


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
    repeated: int = 0
    """So many more rule sets are the same games as these, or nobody can reach what is to be reached in them."""
    unknown: int = 0
    """So many are too large to know."""

    @property
    def measures(self) -> list[str]:
        """The columns that the wishes need besides the value; the length and the skill are told in any case."""
        return list(dict.fromkeys([*(wish.name for wish in self.wishes if wish.name != FAIR), LENGTH, SKILL]))

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
        found: list[Candidate] = []
        for start in range(0, len(ahead), step):
            # Whoever is farther away by the value alone cannot come nearer by the measures.
            if len(found) >= BEST and found[BEST - 1].far < self._at_least(ahead[start]):
                break
            sweep = Sweep(
                self.kind,
                [self.kind(**row.settings) for row in ahead[start : start + step]],
                self.measures,
                self.players,
                self.most,
            )
            with sweep.swept() as kept:
                kept.add(sweep.charted())
                found += [Candidate(row, self.far(row)) for row in sweep.run(kept, workers)]
            found.sort(key=lambda one: (one.far, self._taste(one.row), order[one.row.key]))
            progress(min(start + step, len(ahead)), len(ahead))
        self.looked_at = found

    def _at_least(self, row: SweepRow) -> float:
        """How far away it is by what is known without measuring."""
        return sum((wish.miss(row) or 0.0) / wish.weight() for wish in self.wishes if wish.name == FAIR)

    def far(self, row: SweepRow) -> float:
        """How far a row is from the wishes, all together: infinitely where one is not known."""
        misses = [(wish.miss(row), wish.weight()) for wish in self.wishes]
        return sum(float("inf") if miss is None else miss / weight for miss, weight in misses)

    def _taste(self, row: SweepRow) -> tuple[float, float]:
        """Among those that are as near: the fairer one, then the one with more skill in it."""
        return abs((row.value or 0.0) - 0.5), -(row.measures.get(SKILL) or 0.0)

    @property
    def best(self) -> list[Candidate]:
        """The ten that come nearest."""
        return [one for one in self.looked_at if one.far < float("inf")][:BEST]

    @property
    def fitting(self) -> int:
        """How many of those that were looked at are as wished."""
        return sum(one.far == 0 for one in self.looked_at)

    @property
    def axes(self) -> tuple[Wish, Wish]:
        """The two wishes that are drawn against one another."""
        by_name = {wish.name: wish for wish in self.wishes}
        others = {FAIR: fair(0.5), SKILL: skill(0.0), LENGTH: length(0.0)}
        names = [name for name in (FAIR, SKILL, LENGTH) if name in by_name]
        names += [name for name in (FAIR, SKILL, LENGTH) if name not in names]
        one, two = ((by_name.get(name) or others[name]) for name in names[:2])
        return one, two

    def front(self) -> list[SweepRow]:
        """Those that nothing beats in both wishes that are drawn: to gain in one is to give up in the other."""
        one, two = self.axes
        rows = sorted(
            (each.row for each in self.looked_at if each.far < float("inf")),
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
                wish.name: {"low": wish.low, "high": None if wish.high == float("inf") else wish.high}
                for wish in self.wishes
            },
            "settings": len(self.games) + self.repeated,
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
