"""The examples in the documents run, and say what the product does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from numberquest.client import Client
from numberquest.server.web.api import ROUTES
from numberquest.server.web.http import STATUS
from tests.documents import run_examples
from tests.server.running import Running

API = Path(__file__).parent.parent.parent / "docs" / "api.md"


def test_the_python_examples_of_the_api_run(server: Running, capsys: Any) -> None:
    # On the server of the tests.
    client = run_examples(API, replace="http://localhost:8000", by=server.url)["client"]
    assert isinstance(client, Client)
    client.close()
    said = capsys.readouterr().out
    # How the game went, what each of its moves was worth, and the record of the other one.
    assert re.search(r"\b23\b", said.splitlines()[0])
    assert re.search(r"^1 9 win thrown away$", said, re.MULTILINE)
    assert '[Game "mystic"]' in said


def test_every_route_and_every_code_of_trouble_stands_in_the_document() -> None:
    text = API.read_text()
    for route in ROUTES:
        assert f"`{route.method} {route.path.replace('{match}', 'ID')}" in text, route.path
    for code, status in STATUS.items():
        if code != "internal":
            assert re.search(rf"`{code}`[^\n]*\b{status}\b", text), code
