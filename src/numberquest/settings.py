"""What a rule setting may be: its range, in words and as a check."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

Value = int | bool | str


class BadSetting(ValueError):
    """A game or a rule setting that does not exist, or a value outside its range."""


class Allowed(Protocol):
    """The values that one rule setting may take."""

    @property
    def words(self) -> str:
        """The range, as people read it."""

    def check(self, value: object, settled: Mapping[str, Value]) -> Value:
        """The value in its one proper form; `BadSetting` with the range where it is not allowed.

        `settled` holds the settings named before this one, which may narrow it.
        """

    def parse(self, text: str) -> object:
        """What somebody typed for this setting, to be checked next."""


class Whole:
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    @property
    def words(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: object, settled: Mapping[str, Value]) -> int:
        number = _whole_number(value)
        if number is None or not self.low <= number <= self.high:
            raise BadSetting(self.words)
        return number

    def parse(self, text: str) -> object:
        return whole(text)


class UpTo:
    """A whole number from 1 to what another setting says."""

    def __init__(self, other: str) -> None:
        self.other = other

    @property
    def words(self) -> str:
        return f"a whole number from 1 to {self.other}"

    def check(self, value: object, settled: Mapping[str, Value]) -> int:
        return Whole(1, int(settled[self.other])).check(value, settled)

    def parse(self, text: str) -> object:
        return whole(text)


class YesNo:
    """A rule that is on or off."""

    words = "yes or no"

    def check(self, value: object, settled: Mapping[str, Value]) -> bool:
        if not isinstance(value, bool):
            raise BadSetting(self.words)
        return value

    def parse(self, text: str) -> object:
        return {"yes": True, "y": True, "no": False, "n": False}.get(text.lower())


class Signs:
    """Some of a few signs, each at most once, among them one that cannot be left out."""

    def __init__(self, signs: str, needed: str) -> None:
        self.signs, self.needed = signs, needed

    @property
    def words(self) -> str:
        return f"{self.needed} and any of {' '.join(self.signs.replace(self.needed, ''))}, each once"

    def check(self, value: object, settled: Mapping[str, Value]) -> str:
        if not isinstance(value, str) or self.needed not in value:
            raise BadSetting(self.words)
        if len(set(value)) < len(value) or not set(value) <= set(self.signs):
            raise BadSetting(self.words)
        # One order only, so that the same rules are the same game.
        return "".join(sign for sign in self.signs if sign in value)

    def parse(self, text: str) -> object:
        return text.replace("×", "*").replace("÷", "/")


def _whole_number(value: object) -> int | None:
    """The value as a whole number of Python's own, whoever's kind it is, such as NumPy's; None where it is none."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole(text: str) -> int | None:
    """The whole number that a short text of the digits 0 to 9 says, or None."""
    # int() would also take other scripts' digits, underscores, and a million of them.
    if len(text) <= 9 and text.isascii() and text.isdecimal():
        return int(text)
    return None


def as_text(value: Value) -> str:
    """A setting's value as it is typed: `30`, `yes`, `+-`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
