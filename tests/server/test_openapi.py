"""The API document is true: what it allows is answered as it says, and what it does not allow is refused."""

from __future__ import annotations

from random import Random

from numberquest.server.web.api import ROUTES
from tests.conftest import in_ci
from tests.server.running import Running
from tests.server.schemas import Api
from tests.server.websocket import asked


def test_every_route_is_in_the_document_and_nothing_else(server: Running) -> None:
    document = asked(server.port, "GET", "/api/openapi.json").json
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(route.method, route.path) for route in ROUTES}


@in_ci
def test_schemathesis_finds_nothing(server: Running) -> None:
    api = Api(server, Random(4))
    try:
        api.run(300, 4)
    finally:
        api.close()
    assert api.tally["cases"] >= 200
    assert {"200", "201", "400", "403", "404", "409"} <= set(api.tally)
