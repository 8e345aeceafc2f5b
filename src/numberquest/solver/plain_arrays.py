"""The operations of NumPy that a graph of positions needs, on lists: for a page, where there is no NumPy.

Names, arguments and results are NumPy's, so that one text serves both (`solver.ordered`, `solver.loop`,
`study.policy_values`). A matrix is kept as its few columns. What is not here is `TooLarge` (`solver.numbers`).
"""

from __future__ import annotations

import builtins
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, starmap
from itertools import repeat as again
from typing import Any, Final, TypeAlias

Entries: TypeAlias = "list[Any]"

int8 = int32 = int64 = intc = intp = int
float64 = float


class iinfo:  # noqa: N801  # NumPy's name
    """The largest whole number of a kind; here they have no end, and this is larger than any that occurs."""

    def __init__(self, _: type[int]) -> None:
        self.max: Final = 2**31 - 1


def _entries(other: Any, size: int) -> Iterable[Any]:
    """An operand's entries: one number stands for as many as are needed."""
    if isinstance(other, (list, Array)):
        return other
    return again(other, size)


class Array:
    """A row of numbers or truth values."""

    __hash__ = None  # type: ignore[assignment]  # compared entry by entry, as NumPy's

    def __init__(self, entries: Iterable[Any]) -> None:
        self._list: Entries = list(entries)

    def __len__(self) -> int:
        return len(self._list)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list)

    def __getitem__(self, where: Any) -> Any:
        if isinstance(where, tuple):
            return Matrix([self[where[0]]])
        if isinstance(where, slice):
            return Array(self._list[where])
        if isinstance(where, (list, Array)):
            return Array(map(self._list.__getitem__, _places(where)))
        return self._list[where]

    def __setitem__(self, where: Any, what: Any) -> None:
        if isinstance(where, slice):
            where = range(*where.indices(len(self)))
        elif isinstance(where, int):
            where = (where,)
        places = _places(where)
        for place, entry in zip(places, _entries(what, len(places)), strict=True):
            self._list[place] = entry

    def _with(self, other: Any, calculation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, Matrix):
            return Matrix([self._with(column, calculation) for column in other.T])
        return Array(map(calculation, self._list, _entries(other, len(self))))

    def __invert__(self) -> Array:
        return Array(map(operator.not_, self._list))

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda mine, theirs: theirs - mine)

    def any(self) -> bool:
        """Whether one of them is not 0."""
        return any(self._list)

    def all(self) -> bool:
        """Whether none of them is 0."""
        return all(self._list)

    def max(self) -> Any:
        """The largest."""
        return max(self._list)

    def sum(self) -> Any:
        """All of them together."""
        return sum(self._list)

    def astype(self, kind: Callable[[Any], Any]) -> Array:
        """The same as entries of another kind."""
        return Array(map(kind, self._list))

    def copy(self) -> Array:
        """Another one with the same entries."""
        return Array(self._list)

    def tolist(self) -> Entries:
        """The entries."""
        return list(self._list)


class Matrix:
    """A few columns of one length."""

    __hash__ = None  # type: ignore[assignment]  # compared entry by entry, as NumPy's

    def __init__(self, columns: Iterable[Array]) -> None:
        self.T: Final = list(columns)

    def __len__(self) -> int:
        return len(self.T[0])

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""
        return len(self), len(self.T)

    def __getitem__(self, where: Any) -> Any:
        if not isinstance(where, tuple):
            rows = [column[where] for column in self.T]
            return Matrix(rows) if isinstance(rows[0], Array) else Array(rows)
        rows, columns = where
        if isinstance(columns, list):
            return Matrix([self.T[at][rows] for at in columns])
        return self.T[columns][rows]

    def __setitem__(self, where: Any, what: Any) -> None:
        if isinstance(where, tuple):
            self.T[where[1]][where[0]] = what
            return
        for mine, theirs in zip(*_side_by_side(self, what), strict=True):
            mine[where] = theirs

    def _with(self, other: Any, calculation: Callable[[Any, Any], Any]) -> Matrix:
        return Matrix(
            [mine._with(theirs, calculation) for mine, theirs in zip(*_side_by_side(self, other), strict=True)]
        )

    def astype(self, kind: Callable[[Any], Any]) -> Matrix:
        """The same as entries of another kind."""
        return Matrix([column.astype(kind) for column in self.T])

    def sum(self, axis: int) -> Array:
        """What the entries of each row come to: along axis 1, the only one that is asked for."""
        assert axis == 1  # noqa: S101
        return Array(map(sum, zip(*self.T, strict=True)))


