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
EVERY_RULE = """async () => {
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
  return (await axe.run({ rules, resultTypes: ['violations'] })).violations;
}"""
"""Also those that are tried out, and those of the strictest grade."""


@cache
def axe() -> str:
    if not AXE.exists():
        required("axe-core (npm ci)")
    return AXE.read_text()


def complaints(page: Page) -> list[str]:
    """What axe finds with all its rules, one line for each place."""
    # The squares of the paper are nearly as light as the paper; axe gives up wherever there is a pattern.
    page.evaluate("document.body.style.backgroundImage = 'none'")
    found: list[dict[str, Any]] = page.evaluate(EVERY_RULE)
    return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("name", a_few(SCREENS, 6))
def test_axe_finds_nothing(visitor: Person, client: Client, name: str) -> None:
    visitor.forgive(*[TROUBLE[name]] if name in TROUBLE else [])
    SCREENS[name](visitor.page, client)
    visitor.page.evaluate(axe())
    assert complaints(visitor.page) == []
    visitor.page.emulate_media(color_scheme="dark")
    assert complaints(visitor.page) == []


def test_axe_would_find_something(visitor: Person) -> None:
    visitor.page.goto("/")
    visitor.page.evaluate(axe())
    expect(visitor.page.get_by_role("heading", level=1)).to_be_visible()
    visitor.page.evaluate("document.querySelector('h1').style.color = 'rgb(160, 160, 160)'")
    visitor.page.evaluate("document.querySelector('.go').setAttribute('aria-label', 'Something else')")
    found = complaints(visitor.page)
    assert {one.partition(":")[0] for one in found} >= {"color-contrast", "label-content-name-mismatch"}
