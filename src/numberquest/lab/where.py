"""Conditions on rows as people type them: `value>0.45 and copies==2`. Read by us, and never run as a program."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any, Final

from numberquest.settings import BadSetting, as_text, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    Truth = bool | None
    """None where it depends on what is not known yet."""
    Condition = Callable[[Mapping[str, Any]], Truth]

FAIRNESS: Final = "fairness"
"""How far the value is from one half: a column that everybody may ask for, though it stands in no file."""
LONGEST: Final = 1000
DEEPEST: Final = 50
"""So many brackets may be open at a time."""
WORD: Final = re.compile(
    r"""\s*(?:(?P<number>\d+(?:\.\d*)?|\.\d+)|(?P<word>[^\W\d]\w*)|(?P<text>'[^']*'|"[^"]*")|"""
    r"""(?P<sign>==|!=|<=|>=|<|>|=|\(|\)|-))"""
)
COMPARED: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
EXAMPLE: Final = "value>0.45 and copies==2"


class Where:
    """A condition; `holds` is None for a row in which what it depends on is not known."""

    def __init__(self, text: str, columns: Collection[str]) -> None:
        """`BadSetting` where it cannot be read, or names what is no column."""
        self.text = text
        self._columns = columns
        self._words = _words(text)
        self._at = self._open = 0
        self._condition = self._either()
        if self._at < len(self._words):
            raise self._wrong(f"nothing can stand before {self._words[self._at][1]!r}")

    def holds(self, row: Mapping[str, Any]) -> Truth:
        """Whether it is so in this row."""
        return self._condition(row)

    def _wrong(self, why: str) -> BadSetting:
        return BadSetting(f"--where {quoted(self.text)}: {why}. A condition is written {EXAMPLE!r}")

    def _is(self, *words: str) -> bool:
        if self._at < len(self._words) and self._words[self._at][1] in words and self._words[self._at][0] != "text":
            self._at += 1
            return True
        return False

    def _either(self) -> Condition:
        found = self._both()
        while self._is("or"):
            found = _or(found, self._both())
        return found

    def _both(self) -> Condition:
        found = self._one()
        while self._is("and"):
            found = _and(found, self._one())
        return found

    def _one(self) -> Condition:
        if self._is("not", "("):
            self._open += 1
            if self._open > DEEPEST:
                raise self._wrong("that is too many brackets")
            bracket = self._words[self._at - 1][1] == "("
            found = self._either() if bracket else _not(self._one())
            if bracket and not self._is(")"):
                raise self._wrong("a bracket is not closed")
            self._open -= 1
            return found
        # As in mathematics, 0.45<value<0.55 are two comparisons.
        left, comparisons = self._term(), []
        while (
            self._at < len(self._words) and self._words[self._at][1] in COMPARED and self._words[self._at][0] == "sign"
        ):
            sign = self._words[self._at][1]
            self._at += 1
            right = self._term()
            comparisons.append(_compared(left, COMPARED[sign], right))
            left = right
        if not comparisons:
            raise self._wrong("something must be compared")
        found, *others = comparisons
        for other in others:
            found = _and(found, other)
        return found

    def _term(self) -> Callable[[Mapping[str, Any]], Any]:
        if self._at >= len(self._words):
            raise self._wrong("something is missing at the end")
        kind, word = self._words[self._at]
        self._at += 1
        if kind == "number":
            number = float(word)
            return lambda _: number
        if word == "-" and self._at < len(self._words) and self._words[self._at][0] == "number":
            number = -float(self._words[self._at][1])
            self._at += 1
            return lambda _: number
        if kind == "text" or word in ("yes", "no"):
            return lambda _: word
        if kind == "word" and word in (*self._columns, FAIRNESS):
            return lambda row: figure(row, word)
        if kind == "word" and word not in ("and", "or", "not"):
            raise self._wrong(f"there is no column {word}; there are {', '.join([*self._columns, FAIRNESS])}")
        raise self._wrong(f"{word!r} stands where a column or a number should")


def figure(row: Mapping[str, Any], column: str) -> Any:
    """What stands in a column of a row, as it is compared: yes and no are words; None where it is not known."""
    if column == FAIRNESS:
        value = row.get("value")
        return None if value is None else abs(value - 0.5)
    found = row.get(column)
    if isinstance(found, bool):
        return as_text(found)
    return " ".join(found) if isinstance(found, list | tuple) else found


def _words(text: str) -> list[tuple[str, str]]:
    if len(text) > LONGEST:
        raise BadSetting(f"--where has at most {LONGEST} characters")
    found, at = [], 0
    rest = text.rstrip()
    while at < len(rest):
        match = WORD.match(rest, at)
        if match is None or match.lastgroup is None:
            raise BadSetting(f"--where {quoted(text)}: {rest[at:].strip()[:1]!r} means nothing here. Try {EXAMPLE!r}")
        kind, word = match.lastgroup, match[match.lastgroup]
        found.append((kind, word[1:-1] if kind == "text" else word))
        at = match.end()
    if not found:
        raise BadSetting(f"--where wants a condition, such as {EXAMPLE!r}")
    return found


def _compared(left: Any, compare: Callable[[Any, Any], bool], right: Any) -> Condition:
    def holds(row: Mapping[str, Any]) -> Truth:
        one, two = left(row), right(row)
        if one is None or two is None:
            return None
        if isinstance(one, str) != isinstance(two, str):
            # A word is no number: they differ, and neither is greater.
            return compare is operator.ne
        return compare(one, two)

    return holds


def _and(one: Condition, two: Condition) -> Condition:
    def holds(row: Mapping[str, Any]) -> Truth:
        first, second = one(row), two(row)
        if first is False or second is False:
            return False
        return None if first is None or second is None else True

    return holds


def _or(one: Condition, two: Condition) -> Condition:
    return _not(_and(_not(one), _not(two)))


def _not(one: Condition) -> Condition:
    def holds(row: Mapping[str, Any]) -> Truth:
        found = one(row)
        return None if found is None else not found

    return holds
