"""Schemathesis on the served API document of a running server: cases that fit it and cases that do not.

Half of the cases that fit get the name of a real match, the token of one of its seats, the true ply and an allowed
move, so that they come past the doors behind which most of the server lies.
"""

from collections import Counter
from random import Random
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    missing_required_header,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.conftest import UNSHRUNK
from tests.server.running import Running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    missing_required_header,
    unsupported_method,
]
"""Not among them: positive_data_acceptance, for a game that does not exist, a late ply or a move that is not allowed
fit the document and are refused all the same; and ignored_auth, which expects 401: we answer 403, because a 401 must
name a way to log in, and there is none."""


class Api:
    """The document of a server, and matches to ask about."""

    def __init__(self, server: Running, random: Random) -> None:
        self._server, self._random = server, random
        # A 413 is a refusal too, and a 5xx is none.
        refused = {"checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}}}
        config = schemathesis.Config.from_dict(refused)
        self.schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json", config=config)
        self.tally: Counter[str] = Counter()
        self._client = server.client()
        self._session = requests.Session()
        over = self._client.create("mystic", opponent="screen")
        over.act("resign")
        self._over = over
        self._live: list[Any] = []
        self._class: tuple[Any, Any] | None = None

    def close(self) -> None:
        self._session.close()
        self._client.close()

    def _seat(self) -> Any:
        """A seat in a match; after a while in another."""
        if len(self._live) < 6 or self._random.random() < 0.05:
            random = self._random
            game = random.choice(["fifty", "grid", "mystic", "showdown", "sumquest"])
            self._live.append(self._client.create(game, opponent=random.choice(["screen", "screen", "random"])))
            del self._live[:-6]
        return self._random.choice([*self._live, self._over])

    def _let_in(self, case: Case[Any]) -> None:
        """Give a case a real match, and what goes with it."""
        random = self._random
        seat = self._seat()
        state = seat.look()
        path = case.operation.path
        if path.endswith("/events"):
            # The stream of a match that goes on has no end.
            seat = self._over
        case.path_parameters = {**case.path_parameters, "match": seat.match}
        if random.random() < 0.9:
            case.headers["Authorization"] = f"Bearer {seat.token}"
        if isinstance(case.body, dict):
            if "ply" in case.body and random.random() < 0.8:
                case.body["ply"] = state.ply
            if "move" in case.body and state.moves and random.random() < 0.7:
                case.body["move"] = random.choice(state.moves).move
            if "invite" in case.body and seat.invite:
                case.body["invite"] = seat.invite

    def _seat_in_class(self, case: Case[Any]) -> None:
        """Give a case a real class, and the token of its teacher or of a pupil."""
        random = self._random
        if self._class is None:
            url = f"{self._server.url}/api/classes"
            opened = self._session.post(url, json={"game": "sumquest"}).json()
            wish = {"code": opened["code"], "name": "Ann", "key": "k" * 30}
            self._class = opened, self._session.post(f"{url}/join", json=wish).json()
        teacher, pupil = self._class
        case.path_parameters = {**case.path_parameters, "classroom": teacher["classroom"]}
        # The stream of a class has no end.
        if not case.operation.path.endswith("/events") and random.random() < 0.9:
            case.headers["Authorization"] = f"Bearer {random.choice([teacher, pupil])['token']}"
        if isinstance(case.body, dict) and case.body.get("do") == "erase":
            case.body["do"] = random.choice(["begin", "rename", "ask", "uncover", "reseat"])
            after: list[Any] = [None, [], ["5"], ["5", "9"], ["x"]]
            case.body["after"] = random.choice(after)

    def call(self, case: Case[Any], fits: bool) -> None:
        if "{classroom}" in case.operation.path and fits and self._random.random() < 0.8:
            self._seat_in_class(case)
        if fits and "{match}" in case.operation.path and self._random.random() < 0.7:
            self._let_in(case)
        if fits and isinstance(case.body, dict) and "game" in case.body and self._random.random() < 0.7:
            case.body["game"] = self._random.choice(["fifty", "grid", "mystic", "showdown", "sumquest"])
            for name in ("record", "at"):
                case.body.pop(name, None)
            case.body["settings"] = {}
            if "/classes" not in case.operation.path:
                case.body["opponent"] = self._random.choice(["friend", "screen", "easy"])
        response = case.call_and_validate(session=self._session, checks=CHECKS, timeout=60)
        self.tally["cases"] += 1
        self.tally[str(response.status_code)] += 1

    def run(self, cases: int, number: int, ends: str = "") -> None:
        """About so many cases, shared out among the operations whose path ends so; fails at the first that is wrong."""
        operations: list[Any] = [found.ok() for found in self.schema.get_all_operations() if isinstance(found, Ok)]
        assert len(operations) == len(list(self.schema.get_all_operations()))
        operations = [operation for operation in operations if operation.path.endswith(ends)]
        each = max(2, -(-cases // (2 * len(operations))))
        for operation in operations:
            self._many(operation, GenerationMode.POSITIVE, each, number)
            # Of a request that brings nothing, nothing can be wrong.
            if operation.path not in ("/api/games", "/api/puzzles/daily/solved"):
                self._many(operation, GenerationMode.NEGATIVE, each, number)

    def _many(self, operation: Any, mode: GenerationMode, cases: int, number: int) -> None:
        @seed(number)
        @settings(
            max_examples=cases,
            deadline=None,
            database=None,
            phases=UNSHRUNK,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Case[Any]) -> None:
            self.call(case, mode == GenerationMode.POSITIVE)

        try:
            ask()
        except BaseException as error:
            error.add_note(f"{operation.method} {operation.path} {mode}")
            raise
