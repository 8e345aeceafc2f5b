"""The modules of the page joined into two files when the server starts, so that a slow line asks for few things.

The sources stay plain modules, and are served one by one as well. Each becomes a function that is called when it is
first needed, and `import` becomes a call: `$need` for what is there already, `$bring` for what may have to be fetched
(names that no module has).
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

PAGE: Final = "page.js"
"""What the front page and a match are made of."""
MORE: Final = "more.js"
"""All the rest, fetched when it is first wanted."""
START: Final = "app.js"
AT_FIRST: Final = (START, "screens/home.js", "screens/match.js")
ALONE: Final = ("parts/theme.js", "sw.js")
"""These are no modules."""

_IMPORT = re.compile(r"^import (\{[^}]*\}|\* as \w+) from '([^']+)';\n", re.MULTILINE)
_BRING = re.compile(r"\bimport\((['`])(\.[^'`]*)")
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/[ ]?|^[ ]*//[^\n]*\n", re.MULTILINE | re.DOTALL)
_EMPTY = re.compile(r"\n[ ]*(?=\n)|(?<=\n)[ ]+")
"""Of the lines that are left nothing is told by how far they are indented: no text of ours goes over several."""
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)

_HEAD = """\
const makers = {}, made = {}, later = new Set(LATER);
const $need = (name) => (made[name] ??= makers[name]());
const $bring = async (name) => {
  if (later.has(name) && !makers[name]) Object.assign(makers, (await import('./MORE')).makers($need, $bring));
  return makers[name] ? $need(name) : import(`./${name}`);
};
"""


class NotPlain(ValueError):
    """A module that says `import` or `export` in a way that is not understood here."""


def joined(modules: Mapping[str, str], boards: Iterable[str], address: str = MORE) -> tuple[str, str]:
    """The two files; `modules` are the sources by name, and `boards` those that are needed at once besides.

    `address` is where the second one is found, which itself does not depend on it.
    """
    first = _reached(modules, (*AT_FIRST, *boards))
    rest = sorted(name for name in modules if name not in first and name not in ALONE)
    page = [f"makers['{name}'] = () => {{\n{_body(name, modules[name])}}};" for name in sorted(first)]
    more = [f"'{name}': () => {{\n{_body(name, modules[name])}}}," for name in rest]
    head = _HEAD.replace("LATER", str(rest)).replace("MORE", address)
    return (
        "\n".join([head, *page, f"$need('{START}');", ""]),
        "\n".join(["export const makers = ($need, $bring) => ({", *more, "});", ""]),
    )


def _reached(modules: Mapping[str, str], names: Iterable[str]) -> set[str]:
    """These modules, and all that they import."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [_resolved(name, other) for _, other in _IMPORT.findall(modules[name])]
    return found


def _resolved(name: str, other: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


def _body(name: str, source: str) -> str:
    """A module as what a function does, which gives back what it exports."""
    exports = _EXPORT.findall(source)
    text = _EXPORT.sub("", source)
    text = _IMPORT.sub(lambda found: _needed(found[1], _resolved(name, found[2])), text)
    text = _BRING.sub(lambda found: f"$bring({found[1]}{_resolved(name, found[2])}", text)
    text = _EMPTY.sub("", _COMMENT.sub("", text))
    strange = _LEFT.search(text)
    if strange is not None:
        raise NotPlain(f"{name}: {strange[0]}")
    return f"{text}return {{ {', '.join(exports)} }};\n"


def _needed(what: str, name: str) -> str:
    names = what.removeprefix("* as ") if what.startswith("*") else what.replace(" as ", ": ")
    return f"const {names} = $need('{name}');\n"
