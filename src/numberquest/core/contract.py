"""What a game is: immutable positions, explicit chance, moves as people type them."""

from __future__ import annotations

import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, NamedTuple, TypeVar, dataclass_transform

from numberquest.core.sentences import GAP, KINDS, NAMES, PEOPLE, SENTENCES, Said, fill, told
from numberquest.core.settings import BadSetting, Setting, SettingValue, YesNo, as_text, quoted

if TYPE_CHECKING:
    from fractions import Fraction

Reader = Callable[[Any, int], Sequence[int]]

CHANCE: Final = -1
"""The player to move while something is to be revealed."""

IF: Final = r"\{(\w+)\?([^{}]*)\}"
"""In a text of a game, what is said only under some rules."""

ENDLESS: Final = 2000
"""Moves and reveals after which a match is a draw, in a game without a longest length."""


LOOKS: Final = 24
"""Random games that are played to find out whether a game has secrets."""
LOOKED_AT: Final = 200
"""Positions of each of these random games that are compared with what the players see."""


class Outcome(NamedTuple):
    """How a game ended: who won, why, and the figures that belong to it.

    Where `reason` is no key of the game's `endings`, it is the words themselves, said of the winner.
    """

    winner: int | None
    """0 or 1; None is a draw."""
    reason: str
    """A key of the game's `endings`, or the words themselves."""
    facts: Mapping[str, Any] = {}
    """The figures that belong to it, for the gaps of the ending's words."""

    def worth(self, player: int) -> float:
        """1 to the winner, 0 to the loser, and half of it to both in a draw."""
        return 0.5 if self.winner is None else float(self.winner == player)

    def reward(self, player: int) -> int:
        """1 for the winner, -1 for the loser, and 0 for both in a draw."""
        return 0 if self.winner is None else 1 if self.winner == player else -1


class IllegalMove(ValueError):
    """A move that is not allowed here; the message says what is, and `said` is what it was made from."""

    def __init__(self, said: Said) -> None:
        super().__init__(said)
        self.said = said

    def __str__(self) -> str:
        return told(self.said)


def player_name(player: int, rounds: int = 1) -> str:
    """Return the name of a player who gave none; in a series, that of the person who sits there in the first round."""
    return (NAMES if rounds == 1 else PEOPLE)[player]


COMMON_RULINGS: Final[Mapping[str, str]] = {
    "G1": "A mistyped or impossible input is refused and costs nothing: you are told what is allowed "
    "and asked again. A move that the rules themselves punish is accepted, and punished.",
    "G2": "No game is drawn. Where nothing else decides, the player who was last to play loses.",
    "G3": "Who is Player 1 is settled before the game: as the players are named, or by a coin toss. "
    "In a series of rounds the two change places each round.",
    "G4": "Nobody knows the order of a pile or what a covered cell hides. "
    "Which numbers are still unseen is known to both.",
}
"""Rulings that several games share; `Game.common` says which hold for a game."""

