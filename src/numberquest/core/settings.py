"""Rule settings as fields of a game: default, range, meaning and type in one place."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from numberquest.core.errors import UsageError

if TYPE_CHECKING:
    from random import Random

SettingValue = int | bool | str

SHORT_NAME: Final = "[a-z][a-z0-9_]{0,19}"
"""What a game or a setting is called where it is typed."""
TYPED: Final = {"−": "-", "×": "*", "÷": "/"}
"""Signs as people write them, and as they are typed."""


class BadSetting(UsageError, ValueError):
    """A game or a rule setting that does not exist, or a value outside its range."""


class Setting(ABC):
    """One rule that can be changed: what it is, what it usually is, and what it may be."""

    def __init__(self, meaning: str, more: str) -> None:
        self.meaning = meaning
        """What it is, in a few words: `the score to reach`."""
        self.more = more
        """What somebody who is about to choose it should know besides; mostly empty."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The range, as people read it."""

    @abstractmethod
    def classic(self, settled: Mapping[str, SettingValue]) -> SettingValue:
        """The value where nobody names one; `settled` holds the settings named before this one."""

    @abstractmethod
    def check(self, value: object, settled: Mapping[str, SettingValue]) -> SettingValue:
        """The value in its one proper form; `BadSetting` with the range where it is not allowed."""

    @abstractmethod
    def parse(self, text: str) -> object:
        """What somebody typed for this setting, to be checked next; None where it cannot be read."""

    @abstractmethod
    def every(self, settled: Mapping[str, SettingValue]) -> Sequence[SettingValue]:
        """All values that are allowed, in their order."""

    later = False
    """Whether it came after records, questions and maps had been made: it is named only where it is changed."""

    def charted(self, settled: Mapping[str, SettingValue]) -> Sequence[SettingValue]:
        """The values that the map of all rule sets has: of a rule that came later, the classic one alone."""
        return (self.classic(settled),) if self.later else self.every(settled)

    def some(self, random: Random, settled: Mapping[str, SettingValue]) -> SettingValue:
        """Any value that is allowed, each alike."""
        return random.choice(self.every(settled))


class WholeNumber(Setting):
    """A whole number from a range."""

    def check(self, value: object, settled: Mapping[str, SettingValue]) -> int:
        number, allowed = _whole_number(value), self.every(settled)
        if number is None or number not in allowed:
            raise BadSetting(f"a whole number from {allowed[0]} to {allowed[-1]}")
        return number

    def parse(self, text: str) -> int | None:
        return whole_in(text)


