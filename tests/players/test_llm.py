"""`llm:MODEL`: what goes to a server of models, how its answers are read, and what becomes of its errors."""

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import COMMON_RULINGS
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import rules_of
from numberquest.core.settings import YesNo
from numberquest.core.stream import Stream
from numberquest.core.view import said
from numberquest.envs.tool_session import ToolSession
from numberquest.players import llm, prompt
from numberquest.players.asking import BadPlayer, CutOff, Illegal, ProviderError, ask
from numberquest.players.engine import hello
from numberquest.players.named import who
from tests.players.readings import READINGS
from tests.players.standin import Reply, StandIn, says, serving
from tests.strategies import KINDS
from tests.study.running import until

SUM = nq.game("sumquest")
PAUSE = llm.PAUSE
VARIABLES = (llm.URL, llm.KEY, llm.OPTIONS, llm.USUAL_URL, llm.USUAL_KEY, "NUMBERQUEST_SECONDS")


@pytest.fixture(autouse=True)
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the environment, and a proxy that there is not."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setattr(llm, "PAUSE", 0.01)


def asked_of(server: StandIn, monkeypatch: pytest.MonkeyPatch, variables: Mapping[str, str] = {}) -> Any:
    monkeypatch.setenv(llm.URL, server.url)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return ask(who("llm:tiny"), SUM, SUM.play(SUM.start(), "5"), Stream("1", "a"), ["5"])


PIECES = [{"type": "text", "text": "[6"}, {"type": "text", "text": "]"}]


@pytest.mark.parametrize("content", ["I think about it, and play [6].", "6", PIECES])
def test_a_good_answer_is_a_move_and_the_same_question_the_same_request(
    content: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(says(content)) as server:
        for _ in range(2):
            assert asked_of(server, monkeypatch).move == "6"
    assert server.paths == ["/v1/chat/completions"] * 2
    assert server.asked[0] == {"model": "tiny", "messages": prompt.messages(SUM, SUM.play(SUM.start(), "5"), ["5"])}
    assert json.dumps(server.asked[0]) == json.dumps(server.asked[1])
    assert "Authorization" not in server.headers[0]


def test_a_key_and_options_go_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(says("[6]")) as server:
        asked_of(server, monkeypatch, {llm.KEY: "secret", llm.OPTIONS: '{"temperature": 0}'})
    assert server.headers[0]["Authorization"] == "Bearer secret"
    assert server.asked[0]["temperature"] == 0


def test_a_key_goes_only_to_the_address_that_it_belongs_to(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(says("[6]")) as server:
        asked_of(server, monkeypatch, {llm.USUAL_KEY: "secret"})
        assert "Authorization" not in server.headers[0]
        monkeypatch.setenv(llm.USUAL_URL, f"{server.url}/")
        monkeypatch.delenv(llm.URL)
        who("llm:tiny").choose(SUM, SUM.start(), Stream("1", "a"))
        assert server.headers[1]["Authorization"] == "Bearer secret"
        assert server.paths == ["/v1/chat/completions"] * 2


@pytest.mark.parametrize("wrong", ["[5]", "7 or 8", "", None])
def test_a_wrong_answer_is_told_why_and_asked_for_again(wrong: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(says(wrong), says("[6]")) as server:
        asked = asked_of(server, monkeypatch)
    assert asked.move == "6"
    assert [one.said for one in asked.illegal] == [wrong or ""]
    again = server.asked[1]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert asked.illegal[0].why in again[-1]["content"]


@pytest.mark.parametrize("slug", READINGS)
def test_an_answer_means_what_it_means_everywhere(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, cases = nq.Match(nq.game(slug), seed=1), READINGS[slug]
    with serving(*map(says, cases)) as server:
        monkeypatch.setenv(llm.URL, server.url)
        for answer, move in cases.items():
            asked = ask(who("llm:tiny"), match.game, match.position, Stream("1", "a"), tries=1)
            assert asked.move == move, answer


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = Reply(status, b'{"error": {"message": "later"}}', {"Retry-After": "0"})
    with serving(busy, Reply(status), says("[6]")) as server:
        asked = asked_of(server, monkeypatch)
    assert (asked.move, asked.illegal) == ("6", ())
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"content": "I could play [5], but then"}, "length"),
        ({"content": "", "reasoning_content": "Let me see: 5 or 6"}, "stop"),
        ({"content": None, "reasoning_content": "Let me see"}, None),
        ({"content": ""}, "length"),
    ],
)
def test_an_answer_that_was_cut_off_is_no_wrong_move(
    message: dict[str, str], why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.dumps({"choices": [{"message": message, "finish_reason": why}]}).encode()
    with (
        serving(Reply(200, body)) as server,
        pytest.raises(CutOff, match="raise max_tokens in NUMBERQUEST_LLM"),
    ):
        asked_of(server, monkeypatch)
    assert len(server.asked) == 1


def test_a_whole_move_at_the_limit_is_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"choices": [{"message": {"content": "[6]"}, "finish_reason": "length"}]}).encode()
    with serving(Reply(200, body)) as server:
        assert asked_of(server, monkeypatch).move == "6"