P = TypeVar("P")


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Game(ABC, Generic[P]):
    """One rule set. The object is frozen, and two with the same settings are equal.

    A game supplies texts, `actions`, `start`, `player`, `moves`, `play` and `outcome`; with chance also `weights` and
    `turn`, and where numbers are dealt beforehand `deck` and `slot`. The rest is derived here, or can be improved.
    """

    slug: ClassVar[str]
    """Its short name of small letters, as people type it."""
    title: ClassVar[str]
    """Its name, for people."""
    short_title: ClassVar[str]
    """A short form of the title, for places that name Number Quest already; by default the title."""
    titled: ClassVar[str] = ""
    """The title where it tells a rule: `Race to {target}`. A game with other rules is then called by its own."""
    summary: ClassVar[str]
    """The game in one sentence, with gaps like those of `rules`."""
    how_to_win: ClassVar[str] = ""
    """In a sentence with settings in its gaps: `Reach exactly {target}`; else the summary has to do."""
    rules: ClassVar[str]
    """The rules, for people. Gaps are settings and properties of the game, as `told` fills them."""
    rulings: ClassVar[Mapping[str, str]] = {}
    """Decisions on points that the game's document leaves open: code and sentence, with gaps like those of `rules`."""
    common: ClassVar[tuple[str, ...]] = ("G1", "G3")
    """Which of the common rulings hold, by their codes."""
    endings: ClassVar[Mapping[str, str]] = {}
    """How it can end, by the reason of an outcome: `{winner} reached {target}`. Gaps are settings and facts."""
    view: ClassVar[tuple[Field, ...]] = ()
    """The fields of a position that a player sees; by default every field, under its own name."""
    order: ClassVar[int] = 1000
    """The place of the game in lists of games, the lowest first."""
    puzzle_settings: ClassVar[Mapping[str, SettingValue]] = {}
    """The rules of its puzzles, where the classic game is too plain for them."""
    puzzle_note: ClassVar[str] = ""
    """The sentence that says so."""
    exam_settings: ClassVar[tuple[Mapping[str, SettingValue], ...]] = ()
    """The rule sets that its exam asks about; where it names none, the rules of its puzzles."""
    interchangeable: ClassVar[str] = ""
    """The common name of moves that differ in their place alone: `opening a cell`."""
    declaring: ClassVar[str] = ""
    """The verb of making a binding move: `saying`, for a prediction."""
    landmark: ClassVar[str] = ""
    """The field of a position, if there is one, by which people remember what a move leaves the other."""

    answering: ClassVar[str] = "play"
    """What people do who move, in one word of a hint: whatever they `add`."""

    fields: ClassVar[Mapping[str, Setting]] = {}
    """Every rule setting by its name, as it was declared."""

    _hash: int

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Setting)}
        for name in own:
            # Looking up an attribute is fastest where the class itself has none of that name.
            delattr(cls, name)
        cls.fields = {**cls.fields, **own}
        if "title" in vars(cls) and "short_title" not in vars(cls):
            cls.short_title = cls.title

    def __init__(self, /, **settings: object) -> None:
        """`BadSetting` where there is no such setting, or its value is outside its range."""
        cls = type(self)
        for name in settings:
            if name not in cls.fields:
                known = f"it has {', '.join(cls.fields)}" if cls.fields else "it has none"
                raise BadSetting(f"{cls.slug} has no setting {name!r}; {known}")
        settled = _settled(cls, settings)
        # The hash is kept, because games are looked up by it all the time.
        self.__dict__.update(settled, _hash=hash((cls.slug, *settled.values())))
        if cls.titled:
            title = cls.titled
            for name, setting in settled.items():
                title = title.replace(f"{{{name}}}", as_text(setting))
            self.__dict__.update(title=title, short_title=title)
        if "{" in cls.summary:
            self.__dict__.update(summary=self.told(cls.summary))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} is frozen: make another game instead of changing its rules")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    @property
    def settings(self) -> dict[str, SettingValue]:
        """The rule settings by name."""
        return {name: getattr(self, name) for name in self.fields}

    @property
    def full_name(self) -> str:
        """The name by which it is found anywhere: its slug; of a recipe all of it, so that nothing else is needed."""
        return self.slug

    @property
    def settings_text(self) -> str:
        """The rule settings as they are typed: `target=50 high=9 copies=2 ops=+-*/`."""
        return " ".join(
            f"{name}={as_text(value)}"
            for name, value in self.settings.items()
            # What came later is not in records of before, and named only where it is changed.
            if not self.fields[name].later or name in self.changed
        )

    @cached_property
    def changed(self) -> Mapping[str, SettingValue]:
        """The rule settings that are not the classic ones; none in the classic game."""
        classic = _settled(type(self), {})
        return {name: value for name, value in self.settings.items() if value != classic[name]}

    @property
    def is_classic(self) -> bool:
        """Whether no rule is changed."""
        return not self.changed

    @property
    def changes(self) -> str:
        """The rule settings that are not the classic ones, as they are typed; empty in the classic game."""
        return " ".join(f"{name}={as_text(value)}" for name, value in self.changed.items())

    def told(self, text: str) -> str:
        """A text of the game as it holds under these rules: `{target}`, `{copies:times}`, `{stand?You may stand.}`.

        A gap names a setting or a property; what stands behind a question mark is said only where that is so. What
        names neither stays as it is written, and lines that come to nothing are left out.
        """

        def value(gap: re.Match[str]) -> str:
            found = getattr(self, gap[1], None)
            known = isinstance(found, int | str) and (gap[2] or "") in KINDS
            return fill(gap[0], {gap[1]: found}) if known else gap[0]

        def where_it_is_so(gap: re.Match[str]) -> str:
            found = getattr(self, gap[1], None)
            return gap[0] if found is None else gap[2] if found else ""

        said = re.sub(IF, where_it_is_so, re.sub(GAP, value, text))
        return said if said == text else "\n".join(line for line in said.split("\n") if line.strip())

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
        cls = type(self)
        source = getattr(sys.modules.get(cls.__module__), "__numberquest_source__", None)
        return _remake, (cls.__module__, cls.__qualname__, source, self.settings)

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """Every move a player can ever make, in a fixed order: the index is the action id."""

    @property
    def deck(self) -> tuple[int, ...]:
        """The hidden numbers that are dealt before the game; empty where nothing is dealt."""
        return ()

    @property
    def longest(self) -> int | None:
        """No game has more moves and reveals than this; None where there is no such bound, or nobody has said it."""
        return None

    @property
    def bound(self) -> int:
        """After so many moves and reveals a match is over: by the rules, or as a draw."""
        longest = self.longest
        return ENDLESS if longest is None else longest

    @cached_property
    def chance(self) -> Literal["", "deck", "draws"]:
        """What is random: nothing, a deck that is dealt before the game, or draws on the way, such as a die."""
        if self.deck:
            return "deck"
        return "draws" if type(self).weights is not Game.weights else ""

    @property
    def uncertain(self) -> bool:
        """Whether best play comes to a chance to win: something is drawn, or has to be guessed."""
        return bool(self.chance) or self.has_secrets

    @cached_property
    def has_secrets(self) -> bool:
        """Whether somebody does not see everything under these rules: it is derived from `sees`, in games at random."""
        return type(self).sees is not Game.sees and _hides(self)

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
        """Who won and why, or None while the game goes on."""

    def sees(self, p: P, who: int | None) -> P:
        """The position as player `who` knows it, or with None somebody who watches: what is secret is left blank."""
        return p

    def weights(self, p: P) -> tuple[int, ...]:
        """At a chance position, the weight of each of `moves(p)`: of a deck, how many unseen ones stand behind it."""
        raise LookupError(f"nothing is left to chance in {self.slug}")

    def slot(self, p: P) -> int:
        """At a chance position, which number of the deal is uncovered."""
        raise LookupError(f"nothing is dealt in {self.slug}")

    def turn(self, p: P) -> int:
        """Whose turn it is, 0 or 1, also while something is to be revealed."""
        return self.player(p)

    def canonical(self, p: P) -> P:
        """The position that stands for all that are worth the same under best play; read by best play alone."""
        return p

    def alike(self, p: P) -> P:
        """The position that stands for all that are the same whoever plays: as many moves, to positions alike."""
        return p

    def rulings_told(self) -> dict[str, str]:
        """Return the rulings for people, by code; one of a setting that is off begins `With stand=yes,`."""

        def also_off(gap: re.Match[str]) -> str:
            is_off = isinstance(self.fields.get(gap[1]), YesNo) and not getattr(self, gap[1])
            return f"With {gap[1]}=yes, {gap[2][:1].lower()}{gap[2][1:]}" if is_off else gap[0]

        rulings = {**{code: COMMON_RULINGS[code] for code in self.common}, **self.rulings}
        said = {code: self.told(re.sub(f"^{IF}$", also_off, text)) for code, text in rulings.items()}
        return {code: text for code, text in said.items() if text}

    def comes_to(self, p: P, move: str) -> str:
        """Return what a move makes of the numbers, as people write it: `7 / 2 = 3`; if empty, it is read off the view.

        Of a move after which the same player goes on, return what speaks for it, or nothing.
        """
        return ""

    def binding(self, move: str) -> bool:
        """Whether a move, once made, can never be taken back."""
        return False

    def declared(self, move: str) -> str:
        """What a binding move says, to stand behind `declaring`: `45`."""
        return move

    def odds(self, p: P) -> tuple[Fraction, ...]:
        """At a chance position, the probability of each of `moves(p)`."""
        from fractions import Fraction

        weights = self.weights(p)
        total = sum(weights)
        return tuple(Fraction(weight, total) for weight in weights)


