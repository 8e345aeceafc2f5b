"""The API document, made from the table of routes and the types of the wire: it can say nothing else than they do."""

import re
from typing import Any

import msgspec

from numberquest import __version__
from numberquest.server import wire
from numberquest.server.web.api import MATCH, Route
from numberquest.server.web.classes import ALL_ROUTES
from numberquest.server.web.http import STATUS

OPENED_BY = "The token of a seat, as `Seated` has it; or of a teacher or pupil, as `ClassOpened` and `ClassSeated` do."
EVERYWHERE = ("bad-request", "wrong-origin", "wrong-host", "too-many", "internal", "busy", "not-stored")
"""The kinds of trouble that any route can have."""


def document(prefix: str = "") -> dict[str, Any]:
    """The document as data; `prefix` is what stands before all addresses."""
    kinds = {route.body for route in ALL_ROUTES} | {route.answer for route in ALL_ROUTES} | {wire.Problem}
    kinds |= {wire.Update, wire.Ping, wire.State}
    named = sorted(kinds - {None, str}, key=lambda kind: str(kind.__name__))
    schemas, components = msgspec.json.schema_components(named, ref_template="#/components/schemas/{name}")
    references = dict(zip(named, schemas, strict=True))
    # The state inside an update is passed on ready-made, so its type does not say what it is.
    components["Update"]["properties"]["state"] = {"$ref": "#/components/schemas/State"}
    # On a live connection the type says what it is; here the address does.
    for name in ("Move", "Act"):
        components[name]["required"].remove("type")
    paths: dict[str, Any] = {}
    for route in ALL_ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, references)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Number Quest",
            "version": __version__,
            "description": "Two-player number games: start matches, play them, look at them again.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": OPENED_BY}},
        },
    }


def _operation(route: Route, references: dict[Any, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "summary": route.does,
        "operationId": route.method.lower() + re.sub(r"[/.]", "_", re.sub(r"[{}]", "", route.path[4:])),
        "responses": {str(route.status): _answer(route, references), **_troubles(route, references)},
    }
    parameters: list[dict[str, Any]] = [
        {
            "name": parameter.name,
            "in": "query",
            "required": parameter.needed,
            "description": parameter.words,
            "schema": {"type": "string", "pattern": parameter.pattern},
        }
        for parameter in route.parameters
    ]
    for place in re.findall(r"{(\w+)}", route.path):
        name = {"type": "string", "pattern": f"^{MATCH}$"}
        parameters.append({"name": place, "in": "path", "required": True, "schema": name})
    if parameters:
        said["parameters"] = parameters
    if route.body is not None:
        said["requestBody"] = {"required": True, "content": {"application/json": {"schema": references[route.body]}}}
    if route.seat:
        said["security"] = [{"seat": []}]
    return said


def _answer(route: Route, references: dict[Any, Any]) -> dict[str, Any]:
    if route.answer is str:
        return {"description": route.does, "content": {route.kind: {"schema": {"type": "string"}}}}
    if route.handler is None:
        # Each line is one of these; OpenAPI has no word for a stream of lines, so the whole is text to it.
        words = f"Lines of JSON, each a message `{route.answer.__name__}`, or a Ping while nothing happens."
        return {"description": words, "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
    words = (route.answer.__doc__ or "").strip().partition("\n")[0]
    return {"description": words, "content": {"application/json": {"schema": references[route.answer]}}}


def _troubles(route: Route, references: dict[Any, Any]) -> dict[str, Any]:
    codes = {*EVERYWHERE, *route.troubles}
    if route.body is not None:
        codes |= {"too-long", "not-json"}
    if route.seat:
        codes.add("no-seat")
    content = {"application/json": {"schema": references[wire.Problem]}}
    statuses: dict[int, list[str]] = {}
    for code in sorted(codes):
        statuses.setdefault(STATUS[code], []).append(code)
    return {
        str(status): {"description": f"Trouble: {', '.join(said)}.", "content": content}
        for status, said in sorted(statuses.items())
    }
