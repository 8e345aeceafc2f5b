"""The modules of the page joined into a few files when the server starts, so that a slow line asks for few things.

The sources stay plain modules, and are served one by one as well. Each becomes a function that is called when it is
first needed, and `import` becomes a call: `$need` for what is there already, `$bring` for what may have to be fetched
(names that no module has).
"""

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

PAGE: Final = "page.js"
"""What the front page and a match are made of."""
MORE: Final = "more.js"
"""All the rest, fetched when it is first wanted."""
APART: Final = {
    "workshop.js": ("screens/workshop.js",),
    "class.js": tuple(f"screens/{name}.js" for name in ("classroom", "class_open", "class_pupil", "class_teacher")),
}
"""Screens that few go to, and what only they need: fetched besides when they are wanted."""
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
const makers = {}, made = {}, later = LATER, files = FILES;
const $need = (name) => (made[name] ??= makers[name]());
const $bring = async (name) => {
  for (const file of makers[name] ? [] : (later[name] ?? []))
    Object.assign(makers, (await import(files[file])).makers($need, $bring));
  return makers[name] ? $need(name) : import(`./${name}`);
};
"""


class NotPlain(ValueError):
    """A module that says `import` or `export` in a way that is not understood here."""


def joined(
    modules: Mapping[str, str], boards: Iterable[str], address: Callable[[str, str], str] = lambda name, _: name
) -> dict[str, str]:
    """The files by name, the page last; `modules` are the sources, `boards` those that are needed at once besides.

    `address` says where a file is found that has this text. No other one depends on that of the page.
    """
    first = _reached(modules, (*AT_FIRST, *boards))
    late = {name for name in modules if name not in first and name not in ALONE}
    apart = _apart(modules, late)
    groups = {MORE: late.difference(*apart.values()), **apart}
    files = {file: _file(modules, sorted(names)) for file, names in groups.items()}
    # What is apart may need what is in the other one.
    later = {name: [MORE] if file == MORE else [MORE, file] for file, names in groups.items() for name in sorted(names)}
    known = {file: f"./{address(file, text)}" for file, text in files.items()}
    head = _HEAD.replace("LATER", json.dumps(later)).replace("FILES", json.dumps(known))
    page = [f"makers['{name}'] = () => {{\n{_body(name, modules[name])}}};" for name in sorted(first)]
    return {**files, PAGE: "\n".join([head, *page, f"$need('{START}');", ""])}


def _apart(modules: Mapping[str, str], late: set[str]) -> dict[str, set[str]]:
    """What nothing else needs but the screens that stand apart."""
    reached = {file: _reached(modules, modules.keys() & {*starts}) & late for file, starts in APART.items()}
    others = _reached(modules, late.difference(*reached.values()))
    for file, names in reached.items():
        others |= {name for name in names if any(name in more for other, more in reached.items() if other != file)}
    return {file: names - others for file, names in reached.items()}


def _file(modules: Mapping[str, str], names: Iterable[str]) -> str:
    each = [f"'{name}': () => {{\n{_body(name, modules[name])}}}," for name in names]
    return "\n".join(["export const makers = ($need, $bring) => ({", *each, "});", ""])


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
