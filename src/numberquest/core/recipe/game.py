"""The base class of the games that are made of a recipe."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from numberquest.core.contract import Game
from numberquest.core.recipe.keys import Recipe
from numberquest.core.recipe.link import link
from numberquest.core.settings import BadSetting

P = TypeVar("P")


class RecipeText:
    """A text of a game that is made from its recipe; of a class, as it is under the usual settings."""

    def __init__(self, name: str, tell: Callable[[RecipeGame[Any]], str], usual: str) -> None:
        self._name, self._tell, self._usual = name, tell, usual

    def __get__(self, game: RecipeGame[Any] | None, kind: type[RecipeGame[Any]]) -> str:
        if game is None:
            return self._usual
        text = game.__dict__[self._name] = self._tell(game)
        return text


def from_recipe(key: str, value: object = None) -> Any:
    """An attribute of a game: what its recipe says of a key, or whether it says just this."""
    return cached_property(lambda game: game.at(key) if value is None else game.at(key) == value)


class Unplayable(BadSetting):
    """Settings under which a recipe makes no game."""

    def __init__(self, what: str, key: str = "") -> None:
        super().__init__(f"{key} {what}".strip())
        self.what, self.key = what, key


class RecipeGame(Game[P], Generic[P]):
    """A game that is data: what it does follows from `recipe` alone."""

    recipe: ClassVar[Recipe]
    source: ClassVar[str | None] = None
    """The file that it was read from last; None where it came in a name."""
    remake: ClassVar[Callable[[str, dict[str, Any]], Game[Any]]]
    """Makes the game again from the text of its recipe and settings, in any process."""

    def __init__(self, /, **settings: object) -> None:
        super().__init__(**settings)
        if self.outcome(self.start()) is not None:
            raise Unplayable(f"{self.slug} is over before it begins with {self.settings_text or 'these numbers'}")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self).remake, (self.recipe.text, self.settings)

    @property
    def full_name(self) -> str:
        return link(self.recipe.text)

    @property
    def row_width(self) -> int:
        """How many cells there are in a row."""
        columns = self.at("cells.columns")
        return int(self.at("cells.rows") if columns is None else columns)

    def at(self, key: str) -> Any:
        """Return the value of a key under the settings of this game."""
        known = self._known
        if key not in known:
            known[key] = self.recipe.at(key, self.settings)
        return known[key]

    @cached_property
    def _known(self) -> dict[str, Any]:
        return {}
