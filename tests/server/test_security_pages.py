"""What a page, an answer or another site may do in a browser, and which files can be asked for."""

import html.parser
import json
import re
from pathlib import Path
from typing import Any

import pytest

import numberquest
from numberquest.core.match import Match
from numberquest.core.record import Record
from tests.core.test_names import COMPUTERS
from tests.server.attacked import Friends, clean, friends, in_plain_words
from tests.server.running import Running
from tests.server.websocket import Answer, WebSocket, asked, connected, posted, read_answer

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = Path(numberquest.__file__).parent / "server" / "page"
FILES = sorted(f"/static/{path.relative_to(PAGE)}" for path in PAGE.rglob("*.*") if path.suffix != ".ts")


def strict(answer: Answer) -> None:
    assert answer.headers["content-security-policy"] == STRICT
    assert answer.raw.lower().count(b"content-security-policy:") == 1
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in answer.headers
    assert answer.headers["content-type"]


@pytest.mark.parametrize("path", ["/", "/m/abc", "/review", "/puzzle", "/favicon.ico", *FILES])
def test_every_page_and_file_has_the_strict_policy(server: Running, path: str) -> None:
    for method in ("GET", "HEAD"):
        answer = asked(server.port, method, path)
        assert answer.status == 200
        strict(answer)
        tag = answer.headers["etag"]
        strict(asked(server.port, method, path, "Accept-Encoding: gzip"))
    unchanged = asked(server.port, "HEAD", path, f"If-None-Match: {tag}")
    assert unchanged.status == 304
    strict(unchanged)


def test_a_browser_gets_a_page_where_there_is_nothing_and_a_program_gets_json(server: Running) -> None:
    for path, accept, kind in (
        ("/nothing", "text/html,application/xhtml+xml;q=0.9", "text/html; charset=utf-8"),
        ("/nothing", "*/*", "application/json"),
        ("/api/nothing", "text/html", "application/json"),
    ):
        answer = asked(server.port, "GET", path, f"Accept: {accept}")
        assert (answer.status, answer.headers["content-type"]) == (404, kind)


