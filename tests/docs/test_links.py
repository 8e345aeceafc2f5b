"""Links that lead nowhere are found: to pages, to pictures, and to places on pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from links import dead  # noqa: E402


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "part").mkdir(parents=True)
    (folder / "picture.png").touch()
    (folder / "part" / "page.html").write_text('<h1 id="top">A page</h1><a href="../index.html">Back</a>')
    return folder


@pytest.mark.parametrize(
    "link",
    [
        '<a href="part/page.html">',
        '<a href="part/page.html?x=1#top">',
        '<a href="#here"><i id="here">',
        '<a href="https://example.org/anything">',
        '<img src="picture.png">',
        '<a href="mailto:ann@example.org">',
    ],
)
def test_a_link_that_leads_somewhere_is_fine(link: str, site: Path) -> None:
    (site / "index.html").write_text(link)
    assert list(dead(site)) == []


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ('<a href="part/pages.html">', "index.html: part/pages.html: there is no such page or file"),
        ('<a href="part">', "index.html: part: there is no such page or file"),
        ('<a href="part/page.html#bottom">', "index.html: part/page.html#bottom: the page has no such place"),
        ('<a href="#there">', "index.html: #there: the page has no such place"),
        ('<img src="drawing.svg">', "index.html: drawing.svg: there is no such page or file"),
        ('<a href="../outside.html">', "index.html: ../outside.html leads out of the site"),
    ],
)
def test_a_link_that_leads_nowhere_is_told(link: str, said: str, site: Path) -> None:
    (site / "index.html").write_text(link)
    assert list(dead(site)) == [said]
