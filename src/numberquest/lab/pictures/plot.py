"""A sweep as a picture: lines where one setting varies, a map where two do, several maps where more do."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.lab.pictures.canvas import framed, line, text
from numberquest.lab.pictures.scale import as_hex, ends, ink_on, mixed, step_of
from numberquest.settings import BadSetting, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.lab.row import Row
    from numberquest.settings import SettingValue

WIDE: Final = 760
LEFT: Final = 64
TALL: Final = 180
MOST_PANELS: Final = 40
MOST_ACROSS: Final = 400
MOST_TITLES: Final = 4000
"""With more cells than this, pointing at one says nothing: the file would be too large."""
MOST_LABELS: Final = 16
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
            # In the setting's own order, however the rows are sorted.
            found[name] = sorted(
                values, key=lambda value: (len(value), value) if isinstance(value, str) else (0, value)
            )
    return found


def planned(settings: Sequence[Mapping[str, SettingValue]]) -> Plan:
    """Where each setting goes; `BadSetting` where no picture can hold them all."""
    values = varied(settings)
    if not values:
        raise BadSetting("a picture needs a setting that varies, such as --set target=20..60")
    # The longest goes across; letters are best down, or apart.
    names = sorted(values, key=lambda name: -len(values[name]))
    across, *others = names
    down = others[0] if others else None
    apart = tuple(name for name in settings[0] if name in others[1:])
    panels = 1
    for name in apart:
        panels *= len(values[name])
    if panels > MOST_PANELS or len(values[across]) > MOST_ACROSS * (3 if down is None else 1):
        raise BadSetting(
            f"so many settings give {panels} maps with {len(values[across])} columns, too many for one picture: "
            "name fewer values, or write a --report, which has sliders"
        )
    return Plan(across, down, apart)


def plot(title: str, rows: Sequence[Row], meanings: Mapping[str, str]) -> str:
    """The picture: one part for the value, and one for each measure; `meanings` says what they are."""
    settings = [row.settings for row in rows]
    plan, values = planned(settings), varied(settings)
    parts = [text(18, 32, title, "head")]
    y = 44.0
    for column in ("value", *rows[0].measures):
        figures = {row.key: row.data()[column] for row in rows}
        heading = CHANCE_OF_ONE if column == "value" else f"{column}: {meanings.get(column, '')}"
        for words in folded(heading):
            y += 18
            parts.append(text(18, y, words, "sub"))
        y += 10
        drawn, tall = (_lines if plan.down is None else _maps)(plan, values, rows, figures, column, y)
        parts += drawn
        y += tall + 14
    return framed(title, WIDE, y + 8, parts)


def folded(words: str) -> list[str]:
    """A heading, in lines that fit."""
    from textwrap import wrap

    return wrap(words, 100)


def told(column: str, figure: float | None) -> str:
    """A figure, in words."""
    if figure is None:
        return "not known"
    return f"{100 * figure:.4g} %" if column in SHARES else f"{figure:.4g}"


def short(column: str, figure: float) -> str:
    """A figure for a small cell: who wins for certain, or a share in whole per cent, without the sign."""
    if column == "value" and figure in (0, 1):
        return "P1" if figure else "P2"
    if column in SHARES:
        # Only what is certain is 0 or 100.
        whole = round(100 * figure)
        return str(whole) if figure in (0, 1) or 0 < whole < 100 else "<1" if whole == 0 else ">99"
    return f"{figure:.3g}"


def _lines(
    plan: Plan,
    values: Mapping[str, list[SettingValue]],
    rows: Sequence[Row],
    figures: Mapping[Any, float | None],
    column: str,
    top: float,
) -> tuple[list[str], float]:
    xs = values[plan.across]
    known = [figure for figure in figures.values() if figure is not None]
    low, high = ends(known, column in SHARES)
    step = step_of(high - low)
    low, high = step * (low // step), step * -(-high // step)
    right, bottom = WIDE - 24.0, top + TALL

    def place(at: int) -> float:
        return LEFT + (right - LEFT) * (at + 0.5) / len(xs)

    def height(figure: float) -> float:
        return bottom - (TALL - 12) * (figure - low) / (high - low)

    parts = []
    for at in range(round((high - low) / step) + 1):
        figure = low + at * step
        parts.append(line(LEFT, height(figure), right, height(figure), "rule" if at else "axis"))
        parts.append(text(LEFT - 8, height(figure) + 4, told(column, figure), "pale", "end"))
    if column == "value":
        parts.append(line(LEFT, height(0.5), right, height(0.5), "half"))
        parts.append(text(right, height(0.5) - 4, "fair", "pale", "end"))
    every = -(-len(xs) // MOST_LABELS)
    points: list[str] = []
    by_x = {row.settings[plan.across]: row for row in rows}
    for at, value in enumerate(xs):
        found = figures[by_x[value].key]
        if at % every == 0:
            parts.append(text(place(at), bottom + 16, as_text(value), "pale", "middle"))
        if found is None:
            points.append("")
            continue
        points.append(f"{place(at):.5g},{height(found):.5g}")
        said = f"{plan.across}={as_text(value)}: {told(column, found)}"
        parts.append(
            f'<circle cx="{place(at):.5g}" cy="{height(found):.5g}" r="{3 if len(xs) < 150 else 1.5}" class="dot">'
            f"<title>{escape(said)}</title></circle>"
        )
    # A line breaks where nothing is known.
    runs = [run.strip() for run in " ".join(point or "|" for point in points).split("|")]
    parts += [f'<polyline points="{run}" class="curve"/>' for run in runs if run]
    parts.append(text(LEFT + (right - LEFT) / 2, bottom + 34, plan.across, "pale", "middle"))
    return parts, TALL + 40


def _maps(
    plan: Plan,
    values: Mapping[str, list[SettingValue]],
    rows: Sequence[Row],
    figures: Mapping[Any, float | None],
    column: str,
    top: float,
) -> tuple[list[str], float]:
    down = plan.down or ""
    xs, ys = values[plan.across], values[down]
    known = [figure for figure in figures.values() if figure is not None]
    low, high = ends(known, column in SHARES)
    panels: dict[tuple[SettingValue, ...], dict[tuple[SettingValue, SettingValue], Row]] = {}
    for row in rows:
        panel = panels.setdefault(tuple(row.settings[name] for name in plan.apart), {})
        panel[row.settings[plan.across], row.settings[down]] = row
    order = sorted(panels, key=lambda key: [values[n].index(v) for n, v in zip(plan.apart, key, strict=True)])
    # Side by side where they are narrow.
    beside = max(1, min(len(order), (WIDE - 20) // (LEFT + 12 * len(xs) + 16)))
    room = (WIDE - 20) / beside
    cell = min((room - LEFT - 16) / len(xs), 44.0)
    tall = min(max(cell * 0.7, 12.0), 24.0)
    each = len(ys) * tall + (44 if plan.apart else 26) + 18
    parts = _scale(
        column, low, high, top, crossed=len(known) < len(rows) or len(rows) < len(panels) * len(xs) * len(ys)
    )
    top += 40
    for number, key in enumerate(order):
        x, y = 10 + number % beside * room + LEFT, top + number // beside * each
        if plan.apart:
            named = ", ".join(f"{name}={as_text(value)}" for name, value in zip(plan.apart, key, strict=True))
            parts.append(text(x, y + 12, named, "sub"))
            y += 18
        parts += _panel(plan, xs, ys, panels[key], figures, column, (low, high), (x, y, cell, tall), len(rows))
    return parts, 40 + -(-len(order) // beside) * each


def _panel(
    plan: Plan,
    xs: Sequence[SettingValue],
    ys: Sequence[SettingValue],
    rows: Mapping[tuple[SettingValue, SettingValue], Row],
    figures: Mapping[Any, float | None],
    column: str,
    scale: tuple[float, float],
    place: tuple[float, float, float, float],
    cells: int,
) -> list[str]:
    left, top, wide, tall = place
    low, high = scale
    parts = []
    for down, y_value in enumerate(ys):
        y = top + down * tall
        parts.append(text(left - 6, y + tall / 2 + 4, as_text(y_value), "pale", "end"))
        for across, x_value in enumerate(xs):
            x = left + across * wide
            row = rows.get((x_value, y_value))
            figure = None if row is None else figures[row.key]
            if row is None or figure is None:
                # An empty cell is crossed out: nobody knows, or it was not asked for.
                box = f'x="{x:.5g}" y="{y:.5g}" width="{wide:.4g}" height="{tall:.4g}"'
                parts.append(f'<rect {box} class="none"/>')
                parts.append(line(x, y + tall, x + wide, y, "rule"))
                continue
            colour = mixed((figure - low) / (high - low))
            said = f"{row_name(row)}: {told(column, figure)}"
            about = f"<title>{escape(said)}</title>" if cells <= MOST_TITLES else ""
            parts.append(
                f'<rect x="{x:.5g}" y="{y:.5g}" width="{wide + 0.3:.4g}" height="{tall + 0.3:.4g}" '
                f'fill="{as_hex(colour)}">{about}</rect>'
            )
            words = short(column, figure)
            if wide >= 6.2 * len(words) + 3 and tall >= 13:
                fill = f' style="fill:{ink_on(colour)}" pointer-events="none"'
                parts.append(text(x + wide / 2, y + tall / 2 + 3.5, words, "small", "middle", fill))
    every = max(1, -(-len(xs) // max(1, int(len(xs) * wide / 30))))
    bottom = top + len(ys) * tall
    parts += [
        text(left + (across + 0.5) * wide, bottom + 13, as_text(xs[across]), "pale small", "middle")
        for across in range(0, len(xs), every)
    ]
    parts.append(text(left + len(xs) * wide / 2, bottom + 25, plan.across, "pale small", "middle"))
    parts.append(text(left - 6, top - 3, plan.down or "", "pale small", "end"))
    return parts


def row_name(row: Row) -> str:
    """All settings of a row, as they are typed."""
    return " ".join(f"{name}={as_text(value)}" for name, value in row.settings.items())


def _scale(column: str, low: float, high: float, top: float, *, crossed: bool) -> list[str]:
    """The legend: the colours in order, and what they mean."""
    parts, left, wide, steps = [], 10.0 + LEFT, 240.0, 48
    for at in range(steps):
        colour = as_hex(mixed((at + 0.5) / steps))
        parts.append(
            f'<rect x="{left + at * wide / steps:.5g}" y="{top:.5g}" width="{wide / steps + 0.4:.4g}" height="10" '
            f'fill="{colour}"/>'
        )
    for share in (0.0, 0.5, 1.0):
        figure = low + (high - low) * share
        parts.append(text(left + wide * share, top + 23, told(column, figure), "pale small", "middle"))
    said = ["P1, P2: that player wins for certain"] if column == "value" else []
    said += ["crossed out: not known, or left out"] if crossed else []
    parts.append(text(left + wide + 30, top + 9, "; ".join(said), "pale small"))
    return parts
