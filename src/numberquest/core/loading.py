"""Load a file that a user wrote as a module; each error is one sentence with its place."""

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from numberquest.core.errors import UsageError

if TYPE_CHECKING:
    from traceback import FrameSummary

RULES_FILE: Final = "rules.py"
"""In a folder that is one game, the file with its rules."""
SOURCE: Final = "__numberquest_source__"
"""The name under which a module that was loaded from a file keeps where that is."""

RECIPE: Final = "recipe:"
"""The first letters of a name that carries a whole recipe."""
RECIPE_FILE: Final = ".toml"
"""How the name of a file ends that is a recipe, a game as data."""

_T = TypeVar("_T")


class BadGame(UsageError, ValueError):
    """A file or a class that is no game: one sentence with the place."""

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence)
        self.line = line
        """The line of the file, where that is known."""


def load(path: str) -> ModuleType:
    """The module in a file, or in the `rules.py` of a folder; loaded once, however often it is asked for."""
    from hashlib import sha256

    file = os.path.realpath(path)
    if os.path.isdir(file):
        file = os.path.join(file, RULES_FILE)
        if not os.path.isfile(file):
            raise BadGame(f"{path}: there is no {RULES_FILE} in this folder")
    if not os.path.isfile(file):
        raise BadGame(f"{path}: there is no such file")
    # A name that another process finds again, and no other file has.
    name = f"numberquest_file_{sha256(file.encode()).hexdigest()[:12]}"
    if os.path.basename(file) == RULES_FILE:
        # A package, whose parts are what lies in the folder.
        package = ModuleType(name)
        package.__path__ = [os.path.dirname(file)]
        sys.modules.setdefault(name, package)
        name = f"{name}.rules"
    return sys.modules.get(name) or _executed(name, path, file)


def _executed(name: str, path: str, file: str) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BadGame(f"{path}: a game is a Python file, and this is none")
    module = module_from_spec(spec)
    setattr(module, SOURCE, file)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception | SystemExit):
            raise BadGame(f"{path}: it does not load: {what_happened(error, file)}", line_of(error, file)) from None
        raise
    return module


def only_class(module: ModuleType, base: type[_T], where: str) -> type[_T]:
    """The one class in a module that is derived from the base, and that no other there is made from."""
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
    ]
    found = [kind for kind in found if not any(other is not kind and issubclass(other, kind) for other in found)]
    if len(found) == 1:
        return found[0]
    names = " and ".join(kind.__name__ for kind in found)
    what = f"holds {len(found)} games, {names}: put each into a file of its own" if found else "holds no game"
    raise BadGame(f"{where}: it {what}; a game is a class derived from numberquest.{base.__name__}")


def file_of(thing: object) -> str | None:
    """Return the file that holds a class, or the class of an object; None where no file is known."""
    kind: Any = thing if hasattr(thing, "__qualname__") else type(thing)
    file: str | None = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file


def what_happened(error: BaseException, file: str | None = None) -> str:
    """Return an error of a user's code in one line, with the last place in `file`, or in any file, on its way."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    places = _places(error, file)
    where = f"line {places[-1].lineno}, in {places[-1].name}: " if places else ""
    text = " ".join(str(error).split())[:200]
    return f"{where}{type(error).__name__}{': ' if text else ''}{text}"


def line_of(error: BaseException, file: str | None) -> int | None:
    """The line of that file in which it happened."""
    if isinstance(error, SyntaxError):
        return error.lineno
    places = _places(error, file)
    return places[-1].lineno if places else None


def _places(error: BaseException, file: str | None) -> "list[FrameSummary]":
    from traceback import extract_tb

    return [frame for frame in extract_tb(error.__traceback__) if file is None or frame.filename == file]