class Part(NamedTuple):
    """Some numbers of an observation that belong together."""

    name: str
    size: int
    high: int
    """Each is a whole number from `low` to this."""
    meaning: str
    low: int = 0


class Field(ABC):
    """One field of a position, as a player sees it; `numberquest.core.view` has the kinds there are."""

    kind: ClassVar[str]
    """How the page draws it."""

    def __init__(self, name: str, label: str, part: str = "") -> None:
        """`name` is that of the position's field; `part` is another name for it in observations."""
        self.name, self.label, self.part = name, label, part or name

    @abstractmethod
    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        """What it is in an observation."""

    @abstractmethod
    def reader(self, game: Game[Any]) -> Reader:
        """What turns a position into those numbers, for a player who looks."""

    def shown(self, game: Game[Any], p: Any) -> Any:
        """The field as data for a board: numbers, truth values, None, and lists of them."""
        return getattr(p, self.name)

    def looks(self, game: Game[Any]) -> dict[str, Any]:
        """What a board must know besides, the same at all positions."""
        return {}

    @abstractmethod
    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        """The field in words; several lines where it is a picture."""


def ending(game: Game[Any], outcome: Outcome, names: tuple[str, str] = NAMES) -> str:
    """Why a game ended, in words, with the players' names: `Ann reached 50`."""
    return ending_by(game.endings, {"bound": game.bound, **game.settings}, outcome, names)


