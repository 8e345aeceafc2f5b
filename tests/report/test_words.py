"""Reports as words at a terminal."""

from numberquest.report.report import Column, Estimate, Rating, Table, TableRow
from numberquest.report.words import table
from numberquest.study.plot import told


def test_figures_side_by_side_never_touch() -> None:
    columns = [Column("against", 9, left=True), Column("games", 6), Column("wins", 17)]
    rows = [TableRow(["random", "10", "100.0 (66.1-100.0)"]), TableRow(["hard", "10", "90.0 (52.3-98.7)"])]
    assert table(Table(columns, [rows])) == [
        "against   games               wins",
        "random       10 100.0 (66.1-100.0)",
        "hard         10   90.0 (52.3-98.7)",
    ]


def test_nothing_is_less_than_nothing_and_no_figure_has_an_exponent() -> None:
    assert str(Estimate(-0.0, -1e-17, 0.605)) == "0.0 (0.0-60.5)"
    assert str(Rating(-0.3, -0.4, 0.2)) == "+0 (+0 to +0)"
    assert [told("skill", figure) for figure in (6.805e-32, -1e-17, 0.051234)] == ["0 %", "0 %", "5.123 %"]
