"""The page as it is sent: its modules in two files, and what a link to a match shows where it is pasted."""

import re
import struct
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from numberquest.core.registry import GAMES
from numberquest.server.web.bundle import NotPlain, joined
from numberquest.server.web.pages import PAGES, PREVIEW, TALL, WIDE, Pages
from tests.conftest import in_ci
from tests.server.attacked import friends
from tests.server.running import Running
from tests.server.websocket import Answer, asked, posted

MOST = 40_000


class Head(HTMLParser):
    """The title of a page, and what its meta tags say."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self.title = ""
        self._in_title = False
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.tags.append(tag)
        self._in_title = tag == "title"
        if tag == "meta":
            self.said[found.get("property") or found.get("name", "")] = found.get("content", "")

    def handle_data(self, data: str) -> None:
        self.title += data if self._in_title else ""

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False


def page(port: int, match: str, *headers: str, prefix: str = "", host: str = "") -> Answer:
    return asked(port, "GET", f"{prefix}/m/{match}", *headers, host=host)


def head(answer: Answer) -> Head:
    assert answer.status == 200
    return Head(answer.body.decode())


def invited(server: Running, prefix: str = "", **wishes: Any) -> Any:
    return posted(server.port, f"{prefix}/api/matches", {"game": "fifty", "name": "Ann", **wishes}).json


def test_an_invitation_says_who_invites_to_what(server: Running) -> None:
    made = invited(server)
    found = head(page(server.port, made["match"]))
    assert found.title == "Ann invites you to Fifty – Number Quest"
    assert found.said["og:title"] == "Ann invites you to Fifty"
    assert found.said["og:description"] == GAMES["fifty"].summary
    assert "og:image" not in found.said, "only this computer opens it: there is no address to give"


PATHS = ["/", "/puzzle", "/review", "/laboratory", "/workshop", "/atlas", "/class", "/lesson/fifty"]


def test_a_link_to_every_page_shows_what_it_is(server: Running) -> None:
    found = {path: head(asked(server.port, "GET", path)) for path in PATHS}
    titles = [one.said["og:title"] for one in found.values()]
    assert len({*titles, *(one.said["og:description"] for one in found.values())}) == 2 * len(PATHS)
    assert all(
        one.title in (title, f"{title} – Number Quest") for one, title in zip(found.values(), titles, strict=True)
    )
    assert found["/puzzle"].said["og:title"] == "Today’s puzzle"
    assert found["/lesson/fifty"].said["og:title"] == "Learn Fifty"
    assert head(asked(server.port, "GET", "/class/BCDF")).said["og:title"] == found["/class"].said["og:title"]
    assert {*PATHS} >= {path for path in PAGES if "{" not in path}
    assert asked(server.port, "GET", "/lesson/nothing").body == asked(server.port, "GET", "/").body


def test_who_gave_no_name_is_a_friend_and_two_who_play_are_both_named(server: Running) -> None:
    made = invited(server, name=None, seat=2)
    assert head(page(server.port, made["match"])).said["og:title"] == "A friend invites you to Fifty"
    two = friends(server, "mystic", name="Ann")
    assert head(page(server.port, two.match)).said["og:title"] == "Ann and Player 2 play Mystic Numbers"


def test_nothing_of_the_game_is_told_but_its_name(server: Running) -> None:
    made = invited(server, game="grid", settings={"target": 20})
    body = page(server.port, made["match"]).body.decode()
    for hidden in (made["token"], made["invite"], made["state"]["seal"]["commitment"]):
        assert hidden not in body


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', "A & B 'quoted'", "</title><h1>"])
def test_a_name_is_never_markup(server: Running, name: str) -> None:
    made = invited(server, name=name)
    answer = page(server.port, made["match"])
    plain = Head(page(server.port, "A" * 22).body.decode())
    found = head(answer)
    assert found.said["og:title"] == f"{name} invites you to Fifty"
    assert [tag for tag in found.tags if tag != "meta"] == [tag for tag in plain.tags if tag != "meta"]
    assert unescape(re.search("<title>(.*)</title>", answer.body.decode())[1]).startswith(name)  # type: ignore[index]


@pytest.mark.parametrize("match", ["A" * 22, "short", "x" * 200, "%00", "..%2f..%2fetc"])
def test_where_there_is_no_such_match_the_page_is_the_plain_one(server: Running, match: str) -> None:
    answer = page(server.port, match)
    assert answer.body == asked(server.port, "GET", "/").body


def test_a_withdrawn_invitation_invites_nobody(server: Running) -> None:
    made = invited(server)
    wish = {"ply": 0, "do": "withdraw"}
    assert posted(server.port, f"/api/matches/{made['match']}/actions", wish, made["token"]).status == 200
    assert page(server.port, made["match"]).body == asked(server.port, "GET", "/").body


@in_ci
def test_the_picture_has_an_address_of_ours_whatever_a_request_claims(tmp_path: Path) -> None:
    options = ("--hosts", "play.example.org", "--prefix", "/games", "--proxy", "127.0.0.1")
    with Running(tmp_path, *options) as server:
        made = invited(server, "/games")

        def said(*headers: str, host: str = "play.example.org") -> dict[str, str]:
            return head(page(server.port, made["match"], *headers, prefix="/games", host=host)).said

        lies = ("X-Forwarded-Host: evil.example", "X-Forwarded-For: 192.0.2.7")
        for found in (said(), said(host="localhost"), said(*lies)):
            assert found["og:image"] == f"http://play.example.org/games/static/games/fifty/{PREVIEW}"
            assert found["og:url"] == f"http://play.example.org/games/m/{made['match']}"
            assert found["twitter:card"] == "summary_large_image"
        safe = said("X-Forwarded-Proto: https")
        assert safe["og:image"].startswith("https://play.example.org/games/static/")
        refused = page(server.port, made["match"], prefix="/games", host="evil.example")
        assert refused.status == 421
        shown = asked(server.port, "GET", f"/games/static/games/fifty/{PREVIEW}", host="play.example.org")
        assert (shown.status, shown.headers["content-type"]) == (200, "image/png")


@in_ci
def test_without_a_proxy_whom_we_believe_nobody_makes_it_https(tmp_path: Path) -> None:
    with Running(tmp_path, "--hosts", "play.example.org", host="::") as server:
        made = invited(server)
        said = head(page(server.port, made["match"], "X-Forwarded-Proto: https", host="play.example.org")).said
        assert said["og:image"].startswith(f"http://play.example.org:{server.port}/static/")


def test_every_game_of_ours_has_a_small_picture_and_there_is_one_for_the_others() -> None:
    files = Pages().files
    for path in (f"/static/{PREVIEW}", *(f"/static/games/{slug}/{PREVIEW}" for slug in GAMES.own)):
        content = files[path].plain
        assert len(content) < MOST, path
        assert struct.unpack(">II", content[16:24]) == (WIDE, TALL), path


@in_ci
def test_who_asks_for_very_many_still_gets_the_page(tmp_path: Path) -> None:
    with Running(tmp_path, "--rate", "5", generous=False) as server:
        made = invited(server)
        titles = {head(page(server.port, made["match"])).title for _ in range(60)}
        assert titles == {"Ann invites you to Fifty – Number Quest", "Number Quest"}


APP = "import { go } from './screens/home.js';\ngo();\n"
HOME = "// A comment.\n/** What goes. */\nexport function go() {\n  return import('../parts/late.js');\n}\n"
MATCH = "import * as home from './home.js';\n\nexport const page = home.go;\n"
LATE = "import { go as went } from '../screens/home.js';\nexport class Late {}\nexport const x = went;\n"
MODULES = {"app.js": APP, "screens/home.js": HOME, "screens/match.js": MATCH, "parts/late.js": LATE}


def test_each_module_is_a_function_and_each_import_a_call() -> None:
    files = joined(MODULES, ())
    page, more = files["page.js"], files["more.js"]
    assert "const { go } = $need('screens/home.js');" in page
    assert "return $bring('parts/late.js');" in page
    assert "const home = $need('screens/home.js');" in page
    assert "return { go };" in page
    assert "comment" not in page
    assert "What goes" not in page
    assert "Late" not in page
    assert "const { go: went } = $need('screens/home.js');" in more
    assert "return { Late, x };" in more


@pytest.mark.parametrize(
    "strange", ["export default 1;\n", "export let a = 1;\n", "export { a };\n", "import './x.js';\n"]
)
def test_a_module_that_is_not_plain_is_refused_and_not_served_wrongly(strange: str) -> None:
    with pytest.raises(NotPlain):
        joined({**MODULES, "parts/late.js": strange}, ())


def test_what_only_a_screen_that_stands_apart_needs_is_with_it_and_what_others_need_too_is_not() -> None:
    own = "import { own } from '../parts/own.js';\n"
    shop = f"import {{ Late }} from '../parts/late.js';\n{own}export const page = [Late, own];\n"
    late = "import { Late } from '../parts/late.js';\nexport const page = Late;\n"
    own = "export const own = 1;\n"
    more = {"screens/workshop.js": shop, "screens/review.js": late, "parts/own.js": own}
    files = joined({**MODULES, **more}, (), lambda name, text: f"{name}?v={len(text)}")
    names = {file: set(re.findall(r"'([\w/]+\.js)': \(\) => {", text)) for file, text in files.items()}
    assert names["workshop.js"] == {"screens/workshop.js", "parts/own.js"}
    assert names["more.js"] == {"screens/review.js", "parts/late.js"}
    assert f'"./workshop.js?v={len(files["workshop.js"])}"' in files["page.js"]
    assert '"parts/own.js": ["more.js", "workshop.js"]' in files["page.js"]


def test_every_module_of_the_page_is_in_one_of_the_files() -> None:
    files = Pages().files
    joint = ("page.js", "more.js", "workshop.js", "class.js")
    text = b"".join(files[f"/static/{name}"].plain for name in joint).decode()
    alone = {"parts/theme.js", "sw.js", *joint}
    names = {path.removeprefix("/static/") for path in files if path.endswith(".js") and path.startswith("/static/")}
    assert set(re.findall(r"'([\w/]+\.js)'(?:\] =|:) \(\) => {", text)) == names - alone
    assert all(f"games/{slug}/board.js" in files["/static/page.js"].plain.decode() for slug in GAMES.own)


def test_a_version_is_kept_for_ever_and_everything_else_is_looked_at_again() -> None:
    from numberquest.server.web.pages import shown

    page = Pages().files["/static/page.js"]
    assert "immutable" in shown(page, {}, version=page.version).headers["Cache-Control"]
    assert shown(page, {}, version="another").headers["Cache-Control"] == "no-cache"
    assert shown(page, {}).headers["Cache-Control"] == "no-cache"


def test_a_first_visit_of_the_front_page_is_small_and_what_boards_look_like_comes_with_the_first_board() -> None:
    files = Pages().files
    first = ("/", "/static/parts/theme.js", "/static/style/page.css", "/static/page.js")
    # Chromium counts some 8 kB more: the heads, the picture in the tab and what is asked about the games.
    assert sum(len(files[path].packed) for path in first) < 46_000
    page, match = (files[f"/static/style/{name}.css"] for name in ("page", "match"))
    assert b".tile{" not in page.plain
    assert all(part in match.plain for part in (b".tile{", b".felt{", b".actions{"))
    assert f"static/style/match.css?v={match.version}" in files["/static/page.js"].plain.decode()
