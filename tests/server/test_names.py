"""Nobody at a server is called something that cannot be seen, or like a computer player."""

from __future__ import annotations

import pytest

from numberquest.client import ServerSaid
from tests.server.attacked import clean
from tests.server.running import Running
from tests.server.websocket import posted
from tests.test_names import COMPUTERS


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u034f", "\u115f", *COMPUTERS[:3]], ids=ascii)
def test_a_name_that_deceives_is_refused_wherever_one_is_given(server: Running, name: str) -> None:
    made = posted(server.port, "/api/matches", {"game": "sumquest"}).json
    for path, wish in (
        ("/api/matches", {"game": "sumquest", "name": name}),
        ("/api/matches", {"game": "sumquest", "opponent": "screen", "other_name": name}),
        (f"/api/matches/{made['match']}/join", {"invite": made["invite"], "name": name}),
    ):
        sentence = clean(posted(server.port, path, wish), 400, "bad-request")
        assert "visible" in sentence or "computer players" in sentence


def test_a_name_is_kept_in_the_one_way_of_writing_it(server: Running) -> None:
    with server.client() as client:
        one = client.create("sumquest", name="Zoe\u0308")
        assert client.join(one.match, one.invite or "", "Bjo\u0308rk").names == ("Zo\u00eb", "Bj\u00f6rk")


def test_computer_players_are_called_so_all_the_same(server: Running) -> None:
    with server.client() as client:
        one = client.create("sumquest", opponent="perfect", seat=1)
        assert one.names[1] == "Computer (perfect)"
        with pytest.raises(ServerSaid, match="computer players"):
            client.create("sumquest", opponent="perfect", name=one.names[1])
