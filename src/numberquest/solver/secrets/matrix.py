"""Matrix games, exactly: the simplex method in whole numbers."""

from collections.abc import Sequence
from fractions import Fraction


def equilibrium(matrix: Sequence[Sequence[int]]) -> tuple[list[Fraction], list[Fraction]]:
    """The odds of the rows, which want much, and of the columns, which want little, where neither can do better.

    With all entries above 0, columns `q` with the most in all and no row above 1 are found: pivots stay whole numbers,
    because all are kept over the pivot before (Bareiss). Bland's rule never goes in a circle.
    """
    least = min(map(min, matrix))
    rows, columns = len(matrix), len(matrix[0])
    table = [
        [entry - least + 1 for entry in row] + [int(at == own) for own in range(rows)] + [1]
        for at, row in enumerate(matrix)
    ]
    last = [-1] * columns + [0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    before = 1
    while (enters := next((at for at in range(columns + rows) if last[at] < 0), None)) is not None:
        leaves = min(
            (at for at in range(rows) if table[at][enters] > 0),
            key=lambda at: (Fraction(table[at][-1], table[at][enters]), basis[at]),
        )
        basis[leaves] = enters
        pivot_row = table[leaves]
        pivot = pivot_row[enters]
        for row in (*table, last):
            if row is not pivot_row:
                factor = row[enters]
                row[:] = [
                    (pivot * entry - factor * other) // before for entry, other in zip(row, pivot_row, strict=True)
                ]
        before = pivot
    total = last[-1]
    column_odds = [Fraction(0)] * columns
    for at, variable in enumerate(basis):
        if variable < columns:
            column_odds[variable] = Fraction(table[at][-1], total)
    return [Fraction(entry, total) for entry in last[columns:-1]], column_odds
