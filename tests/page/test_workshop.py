"""The workshop's parts: links that carry a game, the shape of what a game says, and how the editor indents."""

import tomllib
import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest

from numberquest.core.recipe import link, text_of
from tests.page.node import Node


def packed(text: str) -> str:
    packing = zlib.compressobj(9, wbits=-15)
    return urlsafe_b64encode(packing.compress(text.encode()) + packing.flush()).decode().rstrip("=")


THERE_AND_BACK = """
const { packed, unpacked } = await page('parts/drafts.js');
const code = await packed(text);
return [code, await unpacked(code)];
"""


@pytest.mark.parametrize("text", ["x", "class Größe:\n    pass\n" * 300, "🎲" * 9])
def test_a_link_carries_a_game_there_and_back_and_is_read_in_python_too(text: str, node: Node) -> None:
    code, back = node(THERE_AND_BACK, text=text)
    assert back == text
    assert text_of(f"recipe:{code}") == text
    assert (
        node("return (await page('parts/drafts.js')).unpacked(code);", code=link(text).removeprefix("recipe:")) == text
    )


def test_a_link_that_is_broken_too_long_or_holds_far_more_carries_nothing(node: Node) -> None:
    codes = [
        "",
        "!!!",
        "7Vo",
        packed("x" * 100)[:-3],
        "A" * 5_000_000,
        packed("#" * 40_000_000),
        packed("\ud7ff" * 61_000),
    ]
    snippet = "const { unpacked } = await page('parts/drafts.js'); return Promise.all(codes.map(unpacked));"
    assert node(snippet, codes=codes) == [None] * len(codes)


def test_a_text_of_somebody_else_s_has_no_signs_that_turn_others_around(node: Node) -> None:
    said = "a\u202eb\u2066c\u0007d\ne\u0301\u0301\u0301\u0301\u0301f"
    shown = node("return (await page('parts/shape.js')).clean(said, 100);", said=said)
    assert shown == "a b c d\n\u00e9\u0301\u0301\u0301f"
    assert node("return (await page('parts/shape.js')).clean('long '.repeat(1e6), 7);") == "long lo"


WRONG = """
const shape = await page('parts/shape.js');
const { list, maybe, oneOf, record, text, whole } = shape;
const form = record({ name: text(5), many: list(whole(0, 9), 3), end: maybe(oneOf('wins')) });
return said.map((one) => {
  try {
    return form(one);
  } catch (error) {
    return error instanceof shape.Strange ? 'strange' : String(error);
  }
});
"""


def test_what_a_game_says_has_the_shape_that_it_should_or_is_nothing(node: Node) -> None:
    right = {"name": "Ann", "many": [1, 2], "end": None}
    wrong: list[Any] = [{}, None, 7, [], {**right, "name": 7}, {**right, "many": [1, 2, 3, 4]}, {**right, "many": [10]}]
    wrong += [{**right, "many": [0.5]}, {**right, "many": {"length": 2}}, {**right, "end": "toString"}]
    found = node(WRONG, said=[right, {**right, "more": "x", "name": "Annabel"}, *wrong])
    assert found == [right, {**right, "name": "Annab"}, *["strange"] * len(wrong)]


def test_enter_goes_as_far_in_as_the_line_before_and_farther_where_a_block_begins(node: Node) -> None:
    lines = ["x = 1", "    y = 2", "class A:", "    def f(self):  # so", "# why: because"]
    found = node("const { newLine } = await page('parts/editor.js'); return lines.map(newLine);", lines=lines)
    assert found == ["\n", "\n    ", "\n    ", "\n        ", "\n"]


RECIPE = """\
# A race.
title = "Race"

[settings]
goal = { usual = 20, from = 2, to = 99, meaning = "what to reach" }

[numbers]
kind = "any"  # every number
to = 3

[words]
rules = \"\"\"
Say a number.
to = 9\"\"\"

[end]
target = "goal"
"""
CHANGE = "return (await page('parts/recipe_text.js')).withKey(text, section, key, value);"
WRITTEN = (
    "const { written } = await page('parts/recipe_text.js'); return typed.map(([kind, one]) => written(kind, one));"
)


@pytest.mark.parametrize(
    ("section", "key", "value", "says"),
    [
        ("", "title", '"Run"', {"title": "Run"}),
        ("", "summary", '"Go."', {"summary": "Go."}),
        ("numbers", "to", "6", {"numbers": {"kind": "any", "to": 6}}),
        ("numbers", "copies", "2", {"numbers": {"kind": "any", "to": 3, "copies": 2}}),
        ("numbers", "to", None, {"numbers": {"kind": "any"}}),
        ("words", "rules", '"Add."', {"words": {"rules": "Add."}}),
        ("totals", "begin", "[3, 4]", {"totals": {"begin": [3, 4]}}),
        ("totals", "begin", None, {}),
    ],
)
def test_a_form_changes_one_thing_of_a_recipe_and_leaves_all_else_as_it_is(
    node: Node, section: str, key: str, value: str | None, says: dict[str, Any]
) -> None:
    changed = node(CHANGE, text=RECIPE, section=section, key=key, value=value)
    assert tomllib.loads(changed) == {**tomllib.loads(RECIPE), **says}
    gone = [line for line in RECIPE.splitlines() if line not in changed.splitlines()]
    assert len(gone) <= (3 if key == "rules" else 1)


def test_what_is_typed_in_a_field_becomes_what_toml_writes(node: Node) -> None:
    typed = [
        ("whole", "07"),
        ("whole", "goal"),
        ("wholes", "3, 4, goal"),
        ("wholes", "5"),
        ("yes", "true"),
        ("choice", "last"),
        ("text", 'He said "go"\\'),
        ("text", "  "),
    ]
    every = [f"a{chr(number)}z" for number in range(0x2100)]
    for line, one in zip(node(WRITTEN, typed=[("text", one) for one in every]), every, strict=True):
        assert tomllib.loads(f"title = {line}") == {"title": one}
    assert node(WRITTEN, typed=typed) == [
        "7",
        '"goal"',
        '[3, 4, "goal"]',
        "5",
        "true",
        '"last"',
        '"He said \\"go\\"\\\\"',
        None,
    ]
