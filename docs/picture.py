"""Draws docs/terminal.svg, the picture in the README, from a real game at a real terminal."""

import re
import sys
from html import escape
from pathlib import Path

import pexpect

HERE = Path(__file__).parent
ANSWERS = ["2,2", "1,3"]
COLUMNS = 58
CHAR, LINE, MARGIN = 8.4, 18, 16
INK, PAPER = "#d8dee9", "#1d2229"
COLOURS = {"33": "#ebcb8b", "32": "#a3be8c", "36": "#88c0d0", "35": "#d29bc8"}
GROUNDS = {"46": "#3f8ea3", "45": "#9a5f90", "100": "#3b4252"}


def shown() -> str:
    """What the terminal shows of the game."""
    program = str(Path(sys.executable).with_name("numberquest"))
    options = ["play", "grid", "--names", "Ann,Bo", "--deal", "4,2,3,1,5,6,9,7,8"]
    child: pexpect.spawn[str] = pexpect.spawn(
        program,
        options,
        encoding="utf-8",
        dimensions=(60, COLUMNS),
        env={"TERM": "xterm", "PATH": "", "HOME": "/nowhere"},
    )
    seen = ""
    for answer in ANSWERS:
        child.expect_exact("(row,column): ")
        seen += f"{child.before}{child.after}"
        child.sendline(answer)
    child.expect_exact("(row,column): ")
    seen += f"{child.before}{child.after}"
    child.close(force=True)
    return seen.replace("\r\n", "\n")


def svg(text: str) -> str:
    """The text with its colours as a drawing."""
    parts: list[str] = []
    lines = text.split("\n")
    for row, line in enumerate(lines):
        style, column = set[str](), 0
        for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
            if piece.startswith("\x1b"):
                codes = piece[2:-1].split(";")
                style = set() if codes == ["0"] else style | set(codes) - (set(GROUNDS) & style)
                if set(codes) & set(GROUNDS):
                    style = (style - set(GROUNDS)) | set(codes)
                continue
            parts += drawn(piece, style, MARGIN + CHAR * column, MARGIN + LINE * row)
            column += len(piece)
    width, height = 2 * MARGIN + CHAR * COLUMNS, 2 * MARGIN + LINE * len(lines)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'aria-label="A game of Grid between Ann and Bo in the terminal">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="{INK}">'
    )
    return "\n".join([head, *parts, "</g>", "</svg>", ""])


def drawn(piece: str, style: set[str], x: float, y: float) -> list[str]:
    """One run of characters in one style."""
    ground = next((GROUNDS[code] for code in style if code in GROUNDS), None)
    if ground:
        return [f'<rect x="{x:g}" y="{y + 2:g}" width="{CHAR * len(piece):g}" height="{LINE - 4}" fill="{ground}"/>']
    if not piece.strip():
        return []
    words = piece.strip()
    x += CHAR * (len(piece) - len(piece.lstrip()))
    ink = next((f' fill="{COLOURS[code]}"' for code in style if code in COLOURS), "")
    weight = ' font-weight="bold"' if "1" in style else ""
    faint = ' opacity="0.6"' if "2" in style else ""
    length = f' textLength="{CHAR * len(words):g}"'
    return [f'<text x="{x:g}" y="{y + LINE - 4:g}"{ink}{weight}{faint}{length}>{escape(words)}</text>']


if __name__ == "__main__":
    (HERE / "terminal.svg").write_text(svg(shown()))
