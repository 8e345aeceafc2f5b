"""Games as data: a recipe, one small TOML file, is a whole game. docs/recipes.md has all of its keys.

`load(text)` makes the class of the game, `link(text)` the name that carries the whole recipe, and `text_of(name)` gets
it back out of such a name. Data runs no code, so a recipe may come from anybody: all that it can hold is bounded.
"""

import os
import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final
from weakref import WeakValueDictionary

from numberquest.core.contract import Game
from numberquest.core.loading import RECIPE, BadGame
from numberquest.core.recipe.checks import check
from numberquest.core.recipe.game import RecipeGame, RecipeText
from numberquest.core.recipe.keys import LONGEST_TEXT, Recipe, read
from numberquest.core.recipe.line import LineGame
from numberquest.core.recipe.link import LONGEST_NAME, link, text_of
from numberquest.core.recipe.rules import NumbersGame
from numberquest.core.recipe.view import view_for
from numberquest.core.recipe.words import ENDINGS, goal, rules, summary

__all__ = ["Recipe", "RecipeGame", "is_at_hand", "link", "load", "load_file", "load_name", "text_of"]

TEXTS: Final = {"summary": ("summary", summary), "how_to_win": ("words.goal", goal), "rules": ("words.rules", rules)}
"""By their name in a game: the key that may say them, and what makes them where it does not."""
LONGEST_SLUG: Final = 20


def load(text: str) -> type[RecipeGame[Any]]:
    """Return the class of the game in a recipe; `BadGame` says in one sentence what is wrong, and in which line."""
    kind = _cached(text)
    if isinstance(kind, BadGame):
        # A new one each time: Python adds every place that it goes through to the one that is raised.
        raise BadGame(str(kind), kind.line)
    return kind


@lru_cache(maxsize=128)
def _cached(text: str) -> type[RecipeGame[Any]] | BadGame:
    """Return the class of the game in a recipe, or why there is none: a bad recipe too is read once."""
    try:
        # As long as anybody has it, the same recipe is the same class.
        kind = _alive[text] = _alive.get(text) or _made(text)
    except BadGame as error:
        return BadGame(str(error), error.line)
    return kind


_alive: WeakValueDictionary[str, type[RecipeGame[Any]]] = WeakValueDictionary()


def _made(text: str) -> type[RecipeGame[Any]]:
    recipe = read(text)
    if len(link(text)) > LONGEST_NAME:
        # Every record has it as the name of its game.
        raise BadGame(
            f"packed into a link it has {len(link(text))} characters, and {LONGEST_NAME} are allowed: shorten it"
        )
    base: Any = LineGame if recipe.says("cells.line") else NumbersGame
    # What a class of games declares without a value is no attribute of it yet.
    declared = {name for kind in base.__mro__ for name in getattr(kind, "__annotations__", ())}
    for name in recipe.settings:
        if name in declared or hasattr(base, name):
            recipe.wrong(f"settings.{name}", "cannot be called so: every game has something else of that name")
    slug = recipe.values.get("slug") or _slug(recipe.values["title"])
    body: dict[str, Any] = {
        **recipe.settings,
        "recipe": recipe,
        "slug": slug,
        "title": recipe.values["title"],
        **{name: recipe.values.get(key, "") for name, (key, _) in TEXTS.items()},
        "endings": ENDINGS,
        "common": ("G1", "G3", "G4") if recipe.values.get("numbers.kind") == "pile" else ("G1", "G3"),
        "view": view_for(recipe),
        "interchangeable": "opening a cell" if base is NumbersGame and recipe.has("cells") else "",
        "remake": staticmethod(_remade),
        "__module__": NumbersGame.__module__,
        "__doc__": recipe.values["title"],
    }
    secret, at_once = (recipe.at(key, {}) for key in ("totals.secret", "turn.at_once"))
    if base is NumbersGame and recipe.at("numbers.kind", {}) in ("any", "pool") and not secret:
        # Only a game of chance has weights.
        body["weights"] = Game.weights
    if secret or at_once:
        # Where everybody sees everything, nothing is to be looked for.
        body["sees"] = NumbersGame.seen_by
    kind: type[RecipeGame[Any]] = type("RecipeGame", (base,), body)
    check(kind)
    usual = kind()
    for name, (key, tell) in TEXTS.items():
        if not recipe.says(key):
            setattr(kind, name, RecipeText(name, tell, tell(usual)))
    return kind


def load_file(path: str) -> type[RecipeGame[Any]]:
    """The class of the game in a file."""
    try:
        with open(path, "rb") as file:
            # One more than there may be, so that it is seen that there are more.
            data = file.read(4 * LONGEST_TEXT + 1)
    except OSError as error:
        raise BadGame(f"{path}: it cannot be read: {error.strerror}") from None
    try:
        kind = load(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadGame(f"{path}: this is no text in UTF-8") from None
    except BadGame as error:
        raise BadGame(f"{path}: {error}") from None
    kind.source = os.path.realpath(path)
    return kind


def is_at_hand(name: str) -> bool:
    """Return whether the game of a name costs nothing to make: true of any but a recipe that is not in memory."""
    if name.startswith(RECIPE):
        with suppress(BadGame):
            return text_of(name) in _alive
    return True


def load_name(name: str) -> type[RecipeGame[Any]]:
    """The class of the game whose name carries its recipe."""
    return load(text_of(name))


def _remade(text: str, settings: dict[str, Any]) -> Game[Any]:
    return load(text)(**settings)


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.findall("[a-z0-9]+", plain)
    words = words if words and words[0][0].isalpha() else ["game", *words]
    # Whole words, as many as there is room for.
    while len(words) > 1 and len("_".join(words)) > LONGEST_SLUG:
        words.pop()
    return "_".join(words)[:LONGEST_SLUG]
