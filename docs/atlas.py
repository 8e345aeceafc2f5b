"""Draws the pictures of docs/atlas.md from the atlas itself; `make atlas` does it too."""

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from numberquest.core.settings import SettingValue, as_text
from numberquest.report.charts import FAIR, as_hex, framed, ink_on, mixed, text
from numberquest.study.atlas import Atlas, atlas
from numberquest.study.plot import short

HERE = Path(__file__).parent
LEFT, TOP, LINE, WIDE = 64, 50, 15, 880
ROOM = 16.0
"""A cell as wide as this has room for its figure."""


class Panel(NamedTuple):
    """One map: its name, what goes across and down, and Player 1's chance at each place; None where there is none."""

    name: str
    across: Sequence[SettingValue]
    down: Sequence[SettingValue]
    value: Callable[[SettingValue, SettingValue], float | None]


def picture(title: str, across: str, down: str, panels: Sequence[Panel]) -> str:
    """Maps below each other, with one scale for all; alike neighbours are drawn as one."""
    cell = min((WIDE - LEFT - 16) / max(len(panel.across) for panel in panels), 44.0)
    parts, top = [text(10, 20, title, "head"), *_legend()], float(TOP)
    for name, xs, ys, value in panels:
        top += 22
        parts.append(text(LEFT, top - 6, name, "sub"))
        for at, y in enumerate(ys):
            here = top + at * LINE
            parts.append(text(LEFT - 8, here + 11, as_text(y), "", "end"))
            figures = [value(x, y) for x in xs]
            for figure, run in groupby(range(len(xs)), key=figures.__getitem__):
                places = list(run)
                if figure is not None:
                    parts += _run(LEFT + places[0] * cell, here, len(places), cell, figure)
        bottom = top + len(ys) * LINE
        every = max(1, round(40 / cell))
        labelled = range(0, len(xs), every)
        parts += [text(LEFT + (at + 0.5) * cell, bottom + 13, as_text(xs[at]), "", "middle") for at in labelled]
        parts.append(text(LEFT, bottom + 29, f"{across} →", "pale"))
        parts.append(text(LEFT - 8, top - 6, f"{down} ↓", "pale", "end"))
        top = bottom + 36
    return framed(title, WIDE, top, parts)


def _run(x: float, y: float, many: int, cell: float, figure: float) -> list[str]:
    """Some places of one chance, which is written into them where there is room."""
    colour = mixed(figure, FAIR)
    box = f'<rect x="{x:.5g}" y="{y:.5g}" width="{many * cell:.5g}" height="{LINE - 1}" fill="{as_hex(colour)}"/>'
    if cell < ROOM:
        return [box]
    fill = f' style="fill:{ink_on(colour)}"'
    middles = [x + (at + 0.5) * cell for at in range(many)]
    return [box, *(text(middle, y + 11, short("value", figure), "small", "middle", fill) for middle in middles)]


def _legend() -> list[str]:
    shades = [(LEFT + at * 5, as_hex(mixed(at / 39, FAIR))) for at in range(40)]
    boxes = [f'<rect x="{x}" y="32" width="5.2" height="10" fill="{colour}"/>' for x, colour in shades]
    said = "P1: Player 1 always wins; between the two, how often in 100 games"
    return [*boxes, text(LEFT - 8, 41, "P2", "", "end"), text(LEFT + 206, 41, said)]


def _known(slug: str) -> Atlas:
    found = atlas(slug)
    if found is None:
        raise SystemExit(f"{slug} has no atlas: make atlas")
    return found


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    sum_quest, fifty, grid, mystic, showdown = map(_known, ("sumquest", "fifty", "grid", "mystic", "showdown"))

    def of(
        found: Atlas, across: str, down: str, rest: dict[str, SettingValue]
    ) -> Callable[[SettingValue, SettingValue], float | None]:
        known = {
            (row.settings[across], row.settings[down]): row.value
            for row in found
            if rest.items() <= row.settings.items()
        }
        return lambda x, y: known.get((x, y))

    highs = range(2, 10)
    return {
        "atlas-sumquest.svg": picture(
            "sumquest: who wins with best play, targets 2 to 120",
            "target",
            "high",
            [Panel("", range(2, 121), highs, of(sum_quest, "target", "high", {}))],
        ),
        "atlas-fifty.svg": picture(
            "fifty with one copy of each number: the few blue places are Player 2's",
            "target",
            "high",
            [
                Panel(f"ops {ops}", range(2, 141), highs, of(fifty, "target", "high", {"copies": 1, "ops": ops}))
                for ops in ("+", "+-", "+*", "+/", "+-*", "+-/", "+*/", "+-*/")
            ],
        ),
        "atlas-grid.svg": picture(
            "grid: how often Player 1 wins, as written and with standing",
            "target",
            "side",
            [
                Panel(f"stand {as_text(stand)}", range(2, 61), (2, 3, 4), of(grid, "target", "side", {"stand": stand}))
                for stand in (False, True)
            ],
        ),
        "atlas-mystic.svg": picture(
            "mystic: how often Player 1 wins with best play",
            "target",
            "high",
            [
                Panel(f"copies {copies}", range(2, 61), highs, of(mystic, "target", "high", {"copies": copies}))
                for copies in range(1, 5)
            ],
        ),
        "atlas-showdown.svg": picture(
            "showdown: who wins with best play",
            "picks",
            "high",
            [Panel("", range(1, 14), range(2, 14), of(showdown, "picks", "high", {}))],
        ),
    }


def main() -> None:
    """Write them beside this file."""
    for name, drawn in pictures().items():
        (HERE / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
