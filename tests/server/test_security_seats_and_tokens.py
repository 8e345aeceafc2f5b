"""A seat is opened by its token alone, which nobody can guess, find written down, or tell from how an answer looks."""

import ast
import json
import re
import secrets
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import numberquest.server
from tests.server.attacked import Friends, clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, asked, posted

SOURCES = sorted(Path(numberquest.server.__file__).parent.glob("*.py"))
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def created(server: Running, **wish: Any) -> Any:
    answer = posted(server.port, "/api/matches", {"game": "mystic", **wish})
    assert answer.status == 201, answer.body
    return answer.json


def test_tokens_have_256_bits_that_look_random_and_no_two_are_alike(server: Running) -> None:
    made = [created(server) for _ in range(150)]
    tokens = [secret for one in made for secret in (one["token"], one["invite"])]
    assert all(TOKEN.fullmatch(token) for token in tokens)
    assert len({*tokens, *(one["match"] for one in made)}) == 3 * len(made)
    # Every sign of the alphabet about as often as any other: with 64 signs and 12,600 drawn, chi-squared has
    # 63 degrees of freedom and is below 140 in all but one of some millions of runs. The last sign has fewer bits.
    counts = Counter("".join(token[:42] for token in tokens))
    expected = 42 * len(tokens) / 64
    assert sum((counts[sign] - expected) ** 2 for sign in counts) / expected < 140
    # And at each place, so that no part of it is fixed.
    assert all(len({token[place] for token in tokens}) > 20 for place in range(42))


def test_the_public_name_says_nothing_about_the_token(server: Running) -> None:
    one = created(server)
    for secret in (one["token"], one["invite"]):
        assert one["match"] not in secret
        assert not any(one["match"][at : at + 6] in secret for at in range(len(one["match"]) - 5))
    shown = asked(server.port, "GET", f"/api/matches/{one['match']}").body.decode()
    assert one["token"] not in shown
    assert one["invite"] not in shown
    assert created(server)["match"] != one["match"]


def test_the_key_of_a_seat_is_at_least_22_signs_long(server: Running) -> None:
    for key in ("a", "a" * 21, "a" * 65, "ü" * 30, "a b" * 10):
        assert clean(posted(server.port, "/api/matches", {"game": "mystic", "key": key}), 400, "bad-request")
        wish = {"invite": secrets.token_urlsafe(32), "key": key}
        match = "a" * 20
        assert clean(posted(server.port, f"/api/matches/{match}/join", wish), 400, "bad-request")


def test_every_wrong_token_gets_the_identical_answer(server: Running, match: Friends) -> None:
    other = friends(server)
    near = match.one[:-2] + ("AA" if match.one[-2:] != "AA" else "BB")
    wrong = [near, match.one[::-1], match.invite, other.one, secrets.token_urlsafe(32), "x", match.one + "A", "0" * 43]
    answers = {match.move(token, 1, "1").body for token in wrong}
    answers |= {match.move(token, 1, "1").body for token in wrong}
    (answer,) = answers
    assert json.loads(answer)["code"] == "no-seat"
    assert match.look()["ply"] == 1
    path = f"/api/matches/{match.match}/coach"
    said = [asked(match.port, "GET", path, f"Authorization: Bearer {token}") for token in wrong]
    assert {(one.status, one.body) for one in said} == {(403, answer)}


@pytest.mark.parametrize("header", ["Basic abc", "Bearer", "Bearer ", "Bearer " + "a" * 101, "Bearer \xe9", "x"])
def test_a_header_that_holds_no_token_is_told_how_it_is_written(server: Running, header: str) -> None:
    answer = asked(server.port, "GET", f"/api/matches/{'a' * 20}/coach", f"Authorization: {header}")
    assert "Bearer TOKEN" in clean(answer, 400, "bad-request")


def test_a_wrong_invitation_opens_nothing(server: Running) -> None:
    one = created(server)
    for invite in (secrets.token_urlsafe(32), one["token"], "A" * 43, created(server)["invite"]):
        answer = posted(server.port, f"/api/matches/{one['match']}/join", {"invite": invite})
        assert clean(answer, 403, "no-seat")
    assert not asked(server.port, "GET", f"/api/matches/{one['match']}").json["players"][1]["joined"]


