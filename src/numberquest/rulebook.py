"""The rules of a game for people: what `rules GAME` shows."""

from __future__ import annotations

import textwrap
from typing import Any

from numberquest.game import COMMON_RULINGS, Game
from numberquest.settings import Value, as_text

WIDTH = 88


def rulebook(game: Game[Any]) -> str:
    """Rules, rulings and rule settings as text."""
    parts = [game.title, "", game.rules, "", "What the rules leave open is decided like this:"]
    parts += _entries({**COMMON_RULINGS, **game.rulings})
    parts += ["", "Rules that you can change, with --set name=value:"]
    parts += _entries(
        {name: f"{said['allowed']}; classic {as_text(said['classic'])}" for name, said in _settings(game)}
    )
    return "\n".join(parts)


def rulebook_data(game: Game[Any]) -> dict[str, object]:
    """The same as data."""
    return {
        "game": game.slug,
        "title": game.title,
        "summary": game.summary,
        "rules": game.rules,
        "rulings": {**COMMON_RULINGS, **game.rulings},
        "settings": dict(_settings(game)),
    }


def _settings(game: Game[Any]) -> list[tuple[str, dict[str, Value]]]:
    classic = type(game)().settings
    return [(name, {"classic": classic[name], "allowed": allowed.words}) for name, allowed in game.ranges.items()]


def _entries(entries: dict[str, str]) -> list[str]:
    """Each entry with its code in front, folded to the width."""
    hang = max(map(len, entries)) + 4
    return [
        textwrap.fill(text, WIDTH, initial_indent=f"  {code:<{hang - 2}}", subsequent_indent=" " * hang)
        for code, text in entries.items()
    ]
