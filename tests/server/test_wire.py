"""The types of the page are those of the server's messages."""

from __future__ import annotations

from tests.server.typescript import TYPES, types


def test_the_types_of_the_page_are_made_from_the_messages() -> None:
    assert TYPES.read_text() == types(), "wire.py has changed: write the page's types anew with make wire"
