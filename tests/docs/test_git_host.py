"""The documents on a plain Git host: every relative link leads to a file, and to a heading that is there."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
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