def test_a_match_without_an_invitation_cannot_be_joined(server: Running) -> None:
    one = created(server, opponent="easy")
    assert one["invite"] is None
    for invite in ("0" * 43, "A" * 43, secrets.token_urlsafe(32)):
        assert clean(posted(server.port, f"/api/matches/{one['match']}/join", {"invite": invite}), 403, "no-seat")


def test_no_secret_is_written_down_anywhere(tmp_path: Path) -> None:
    with Running(tmp_path) as server:
        pair = [friends(server, game) for game in ("sumquest", "mystic")]
        for match in pair:
            for token in (match.one, match.two, "wrong" * 9, None):
                move = match.look()["moves"][0]["move"]
                match.move(token, match.look()["ply"], move, "the-key-of-a-move")
                match.move(token, 77, "nonsense")
                asked(match.port, "GET", f"/api/matches/{match.match}", f"Authorization: Bearer {token}")
            with match.live(match.one) as live:
                live.send(f'{{"type": "hello", "token": "{match.two}", "more": 1}}'.encode())
                live.closing()
            with WebSocket(server.port, match.match) as live:
                live.send(f'{{"type": "hello" "{match.one}"'.encode())
                live.closing()
            # Someone puts a secret where it does not belong: into an address.
            asked(match.port, "GET", f"/m/{match.match}?seat={match.one}")
            asked(match.port, "GET", f"/api/matches/{match.one}")
            asked(match.port, "GET", f"/api/matches/{match.match}?token={match.one}")
            asked(match.port, "GET", f"/nowhere/{match.one}")
            WebSocket(server.port, f"{match.match}?token={match.one}").close()
            WebSocket(server.port, match.two).close()
            posted(match.port, f"/api/matches/{match.match}/moves", f'{{"{match.one}":'.encode(), match.one)
        metrics = asked(server.port, "GET", "/metrics").body
        # A seed is known to the dealer until the end; the log never has it.
        match.act(match.one, match.look()["ply"], "resign")
        seed = match.look()["seal"]["seed"]
        files = b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
        assert server.stop() == 0
        stderr = server.said.encode()
    files += b"".join(path.read_bytes() for path in tmp_path.glob("games.db*"))
    log = (tmp_path / "serve.log").read_bytes()
    assert pair[0].match.encode() in log
    assert pair[0].match.encode() in files
    for match in pair:
        for secret in (match.one, match.two, match.invite, *match.keys):
            for place in (files, log, stderr, metrics):
                assert secret.encode() not in place
                assert secret.encode("utf-16-le") not in place
    assert seed.encode() not in log + stderr + metrics
    assert b"the-key-of-a-move" not in log + stderr + metrics
    assert b"Traceback" not in stderr


def test_secrets_are_compared_in_constant_time_and_made_by_the_system_alone() -> None:
    """What no answer shows is looked up in the source: `==` between hashes, or a generator that can be foretold."""
    tokens = next(path for path in SOURCES if path.name == "tokens.py").read_text()
    assert tokens.count("hmac.compare_digest(") >= 2
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            assert not {"random", "numpy.random", "uuid"} & set(names), path
            if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
                compared = ast.unparse(node)
                assert not re.search(r"\b(tokens|invite|hashed|digest|secret)\b", compared), f"{path}: {compared}"


def test_no_two_matches_share_a_name_a_deal_or_a_seed(server: Running) -> None:
    """Also of those made with the same wishes in the same moment."""
    states = []
    for _ in range(60):
        made = created(server, opponent="screen")
        path = f"/api/matches/{made['match']}/actions"
        states.append(posted(server.port, path, {"ply": 0, "do": "resign"}, made["token"]).json)
    assert len({state["match"] for state in states}) == len(states)
    seeds = [state["seal"]["seed"] for state in states]
    assert len(set(seeds)) == len(seeds)
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)
    assert len({state["seal"]["commitment"] for state in states}) == len(states)
    # The first number of the pile: 9 kinds, about as often each; never one that is always there.
    first = Counter(state["board"]["drawn"] for state in states)
    assert len(first) >= 5
