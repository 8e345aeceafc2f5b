"""Games as they are drawn on paper: numbered places, arrows between them, a die at some. For tests of the solvers."""

from typing import Any, ClassVar, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome


class Place(NamedTuple):
    """One place on the paper: who moves there, where the moves lead, their weights where a die decides."""

    mover: int | None
    leads_to: tuple[int, ...] = ()
    weights: tuple[int, ...] = ()
    winner: int | None = None


class At(NamedTuple):
    """Where the game stands."""

    place: int


class Paper(Game[At]):
    """A game without chance; it starts at place 0."""

    slug = "paper"
    title = "Paper"
    summary = "Follow the arrows."
    rules = "Follow the arrows."

    actions = tuple("abcdefgh")

    places: ClassVar[tuple[Place, ...]]

    def start(self) -> At:
        return At(0)

    def player(self, p: At) -> int:
        mover = self.places[p.place].mover
        return 0 if mover is None else mover

    def turn(self, p: At) -> int:
        return max(self.player(p), 0)

    def moves(self, p: At) -> tuple[str, ...]:
        return self.actions[: len(self.places[p.place].leads_to)]

    def play(self, p: At, move: str) -> At:
        return At(self.places[p.place].leads_to[self.actions.index(move)])

    def outcome(self, p: At) -> Outcome | None:
        here = self.places[p.place]
        return None if here.leads_to else Outcome(here.winner, "has come to the end")


class PaperWithDie(Paper):
    """The same with a die."""

    def weights(self, p: At) -> tuple[int, ...]:
        return self.places[p.place].weights


WON, LOST, DRAWN = Place(None, winner=0), Place(None, winner=1), Place(None)


def one(*leads_to: int) -> Place:
    """Player 1 moves."""
    return Place(0, leads_to)


def two(*leads_to: int) -> Place:
    """Player 2 moves."""
    return Place(1, leads_to)


def die(*leads_to: int, weights: tuple[int, ...] = ()) -> Place:
    """A die decides, each way alike unless there are weights."""
    return Place(CHANCE, leads_to, weights or (1,) * len(leads_to))


def on_paper(*places: Place) -> Game[Any]:
    """The game with these places."""
    kind = PaperWithDie if any(place.mover == CHANCE for place in places) else Paper
    return type("OnPaper", (kind,), {"places": places})()  # type: ignore[no-any-return]
