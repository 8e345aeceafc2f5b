"""The rules of a game as a handout: what `rules GAME --html` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.paper import element, page
from numberquest.rulebook import how_changed, rules_of, settings_described, titled

if TYPE_CHECKING:
    from numberquest.contract import Game


def handout(game: Game[Any], proved: str | None) -> str:
    """The rules as they are in this game; what only whoever hands them out should see is on a page of its own."""
    parts = [element("h1", titled(game)), *(element("p", line) for line in rules_of(game))]
    if not game.is_classic:
        parts.append(element("p", how_changed(game), class_="box"))
    parts += [element("h2", "What the rules leave open"), *_entries(game.rulings_told())]
    parts += ['<section class="page">', element("h2", "For the teacher")]
    if proved is not None:
        parts.append(element("p", f"Proved by looking at every position: {proved}."))
    if game.fields:
        parts += [element("h3", "Rules that can be changed"), *_entries(settings_described(game))]
    parts.append("</section>")
    return page(f"{titled(game)}: the rules", "\n".join(parts))


def _entries(entries: dict[str, str]) -> list[str]:
    told = [f"<div>{element('dt', name)}{element('dd', text)}</div>" for name, text in entries.items()]
    return ["<dl>", *told, "</dl>"]
