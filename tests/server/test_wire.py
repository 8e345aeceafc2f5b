"""The messages: what cannot be one, and the types of the page, which are the server's."""

from __future__ import annotations

import msgspec
import pytest

from numberquest.server import wire
from tests.server.typescript import TYPES, types


def test_the_types_of_the_page_are_made_from_the_messages() -> None:
    assert TYPES.read_text() == types(), "wire.py has changed: write the page's types anew with make wire"


@pytest.mark.parametrize("text", [r"a\u0000b", r"\u0000", r"\ud800", r"a\udc00"])
@pytest.mark.parametrize(
    "request_",
    [
        (wire.Move, '{"ply":0,"move":"5","key":"%s"}'),
        (wire.Act, '{"ply":0,"do":"resign","key":"%s"}'),
        (wire.Join, '{"invite":"01234567890123456789012345678901","name":"%s"}'),
        (wire.NewMatch, '{"game":"fifty","name":"%s"}'),
        (wire.NewMatch, '{"game":"fifty","opponent":"screen","other_name":"%s"}'),
    ],
)
def test_a_key_or_a_name_that_one_of_the_stores_could_not_keep_is_no_request(
    request_: tuple[type, str], text: str
) -> None:
    kind, json = request_
    msgspec.json.decode(json.replace("%s", "käse 漢"), type=kind)
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(json.replace("%s", text), type=kind)
