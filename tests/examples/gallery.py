"""What the pages on recipes say, worked out: a table of all keys, and what is true of each game of the gallery."""

from pathlib import Path

from numberquest.core.contract import in_words
from numberquest.core.recipe import RecipeGame, load_file
from numberquest.core.recipe.checks import TOGETHER
from numberquest.core.recipe.keys import KEYS
from numberquest.core.sentences import Said
from numberquest.solver import solve
from numberquest.solver.proved import proved

ROOT = Path(__file__).parent.parent.parent
GALLERY = ROOT / "examples" / "gallery"
RECIPES = sorted(GALLERY.glob("*.toml"))


def table_of_keys() -> str:
    """Every key by its section: what it may be, what holds without it, and what it means."""
    lines = ["| key | may be | if left out | means |", "|---|---|---|---|"]
    for section, keys in KEYS.items():
        for name, key in keys.items():
            usual = "" if key.usual is None else str(key.usual).lower()
            shown = f"`{f'{section}.{name}' if section else name}`"
            lines.append(f"| {shown} | {key.words} | {usual} | {key.meaning} |")
    return "\n".join(lines) + "\n"


def table_of_conditions() -> str:
    """Every condition on several keys: the keys, the values that have the condition, and the words of the refusal."""
    lines = ["| key | where the key is | then the key |", "|---|---|---|"]
    for keys, _, refusal, values in TOGETHER:
        names = keys.split()
        for section, every in KEYS.items():
            if {f"{section}.{key}" for key in every} <= {*names}:
                names = [f"[{section}]", *(name for name in names if not name.startswith(f"{section}."))]
        shown = ", ".join(f"`[{name}]`" if name in KEYS else f"`{name}`" for name in sorted(names))
        lines.append(f"| {shown} | {', '.join(str(value).lower() for value in values)} | {refusal} |")
    return "\n".join(lines) + "\n"


def truth(kind: type[RecipeGame[object]]) -> str:
    """What is proved of a game, in one sentence."""
    game = kind()
    told = in_words(game, Said(*proved(solve(game))))
    return f"{told[:1].upper()}{told[1:]}"


def table_of_games() -> str:
    """The gallery: each game with its sentence, and what is true of it."""
    lines = ["| game | is | true of it |", "|---|---|---|"]
    for path in RECIPES:
        kind = load_file(str(path))
        lines.append(f"| [{kind.title}]({path.name}) | {kind().summary} | {truth(kind)}. |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table_of_keys())
    print(table_of_conditions())
    print(table_of_games())
