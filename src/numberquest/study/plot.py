"""A sweep as a picture: lines where one setting varies, a map where two do, several maps where more do."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from textwrap import wrap
from typing import Final, NamedTuple

from numberquest.core.settings import BadSetting, SettingValue, as_text
from numberquest.report.charts import FAIR, STOPS, Curve, HeatMaps, Point, ends, framed, marks, text
from numberquest.report.report import brief
from numberquest.study.row import SweepRow

WIDE: Final = 760
MOST_PANELS: Final = 40
MOST_ACROSS: Final = 400
MOST_TITLES: Final = 4000
"""With more cells than this, pointing at one says nothing: the file would be too large."""
SHARES: Final = frozenset({"value", "draw", "luck", "skill", "decided", "behind", "drama", "stake", "blind"})
"""Columns that lie between 0 and 1, and are told in per cent."""
CHANCE_OF_ONE: Final = "Player 1's chance under best play"


class Plan(NamedTuple):
    """Which settings vary, and where they go: across, down, and one map each."""

    across: str
    down: str | None
    apart: tuple[str, ...]


def varied(settings: Sequence[Mapping[str, SettingValue]]) -> dict[str, list[SettingValue]]:
    """The settings that are not the same everywhere, with their values in order."""
    found: dict[str, list[SettingValue]] = {}
    for name in settings[0] if settings else ():
        values = dict.fromkeys(one[name] for one in settings)
        if len(values) > 1:
            found[name] = in_order(values)
    return found


def in_order(values: Iterable[SettingValue]) -> list[SettingValue]:
    """Values of a setting in its own order, however the rows are sorted."""
    return sorted(values, key=lambda value: (len(value), value) if isinstance(value, str) else (0, value))


def planned(settings: Sequence[Mapping[str, SettingValue]]) -> Plan:
    """Return the place of each setting; `BadSetting` where one picture cannot hold all settings."""
    values = varied(settings)
    if not values:
        raise BadSetting("a picture needs a setting that varies, such as --set target=20..60")
    # The longest goes across; letters are best down, or apart.
    names = sorted(values, key=lambda name: -len(values[name]))
    across, *others = names
    down = others[0] if others else None
    apart = tuple(name for name in settings[0] if name in others[1:])
    panels = prod(len(values[name]) for name in apart)
    if panels > MOST_PANELS or len(values[across]) > MOST_ACROSS * (3 if down is None else 1):
        raise BadSetting(
            f"so many settings give {panels} maps with {len(values[across])} columns, too many for one picture: "
            "name fewer values, or write a --report, which has sliders"
        )
    return Plan(across, down, apart)


def plot(title: str, rows: Sequence[SweepRow], meanings: Mapping[str, str]) -> str:
    """The picture: one part for the value, and one for each measure; `meanings` says what they are."""
    settings = [row.settings for row in rows]
    plan, values = planned(settings), varied(settings)
    parts = [text(18, 32, title, "head")]
    y = 44.0
    for column in ("value", *rows[0].measures):
        heading = CHANCE_OF_ONE if column == "value" else f"{column}: {meanings.get(column, '')}"
        for words in wrap(heading, 100):
            y += 18
            parts.append(text(18, y, words, "sub"))
        chart = (_curve if plan.down is None else _maps)(plan, values, rows, column)
        drawn, tall = chart.draw(WIDE, y + 10)
        parts += drawn
        y += tall + 24
    return framed(title, WIDE, y + 8, parts)


def told(column: str, figure: float | None) -> str:
    """A figure, in words."""
    if figure is None:
        return "not known"
    return f"{brief(100 * figure)} %" if column in SHARES else brief(figure)


def short(column: str, figure: float) -> str:
    """A figure for a small cell: who wins for certain, or a share in whole per cent, without the sign."""
    if column == "value" and figure in (0, 1):
        return "P1" if figure else "P2"
    if column in SHARES:
        # Only what is certain is 0 or 100.
        whole = round(100 * figure)
        return str(whole) if figure in (0, 1) or 0 < whole < 100 else "<1" if whole == 0 else ">99"
    return f"{figure:.3g}"


def _curve(plan: Plan, values: Mapping[str, list[SettingValue]], rows: Sequence[SweepRow], column: str) -> Curve:
    known = [figure for row in rows if (figure := row.data()[column]) is not None]
    scale = marks(*ends(known, column in SHARES))
    low, length = scale[0], scale[-1] - scale[0]
    by_x = {row.settings[plan.across]: row.data()[column] for row in rows}
    labels = {as_text(value): by_x[value] for value in values[plan.across]}
    points = [
        None if one is None else Point((one - low) / length, f"{plan.across}={label}: {told(column, one)}")
        for label, one in labels.items()
    ]
    lines = [((figure - low) / length, told(column, figure)) for figure in scale]
    return Curve(plan.across, list(labels), points, lines, (0.5 - low) / length if column == "value" else None)


def _maps(plan: Plan, values: Mapping[str, list[SettingValue]], rows: Sequence[SweepRow], column: str) -> HeatMaps:
    down = plan.down or ""
    xs, ys = values[plan.across], values[down]
    known = [figure for row in rows if (figure := row.data()[column]) is not None]
    low, high = ends(known, column in SHARES)
    order = sorted(rows, key=lambda row: [values[name].index(row.settings[name]) for name in plan.apart])
    panels: dict[str, dict[tuple[int, int], Point]] = {}
    for row in order:
        name = ", ".join(f"{name}={as_text(row.settings[name])}" for name in plan.apart)
        panel = panels.setdefault(name, {})
        figure = row.data()[column]
        if figure is not None:
            title = f"{row.name}: {told(column, figure)}" if len(rows) <= MOST_TITLES else ""
            point = Point((figure - low) / (high - low), title, short(column, figure))
            panel[xs.index(row.settings[plan.across]), ys.index(row.settings[down])] = point
    notes = ["P1, P2: that player wins for certain"] if column == "value" else []
    # An empty cell is crossed out: nobody knows, or it was not asked for.
    if len(known) < len(panels) * len(xs) * len(ys):
        notes.append("crossed out: not known, or left out")
    scale = [told(column, low + (high - low) * share) for share in (0.0, 0.5, 1.0)]
    labels = [as_text(value) for value in xs], [as_text(value) for value in ys]
    stops = FAIR if column == "value" else STOPS
    return HeatMaps(plan.across, down, *labels, panels, scale, "; ".join(notes), stops)
