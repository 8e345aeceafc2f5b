"""The games: the folders of `games/`, other people's files, installed packages. `GAMES` is the one registry.

A game is a folder with `rules.py`, or one file. What it has besides its rules (its own words at the prompt, a drawn
board, a fast solver, fast tables) lies in the same folder and is found by its name: `part`.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.loading import RECIPE, RECIPE_FILE, RULES_FILE, SOURCE, BadGame, load, only_class, what_happened
from numberquest.core.settings import BadSetting, quoted

Kind = type[Game[Any]]

GROUP: Final = "numberquest.games"
"""The package with the games of this house, and the group of entry points under which others announce theirs."""
VARIABLE: Final = "NUMBERQUEST_WITH"
"""The environment variable that names further files, separated as paths are on this system."""


class Registry(Mapping[str, "Kind"]):
    """Every game by its short name. What others have brought is looked for when it is first needed."""

    def __init__(self) -> None:
        self._brought: dict[str, Kind] = {}
        self._unlisted: set[Kind] = set()
        """Games named by the path of their file alone: the short name finds a game, and no list shows one."""
        self._complete = False

    @cached_property
    def own(self) -> Mapping[str, Kind]:
        """The games that come with Number Quest."""
        return _in_order(_own_kind(name) for name in _own_names())

    def add(self, kind: Kind, where: str, *, listed: bool = True) -> Kind:
        """Take a class in; `BadGame` where it breaks the contract, or another game has its name."""
        from numberquest.core.laws import check

        known = self._all()
        if kind not in known.values():
            check(kind, where)
            other = known.get(kind.slug)
            if other is not None:
                taken = getattr(sys.modules.get(other.__module__), SOURCE, other.__module__)
                raise BadGame(f"{where}: the slug {kind.slug!r} is taken already, by {taken}")
            self._brought[kind.slug] = kind
            self._unlisted.add(kind)
        if listed:
            self._unlisted.discard(kind)
        return kind

    def __getitem__(self, slug: str) -> Kind:
        if slug in _own_names():
            # The others are not loaded for it: a game starts the sooner.
            return _own_kind(slug)
        if slug not in self._brought:
            self._bring_all()
        return self._brought[slug]

    def __iter__(self) -> Iterator[str]:
        self._bring_all()
        return (slug for slug, kind in self._all().items() if kind not in self._unlisted)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def known(self) -> Mapping[str, Kind]:
        """Also those that no list shows."""
        self._bring_all()
        return self._all()

    def _all(self) -> dict[str, Kind]:
        return _in_order([*self.own.values(), *self._brought.values()])

    def _bring_all(self) -> None:
        if self._complete:
            return
        # Said before it is so: a file that looks for a game while it is loaded itself must not begin anew.
        self._complete = True
        try:
            for path in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
                self.add(kind_in(path), path)
            for kind, where in _installed_kinds():
                self.add(kind, where)
        except BaseException:
            self._complete = False
            raise


def _in_order(kinds: Iterable[Kind]) -> dict[str, Kind]:
    return {kind.slug: kind for kind in sorted(kinds, key=lambda kind: kind.order)}


@cache
def _own_names() -> frozenset[str]:
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
    return frozenset(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, RULES_FILE)))


@cache
def _own_kind(name: str) -> Kind:
    return only_class(import_module(f"{GROUP}.{name}.rules"), Game, name)  # type: ignore[type-abstract]


def _installed_kinds() -> Iterator[tuple[Kind, str]]:
    """The classes that installed packages announce."""
    if not _announced():
        return
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        where = f"{point.value} (the entry point {point.name})"
        try:
            kind = point.load()
        except Exception as error:
            raise BadGame(f"{where}: it does not load: {what_happened(error)}") from None
        if not (isinstance(kind, type) and issubclass(kind, Game)):
            raise BadGame(f"{where}: it is no class derived from numberquest.Game")
        yield kind, where


def _announced() -> bool:
    """Whether any installed package speaks of our group: asking the standard library takes 20 times as long."""
    for folder in dict.fromkeys(sys.path):
        try:
            names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            # Nothing is there, or it is a zip file: then the slow way has to tell.
            if os.path.isfile(folder):
                return True
            continue
        for name in names:
            file = os.path.join(folder, name, "entry_points.txt")
            if os.path.isfile(file):
                with open(file, "rb") as source:
                    if f"[{GROUP}]".encode() in source.read():
                        return True
    return False


def kind_in(path: str) -> Kind:
    """Return the class of the game in a file or in a folder with `rules.py`; `.toml` is a recipe, and runs no code."""
    if is_recipe(path):
        from numberquest.core.recipe import load_file

        return _with_own_slug(load_file(path), path)
    return only_class(load(path), Game, path)  # type: ignore[type-abstract]


def register(kind: Kind) -> Kind:
    """Make a class known under its slug, as a decorator too; `BadGame`, a ValueError, where it breaks the contract."""
    given: Any = kind
    if not (isinstance(given, type) and issubclass(given, Game)):
        raise BadGame(f"{quoted(kind)} is no class derived from numberquest.Game")
    return GAMES.add(kind, kind.__qualname__)


def bring(path: str) -> Kind:
    """Make the game in a file or folder known, and return its class."""
    return GAMES.add(kind_in(path), path)


def is_path(name: str) -> bool:
    """Return whether a name is the path of a game: `./last.py`, `race.toml`."""
    return name.endswith((".py", RECIPE_FILE)) or "/" in name or os.sep in name


def is_recipe(path: str) -> bool:
    """Whether that is a file with a recipe, a game as data."""
    return path.endswith(RECIPE_FILE)


def _with_own_slug(kind: Kind, where: str) -> Kind:
    """A recipe that does not pass itself off as a game of ours, whose stars and files go by the slug."""
    if kind.slug in _own_names():
        raise BadGame(f"{where}: the slug {kind.slug!r} is taken already, by a game of ours: give it another one")
    return kind


def kind_for(name: str) -> Kind:
    """The class of a game, by its slug, by the path of its file, or by a name that carries a whole recipe.

    Of such a name nothing is kept: whoever has it has the game, and nobody else sees it.
    """
    if name.startswith(RECIPE):
        from numberquest.core.recipe import load_name

        try:
            return _with_own_slug(load_name(name), "the recipe")
        except BadGame as error:
            raise BadSetting(str(error)) from None
    if is_path(name):
        return GAMES.add(kind_in(name), name, listed=False)
    kind = GAMES.get(name)
    if kind is None:
        raise BadSetting(f"there is no game called {quoted(name)}; the games are {', '.join(GAMES)}")
    return kind


def name_of(game: Game[Any]) -> str:
    """The shortest name by which a game is found here: its slug where it is known by that, else all of its recipe."""
    return game.slug if game.full_name == game.slug or GAMES.get(game.slug) is type(game) else game.full_name


def game(name: str, /, **settings: object) -> Game[Any]:
    """The game of that name, or in that file: `game("fifty", target=30)`. Settings may also be text: `stand="yes"`."""
    kind = kind_for(name)
    values = {}
    for setting, value in settings.items():
        field = kind.fields.get(setting)
        if field is not None and isinstance(value, str):
            # What cannot be read is left as it is: the check refuses it, and shows it.
            parsed = field.parse(value)
            value = value if parsed is None else parsed
        values[setting] = value
    return kind(**values)


@cache
def part(kind: Kind, name: str) -> ModuleType | None:
    """A part that lies beside the rules of a game, such as its `dialogue`; None where it has none."""
    package, _, last = kind.__module__.rpartition(".")
    if last != "rules":
        return None
    module = f"{package}.{name}"
    try:
        return import_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == module:
            return None
        if package.startswith(f"{GROUP}."):
            raise
        raise BadGame(f"{kind.slug}: its {name}.py does not load: {what_happened(error)}") from None


GAMES: Final = Registry()
"""Every game by its short name."""
