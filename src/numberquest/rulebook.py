"""The rules of a game for people: what `rules GAME` shows."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from numberquest.contract import COMMON_RULINGS, Game
from numberquest.settings import SettingValue, as_text

WIDEST = 88
"""Longer lines are hard to read."""


def rulebook(game: Game[Any], width: int = WIDEST) -> str:
    """Rules, rulings and rule settings as text, folded to a width."""
    width = min(width, WIDEST)
    parts = [game.title, "", *(fill(line, width) for line in game.rules.split("\n"))]
    if game.changes:
        changed = f"These are the classic rules. In your game some are changed: {game.changes}"
        parts += ["", fill(changed, width)]
    parts += ["", "What the rules leave open is decided like this:"]
    parts += _entries({**COMMON_RULINGS, **game.rulings}, width)
    parts += ["", "Rules that you can change, with --set name=value:"]
    parts += _entries({name: _described(said) for name, said in _settings(game)}, width)
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


def _settings(game: Game[Any]) -> list[tuple[str, dict[str, SettingValue]]]:
    classic = type(game)().settings
    return [
        (name, {"meaning": game.meanings[name], "classic": classic[name], "allowed": allowed.words})
        for name, allowed in game.fields.items()
    ]


def _described(said: dict[str, SettingValue]) -> str:
    return f"{said['meaning']}: {said['allowed']}; classic {as_text(said['classic'])}"


def _entries(entries: dict[str, str], width: int) -> list[str]:
    """Each entry with its code in front, folded to the width."""
    hang = max(map(len, entries)) + 4
    return [
        fill(text, width, initial_indent=f"  {code:<{hang - 2}}", subsequent_indent=" " * hang)
        for code, text in entries.items()
    ]
