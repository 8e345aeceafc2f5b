"""The API documents and the page's types are true: examples run, and what is not allowed is refused."""

import re
from pathlib import Path
from random import Random
from typing import Any

from numberquest.client import Client
from numberquest.server.web.classes import ALL_ROUTES
from numberquest.server.web.http import STATUS
from tests.conftest import in_ci
from tests.documents import run_examples
from tests.server.running import Running
from tests.server.schemas import Api
from tests.server.typescript import TYPES, types
from tests.server.websocket import asked


def test_every_route_is_in_the_document_and_nothing_else(server: Running) -> None:
    document = asked(server.port, "GET", "/api/openapi.json").json
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(route.method, route.path) for route in ALL_ROUTES}


@in_ci
def test_schemathesis_finds_nothing(server: Running) -> None:
    api = Api(server, Random(4))
    try:
        api.run(300, 4)
    finally:
        api.close()
    assert api.tally["cases"] >= 200
    assert {"200", "201", "400", "403", "404", "409"} <= set(api.tally)


# ---- docs/api.md


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
    for route in ALL_ROUTES:
        path = re.sub(r"{\w+}", "ID", route.path)
        assert f"`{route.method} {path}" in text, route.path
    for code, status in STATUS.items():
        if code != "internal":
            assert re.search(rf"`{code}`[^\n]*\b{status}\b", text), code


def test_the_types_of_the_page_are_made_from_the_messages() -> None:
    assert TYPES.read_text() == types(), "wire.py has changed: write the page's types anew with make wire"