def ending_by(endings: Mapping[str, str], rules: Mapping[str, Any], outcome: Outcome, names: tuple[str, str]) -> str:
    """The same for somebody who has not the game itself, but what it says of its endings, and its settings."""
    facts = {**rules, **outcome.facts}
    if outcome.winner is not None:
        facts |= {"winner": names[outcome.winner], "loser": names[1 - outcome.winner]}
    template = endings.get(outcome.reason) or SENTENCES.get(outcome.reason)
    if template is not None:
        return fill(template, facts, names)
    return outcome.reason if outcome.winner is None else f"{names[outcome.winner]} {outcome.reason}"


def outcome_fact(outcome: Outcome) -> dict[str, Any]:
    """How a game ended, as a fact: the winner is 1 or 2, or None."""
    winner = None if outcome.winner is None else outcome.winner + 1
    return {"winner": winner, "reason": outcome.reason, "facts": dict(outcome.facts)}


def in_words(game: Game[Any], said: Said | Iterable[Said], names: tuple[str, str] = NAMES) -> str:
    """What is said about a game, in words: one sentence or several."""

    def told_ending(fact: Mapping[str, Any]) -> str:
        winner = None if fact["winner"] is None else fact["winner"] - 1
        return ending(game, Outcome(winner, fact["reason"], fact["facts"]), names)

    several = [said] if isinstance(said, Said) else said
    return " ".join(told(each, names, told_ending) for each in several)


def _settled(kind: type[Game[Any]], settings: Mapping[str, object]) -> dict[str, SettingValue]:
    """Return every setting of a game with its value: as `settings` says, or else the classic one."""
    settled: dict[str, SettingValue] = {}
    for name, field in kind.fields.items():
        value = settings[name] if name in settings else field.classic(settled)
        try:
            settled[name] = field.check(value, settled)
        except BadSetting as allowed:
            raise BadSetting(f"{name} must be {allowed} in {kind.slug}, not {quoted(value)}") from None
    return settled


def _hides(game: Game[Any]) -> bool:
    """Whether anything is left blank in a few games, the same ones every time."""
    from random import Random

    random = Random(0)  # noqa: S311  # nothing is decided by it
    for _ in range(LOOKS):
        p = game.start()
        for _ in range(LOOKED_AT):
            if any(game.sees(p, who) != p for who in (None, 0, 1)):
                return True
            if not (moves := game.moves(p)):
                break
            p = game.play(p, random.choice(moves))
    return False


def _remake(module: str, name: str, source: str | None, settings: dict[str, SettingValue]) -> Game[Any]:
    """The game that was pickled, also where its file has not been loaded in this process yet."""
    from importlib import import_module

    if source is not None and module not in sys.modules:
        from numberquest.core.loading import load

        load(source)
    kind: Any = import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    game: Game[Any] = kind(**settings)
    return game
