"""axe finds nothing to complain about, on any screen, in light and dark."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from numberquest.client import Client
from tests.browser.people import Person
from tests.browser.screens import SCREENS, TROUBLE
from tests.conftest import a_few, required

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def axe() -> str:
    if not AXE.exists():
        required("axe-core (npm ci)")
    return AXE.read_text()


def complaints(page: Page, **wishes: Any) -> list[str]:
    """What axe finds, one line for each place."""
    # The squares of the paper are nearly as light as the paper; axe gives up wherever there is a pattern.
    page.evaluate("document.body.style.backgroundImage = 'none'")
    options = {"resultTypes": ["violations"], **wishes}
    found: list[dict[str, Any]] = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("name", a_few(SCREENS, 6))
def test_axe_finds_nothing(visitor: Person, client: Client, name: str) -> None:
    visitor.forgive(*[TROUBLE[name]] if name in TROUBLE else [])
    SCREENS[name](visitor.page, client)
    visitor.page.evaluate(axe())
    everything = {"type": "tag", "values": TAGS}
    assert complaints(visitor.page, runOnly=everything, rules={"target-size": {"enabled": True}}) == []
    # Nothing but the colours is different in the dark.
    visitor.page.emulate_media(color_scheme="dark")
    assert complaints(visitor.page, runOnly=["color-contrast", "link-in-text-block"]) == []


def test_axe_would_find_something(visitor: Person) -> None:
    visitor.page.goto("/")
    visitor.page.evaluate(axe())
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    visitor.page.evaluate("document.querySelector('h1').style.color = 'rgb(160, 160, 160)'")
    found = complaints(visitor.page, runOnly={"type": "tag", "values": TAGS})
    assert {one.partition(":")[0] for one in found} >= {"color-contrast"}
