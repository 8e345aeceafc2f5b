"""Every link of the built site that leads nowhere: to a page, a picture or a place on a page that is not there."""

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LINKING: Final = {("a", "href"), ("link", "href"), ("img", "src"), ("script", "src"), ("source", "src")}


class _Page(HTMLParser):
    """The links of a page, and the places on it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is not None and (name == "id" or (tag, name) == ("a", "name")):
                self.places.add(value)
            elif value and (tag, name) in LINKING:
                self.links.append(value)


def dead(site: Path) -> Iterator[str]:
    """A sentence for each link that leads nowhere. What begins with http is not followed."""
    pages = {path.resolve(): _Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            where = f"{path.relative_to(site.resolve())}: {link}"
            if not target.is_relative_to(site.resolve()):
                yield f"{where} leads out of the site"
            elif not target.is_file():
                yield f"{where}: there is no such page or file"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{where}: the page has no such place"


if __name__ == "__main__":
    found = list(dead(Path(sys.argv[1])))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
