"""Which settings somebody wants to go through: `target=20..60`, `copies=1,2`, `ops=all`, and every combination."""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.settings import BadSetting, Setting, SettingValue, as_text, quoted, read_settings, whole_in

Kind = type[Game[Any]]

ALL: Final = "all"
UP_TO: Final = ".."
MOST_VALUES: Final = 100_000


def read_ranges(kind: Kind, items: Iterable[str]) -> dict[str, tuple[SettingValue, ...] | None]:
    """The values of each setting that is named, as they are typed; None stands for all. `BadSetting` where one is bad.

    `20..60` are all numbers from 20 to 60, `20..60..10` every tenth of them, `1,2` these two.
    """
    return {name: _read_range(kind, name, text) for name, text in read_settings(items).items()}


def _read_range(kind: Kind, name: str, text: str) -> tuple[SettingValue, ...] | None:
    field = field_of(kind, name)
    if text == ALL:
        return None
    values: list[SettingValue] = []
    for part in text.split(","):
        values += _numbers(name, part) if UP_TO in part else [_value(name, field, part)]
    return tuple(values)


def field_of(kind: Kind, name: str) -> Setting:
    """The setting of that name; `BadSetting` where there is none."""
    field = kind.fields.get(name)
    if field is None:
        known = f"it has {', '.join(kind.fields)}" if kind.fields else "it has none"
        raise BadSetting(f"{kind.slug} has no setting {name!r}; {known}")
    return field


def _value(name: str, field: Setting, text: str) -> SettingValue:
    value = field.parse(text)
    if not isinstance(value, int | bool | str):
        raise BadSetting(f"{name} must be {field.words}, or a range such as 2..9, not {quoted(text)}")
    return value


def _numbers(name: str, text: str) -> range:
    ends = [whole_in(part) for part in text.split(UP_TO)]
    low, high, step = [*ends, 1][:3] if len(ends) in (2, 3) else (None, None, None)
    if low is None or high is None or not step:
        raise BadSetting(f"{name}={text}: a range is written 20..60, or 20..60..10 for every tenth number")
    if low > high:
        raise BadSetting(f"{name}={text}: a range goes up, from the lower number to the higher: {name}={high}..{low}")
    if (high - low) // step >= MOST_VALUES:
        raise BadSetting(f"{name}={text}: a range has at most {MOST_VALUES:,} numbers")
    return range(low, high + 1, step)


def combinations(kind: Kind, ranges: Mapping[str, Sequence[SettingValue] | None]) -> list[Game[Any]]:
    """Every combination, each once, in the order of the settings; what is not named stays classic.

    A value that one setting forbids another, `picks=9` where `high` is 5, is left out there; `BadSetting` where it is
    allowed nowhere.
    """
    for name in ranges:
        field_of(kind, name)
    refused: dict[tuple[str, SettingValue], BadSetting] = {}
    taken: set[tuple[str, SettingValue]] = set()

    def allowed(name: str, field: Setting, before: dict[str, SettingValue]) -> Sequence[SettingValue]:
        """The values of one setting, those before it being settled, in the setting's own order."""
        if name not in ranges:
            return [field.classic(before)]
        asked, every, found = ranges[name], field.every(before), set()
        if asked is None:
            return field.charted(before)
        for value in asked:
            try:
                found.add(field.check(value, before))
                taken.add((name, value))
            except BadSetting as words:
                why = BadSetting(f"{name} must be {words} in {kind.slug}, not {quoted(value)}")
                refused.setdefault((name, value), why)
        return [value for value in every if value in found]

    settled: list[dict[str, SettingValue]] = [{}]
    for name, field in kind.fields.items():
        settled = [{**before, name: value} for before in settled for value in allowed(name, field, before)]
    for key, why in refused.items():
        if key not in taken:
            raise why
    return [kind(**settings) for settings in settled]


Truth = bool | None
"""None where it depends on what is not known yet."""
Condition = Callable[[Mapping[str, Any]], Truth]

FAIRNESS: Final = "fairness"
"""How far the value is from one half: a column that everybody may ask for, though it stands in no file."""
LONGEST: Final = 1000
DEEPEST: Final = 50
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

    def _next(self, kind: str | None = None) -> str | None:
        """The next word, where it is of this kind; as what it stands for where none is named."""
        if self._at < len(self._words):
            found, word = self._words[self._at]
            if found == kind or (kind is None and found != "text"):
                return word
        return None

    def _is(self, *words: str) -> bool:
        found = self._next() in words
        self._at += found
        return found

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
        while (sign := self._next("sign")) is not None and sign in COMPARED:
            self._at += 1
            right = self._term()
            comparisons.append(_compared(left, COMPARED[sign], right))
            left = right
        if not comparisons:
            raise self._wrong("something must be compared")
        return reduce(_and, comparisons)

    def _term(self) -> Callable[[Mapping[str, Any]], Any]:
        if self._at >= len(self._words):
            raise self._wrong("something is missing at the end")
        kind, word = self._words[self._at]
        self._at += 1
        if kind == "number":
            number = float(word)
            return lambda _: number
        if word == "-" and (digits := self._next("number")) is not None:
            number = -float(digits)
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
        both = {one(row), two(row)}
        return False if False in both else None if None in both else True

    return holds


def _or(one: Condition, two: Condition) -> Condition:
    return _not(_and(_not(one), _not(two)))


def _not(one: Condition) -> Condition:
    def holds(row: Mapping[str, Any]) -> Truth:
        found = one(row)
        return None if found is None else not found

    return holds
