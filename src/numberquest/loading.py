"""A file of somebody's own as a module: what goes wrong on the way is one sentence with its place."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import ModuleType

RULES: Final = "rules.py"
"""In a folder that is one game, the file with its rules."""
SOURCE: Final = "__numberquest_source__"
"""The name under which a module that was loaded from a file keeps where that is."""


class BadGame(ValueError):
    """A file or a class that is no game: one sentence with the place."""


def load(path: str) -> ModuleType:
    """The module in a file, or in the `rules.py` of a folder; loaded once, however often it is asked for."""
    file = os.path.realpath(path)
    if os.path.isdir(file):
        file = os.path.join(file, RULES)
    if not os.path.isfile(file):
        raise BadGame(f"{path}: there is no such file")
    for module in list(sys.modules.values()):
        if module.__dict__.get(SOURCE) == file:
            return module
    return _executed(path, file)


def _executed(path: str, file: str) -> ModuleType:
    from hashlib import sha256
    from importlib.util import module_from_spec, spec_from_file_location

    # A name that another process finds again, and no other file has.
    stem = os.path.splitext(os.path.basename(file))[0]
    name = f"numberquest_file_{sha256(file.encode()).hexdigest()[:12]}"
    search: list[str] | None = None
    if stem == "rules":
        # Its folder is a package, whose other parts are found by their names.
        search = [os.path.dirname(file)]
    spec = spec_from_file_location(f"{name}.rules" if search else name, file)
    if spec is None or spec.loader is None:
        raise BadGame(f"{path}: a game is a Python file, and this is none")
    if search is not None:
        from types import ModuleType

        package = ModuleType(name)
        package.__path__ = search
        sys.modules[name] = package
    module = module_from_spec(spec)
    setattr(module, SOURCE, file)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[spec.name]
        if not isinstance(error, Exception):
            raise
        raise BadGame(f"{path}: it does not load: {what_happened(error, file)}") from None
    return module


def what_happened(error: BaseException, file: str | None = None) -> str:
    """An error of somebody's code in one line, with the last place of theirs that it went through."""
    from traceback import extract_tb

    text = " ".join(str(error).split()) or "no more is known"
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    places = [frame for frame in extract_tb(error.__traceback__) if file is None or frame.filename == file]
    where = f"line {places[-1].lineno}, in {places[-1].name}: " if places else ""
    return f"{where}{type(error).__name__}: {text[:200]}"