def test_every_answer_and_every_trouble_has_the_strict_policy(server: Running, match: Friends) -> None:
    one = f"/api/matches/{match.match}"
    evil = "Origin: http://evil.example"
    answers = [
        asked(server.port, "GET", "/api/openapi.json"),
        asked(server.port, "GET", "/healthz"),
        asked(server.port, "GET", "/metrics"),
        asked(server.port, "GET", one),
        asked(server.port, "GET", f"{one}/record"),
        asked(server.port, "GET", "/nothing"),
        asked(server.port, "GET", "/nothing", "Accept: text/html"),
        asked(server.port, "GET", "/api/nothing"),
        asked(server.port, "DELETE", one),
        asked(server.port, "OPTIONS", "/"),
        asked(server.port, "GET", one, evil),
        posted(server.port, "/api/matches", {"game": "chess"}),
        posted(server.port, "/api/matches", b"{"),
        posted(server.port, "/api/matches", b" " * 70_000),
        asked(server.port, "POST", "/api/matches", body=b"x"),
        match.move(match.one, 1, "1"),
        match.move(match.one, 1, "2"),
    ]
    answers.append(asked(server.port, "GET", f"/ws/{match.match}"))
    for header in (evil, "X: " + "a" * 20_000):
        with WebSocket(server.port, match.match, header) as live:
            answers.append(live.answer)
    with connected(server.port) as plug:
        plug.sendall(f"GET {one}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        answers.append(read_answer(plug))
    with connected(server.port) as plug:
        plug.sendall(b"nonsense\r\n\r\n")
        answers.append(read_answer(plug))
    assert {answer.status for answer in answers} >= {200, 400, 403, 404, 405, 409, 413, 415}
    for answer in answers:
        strict(answer)


class Inline(html.parser.HTMLParser):
    """Finds what a strict policy forbids, and what comes from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside = tag if tag in ("script", "style") and "src" not in given else ""
        self.found += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]
        self.found += [f"{tag} {value}" for value in given.values() if value and "://" in value]
        self.found += [f"{tag} {value}" for value in given.values() if value and value.startswith("javascript:")]
        if tag in ("iframe", "object", "embed"):
            self.found.append(tag)
        # Where the page lives is a folder of our own host.
        if tag == "base" and re.fullmatch(r"/([A-Za-z0-9._~-]+/)*", given.get("href") or "") is None:
            self.found.append(tag)

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.found.append(f"{self._inside}: {data.strip()[:40]}")


def test_the_page_has_no_inline_script_or_style_and_nothing_from_elsewhere(server: Running) -> None:
    page = Inline()
    page.feed(asked(server.port, "GET", "/").body.decode())
    assert page.found == []
    bad = Inline()
    bad.feed("<p onclick='x()' style='a:b'><script>y()</script><script src=https://a.example/z></script>")
    assert len(bad.found) == 4
    for elsewhere in ("//a.example/", "https:a.example", "static/", "/\\a.example/"):
        bad.feed(f"<base href='{elsewhere}'>")
    assert bad.found[4:] == ["base"] * 4


MARKUP_OF_TEXT = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc")


def test_the_scripts_never_make_markup_out_of_text() -> None:
    """Whatever a name or a record says is put on the page as text."""
    scripts = sorted(PAGE.rglob("*.js"))
    assert scripts
    for path in scripts:
        script = path.read_text()
        for way in MARKUP_OF_TEXT:
            # The closed frame of the workshop is made of a script of ours, and of nothing that anybody typed.
            if (path.name, way) != ("sandbox.js", "srcdoc"):
                assert way not in script, f"{path.name} uses {way}"


INSIDE = [
    *("/static/../app.py", "/static/../../../../../../etc/passwd", "/static/%2e%2e/app.py"),
    *("/static/%2e%2e%2fapp.py", "/static/..%2fapp.py", "/static/..%5capp.py", "/static/..\\app.py"),
    *("/static/....//app.py", "/static/%252e%252e/app.py", "/static//etc/passwd", "//etc/passwd", "/static/"),
    *("/static", "/static/index.html%00.js", "/static/%00", "/static/.", "/static/./index.html"),
    *("/static/index.html/", "/static/C:/Windows/win.ini", "/m/../static/index.html", "/m/a/b"),
    *("/m/%2e%2e/%2e%2e/etc/passwd", "/api/../static/index.html", "/api/matches/..%2f..%2fhealthz"),
    "/api/matches/aaaaaaaaaaaaaaaaaaaa%00/record",
    *("/api/matches/aaaaaaaaaaaaaaaaaaaa/../aaaaaaaaaaaaaaaaaaaa", "/%c0%ae%c0%ae/etc/passwd", "/.git/config"),
    *("/games.db", "/static/__init__.py", "/metrics/../etc/passwd"),
]


@pytest.mark.parametrize("path", INSIDE)
def test_nothing_outside_the_list_of_files_can_be_asked_for(server: Running, path: str) -> None:
    for prefix in ("", "http://127.0.0.1"):
        answer = asked(server.port, "GET", prefix + path)
        assert clean(answer, 404, "not-found")


MARKUP = [
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>'),
    *("'; DROP TABLE matches; --", "{{7*7}}${7*7}", "</script>", "&lt;b&gt;", "Player 1", "\\u003cb\\u003e"),
    *("javascript:alert(1)", "😀" * 30),
]
REFUSED = [
    *("", " ", "a\nb", "a\rb", "a\x00b", "\x1b[31mred", "a\u202eb", "\u2066a\u2069", "\u200b", "a\u2028b"),
    *("\ufeffa", " a", "a ", "x" * 31, "x" * 4000, "\x7f", "\x85", "\U000e0041"),
]


@pytest.mark.parametrize("name", MARKUP)
def test_markup_in_a_name_is_passed_on_as_inert_json(server: Running, name: str) -> None:
    made = posted(server.port, "/api/matches", {"game": "sumquest", "name": name})
    if len(name) > 30:
        assert clean(made, 400, "bad-request")
        return
    match = made.json["match"]
    look = asked(server.port, "GET", f"/api/matches/{match}")
    assert look.json["players"][0]["name"] == name
    assert look.headers["content-type"] == "application/json"
    strict(look)
    joined = posted(server.port, f"/api/matches/{match}/join", {"invite": made.json["invite"], "name": name[::-1]})
    assert joined.json["state"]["players"][1]["name"] == name[::-1]
    posted(server.port, f"/api/matches/{match}/actions", {"ply": 1, "do": "resign"}, made.json["token"])
    record = asked(server.port, "GET", f"/api/matches/{match}/record")
    strict(record)
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert record.headers["content-disposition"].startswith("attachment;")
    assert Record.read(record.body.decode()).names == (name, name[::-1])


@pytest.mark.parametrize("name", [*REFUSED, "\u3164", "\u2800", "\u034f", "\u115f", *COMPUTERS[:3]], ids=ascii)
def test_a_name_that_cannot_be_seen_or_plays_tricks_is_refused_in_plain_words(server: Running, name: str) -> None:
    made = posted(server.port, "/api/matches", {"game": "sumquest"}).json
    for path, wish in (
        ("/api/matches", {"game": "sumquest", "name": name}),
        ("/api/matches", {"game": "sumquest", "opponent": "screen", "other_name": name}),
        (f"/api/matches/{made['match']}/join", {"invite": made["invite"], "name": name}),
    ):
        sentence = in_plain_words(clean(posted(server.port, path, wish), 400, "bad-request"))
        assert "computer players" in sentence if name in COMPUTERS else "A name" in sentence


@pytest.mark.parametrize("text", [*MARKUP, *REFUSED[1:], "\ud800"])
def test_settings_moves_and_opponents_with_anything_in_them_are_refused_cleanly(server: Running, text: str) -> None:
    wishes: list[dict[str, object]] = [
        {"game": "grid", "settings": {text: 1}},
        {"game": "grid", "settings": {"side": text}},
        {"game": "grid", "opponent": text},
        {"game": text},
        {"game": "grid", "seat": text},
        {"game": "grid", "opponent": "easy", "record": text},
    ]
    for wish in wishes:
        assert clean(posted(server.port, "/api/matches", wish), 400, "bad-request")
    match = friends(server, "mystic")
    answer = match.move(match.one, 1, text)
    assert clean(answer, answer.status, answer.json["code"])
    assert answer.status in (400, 409)
    assert clean(posted(server.port, "/api/reviews", {"record": text}), 400, "bad-request")
    judged = posted(server.port, "/api/puzzles/answers", {"id": text, "move": text})
    assert clean(judged, judged.status, judged.json["code"])
    assert judged.status in (400, 404)


def test_a_record_with_markup_in_its_tags_is_reviewed_as_text(server: Running) -> None:
    match: Match[Any] = Match(numberquest.game("sumquest"))
    match.play("1")
    match.resign(1)
    text = '[Event "<script>x</script>"]\n' + Record(match, ("<b>Ann</b>", "a'b")).text()
    answer = posted(server.port, "/api/reviews", {"record": text})
    assert answer.status == 200, answer.body
    strict(answer)
    assert answer.json["names"] == ["<b>Ann</b>", "a'b"]
    assert json.loads(answer.body)["record"] == text


EVIL = [
    *("https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1"),
    *("http://localhost.evil.example", "", "://", "http://", "evil", "http://HOST.evil.example"),
    *("http://evil.example/HOST", "http://HOST@evil.example", "http://evil.example#HOST", "http://HOST/"),
    *("http://HOST http://HOST", "file://"),
]


@pytest.mark.parametrize("origin", EVIL)
def test_a_live_connection_from_another_site_is_refused(server: Running, match: Friends, origin: str) -> None:
    with WebSocket(server.port, match.match, origin=origin.replace("HOST", f"127.0.0.1:{server.port}")) as live:
        assert clean(live.answer, 403, "wrong-origin")


def test_our_own_page_and_a_program_get_a_live_connection(server: Running, match: Friends) -> None:
    for origin in (None, f"http://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}"):
        with WebSocket(server.port, match.match, origin=origin) as live:
            assert live.hello(match.one)["seats"] == [1]


@pytest.mark.parametrize("origin", EVIL)
def test_requests_from_another_site_are_refused(server: Running, match: Friends, origin: str) -> None:
    said = f"Origin: {origin.replace('HOST', f'127.0.0.1:{server.port}')}"
    seat, kind = f"Authorization: Bearer {match.one}", "Content-Type: application/json"
    body = json.dumps({"ply": 1, "move": "1"}).encode()
    assert clean(
        asked(server.port, "POST", f"/api/matches/{match.match}/moves", said, seat, kind, body=body),
        403,
        "wrong-origin",
    )
    assert clean(asked(server.port, "GET", f"/api/matches/{match.match}", said), 403, "wrong-origin")
    assert match.look()["ply"] == 1


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "",
        "application/jsonp",
        "*/*",
    ],
)
def test_what_a_form_of_another_site_can_send_is_refused(server: Running, match: Friends, kind: str) -> None:
    """A form needs no permission to post, but it cannot say that it posts JSON."""
    seat = f"Authorization: Bearer {match.one}"
    for body in (json.dumps({"ply": 1, "move": "1"}).encode(), b"ply=1&move=1"):
        answer = asked(
            server.port, "POST", f"/api/matches/{match.match}/moves", seat, f"Content-Type: {kind}", body=body
        )
        assert clean(answer, 415, "not-json")
    assert match.look()["ply"] == 1


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/", "GET, HEAD"),
        ("PUT", "/healthz", "GET, HEAD"),
        ("POST", "/api/openapi.json", "GET, HEAD"),
        ("DELETE", "/api/matches", "POST"),
        ("POST", "/api/games", "GET, HEAD"),
        ("GET", "/api/matches/{match}/moves", "POST"),
        ("PATCH", "/api/matches/{match}", "GET, HEAD"),
    ],
)
def test_where_something_cannot_be_done_it_is_said_what_can(
    server: Running, method: str, path: str, allowed: str
) -> None:
    answer = asked(server.port, method, path.replace("{match}", friends(server).match))
    assert clean(answer, 405, "not-there")
    assert answer.headers["allow"] == allowed


def test_no_browser_is_ever_given_leave_to_read_answers_across_sites(server: Running, match: Friends) -> None:
    evil = "Origin: https://evil.example"
    answers = [
        asked(server.port, "OPTIONS", path, evil, "Access-Control-Request-Method: POST")
        for path in ("/api/matches", f"/api/matches/{match.match}/moves", "/", "/static/style/page.css", "*")
    ]
    for answer in answers:
        assert clean(answer, 405, "not-there")
    answers += [asked(server.port, "GET", path, evil) for path in ("/", "/api/games", "/healthz", "/api/openapi.json")]
    answers += [posted(server.port, "/api/matches", {"game": "grid"})]
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_nothing_is_kept_in_the_browser_that_it_would_send_by_itself(server: Running, match: Friends) -> None:
    """There are no cookies and no passwords, so there is nothing that another site could make use of."""
    for answer in (asked(server.port, "GET", "/"), match.move(match.one, 1, "1"), match.move("wrong", 2, "1")):
        assert "set-cookie" not in answer.headers
        assert "www-authenticate" not in answer.headers
    assert clean(
        asked(server.port, "GET", f"/api/matches/{match.match}/coach", f"Cookie: seat={match.one}"), 403, "no-seat"
    )
