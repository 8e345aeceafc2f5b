"""Reports as words at a terminal."""

from numberquest.report.report import Column, Estimate, Table, TableRow
from numberquest.report.words import table


def test_figures_side_by_side_never_touch() -> None:
    columns = [Column("against", 9, left=True), Column("games", 6), Column("wins", 17)]
    rows = [TableRow(["random", "10", "100.0 (66.1-100.0)"]), TableRow(["hard", "10", "90.0 (52.3-98.7)"])]
    assert table(Table(columns, [rows])) == [
        "against   games               wins",
        "random       10 100.0 (66.1-100.0)",
        "hard         10   90.0 (52.3-98.7)",
    ]


def test_nothing_is_less_than_nothing() -> None:
    assert str(Estimate(-0.0, -1e-17, 0.605)) == "0.0 (0.0-60.5)"
