"""A game is one folder: nothing outside it names the game, and with one file alone it is whole."""

import ast
import re
from pathlib import Path

from numberquest.core.registry import GAMES

SOURCE = Path(__file__).parent.parent / "src" / "numberquest"
FOLDERS = [SOURCE / "games" / slug for slug in GAMES.own]
NAMES = sorted({name for slug, kind in GAMES.own.items() for name in (slug, kind.__name__, kind.title)})
FILES = [
    path
    for path in sorted(SOURCE.rglob("*"))
    if path.suffix in (".py", ".js", ".ts", ".css", ".html", ".svg", ".json", ".webmanifest")
    and not any(folder in path.parents for folder in FOLDERS)
]

# A word by itself: `grid`, `games/grid/board.js`, but not the `grid-template` of a style sheet.
NAMED = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, NAMES))})(?![\w])(?!-[a-z])")
# In a style sheet `grid` is also a way to lay things out; a class, an id or a value in quotes is none.
STYLED = re.compile(rf"(?:[.#]|=[\"']?|[\"'])({'|'.join(map(re.escape, NAMES))})(?![\w-])")
# People may read about one of the games in a comment, but nothing that runs knows it.
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*|<!--.*?-->", re.DOTALL)


def words_of(path: Path) -> list[str]:
    """The identifiers and strings of a file, without comments and docstrings; of what is no Python, its text."""
    text = path.read_text()
    if path.suffix != ".py":
        return [COMMENT.sub("", text)]
    tree = ast.parse(text)
    prose = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    words: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            words.append(node.value)
        # Names, attributes, arguments, functions, classes and imports keep theirs in one of these.
        for field in ("id", "attr", "arg", "name", "module", "asname"):
            word = getattr(node, field, None)
            words += [word] if isinstance(word, str) else []
    return words


def named_in(path: Path) -> set[str]:
    """The games that a file names where it counts."""
    pattern = STYLED if path.suffix == ".css" else NAMED
    return {name for word in words_of(path) for name in pattern.findall(word)}


SAMPLES = [
    ("a.py", 'def f():\n    """Such as fifty."""\n    return 1  # grid\n', False),
    ("a.py", 'KIND = "fifty"\n', True),
    ("a.py", "from numberquest.games.fifty.rules import calculated\n", True),
    ("a.py", "from numberquest.games.fifty import rules\n", True),
    ("a.py", "isinstance(game, Grid)\n", True),
    ("a.py", 'print("such as fifty-7-3")\n', True),
    ("a.py", 'TITLE = "Mystic Numbers"\n', True),
    ("a.js", "// the grid\nconst a = 1;\n", False),
    ("a.js", "import { draw } from './boards/grid.js';\n", True),
    ("a.js", "const PICTURES = { showdown: 1 };\n", True),
    ("a.css", ".cells { display: grid; grid-template-columns: 1fr; }\n", False),
    ("a.css", ".card.grid { color: red; }\n", True),
    ("a.css", '[data-game="mystic"] { color: red; }\n', True),
    ("a.html", "<title>Sum Quest: Race to 23</title>\n", True),
]
"""Files that name a game where it counts, or where it does not."""


def test_nothing_outside_its_folder_names_a_game_and_every_folder_of_one_is_found() -> None:
    assert {str(path.relative_to(SOURCE)): found for path in FILES if (found := named_in(path))} == {}
    folders = {path.parent.name for path in (SOURCE / "games").glob("*/rules.py")}
    assert folders == set(GAMES.own) == {kind.slug for kind in GAMES.own.values()}


def test_a_name_is_found_where_it_counts(tmp_path: Path) -> None:
    for file, text, names in SAMPLES:
        path = tmp_path / file
        path.write_text(text)
        assert bool(named_in(path)) == names, text
