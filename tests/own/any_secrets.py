"""Games with secrets that a number makes up: whose turn it is, what is hidden, what is uncovered, and who wins."""

from random import Random
from typing import NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.settings import whole

HIDES, SHOWS, UNCOVERS = range(3)


class Place(NamedTuple):
    depth: int
    open: int
    """All that has been seen by both, as one number."""
    secrets: tuple[int, int]
    """What only one of them knows."""


class AnySecrets(Game[Place]):
    """At each depth somebody, or chance, makes one of a few moves, which is hidden, seen, or uncovers all there is."""

    slug = "any_secrets"
    title = "Any secrets"
    summary = "Made up by a number."
    rules = "Made up by a number."
    actions = ("a", "b", "c")

    made: int = whole(0, 0, 999_999, "the number that makes it up")
    deep: int = whole(4, 1, 6, "how many moves and reveals there are")

    @property
    def longest(self) -> int:
        return self.deep

    def _any(self, *what: object) -> Random:
        return Random(repr((self.made, *what)))  # a game, not a secret

    def _step(self, p: Place) -> tuple[int, int, int]:
        """Who moves there, how many moves there are, and what becomes of one."""
        some = self._any("step", p.depth, p.open)
        return some.choice((0, 1, 0, 1, CHANCE)), some.randint(1, 3), some.choice((HIDES, HIDES, SHOWS, UNCOVERS))

    def start(self) -> Place:
        return Place(0, 0, (0, 0))

    def player(self, p: Place) -> int:
        return self._step(p)[0] if p.depth < self.deep else self.turn(p)

    def turn(self, p: Place) -> int:
        return max(self._step(p)[0], 0)

    def moves(self, p: Place) -> tuple[str, ...]:
        return () if p.depth == self.deep else self.actions[: self._step(p)[1]]

    def weights(self, p: Place) -> tuple[int, ...]:
        return tuple(range(1, self._step(p)[1] + 1))

    def play(self, p: Place, move: str) -> Place:
        mover, _, becomes = self._step(p)
        made, after = 1 + self.actions.index(move), p._replace(depth=p.depth + 1)
        if becomes == SHOWS:
            return after._replace(open=p.open * 4 + made)
        one, two = p.secrets
        owner = mover if mover != CHANCE else p.depth % 2
        both = (one * 4 + made, two) if owner == 0 else (one, two * 4 + made)
        if becomes == UNCOVERS:
            seen = self._any("uncovered", p.open, both).randrange(1 << 20)
            return after._replace(open=seen, secrets=(0, 0))
        return after._replace(secrets=both)

    def outcome(self, p: Place) -> Outcome | None:
        if p.depth < self.deep:
            return None
        return Outcome(self._any("end", p).choice((0, 0, 1, 1, None)), "had it so")

    def sees(self, p: Place, who: int | None) -> Place:
        one, two = p.secrets
        return p._replace(secrets=(one if who == 0 else 0, two if who == 1 else 0))
