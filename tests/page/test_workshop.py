"""The workshop's parts: links that carry a game, the shape of what a game says, and how the editor indents."""

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
