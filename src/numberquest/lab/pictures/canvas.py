"""What all pictures are made of: text, lines, and the frame of the file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

INK, PALE, RULE, BACK = "ink", "pale", "rule", "back"
STYLE: Final = """\
svg { --ink: #1b1f24; --pale: #57606a; --rule: #d0d7de; --back: #ffffff; --mark: #0b5cad; --other: #b3470b; }
@media screen and (prefers-color-scheme: dark) {
  svg { --ink: #e8e8e8; --pale: #a6abb3; --rule: #444a52; --back: #16181c; --mark: #6cb2ff; --other: #ff9d5c; }
}
text { fill: var(--ink); font-size: 12px; } .pale { fill: var(--pale); } .head { font-size: 17px; font-weight: 700; }
.sub { font-size: 13px; font-weight: 600; } .small { font-size: 10px; }
.back { fill: var(--back); } .rule { stroke: var(--rule); } .axis { stroke: var(--pale); }
.curve { fill: none; stroke: var(--mark); stroke-width: 2; } .dot { fill: var(--mark); }
.half { stroke: var(--other); stroke-dasharray: 5 4; }
.none { fill: none; stroke: var(--rule); }
.other { fill: var(--back); stroke: var(--pale); } .ten { fill: var(--mark); stroke: var(--ink); }
.front { fill: none; stroke: var(--other); stroke-width: 2; }
.wish { fill: var(--mark); fill-opacity: .12; stroke: var(--mark); stroke-dasharray: 4 3; }
"""
"""Light and dark, as whoever looks has it; on paper light."""


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start", more: str = "") -> str:
    """Words at a place."""
    return f'<text x="{x:.5g}" y="{y:.5g}" class="{kind}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line x1="{x1:.5g}" y1="{y1:.5g}" x2="{x2:.5g}" y2="{y2:.5g}" class="{kind}"/>'


def framed(title: str, wide: float, tall: float, parts: Sequence[str]) -> str:
    """The whole file."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {tall:.0f}" width="{wide:.0f}" '
        f'height="{tall:.0f}" style="max-width:100%;height:auto" role="img" aria-label="{escape(title)}" '
        'font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif">\n'
        f'<title>{escape(title)}</title>\n<style>{STYLE}</style>\n<rect width="100%" height="100%" class="back"/>\n'
        f"{body}\n</svg>\n"
    )
