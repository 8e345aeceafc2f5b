"""The site as `make docs` has built it: every link leads somewhere, and every public name is in the reference."""

import os
import sys
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.terminal.commands import COMMANDS

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from links import dead  # noqa: E402

if "NUMBERQUEST_DOCS" not in os.environ:
    pytest.skip("SKIPPED: make docs builds the site, and runs this", allow_module_level=True)
SITE = ROOT / os.environ["NUMBERQUEST_DOCS"]


def test_every_public_name_is_in_the_reference() -> None:
    from sphinx.util.inventory import InventoryFile

    names = InventoryFile.loads((SITE / "objects.inv").read_bytes(), uri="").data
    documented = {name for kind, found in names.items() if kind.startswith("py:") for name in found}
    missing = [name for name in nq.__all__ if f"numberquest.{name}" not in documented]
    assert missing == [], "put each into a page of docs/reference like its neighbours: .. autofunction:: numberquest.…"


def test_every_command_game_and_part_has_a_place_and_what_is_searched_is_there() -> None:
    commands = (SITE / "docs" / "commands.html").read_text()
    assert [name for name in COMMANDS if f'<section id="{name}">' not in commands] == []
    games = (SITE / "docs" / "games.html").read_text()
    assert [kind.title for kind in nq.GAMES.own.values() if kind.title not in games] == []
    assert 'class="parts' in (SITE / "docs" / "index.html").read_text()
    assert "url=docs/index.html" in (SITE / "index.html").read_text()
    assert (SITE / "searchindex.js").stat().st_size > 100_000


def test_no_link_is_dead_and_no_page_looks_anything_up_on_the_network() -> None:
    assert list(dead(SITE)) == []
    # Links that people may follow are fine; scripts, styles and pictures must be here.
    for path in SITE.rglob("*.html"):
        text = path.read_text()
        for asked in ('src="http', 'rel="stylesheet" type="text/css" href="http', "@import"):
            assert asked not in text, path
