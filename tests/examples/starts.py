"""What one starts from in the workshop: the gallery, four of our games as recipes, and what is true of each of the ten.

They lie in examples/ and in the tests, for people; the page brings copies along: `python -m tests.examples.starts`.
"""

import json
import re

from tests.examples.gallery import GALLERY, RECIPES, ROOT

STARTS = ROOT / "src" / "numberquest" / "server" / "starts"
GAMES = [ROOT / "tests" / "recipes" / f"{slug}.toml" for slug in ("fifty", "grid", "mystic", "sumquest")]
ROW = re.compile(r"^\| \[[^\]]+\]\((\w+\.toml)\) \| .* \| (.*) \|$", re.MULTILINE)


def starts() -> dict[str, str]:
    """Every file that the page brings along, by its name; what is true is as the gallery's own page says it."""
    truths = dict(ROW.findall((GALLERY / "README.md").read_text()))
    files = {path.name: path.read_text() for path in (*RECIPES, *GAMES)}
    return files | {"truths.json": json.dumps(truths, indent=2, ensure_ascii=False) + "\n"}


if __name__ == "__main__":
    for name, text in starts().items():
        (STARTS / name).write_text(text)
