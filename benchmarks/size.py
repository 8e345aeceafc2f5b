"""How large the house is, by room, and which names stand three times: `python -m benchmarks.size`."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

PROJECT = Path(__file__).parent.parent
SOURCE = PROJECT / "src" / "numberquest"
OFTEN = 3


def lines_of(files: Iterable[Path]) -> tuple[int, int]:
    """How many files, and how many lines they have together."""
    counts = [len(file.read_text().splitlines()) for file in files]
    return len(counts), sum(counts)


def rooms() -> dict[str, list[Path]]:
    """The Python files of each room of the source."""
    found = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        parts = file.relative_to(SOURCE).parts
        found[parts[0] if len(parts) > 1 else "(top)"].append(file)
    return found


def repeated_names() -> dict[str, list[str]]:
    """File stems outside the games and names of classes that stand three times or more."""
    stems: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for file in SOURCE.rglob("*.py"):
        if file.relative_to(SOURCE).parts[0] != "games" and file.stem != "__init__":
            stems[file.stem] += 1
        nodes = ast.walk(ast.parse(file.read_text()))
        classes.update(node.name for node in nodes if isinstance(node, ast.ClassDef))
    # Every game calls its positions so.
    del classes["Position"]
    return {
        "file stems": [stem for stem, often in stems.items() if often >= OFTEN],
        "classes": [name for name, often in classes.items() if often >= OFTEN],
    }


def main() -> None:
    """Print all of it."""
    by_room = rooms()
    rows = {room: lines_of(files) for room, files in by_room.items()}
    for room, (count, lines) in sorted(rows.items(), key=lambda row: -row[1][1]):
        print(f"{room:<14}{count:>5} files{lines:>8} lines")
    for what, files in (
        ("Python", [file for room in by_room.values() for file in room]),
        ("JavaScript", sorted(SOURCE.rglob("*.js"))),
        ("tests", sorted((PROJECT / "tests").rglob("*.py"))),
    ):
        count, lines = lines_of(files)
        print(f"{what:<14}{count:>5} files{lines:>8} lines")
    for what, names in repeated_names().items():
        print(f"{what} that stand three times or more: {', '.join(names) or 'none'}")


if __name__ == "__main__":
    main()
