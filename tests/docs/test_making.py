"""How the site is made: every page has one place on it, and links that lead nowhere are found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from links import dead  # noqa: E402
from navigation import Navigation, Part, hidden_toctree, read  # noqa: E402

NAVIGATION = Navigation("front", (Part("One", "one", ("a", "b")), Part("Two", "two", ("c",))))
ALL = {"front", "one", "two", "a", "b", "c"}


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


def test_every_page_of_the_docs_has_a_place() -> None:
    pages = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for pattern in ("*.md", "docs/*.md", "docs/reference/*.md", "examples/**/*.md", "examples/notebooks/*.ipynb")
        for path in ROOT.glob(pattern)
        if path.name != "README.md" or path.parent != ROOT  # the front door of the repository, not of the site
    }
    assert read().complaints(pages) == []


def test_a_page_without_a_place_is_told_what_to_do() -> None:
    assert NAVIGATION.complaints(ALL) == []
    (said,) = NAVIGATION.complaints({*ALL, "docs/new"})
    assert said == "docs/new is in no part of the site: put its name into a part of docs/site/navigation.toml"


def test_a_page_in_two_places_and_a_part_without_its_page_are_told() -> None:
    twice = NAVIGATION._replace(parts=(*NAVIGATION.parts, Part("Three", "three", ("a",))))
    assert twice.complaints({*ALL, "three"}) == ["a stands in two places of docs/site/navigation.toml: leave one"]
    (said,) = NAVIGATION.complaints(ALL - {"two"})
    assert said == "two opens a part in docs/site/navigation.toml, but there is no such page"


def test_pages_that_are_not_there_are_passed_over() -> None:
    assert NAVIGATION.complaints(ALL - {"b"}) == []
    assert NAVIGATION.below("one", ALL - {"b"}) == ["/a"]
    assert NAVIGATION.below("front", ALL) == ["One </one>", "Two </two>"]
    assert NAVIGATION.below("a", ALL) == []
    assert hidden_toctree(["/a"]).split() == ["```{toctree}", ":hidden:", "/a", "```"]
