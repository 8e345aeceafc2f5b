"""A class behind one address, at a server with the settings that it has by itself: nobody is turned away."""

import http.client
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from numberquest.core.registry import GAMES
from numberquest.server.limits import Limits
from numberquest.server.web.pages import Pages
from tests.conftest import in_ci
from tests.server.running import Running
from tests.server.websocket import TEXT, WebSocket

PUPILS = 30
TURNED_AWAY = ("too-many", "busy")
AT_ONCE = 4
"""A browser loads a page over several connections."""


class Pupil:
    """One browser: it notes everything that it was refused, and how often it has asked."""

    def __init__(self, server: Running, number: int) -> None:
        self.port, self.number = server.port, number
        self.refused: list[Any] = []
        self.asked = 0
        self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def close(self) -> None:
        self._line.close()

    def load(self, paths: list[str]) -> None:
        """The page with all its files, as a browser does."""

        def some(at: int) -> None:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
            for path in paths[at::AT_ONCE]:
                line.request("GET", path, headers={"Accept-Encoding": "gzip"})
                self._note(path, line.getresponse())
            line.close()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(some, range(AT_ONCE)))

    def get(self, path: str, token: str | None = None) -> Any:
        return self._ask("GET", path, None, token)

    def post(self, path: str, wish: Any, token: str | None = None) -> Any:
        return self._ask("POST", path, json.dumps(wish), token)

    def _ask(self, method: str, path: str, body: str | None, token: str | None) -> Any:
        self.asked += 1
        headers = {"Content-Type": "application/json"} if body else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        self._line.request(method, path, body, headers)
        return json.loads(self._note(path, self._line.getresponse()))

    def _note(self, path: str, answer: http.client.HTTPResponse) -> bytes:
        body = answer.read()
        if answer.status >= 400:
            self.refused.append((path, answer.status, body))
        return body

    def play(self, seated: Any, moves: int) -> None:
        """So many moves on a live connection, as far as the game goes; then give up."""
        self.asked += 1
        with WebSocket(self.port, seated["match"]) as live:
            live.plug.settimeout(120)
            assert live.open, live.answer
            state = live.hello(seated["token"])["state"]
            made, waits = 0, False
            while state["outcome"] is None:
                ply = state["ply"]
                if not waits and made == moves:
                    self._say(live, type="act", ply=ply, do="resign", key=f"r{ply}")
                    waits = True
                elif not waits and state["turn"] == seated["seats"][0]:
                    self._say(live, type="move", ply=ply, move=state["moves"][0]["move"], key=f"m{ply}")
                    made, waits = made + 1, True
                frame = live.frame()
                assert frame.opcode == TEXT, frame
                news = frame.json
                if news["type"] == "presence":
                    # On a slow machine the other one takes some seconds to come.
                    continue
                # Both may do something at once: then one of them is late, which is no refusal of the server's.
                if news["type"] == "refused":
                    assert news["code"] in ("late", "not-allowed"), news
                waits = waits and news["type"] != "refused" and not news.get("done")
                state = news.get("state") or {**state, **news["change"]}

    def _say(self, live: WebSocket, **message: Any) -> None:
        self.asked += 1
        live.say(**message)


@in_ci
def test_thirty_pupils_behind_one_address_load_play_and_answer_puzzles_without_a_refusal(tmp_path: Path) -> None:
    paths = [path for path in Pages().files if "{" not in path]
    games = list(GAMES)
    together = threading.Barrier(PUPILS, timeout=120)
    invited: dict[int, Any] = {}

    def lesson(pupil: Pupil) -> None:
        number = pupil.number
        slug = games[number % len(games)]
        together.wait()
        pupil.load(paths)
        pupil.get("/api/games")
        # Each against the computer, with a hint, and a look at how it went.
        together.wait()
        mine = pupil.post("/api/matches", {"game": "sumquest", "opponent": "medium", "seat": 1, "name": f"P {number}"})
        path = f"/api/matches/{mine['match']}"
        pupil.post(f"{path}/hints", {"ply": 0, "step": 1}, mine["token"])
        pupil.play(mine, 2)
        together.wait()
        pupil.get(f"{path}/review")
        # Then two by two, in every game.
        together.wait()
        if number % 2 == 0:
            invited[number] = pupil.post("/api/matches", {"game": slug, "seat": 1})
        together.wait()
        if number % 2 == 0:
            seated = invited[number]
        else:
            one = invited[number - 1]
            seated = pupil.post(f"/api/matches/{one['match']}/join", {"invite": one["invite"]})
        together.wait()
        pupil.play(seated, 2)
        # The puzzle of the day, the same for all; then two of their own; answers in the same second.
        for query in ("daily?date=2026-11-16", f"new?game={slug}&seed={number}a", f"new?game={slug}&seed={number}b"):
            puzzle = pupil.get(f"/api/puzzles/{query}")
            together.wait()
            pupil.post("/api/puzzles/answers", {"id": puzzle["id"], "move": puzzle["moves"][-1]["move"]})
        # And once more.
        pupil.post("/api/matches", {"game": slug, "opponent": "easy"})

    with Running(tmp_path, generous=False) as server:
        pupils = [Pupil(server, number) for number in range(PUPILS)]
        with ThreadPoolExecutor(PUPILS) as pool:
            list(pool.map(_or_go_home(lesson, together), pupils))
        for pupil in pupils:
            pupil.close()
        refused = [said for pupil in pupils for said in pupil.refused]
        assert not refused, (len(refused), refused[:5])
        # However fast this machine is: all of it at the very same moment would have been allowed too.
        assert sum(pupil.asked for pupil in pupils) <= 4 * Limits().rate
        events = server.events()
        assert not [event for event in events if event["event"] == "error" or event.get("reason") in TURNED_AWAY]


def _or_go_home(lesson: Callable[[Pupil], None], together: threading.Barrier) -> Callable[[Pupil], None]:
    """Nobody waits for one who cannot go on."""

    def attended(pupil: Pupil) -> None:
        try:
            lesson(pupil)
        except (KeyError, OSError, AssertionError) as error:
            pupil.refused.append(repr(error))
            together.abort()
        except threading.BrokenBarrierError:
            return

    return attended
