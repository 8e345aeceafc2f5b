"""Matches to attack, made over plain sockets."""

import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.server.running import Running
from tests.server.websocket import Answer, WebSocket, asked, posted

HERE = Path(__file__).parent.parent.parent


class Friends(NamedTuple):
    """A match of two friends, and all its secrets."""

    port: int
    match: str
    one: str
    two: str
    invite: str
    keys: tuple[str, str]

    def move(self, token: str | None, ply: int, move: str, key: str | None = None) -> Answer:
        return posted(self.port, f"/api/matches/{self.match}/moves", {"ply": ply, "move": move, "key": key}, token)

    def act(self, token: str | None, ply: int, do: str, **more: Any) -> Answer:
        return posted(self.port, f"/api/matches/{self.match}/actions", {"ply": ply, "do": do, **more}, token)

    def live(self, token: str | None = None) -> WebSocket:
        """A live connection that has said hello."""
        live = WebSocket(self.port, self.match)
        live.hello(token)
        return live

    def look(self) -> Any:
        return asked(self.port, "GET", f"/api/matches/{self.match}").json


def friends(server: Running, game: str = "sumquest", **wishes: Any) -> Friends:
    """Two people who have just sat down; the log has one entry, the joining."""
    keys = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    made = posted(server.port, "/api/matches", {"game": game, "key": keys[0], **wishes})
    assert made.status == 201, made.body
    one = made.json
    joined = posted(server.port, f"/api/matches/{one['match']}/join", {"invite": one["invite"], "key": keys[1]})
    assert joined.status == 200, joined.body
    return Friends(server.port, one["match"], one["token"], joined.json["token"], one["invite"], keys)


def at_once(deeds: list[Callable[[], Any]]) -> list[Any]:
    """Do all of these at the same moment, each in a thread of its own."""
    gun, answers = threading.Barrier(len(deeds)), [None] * len(deeds)

    def run(at: int, deed: Callable[[], Any]) -> None:
        gun.wait()
        answers[at] = deed()

    threads = [threading.Thread(target=run, args=item) for item in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def clean(answer: Answer, status: int, code: str) -> str:
    """That an answer is this trouble, told in a sentence that gives nothing away; returns the sentence."""
    assert answer.status == status, answer
    assert (int(answer.headers.get("retry-after", "0")) > 0) == (status in (429, 503))
    problem = answer.json
    assert problem["code"] == code
    sentence = problem["error"]
    assert isinstance(sentence, str)
    assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
    assert sentence.rstrip().endswith((".", "!")), sentence
    assert len(sentence) <= 600, len(sentence)
    for given_away in ("Traceback", "sqlite", "SELECT", "INSERT", str(HERE), "/src/", ".py", "Exception"):
        assert given_away not in sentence, sentence
    return sentence


OURS = ("Expected", "regex", "length", "`", "$.", "ply")
"""Words of those who made the server, and of the parts it is made of."""


def in_plain_words(sentence: str) -> str:
    assert not [word for word in OURS if word in sentence], sentence
    return sentence
