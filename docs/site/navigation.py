"""Where every page of the site stands, as navigation.toml says; the pages themselves stay plain Markdown."""

import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("navigation.toml")


class Part(NamedTuple):
    """One part of the site: its name in the sidebar, the page that opens it, and those that belong to it."""

    name: str
    page: str
    pages: tuple[str, ...]


class Navigation(NamedTuple):
    """The front page, and the parts in their order."""

    front: str
    parts: tuple[Part, ...]

    def below(self, page: str, there: Collection[str]) -> list[str]:
        """The pages that stand under this one, of those that there are, as the sidebar is told of them."""
        if page == self.front:
            return [f"{part.name} </{part.page}>" for part in self.parts]
        return [f"/{name}" for part in self.parts if part.page == page for name in part.pages if name in there]

    def places(self) -> list[str]:
        """Every page that has a place, once for each place that it has."""
        return [self.front, *(name for part in self.parts for name in (part.page, *part.pages))]

    def complaints(self, there: Collection[str]) -> list[str]:
        """What is wrong with the navigation of these pages, each in a sentence that says what to do."""
        places = self.places()
        lost = sorted(set(there) - set(places))
        twice = sorted({page for page in places if places.count(page) > 1})
        opening = [page for page in (self.front, *(part.page for part in self.parts)) if page not in there]
        return [
            *(f"{page} is in no part of the site: put its name into a part of docs/site/{FILE.name}" for page in lost),
            *(f"{page} stands in two places of docs/site/{FILE.name}: leave one" for page in twice),
            *(f"{page} opens a part in docs/site/{FILE.name}, but there is no such page" for page in opening),
        ]


def read(path: Path = FILE) -> Navigation:
    """What the file says."""
    told = tomllib.loads(path.read_text())
    return Navigation(
        told["front"], tuple(Part(part["name"], part["page"], tuple(part["pages"])) for part in told["parts"])
    )


def hidden_toctree(entries: Sequence[str]) -> str:
    """The pages for the sidebar alone, as Sphinx reads it in Markdown."""
    return "\n".join(["", "", "```{toctree}", ":hidden:", "", *entries, "```", ""])


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx: the pages below a page are added to it when it is read, and a page without a place is a warning."""
    from docutils import nodes
    from sphinx.util import logging

    navigation = read()
    log = logging.getLogger(__name__)

    def complain(_: Any, env: Any, *__: Any) -> list[str]:
        for sentence in navigation.complaints(env.found_docs):
            log.warning(sentence)
        return []

    def add_pages(app: Any, page: str, source: list[str]) -> None:
        below = navigation.below(page, app.env.found_docs)
        if below:
            source[0] += hidden_toctree(below)

    def mark_parts(app: Any, doctree: Any) -> None:
        # The parts are a plain list in Markdown, and cards on the site.
        if app.env.current_document.docname == navigation.front:
            next(doctree.findall(nodes.bullet_list))["classes"].append("parts")

    app.connect("env-get-outdated", complain)
    app.connect("source-read", add_pages)
    app.connect("doctree-read", mark_parts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
