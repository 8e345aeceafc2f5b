"""How the site is made: every page has one place on it, and links that lead nowhere are found, on a Git host too."""

import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

from links import dead  # noqa: E402
from navigation import Navigation, Part, hidden_toctree, read  # noqa: E402

NAVIGATION = Navigation("front", (Part("One", "one", ("a", "b")), Part("Two", "two", ("c",))))
ALL = {"front", "one", "two", "a", "b", "c"}


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ('<a href="part/page.html">', []),
        ('<a href="part/page.html?x=1#top">', []),
        ('<a href="#here"><i id="here">', []),
        ('<a href="https://example.org/anything">', []),
        ('<img src="picture.png">', []),
        ('<a href="mailto:ann@example.org">', []),
        ('<a href="part/pages.html">', ["index.html: part/pages.html: there is no such page or file"]),
        ('<a href="part">', ["index.html: part: there is no such page or file"]),
        ('<a href="part/page.html#bottom">', ["index.html: part/page.html#bottom: the page has no such place"]),
        ('<a href="#there">', ["index.html: #there: the page has no such place"]),
        ('<img src="drawing.svg">', ["index.html: drawing.svg: there is no such page or file"]),
        ('<a href="../outside.html">', ["index.html: ../outside.html leads out of the site"]),
    ],
)
def test_a_link_that_leads_nowhere_is_told(link: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "picture.png").touch()
    (tmp_path / "part" / "page.html").write_text('<h1 id="top">A page</h1><a href="../index.html">Back</a>')
    (tmp_path / "index.html").write_text(link)
    assert list(dead(tmp_path)) == said


def test_every_page_of_the_docs_has_a_place() -> None:
    pages = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for pattern in ("*.md", "docs/*.md", "docs/reference/*.md", "examples/**/*.md", "examples/notebooks/*.ipynb")
        for path in ROOT.glob(pattern)
        if path.name != "README.md" or path.parent != ROOT  # the front door of the repository, not of the site
    }
    assert read().complaints(pages) == []


def test_a_page_without_a_place_or_in_two_and_a_part_without_its_page_are_told() -> None:
    where = "docs/site/navigation.toml"
    twice = NAVIGATION._replace(parts=(*NAVIGATION.parts, Part("Three", "three", ("a",))))
    assert NAVIGATION.complaints(ALL) == []
    for navigation, pages, said in (
        (NAVIGATION, {*ALL, "docs/new"}, f"docs/new is in no part of the site: put its name into a part of {where}"),
        (twice, {*ALL, "three"}, f"a stands in two places of {where}: leave one"),
        (NAVIGATION, ALL - {"two"}, f"two opens a part in {where}, but there is no such page"),
    ):
        assert navigation.complaints(pages) == [said]


def test_pages_that_are_not_there_are_passed_over() -> None:
    assert NAVIGATION.complaints(ALL - {"b"}) == []
    assert NAVIGATION.below("one", ALL - {"b"}) == ["/a"]
    assert NAVIGATION.below("front", ALL) == ["One </one>", "Two </two>"]
    assert NAVIGATION.below("a", ALL) == []
    assert hidden_toctree(["/a"]).split() == ["```{toctree}", ":hidden:", "/a", "```"]


PAGES = [
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.md", "deploy/**/*.md", "examples/notebooks/*.ipynb")
    for path in sorted(ROOT.glob(pattern))
]
LINK = re.compile(r"\[[^\[\]]*(?:!\[[^\]]*\]\([^)]*\))?[^\[\]]*\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")


@cache
def prose(path: Path) -> str:
    """What is written there, without what stands in code."""
    text = path.read_text()
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(path: Path) -> set[str]:
    """The names that a Git host gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "code", prose(path))
    for link in filter(None, (one or other for one, other in LINK.findall(text))):
        if re.match(r"[a-z]+:", link):
            continue
        where, _, anchor = link.partition("#")
        target = (path.parent / where).resolve() if where else path
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"