class Whole(WholeNumber):
    """A whole number from `low` to `high`."""

    def __init__(self, default: int, low: int, high: int, meaning: str, more: str = "") -> None:
        super().__init__(meaning, more)
        self.default, self.low, self.high = default, low, high

    @property
    def words(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def classic(self, settled: Mapping[str, SettingValue]) -> int:
        return self.default

    def every(self, settled: Mapping[str, SettingValue]) -> range:
        return range(self.low, self.high + 1)


class UpTo(WholeNumber):
    """A whole number from 1 to what another setting says, which it follows where it is not named."""

    def __init__(self, other: str, meaning: str, more: str = "") -> None:
        super().__init__(meaning, more)
        self.other = other

    @property
    def words(self) -> str:
        return f"a whole number from 1 to {self.other}"

    def classic(self, settled: Mapping[str, SettingValue]) -> int:
        return int(settled[self.other])

    def every(self, settled: Mapping[str, SettingValue]) -> range:
        return range(1, int(settled[self.other]) + 1)


class YesNo(Setting):
    """A rule that is on or off."""

    words = "yes or no"

    def __init__(self, default: bool, meaning: str, more: str = "", *, later: bool = False) -> None:
        super().__init__(meaning, more)
        self.default, self.later = default, later

    def classic(self, settled: Mapping[str, SettingValue]) -> bool:
        return self.default

    def check(self, value: object, settled: Mapping[str, SettingValue]) -> bool:
        if not isinstance(value, bool):
            raise BadSetting(self.words)
        return value

    def parse(self, text: str) -> object:
        return {"yes": True, "y": True, "no": False, "n": False}.get(text.lower())

    def every(self, settled: Mapping[str, SettingValue]) -> Sequence[bool]:
        return False, True


class Signs(Setting):
    """Some of a few signs, each at most once, among them one that cannot be left out; usually all."""

    def __init__(self, signs: str, needed: str, meaning: str, more: str = "") -> None:
        super().__init__(meaning, more)
        self.signs, self.needed = signs, needed

    @property
    def words(self) -> str:
        return f"{self.needed} and any of {' '.join(self.signs.replace(self.needed, ''))}, each once"

    def classic(self, settled: Mapping[str, SettingValue]) -> str:
        return self.signs

    def check(self, value: object, settled: Mapping[str, SettingValue]) -> str:
        if not isinstance(value, str) or self.needed not in value:
            raise BadSetting(self.words)
        if len(set(value)) < len(value) or not set(value) <= set(self.signs):
            raise BadSetting(self.words)
        # One order only, so that the same rules are the same game.
        return "".join(sign for sign in self.signs if sign in value)

    def parse(self, text: str) -> object:
        return as_typed(text)

    def every(self, settled: Mapping[str, SettingValue]) -> Sequence[str]:
        from itertools import combinations

        some = ["".join(some) for size in range(len(self.signs) + 1) for some in combinations(self.signs, size)]
        return [one for one in some if self.needed in one]

    later = False
    """Whether it came after records, questions and maps had been made: it is named only where it is changed."""

    def charted(self, settled: Mapping[str, SettingValue]) -> Sequence[SettingValue]:
        """The values that the map of all rule sets has: of a rule that came later, the classic one alone."""
        return (self.classic(settled),) if self.later else self.every(settled)

    def some(self, random: Random, settled: Mapping[str, SettingValue]) -> str:
        # Without listing them all: each sign more makes them twice as many.
        return "".join(sign for sign in self.signs if sign == self.needed or random.random() < 0.5)


# A type checker sees in each of these the value that the field will have.


def whole(default: int, low: int, high: int, meaning: str, more: str = "") -> Any:
    """A setting that is a whole number: `target: int = whole(50, 2, 200, "the score to reach")`."""
    return Whole(default, low, high, meaning, more)


def up_to(other: str, meaning: str, more: str = "") -> Any:
    """A setting from 1 to what another one says: `picks: int = up_to("high", "how many numbers are played")`."""
    return UpTo(other, meaning, more)


def yes_no(default: bool, meaning: str, more: str = "", *, later: bool = False) -> Any:
    """A setting that is on or off: `stand: bool = yes_no(False, "a player may stand")`.

    One that is added `later`, when there are records already, is named only where it is changed.
    """
    return YesNo(default, meaning, more, later=later)


def signs(all_signs: str, needed: str, meaning: str, more: str = "") -> Any:
    """A setting of signs: `ops: str = signs("+-*/", needed="+", meaning="the operations that may be used")`."""
    return Signs(all_signs, needed, meaning, more)


def _whole_number(value: object) -> int | None:
    """The value as a whole number of Python's own, whoever's kind it is, such as NumPy's; None where it is none."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole_in(text: str) -> int | None:
    """The whole number that a short text of the digits 0 to 9 says, or None."""
    # int() would also take other scripts' digits, underscores, and a million of them.
    if len(text) <= 9 and text.isascii() and text.isdecimal():
        return int(text)
    return None


def as_typed(text: str) -> str:
    """A text with the signs in it as they are typed: a multiplication sign is `*`."""
    for written, typed in TYPED.items():
        text = text.replace(written, typed)
    return text


def as_text(value: SettingValue) -> str:
    """A setting's value as it is typed: `30`, `yes`, `+-`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def read_settings(items: Iterable[str]) -> dict[str, str]:
    """Settings as they are typed, `target=30`, by name; `BadSetting` where one is not written so, or stands twice."""
    import re

    found: dict[str, str] = {}
    # Several in one are kept apart by what follows a comma or a blank.
    for item in (one for text in items for one in re.split(r"[,;\s]+(?=[a-z_]\w*\s*=)", text)):
        name, sign, value = (part.strip() for part in item.partition("="))
        if not sign or not name:
            raise BadSetting(f"a setting is written name=value, such as target=30, not {quoted(item)}")
        if name in found:
            raise BadSetting(f"the setting {quoted(name)} is named twice")
        found[name] = value
    return found


def quoted(value: object) -> str:
    """A refused value, safe to print: short, and with no control characters."""
    try:
        text = repr(value)
    except ValueError:
        # Python refuses to write down whole numbers of more than some thousand digits.
        return "a far larger number"
    return shortened(text)


def shortened(text: str, longest: int = 40) -> str:
    """The beginning of a text that is too long to be shown."""
    return text if len(text) <= longest else text[:longest] + "…"
