"""The text of games in this folder, as somebody writes their first one, and copies of them with changes."""

from itertools import count
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
"""The one folder of games in files."""

LAST, CARDS, ROW, SWITCH, COIN, TOSS = (
    (FOLDER / f"{name}.py").read_text() for name in ("last", "cards", "row", "switch", "coin", "toss")
)

MOD_4: Final = """\
    def canonical(self, p):
        return Position(p.left % 4, p.player)
"""
"""Whoever has to move on a multiple of four has lost, whatever is left: worth the same, and nothing more than that."""


_number = count()


def written(folder: Path, text: str, *changes: tuple[str, str]) -> str:
    """The path of a new file with this text, in which each of the changes has been made."""
    for was, now in changes:
        assert was in text
        text = text.replace(was, now)
    path = folder / f"game{next(_number)}.py"
    path.write_text(text)
    return str(path)


def adding(line: str) -> tuple[str, str]:
    """The change that puts one more line into the class of any of these games."""
    return "    def start", f"    {line}\n\n    def start"