def _side_by_side(*operands: Any) -> list[list[Any]]:
    """The columns of each operand: a single one, or a number, stands for as many as the others have."""
    columns = [one.T if isinstance(one, Matrix) else one if isinstance(one, list) else [one] for one in operands]
    wide = max(map(len, columns))
    return [one * (wide // len(one)) for one in columns]


def _equip(*calculations: str) -> None:
    for name in calculations:
        calculation = getattr(operator, name)

        def calculated(one: Any, other: Any, calculation: Callable[[Any, Any], Any] = calculation) -> Any:
            return one._with(other, calculation)

        for kind in (Array, Matrix):
            setattr(kind, f"__{name.rstrip('_')}__", calculated)
            if name in ("add", "mul", "and_", "or_"):
                setattr(kind, f"__r{name.rstrip('_')}__", calculated)


_equip("add", "sub", "mul", "truediv", "pow", "and_", "or_", "eq", "ne", "lt", "le", "gt", "ge")


def _places(where: Any) -> Sequence[int]:
    """The places that a mask, or a list of places, chooses."""
    entries: Sequence[int] = where._list if isinstance(where, Array) else where
    if len(entries) and isinstance(entries[0], bool):
        return [place for place, chosen in enumerate(entries) if chosen]
    return entries


def array(entries: Iterable[Any]) -> Array:
    """The entries as an array."""
    return Array(entries)


def frombuffer(entries: Any, dtype: object = None) -> Array:
    """An array of the standard library: what is written here stands there as well."""
    found = Array(())
    found._list = entries
    return found


def zeros(shape: int | tuple[int, int], dtype: Callable[[int], Any] = float) -> Any:
    """As many times 0."""
    if isinstance(shape, tuple):
        return Matrix([zeros(shape[0], dtype) for _ in range(shape[1])])
    return full(shape, dtype(0))


empty = zeros


def full(size: int, entry: Any, dtype: object = None) -> Array:
    """One entry, so many times."""
    return Array(again(entry, size))


def ones(size: int) -> Array:
    """As many times 1."""
    return full(size, 1.0)


def arange(size: int) -> Array:
    """The whole numbers below one."""
    return Array(range(size))


def column_stack(columns: Iterable[Array]) -> Matrix:
    """Columns side by side."""
    return Matrix(columns)


def concatenate(parts: Iterable[Any], axis: int = 0) -> Any:
    """One behind the other, or along axis 1 the columns of matrices side by side."""
    return Matrix(column for part in parts for column in part.T) if axis else Array(chain.from_iterable(parts))


def diff(entries: Array) -> Any:
    """By how much each is larger than the one before."""
    return entries[1:] - entries[:-1]


def cumsum(entries: Iterable[Any]) -> Array:
    """What they come to up to each."""
    return Array(accumulate(entries))


def repeat(entries: Any, times: Array) -> Array:
    """Each as often as is said."""
    return Array(chain.from_iterable(map(again, _entries(entries, len(times)), times)))


def take(entries: Array, places: Array) -> Array:
    """What lies at these places."""
    return Array(entries[places])


def argsort(entries: Array, kind: str) -> Array:
    """The places of the entries from the smallest to the largest; of equal ones the first comes first."""
    return Array(sorted(range(len(entries)), key=entries.tolist().__getitem__))


def bincount(places: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    """What the weights come to at each place."""
    counted = full(max(minlength, max(places, default=-1) + 1), 0 if weights is None else 0.0)
    add.at(counted, places, 1 if weights is None else weights)
    return counted


def flatnonzero(entries: Array) -> Array:
    """Where they are not 0."""
    return Array(place for place, entry in enumerate(entries) if entry)


def unique(entries: Array, return_counts: bool) -> tuple[Array, Array]:
    """Each entry once, in order, and how often it occurs."""
    found = sorted(Counter(entries).items())
    return Array(entry for entry, _ in found), Array(count for _, count in found)


def where(condition: Any, one: Any, other: Any) -> Any:
    """One where it is true, the other where it is not."""
    if isinstance(condition, Matrix):
        return Matrix(starmap(where, zip(*_side_by_side(condition, one, other), strict=True)))
    size = len(condition)
    chosen = zip(condition, _entries(one, size), _entries(other, size), strict=False)
    return Array(yes if true else no for true, yes, no in chosen)


def abs(entries: Array) -> Array:  # noqa: A001  # NumPy's name
    """Without their signs."""
    return Array(map(operator.abs, entries))


def round(entries: Array) -> Array:  # noqa: A001  # NumPy's name
    """The whole numbers next to them."""
    return Array(map(builtins.round, entries))


class _Calculation:
    """A calculation with two numbers, between entries, or along them."""

    def __init__(self, calculation: Callable[[Any, Any], Any]) -> None:
        self._calculation = calculation

    def __call__(self, one: Array, other: Any) -> Any:
        return one._with(other, self._calculation)

    def reduceat(self, entries: Any, begin: Array, axis: int = 0) -> Any:
        """What the entries from each place up to the next come to."""
        if isinstance(entries, Matrix):
            return Matrix([self.reduceat(column, begin) for column in entries.T])
        *_, stop = [*begin, len(entries)]
        ends = [*begin.tolist()[1:], stop]
        run, calculate = entries.tolist(), self._calculation
        found = []
        for start, end in zip(begin, ends, strict=True):
            known = run[start]
            for at in range(start + 1, end):
                known = calculate(known, run[at])
            found.append(known)
        return Array(found)

    def at(self, entries: Any, places: Array, other: Any) -> None:
        """Calculate with what lies at each of the places, one after the other."""
        if isinstance(entries, Matrix):
            for mine, theirs in zip(*_side_by_side(entries, other), strict=True):
                self.at(mine, places, theirs)
            return
        run, calculate = entries._list, self._calculation
        for place, entry in zip(places, _entries(other, len(places)), strict=False):
            run[place] = calculate(run[place], entry)


add = _Calculation(operator.add)
maximum = _Calculation(max)
minimum = _Calculation(min)
logical_or = _Calculation(operator.or_)
