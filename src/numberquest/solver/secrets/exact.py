"""Equations with whole numbers, solved exactly: modulo a large prime, and fractions made of what comes of it."""

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import isqrt
from typing import Final

PRIMES: Final = (2**521 - 1, 2**2203 - 1, 2**9689 - 1)
"""The larger ones where the fractions are too long for the first."""
Row = dict[int, int]
"""The numbers of an equation that are not 0, by the unknown."""


def solve_equations(rows: Sequence[Row], right: Sequence[int]) -> list[Fraction] | None:
    """The unknowns of as many equations; None where they have no one solution, or it is longer than can be found."""
    for prime in PRIMES:
        residues = _solved_modulo(rows, right, prime)
        if residues is None:
            return None
        found = _fractions(residues, prime)
        if found is not None and all(
            sum(factor * found[at] for at, factor in row.items()) == value
            for row, value in zip(rows, right, strict=True)
        ):
            return found
    return None


def _solved_modulo(rows: Sequence[Row], right: Sequence[int], prime: int) -> list[int] | None:
    """Elimination; first what stands alone in its row or column, then the shortest rows."""
    here: list[Row] = [{at: factor % prime for at, factor in row.items()} for row in rows]
    values = [value % prime for value in right]
    columns: list[set[int]] = [set() for _ in rows]
    for number, row in enumerate(here):
        for at in row:
            columns[at].add(number)
    short = [(len(row), number) for number, row in enumerate(here)]
    heapify(short)
    alone = [at for at, column in enumerate(columns) if len(column) == 1]
    done = [False] * len(rows)
    order: list[tuple[int, int, int]] = []
    while len(order) < len(rows):
        if alone:
            at = alone.pop()
            if len(columns[at]) != 1:
                continue
            (number,) = columns[at]
        else:
            length, number = heappop(short)
            if done[number] or length != len(here[number]):
                continue
            if not length:
                return None
            at = min(here[number], key=lambda one: len(columns[one]))
        row = here[number]
        inverse = pow(row[at], -1, prime)
        columns[at].discard(number)
        for other in columns[at]:
            theirs = here[other]
            factor = theirs.pop(at) * inverse % prime
            for place, entry in row.items():
                if place == at:
                    continue
                was = theirs.get(place)
                now = ((was or 0) - factor * entry) % prime
                if now:
                    theirs[place] = now
                    if was is None:
                        columns[place].add(other)
                elif was is not None:
                    del theirs[place]
                    columns[place].discard(other)
            values[other] = (values[other] - factor * values[number]) % prime
            heappush(short, (len(theirs), other))
        columns[at].clear()
        for place in row:
            if place != at:
                columns[place].discard(number)
                if len(columns[place]) == 1:
                    alone.append(place)
        done[number] = True
        order.append((number, at, inverse))
    unknowns = [0] * len(rows)
    for number, at, inverse in reversed(order):
        rest = sum(entry * unknowns[place] for place, entry in here[number].items() if place != at)
        unknowns[at] = (values[number] - rest) * inverse % prime
    return unknowns


def _fractions(residues: Sequence[int], prime: int) -> list[Fraction] | None:
    """The fractions with small numbers that these are; None where one of them is none."""
    most = isqrt(prime // 2) >> 8
    common = 1
    found: list[Fraction] = []
    for residue in residues:
        # Most of them have the denominators of those before.
        top = residue * common % prime
        if top > prime - most:
            top -= prime
        if abs(top) >= most:
            before, last, old, new = prime, residue, 0, 1
            while last > most:
                quotient = before // last
                before, last, old, new = last, before - quotient * last, new, old - quotient * new
            if not 0 < abs(new) <= most:
                return None
            fraction = Fraction(last, new)
            common = common * fraction.denominator
            if common > most:
                common = fraction.denominator
        else:
            fraction = Fraction(top, common)
        found.append(fraction)
    return found
