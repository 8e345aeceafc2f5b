"""Charts: every figure is in them, in words too, and their colours can be told apart by everybody.

`transcripts/pictures` holds one of each kind as it was last looked at. After a change of looks that is meant, look at
them and write them anew: NUMBERQUEST_WRITE_TRANSCRIPTS=1 make test
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numberquest.core.settings import BadSetting
from numberquest.report.charts import (
    FAIR,
    STOPS,
    Axis,
    Column,
    Columns,
    Curve,
    Dot,
    Dots,
    Point,
    Scatter,
    Spot,
    as_hex,
    ink_on,
    lightness,
    mixed,
)
from numberquest.study.plot import MOST_PANELS, plot, short
from numberquest.study.row import SweepRow
from numberquest.study.sweep import sweep

PICTURES = Path(__file__).parent.parent / "transcripts" / "pictures"
NAME = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    tree = ElementTree.fromstring(svg)  # noqa: S314  # our own
    return ["".join(one.itertext()) for one in tree.iter() if one.tag in (f"{NAME}text", f"{NAME}title")]


def rows(**values: list[int]) -> list[SweepRow]:
    """Rows of a game that nobody plays, whose value grows with its settings."""
    found: list[SweepRow] = [SweepRow({}, 0.0, (), 1, {})]
    for name, each in values.items():
        found = [row._replace(settings={**row.settings, name: one}) for row in found for one in each]
    return [row._replace(value=at / (len(found) - 1), measures={"length": float(at)}) for at, row in enumerate(found)]


def test_each_colour_is_lighter_than_the_one_before() -> None:
    lights = [lightness(mixed(at / 200)) for at in range(201)]
    assert lights == sorted(lights)
    assert len(set(lights)) == len(lights)
    assert lights[-1] - lights[0] > 0.7
    # So can be seen without any colour, in grey: steps are neither tiny nor huge.
    # What is fair is the lightest, and each side grows darker, Player 2's blue and Player 1's red.
    lights = [lightness(mixed(at / 200, FAIR)) for at in range(201)]
    assert max(lights) == lights[100]
    assert lights[:101] == sorted(lights[:101])
    assert lights[100:] == sorted(lights[100:], reverse=True)
    (red, _, blue), (later_red, _, later_blue) = mixed(0, FAIR), mixed(1, FAIR)
    assert red < blue
    assert later_red > later_blue
    steps = [high - low for low, high in zip(map(lightness, STOPS), map(lightness, STOPS[1:]), strict=False)]
    assert max(steps) < 0.3


@pytest.mark.parametrize("share", [at / 50 for at in range(51)])
def test_the_figure_in_a_cell_can_be_read_on_its_colour(share: float) -> None:
    light = lightness(mixed(share))
    other = 1.0 if ink_on(mixed(share)) == "#fff" else 0.0
    assert (max(light, other) + 0.05) / (min(light, other) + 0.05) >= 4.5


def test_one_setting_is_drawn_as_a_line_with_a_point_for_every_value() -> None:
    drawn = plot("grow", rows(target=list(range(10, 21))), {"length": "how long"})
    assert drawn.count("<circle") == 2 * 11
    assert "target=15: 50 %" in words(drawn)
    assert "length: how long" in words(drawn)
    assert "fair" in words(drawn)


def test_two_settings_are_drawn_as_a_map_with_a_figure_in_every_cell() -> None:
    drawn = plot("grow", rows(target=list(range(10, 15)), high=[2, 3]), {"length": "how long"})
    said = words(drawn)
    assert "target=12 high=3: 55.56 %" in said
    assert {"P1", "P2", "56"} <= set(said)
    assert "P1, P2: that player wins for certain" in said
    assert drawn.count("<polyline") == 0
    # All colours are in the legend and in the cells alike.
    assert as_hex(mixed(0.0)) in drawn


def test_more_settings_are_drawn_as_several_maps() -> None:
    drawn = plot("grow", rows(target=list(range(10, 15)), high=[2, 3], copies=[1, 2], more=[0, 1]), {"length": "x"})
    assert [one for one in words(drawn) if re.fullmatch(r"copies=\d, more=\d", one)] == 2 * [
        f"copies={copies}, more={more}" for copies in (1, 2) for more in (0, 1)
    ]


def test_what_is_not_known_is_crossed_out_and_not_coloured() -> None:
    some = rows(target=[1, 2, 3], high=[1, 2])
    some[3] = some[3]._replace(value=None, measures={"length": None})
    drawn = plot("grow", some[:5], {"length": "x"})
    assert drawn.count('class="none"') == 2 * 2
    assert "crossed out" in drawn
    line = plot(
        "grow",
        [row._replace(value=None) if row.settings["t"] == 3 else row for row in rows(t=[1, 2, 3, 4, 5])],
        {"length": "x"},
    )
    assert line.count("<polyline") == 2 + 1


def test_what_no_picture_can_hold_is_told_in_a_sentence() -> None:
    with pytest.raises(BadSetting, match="needs a setting that varies"):
        plot("one", [SweepRow({"target": 5}, 1, (), 1, {})], {})
    many = rows(a=list(range(9)), b=list(range(8)), c=list(range(7)), d=list(range(MOST_PANELS)[:6]))
    with pytest.raises(BadSetting, match="too many for one picture"):
        plot("many", many, {"length": "x"})


@pytest.mark.parametrize(
    ("figure", "said"), [(0, "P2"), (1, "P1"), (0.001, "<1"), (0.9999, ">99"), (0.5, "50"), (0.996, ">99")]
)
def test_only_what_is_certain_is_drawn_as_certain(figure: float, said: str) -> None:
    assert short("value", figure) == said


def test_a_picture_of_a_real_sweep_is_well_formed() -> None:
    found = sweep("sumquest", {"target": range(10, 20), "high": [2, 3]}, ["length"])
    assert "<title>target=10 high=2: 100 %</title>" in plot("sums", found, {"length": "x"})


def test_signs_that_mean_something_in_a_picture_are_drawn_as_they_are() -> None:
    some = [SweepRow({"ops": ops, "high": high}, 0.5, (), 1, {}) for ops in ("<", "<&>") for high in (1, 2)]
    assert "ops=<&> high=2: 50 %" in words(plot("<signs>", some, {}))
    assert "ops=<&>: 50 %" in words(plot("<signs>", [row for row in some if row.settings["high"] == 1], {}))


@pytest.mark.parametrize("groups", [1, 5, 12, 13, 40])
def test_columns_stand_in_order_beside_their_scale_and_not_too_many_have_a_label(groups: int) -> None:
    chart = Columns("Title", "move", [Column(f"g{at}", "one", "", 0.5) for at in range(groups)])
    svg = chart.svg()
    labels = [(float(x), int(at)) for x, at in re.findall(r'<text x="([0-9.]+)%"[^>]*>g(\d+)<', svg)]
    assert labels == sorted(labels)
    assert labels[0][1] == 0
    assert groups / 2 < len(labels) * -(-groups // chart.MOST_LABELS) <= groups + chart.MOST_LABELS
    assert len(labels) <= chart.MOST_LABELS
    room = (chart.RIGHT - chart.LEFT) / groups
    for x, at in labels:
        assert x == pytest.approx(chart.LEFT + room * (at + 0.5), abs=0.01)


def test_a_curve_stays_within_its_width() -> None:
    chart = Curve(
        "target", ["1", "2", "3"], [Point(0.0, "low"), None, Point(1.0, "high")], [(0.0, "0 %"), (1.0, "100 %")], 0.5
    )
    parts, _ = chart.draw(300, 0)
    across = [float(x) for part in parts for x in re.findall(r' (?:x|x1|x2|cx)="([-0-9.]+)"', part)]
    assert max(across) <= 300
    assert min(across) >= 0
    (low, high) = [float(x) for part in parts for x in re.findall(r'cx="([-0-9.]+)"', part)]
    assert chart.LEFT < low < high


def per_cent(figure: float) -> str:
    return f"{100 * figure:.0f} %"


def a_map() -> str:
    some = rows(target=list(range(10, 15)), high=[2, 3, 4], copies=[1, 2])
    some[7] = some[7]._replace(value=None, measures={"length": None})
    return plot("grow", some, {"length": "how long"})


KINDS: dict[str, Callable[[], str]] = {
    "dots": Dots(
        "Shares",
        [
            Dot("Ann", "one", "40 %", 0.4, 0.3, 0.55, (0.45, 0.2, 0.7)),
            Dot("Bo", "two", "90 %", 0.9, 0.8, 1.2, exact=0.85),
            Dot("both", "both", "65 %", 0.65, 0.6, 0.7),
            Dot("nobody", "both", "not known", None, None, None),
        ],
    ).svg,
    "dots-of-points": Dots("Ratings", [Dot("Ann", "one", "-40", -40, -60, 5)], -100, 100, percent=False).svg,
    "columns": Columns(
        "Where it was lost",
        "move",
        [
            Column("1", "one", "0.5", 0.5),
            Column("1", "two", "0.25", 0.25),
            Column("2", "both", "0.05", 0.05, few=True),
            Column("3", "two", "0", 0.0),
            Column("4", "one", "not known", None),
        ],
    ).svg,
    "curve": lambda: plot("grow", rows(target=list(range(10, 21))), {"length": "how long"}),
    "map": a_map,
    "scatter": Scatter(
        "What can be had",
        Axis("fair", (0.0, 0.2), per_cent),
        Axis("skill", (0.5, float("inf")), per_cent),
        [Spot(0.1, 0.4, "a"), Spot(0.15, 0.7, "b", 1), Spot(0.5, 0.9, "c", 2), Spot(0.9, 0.2, "d")],
        [(0.1, 0.4), (0.15, 0.7), (0.5, 0.9)],
    ).svg,
    "scatter-of-one": Scatter(
        "One", Axis("fair", (0.2, 0.2), per_cent), Axis("skill", (0.0, 1.0), per_cent), [Spot(0.2, 0.5, "a")], []
    ).svg,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_chart_is_drawn_as_it_was_when_it_was_last_looked_at(kind: str) -> None:
    drawn, path = KINDS[kind](), PICTURES / f"{kind}.svg"
    kept = path.read_text() if path.exists() else ""
    if os.environ.get("NUMBERQUEST_WRITE_TRANSCRIPTS"):
        path.write_text(drawn)
    assert drawn == kept