def test_a_server_that_is_busy_for_longer_than_there_is_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "3600"})) as server:
        with pytest.raises(ProviderError) as error:
            asked_of(server, monkeypatch)
        assert str(error.value) == f"llm:tiny: {server.url} answers 429: 'slow down'"
    assert len(server.asked) == 1


@pytest.mark.parametrize("after", [{}, {"Retry-After": "0"}, {"Retry-After": "5"}], ids=str)
def test_the_pauses_between_requests_grow_whatever_a_busy_server_asks_for(
    after: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        assert len(slept) < 20, "there is no end to it"

    # No clock is looked at but the one that the pauses are of.
    monkeypatch.setattr(llm, "time", SimpleNamespace(monotonic=lambda: sum(slept), sleep=sleep))
    monkeypatch.setattr(llm, "PAUSE", PAUSE)
    with serving(Reply(503, b"overloaded", after)) as server, pytest.raises(ProviderError, match="503: 'overloaded'"):
        asked_of(server, monkeypatch, {"NUMBERQUEST_SECONDS": "60"})
    assert len(server.asked) == len(slept) + 1
    assert slept[0] >= 0.5
    for turn, pause in enumerate(slept):
        least = max(PAUSE * 2**turn, float(after.get("Retry-After", 0)))
        assert least <= pause <= max(least, PAUSE * 2**turn * (1 + llm.JITTER))
    # Nobody gives up while there is time for another request.
    assert sum(slept) < 60 <= sum(slept) + 3 * slept[-1]


def test_a_busy_server_that_falls_silent_is_quoted_with_its_own_last_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply(503, b"starting"), Reply(429, b"overloaded"), Reply(hangs=True)) as server:
        with pytest.raises(ProviderError, match="429: 'overloaded'") as error:
            asked_of(server, monkeypatch, {"NUMBERQUEST_SECONDS": "0.3"})
        assert f"{server.url} gave no answer within 0.3 s" in str(error.value)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(401, b'{"error": {"message": "no such key"}}'), "answers 401: 'no such key'"),
        (Reply(400, b'{"error": "no such model"}'), "answers 400: 'no such model'"),
        (Reply(404, b"<html>"), "answers 404: '<html>'"),
        (Reply(302, b"", {"Location": "http://127.0.0.1:1/"}), "answers 302"),
        (Reply(200, b'{"error": {"message": "out of memory"}}'), "the server reports an error: 'out of memory'"),
        (Reply(200, b"{broken"), "this is no answer of a model: '{broken'"),
        (Reply(200, b""), "this is no answer of a model: ''"),
        (Reply(200, b"[]"), "this is no answer of a model: '[]'"),
        (Reply(200, b'{"choices": []}'), "this is no answer of a model"),
        (Reply(200, b'{"choices": [{"message": {"content": 5}}]}'), "this is no answer of a model: '5'"),
        (Reply(200, b'{"choices": [{"message": {"content": ["x"]}}]}'), "this is no answer of a model"),
        (Reply(200, b"\xff\xfe"), "this is no answer of a model"),
        (says("[6]")._replace(shorter_than_said=True), "broke off in the middle of its answer"),
        (Reply(hangs=True), "gave no answer within 0.3 s"),
    ],
)
def test_what_a_server_does_wrong_is_an_error_and_never_a_move(
    reply: Reply, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = {"NUMBERQUEST_SECONDS": "0.3"} if reply.hangs else {}
    with serving(reply) as server:
        with pytest.raises(ProviderError) as error:
            asked_of(server, monkeypatch, {**seconds, llm.KEY: "secret"})
        # Who has given up waiting may have done so before the other has read the question.
        until(lambda: server.asked)
    assert why in str(error.value)
    assert str(error.value).startswith("llm:tiny: ")
    assert "secret" not in str(error.value)
    assert len(server.asked) == 1


def test_a_long_answer_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "LONGEST", 1000)
    with serving(says("x" * 2000)) as server, pytest.raises(ProviderError, match="answers with more than 1,000 bytes"):
        asked_of(server, monkeypatch)


def test_a_server_that_is_not_there_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(says("[6]")) as server:
        pass
    with pytest.raises(ProviderError, match=r"llm:tiny: http://127\.0\.0\.1:\d+/v1 cannot be reached: Conn"):
        asked_of(server, monkeypatch)


