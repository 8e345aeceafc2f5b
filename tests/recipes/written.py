"""Recipes as anybody might write them: any keys with any values, most of which are allowed by themselves."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from numberquest.core.recipe.keys import KEYS, RecipeKey

SETTINGS = {
    "small": "{ usual = 3, from = 1, to = 4 }",
    "large": "{ usual = 12, from = 5, to = 30 }",
    "maybe": "{ usual = false }",
    "ops": '{ signs = "+-*/", needed = "+" }',
}
BY_KIND = {"whole": ["small", "large"], "wholes": ["small"], "yes": ["maybe"], "signs": ["ops"]}
SHAPES: list[Mapping[str, Any]] = [
    {"numbers.kind": "pool", "numbers.to": 4, "totals.whose": "each"},
    {"numbers.kind": "pile", "numbers.to": 4, "totals.whose": "each"},
    {"numbers.kind": "any", "numbers.to": 3, "totals.whose": "shared", "end.target": 9},
    {"numbers.kind": "die", "numbers.to": 4, "totals.whose": "each", "end.target": 9},
    {"numbers.kind": "die", "numbers.to": 4, "totals.whose": "each", "turn.stand": True, "end.target": 9},
    {
        "numbers.kind": "die",
        "numbers.to": 4,
        "totals.whose": "each",
        "turn.roll_or_stop": True,
        "end.target": 9,
        "end.turns": 9,
    },
    {"numbers.kind": "any", "totals.whose": "heaps", "totals.begin": [2, 3], "turn.operations": "-"},
    {"numbers.kind": "pile", "totals.whose": "each", "cells.rows": 2},
    {"numbers.kind": "any", "numbers.to": 3, "totals.whose": "each", "turn.at_once": True, "end.turns": 2},
    {"cells.line": 3},
    {},
]


def _plain(key: RecipeKey) -> st.SearchStrategy[Any]:
    if key.kind == "choice":
        return st.sampled_from(key.choices)
    if key.kind == "yes":
        return st.booleans()
    if key.kind == "signs":
        return st.sampled_from(["+", "-", "+-", "*", "/", "+*", "+-*/", "-/"])
    if key.kind == "text":
        return st.sampled_from(["Number", "a b", "{small}", "{nothing}", "x", "1", "add"])
    whole = st.integers(key.low, min(key.high, key.low + 12))
    return st.one_of(whole, st.lists(whole, min_size=1, max_size=4)) if key.kind == "wholes" else whole


@st.composite
def _values(draw: st.DrawFn, key: RecipeKey) -> str:
    how = draw(st.integers(0, 9))
    if how == 0 and key.kind in BY_KIND:
        return as_toml(draw(st.sampled_from(BY_KIND[key.kind])))
    if how == 1:
        so, otherwise = draw(_plain(key)), draw(_plain(key))
        return f'{{ when = "maybe", is = {as_toml(so)}, otherwise = {as_toml(otherwise)} }}'
    if how == 2 and draw(st.integers(0, 3)) == 0:
        return draw(
            st.sampled_from(['"nonsense"', "-1", "99999999999999999999", "1.5", "[]", "{}", "2020-01-01", '""'])
        )
    return as_toml(draw(_plain(key)))


def as_toml(value: Any) -> str:
    """Return a value as a recipe says it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _fitting(shape: Mapping[str, str]) -> tuple[str, ...]:
    """What goes with a shape, mostly."""
    if "cells.line" in shape:
        return "cells.", "end.exactly", "end.nothing_left"
    ends = ("end.", "totals.begin", "totals.secret", "turn.below", "turn.operations", "words.add")
    if "turn.roll_or_stop" in shape:
        return "end.", "turn.b", "turn.rolls"
    if "turn.at_once" in shape:
        return "turn.clash", "totals.secret", "totals.begin", "end.turns", "end.nothing_left", "end.tie"
    kind = shape.get("numbers.kind")
    if "cells.rows" in shape:
        return (*ends, "turn.pass_on", "turn.stand", "cells.columns", "numbers.copies")
    hidden = (
        ("turn.pass_on", "turn.stand") if kind in ('"pile"', '"die"') else ("turn.stand", "turn.barred", "totals.h")
    )
    return (*ends, *hidden, *(("numbers.copies", "numbers.from") if kind in ('"pile"', '"pool"') else ()))


@st.composite
def recipes(draw: st.DrawFn) -> str:
    """The text of a recipe: one of some shapes, with some keys more or otherwise."""
    shape = {name: as_toml(value) for name, value in draw(st.sampled_from(SHAPES)).items()}
    every = [f"{section}.{name}" for section, keys in KEYS.items() if section for name in keys]
    fitting = every if draw(st.integers(0, 5)) == 0 else [name for name in every if name.startswith(_fitting(shape))]
    for name in draw(st.lists(st.sampled_from(fitting), max_size=5)):
        section, _, key = name.partition(".")
        shape[name] = draw(_values(KEYS[section][key]))
    used = [name for name in SETTINGS if any(f'"{name}"' in value for value in shape.values())]
    lines = ['title = "Any"', "[settings]", *(f"{name} = {SETTINGS[name]}" for name in used)]
    for section in KEYS:
        own = {name.partition(".")[2]: value for name, value in shape.items() if name.startswith(f"{section}.")}
        if section and own:
            lines += [f"[{section}]", *(f"{name} = {value}" for name, value in own.items())]
    return "\n".join(lines) + "\n"
