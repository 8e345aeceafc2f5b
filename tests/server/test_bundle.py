"""The modules of the page joined into two files: all of them, in a way that is understood."""

from __future__ import annotations

import re

import pytest

from numberquest.core.registry import GAMES
from numberquest.server.web.bundle import NotPlain, joined
from numberquest.server.web.pages import Pages

APP = "import { go } from './screens/home.js';\ngo();\n"
HOME = "// A comment.\n/** What goes. */\nexport function go() {\n  return import('../parts/late.js');\n}\n"
MATCH = "import * as home from './home.js';\n\nexport const page = home.go;\n"
LATE = "import { go as went } from '../screens/home.js';\nexport class Late {}\nexport const x = went;\n"
MODULES = {"app.js": APP, "screens/home.js": HOME, "screens/match.js": MATCH, "parts/late.js": LATE}


def test_each_module_is_a_function_and_each_import_a_call() -> None:
    page, more = joined(MODULES, ())
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


def test_every_module_of_the_page_is_in_one_of_the_two() -> None:
    files = Pages().files
    text = (files["/static/page.js"].plain + files["/static/more.js"].plain).decode()
    alone = {"parts/theme.js", "sw.js", "page.js", "more.js"}
    names = {path.removeprefix("/static/") for path in files if path.endswith(".js") and path.startswith("/static/")}
    assert set(re.findall(r"'([\w/]+\.js)'(?:\] =|:) \(\) => {", text)) == names - alone
    assert all(f"games/{slug}/board.js" in files["/static/page.js"].plain.decode() for slug in GAMES.own)


def test_a_version_is_kept_for_ever_and_everything_else_is_looked_at_again() -> None:
    from numberquest.server.web.pages import shown

    page = Pages().files["/static/page.js"]
    assert "immutable" in shown(page, {}, version=page.version).headers["Cache-Control"]
    assert shown(page, {}, version="another").headers["Cache-Control"] == "no-cache"
    assert shown(page, {}).headers["Cache-Control"] == "no-cache"