def test_the_next_question_after_an_error_is_asked_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Reply(400), says("[6]")) as server:
        monkeypatch.setenv(llm.URL, server.url)
        model = who("llm:tiny")
        with pytest.raises(ProviderError):
            model.choose(SUM, SUM.start(), Stream("1", "a"))
        assert model.choose(SUM, SUM.start(), Stream("1", "a")) == "6"


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({}, "set NUMBERQUEST_LLM_URL to the address of a server of models first, such as http://localhost:11434/v1"),
        ({llm.URL: "localhost:11434"}, "NUMBERQUEST_LLM_URL is an address such as"),
        ({llm.URL: "file:///etc/passwd"}, "NUMBERQUEST_LLM_URL is an address such as"),
        ({llm.URL: "http://"}, "NUMBERQUEST_LLM_URL is an address such as"),
        ({llm.URL: "http://localhost:99999/v1"}, "NUMBERQUEST_LLM_URL is an address such as"),
        ({llm.URL: "http://a b/v1"}, "NUMBERQUEST_LLM_URL is an address such as"),
        ({llm.USUAL_URL: "nowhere"}, "OPENAI_BASE_URL is an address such as"),
        ({llm.URL: "http://localhost/v1", llm.KEY: "sécret"}, "NUMBERQUEST_LLM_KEY is no key"),
        ({llm.URL: "http://localhost/v1", llm.OPTIONS: "[1]"}, "NUMBERQUEST_LLM_OPTIONS is a JSON object"),
        ({llm.URL: "http://localhost/v1", llm.OPTIONS: "{"}, "NUMBERQUEST_LLM_OPTIONS is a JSON object"),
        ({llm.URL: "http://localhost/v1", "NUMBERQUEST_SECONDS": "soon"}, "NUMBERQUEST_SECONDS is a number of seconds"),
        ({llm.URL: "http://localhost/v1", "NUMBERQUEST_SECONDS": "-1"}, "NUMBERQUEST_SECONDS is a number of seconds"),
        ({llm.URL: "http://localhost/v1", "NUMBERQUEST_SECONDS": "nan"}, "NUMBERQUEST_SECONDS is a number of seconds"),
    ],
)
def test_an_environment_that_will_not_do_is_told_before_anything_is_asked(
    variables: dict[str, str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(BadPlayer) as error:
        who("llm:tiny")
    assert why in str(error.value)
    assert "sécret" not in str(error.value)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_it_holds_the_rules_the_position_the_history_and_the_allowed_moves(kind: Any) -> None:
    game = kind()
    match = nq.Match(game, seed=3)
    for _ in range(2):
        match.play(match.moves[0])
    system, user = prompt.messages(game, match.position, match.history)
    assert [system["role"], user["role"]] == ["system", "user"]
    for paragraph in rules_of(game):
        assert paragraph in system["content"]
    for line in said(game, match.position):
        assert line in user["content"]
    for move in match.moves:
        assert move in user["content"].partition("Allowed now: ")[2]
    assert f"You are Player {match.player + 1}" in user["content"]
    assert f"Player 1: {match.history[-1]}" in user["content"] or f": {match.history[-1]}\n" in user["content"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_a_program_is_told_every_ruling_that_holds_and_none_that_does_not(kind: Any) -> None:
    switches = [name for name, field in kind.fields.items() if isinstance(field, YesNo)]
    for game in (kind(), kind(**dict.fromkeys(switches, True))):
        rules = [prompt.instructions(game), hello(game)["rules"]]
        if game.slug in GAMES.own:
            rules.append("\n".join(ToolSession().rules(game.slug, game.settings)["rulings"].values()))
        for told in rules:
            assert not any(COMMON_RULINGS[code] in told for code in ("G1", "G3"))
            for code in game.rulings_told().keys() & kind.rulings:
                # People are told what a setting that is off would change, too.
                ruling = game.rulings_told()[code]
                of_another_game = ruling.partition("=yes, ")[2][1:]
                assert of_another_game not in told if of_another_game else ruling in told


def test_moves_that_are_not_to_be_listed_and_a_history_that_nobody_knows_are_left_out() -> None:
    position = SUM.play(SUM.start(), "5")
    assert "Allowed now: 1, 2, 3, 4, 6, 7, 8, 9" in prompt.question(SUM, position)
    assert "Allowed" not in prompt.question(SUM, position, list_moves=False)
    assert "So far" not in prompt.question(SUM, SUM.start())
    assert "So far:\nnothing was played" in prompt.question(SUM, SUM.start(), [])


def test_a_wrong_answer_is_put_to_whoever_gave_it() -> None:
    *_, said_before, again = prompt.messages(SUM, SUM.start(), (), Illegal("[12]", "there is no 12"))
    assert said_before == {"role": "assistant", "content": "[12]"}
    assert again["role"] == "user"
    assert again["content"].startswith("That is no move: there is no 12. End your answer with one move")
    *_, said_before, _ = prompt.messages(SUM, SUM.start(), (), Illegal(" "))
    assert said_before["content"] == "(no answer)"
