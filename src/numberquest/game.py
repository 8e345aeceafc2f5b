"""What a game is: immutable positions, explicit chance, moves as people type them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, NoReturn, TypeVar

from numberquest.settings import Allowed, BadSetting, Value, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

CHANCE: Final = -1
"""The player to move while something is to be revealed."""


class Outcome(NamedTuple):
    """How a game ended: the winner (0 or 1) and why, in words for people."""

    winner: int
    reason: str


class IllegalMove(ValueError):
    """A move that is not allowed here; the message says what is."""


def player_name(player: int) -> str:
    """What people call a player who gave no name: players are 0 and 1 only in Python."""
    return f"Player {player + 1}"


COMMON_RULINGS: Final[Mapping[str, str]] = {
    "G1": "A mistyped or impossible input is refused and costs nothing: you are told what is allowed "
    "and asked again. A move that the rules themselves punish is accepted, and punished.",
    "G2": "No game is drawn. Where nothing else decides, the player who was last to play loses.",
    "G3": "Who is Player 1 is settled before the game: as the players are named, or by a coin toss. "
    "In a series of rounds the two change places each round.",
    "G4": "Nobody knows the order of a pile or what a covered cell hides. "
    "Which numbers are still unseen is known to both.",
}
"""The rulings that hold for every game."""

P = TypeVar("P", bound="tuple[Any, ...]")


class Game(ABC, Generic[P]):
    """One rule set. The object is frozen, and two with the same settings are equal.

    A game supplies `start`, `player`, `moves`, `play` and `outcome`, and where something
    is hidden also `deck`, `weights` and `slot`. The rest is derived here.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """The game in one sentence."""
    rules: ClassVar[str]
    """The classic rules, for people."""
    rulings: ClassVar[Mapping[str, str]]
    """What the game's document leaves open, decided: code and sentence."""
    ranges: ClassVar[Mapping[str, Allowed]]
    """Every rule setting, and the values it may take."""
    meanings: ClassVar[Mapping[str, str]]
    """What each rule setting is, in a few words."""

    actions: tuple[str, ...]
    """Every move a player can ever make, in a fixed order: the index is the action id."""
    deck: tuple[int, ...]
    """The hidden numbers that are dealt before the game; empty where nothing is hidden."""
    longest: int
    """No game has more moves and reveals than this."""
    _hash: int

    def _settle(self, **settings: object) -> None:
        """Check the settings against their ranges and fix them; called once, by `__init__`."""
        settled: dict[str, Value] = {}
        for name, value in settings.items():
            try:
                settled[name] = self.ranges[name].check(value, settled)
            except BadSetting as allowed:
                raise BadSetting(f"{name} must be {allowed} in {self.slug}, not {_shown(value)}") from None
        # Kept, because games are looked up by it all the time.
        self._fix(**settled, _hash=hash((self.slug, *settled.values())))

    def _fix(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} is frozen: make another game instead of changing its rules")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    @property
    def settings(self) -> dict[str, Value]:
        """The rule settings by name."""
        return {name: getattr(self, name) for name in self.ranges}

    @property
    def settings_text(self) -> str:
        """The rule settings as they are typed: `target=50 high=9 copies=2 ops=+-*/`."""
        return " ".join(f"{name}={as_text(value)}" for name, value in self.settings.items())

    @property
    def changes(self) -> str:
        """The rule settings that are not the classic ones, as they are typed; empty in the classic game."""
        classic = type(self)().settings
        return " ".join(f"{name}={as_text(value)}" for name, value in self.settings.items() if value != classic[name])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Game):
            return NotImplemented
        return type(self) is type(other) and self.settings == other.settings

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"{type(self).__name__}({settings})"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _remake, (type(self), self.settings)

    @abstractmethod
    def start(self) -> P:
        """The first position."""

    @abstractmethod
    def player(self, p: P) -> int:
        """Who moves next: 0 or 1, or `CHANCE` while something is to be revealed."""

    @abstractmethod
    def moves(self, p: P) -> tuple[str, ...]:
        """The moves allowed there, or the possible reveals; empty when the game is over."""

    @abstractmethod
    def play(self, p: P, move: str) -> P:
        """The next position. Trusts its caller: `Match` checks."""

    @abstractmethod
    def outcome(self, p: P) -> Outcome | None:
        """Who won and why, or None while the game goes on. There is no draw."""

    def weights(self, p: P) -> tuple[int, ...]:
        """At a chance position, how many of the unseen numbers stand behind each of `moves(p)`."""
        raise LookupError(f"nothing is hidden in {self.slug}")

    def slot(self, p: P) -> int:
        """At a chance position, which number of the deal is uncovered."""
        raise LookupError(f"nothing is hidden in {self.slug}")

    def turn(self, p: P) -> int:
        """Whose turn it is, 0 or 1, also while something is to be revealed."""
        return self.player(p)

    def canonical(self, p: P) -> P:
        """A position from which the same can be reached: those with the same one have the same value."""
        return p

    def binding(self, move: str) -> bool:
        """Whether a move, once made, can never be taken back."""
        return False

    def odds(self, p: P) -> tuple[Fraction, ...]:
        """At a chance position, the probability of each of `moves(p)`."""
        from fractions import Fraction

        weights = self.weights(p)
        unseen = sum(weights)
        return tuple(Fraction(weight, unseen) for weight in weights)


def _shown(value: object) -> str:
    """A refused value, safe to print: short, and with no control characters."""
    try:
        text = repr(value)
    except ValueError:
        # Python refuses to write down whole numbers of more than some thousand digits.
        return "a far larger number"
    return text if len(text) <= 40 else text[:40] + "…"


def _remake(kind: type[Game[Any]], settings: dict[str, Value]) -> Game[Any]:
    return kind(**settings)
