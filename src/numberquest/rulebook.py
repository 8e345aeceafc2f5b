"""The rules of a game for people: what `rules GAME` shows."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from numberquest.contract import COMMON_RULINGS, Game
from numberquest.settings import Setting, SettingValue, YesNo, as_text

WIDEST = 88
"""Longer lines are hard to read."""


def titled(game: Game[Any]) -> str:
    """The title, with the rules that are changed behind it."""
    return game.title if game.is_classic else f"{game.title} ({game.changes})"


def rules_in_force(game: Game[Any]) -> str:
    """By which rules something was worked out."""
    return "classic rules" if game.is_classic else game.settings_text


def rulebook(game: Game[Any], width: int = WIDEST) -> str:
    """Rules, rulings and rule settings as text, folded to a width."""
    width = min(width, WIDEST)
    parts = [game.title, "", *(fill(line, width) for line in game.rules.split("\n"))]
    if not game.is_classic:
        changed = f"These are the classic rules. In your game some are changed: {game.changes}"
        parts += ["", fill(changed, width)]
    parts += ["", "What the rules leave open is decided like this:"]
    parts += _entries(_rulings(game), width)
    if game.fields:
        parts += ["", "Rules that you can change, with --set name=value:"]
        parts += _entries({name: _described(said) for name, said in _settings(game)}, width)
    return "\n".join(parts)


def rulebook_data(game: Game[Any]) -> dict[str, object]:
    """Rules, rulings and rule settings as data, for `rules GAME --json`."""
    return {
        "game": game.slug,
        "title": game.title,
        "summary": game.summary,
        "rules": game.rules,
        "rulings": _rulings(game),
        "settings": dict(_settings(game)),
    }


def _settings(game: Game[Any]) -> list[tuple[str, dict[str, SettingValue]]]:
    classic = type(game)().settings
    return [
        (name, {"meaning": _meaning(field), "classic": classic[name], "allowed": field.words})
        for name, field in game.fields.items()
    ]


def _meaning(field: Setting) -> str:
    meaning = f"whether {field.meaning}" if isinstance(field, YesNo) else field.meaning
    return f"{meaning}; {field.more}" if field.more else meaning


def _rulings(game: Game[Any]) -> dict[str, str]:
    return {**{code: COMMON_RULINGS[code] for code in game.common}, **game.rulings}


def _described(said: dict[str, SettingValue]) -> str:
    return f"{said['meaning']}: {said['allowed']}; classic {as_text(said['classic'])}"


def _entries(entries: dict[str, str], width: int) -> list[str]:
    """Each entry with its code in front, folded to the width."""
    hang = max(map(len, entries)) + 4
    return [
        fill(text, width, initial_indent=f"  {code:<{hang - 2}}", subsequent_indent=" " * hang)
        for code, text in entries.items()
    ]
