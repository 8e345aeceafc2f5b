"""A game for people: its rules as they are in that game, what `rules GAME` shows, and how a game came somewhere."""

from collections import Counter
from collections.abc import Sequence
from textwrap import fill
from typing import Any, Final

from numberquest.core.contract import CHANCE, COMMON_RULINGS, Game, player_name
from numberquest.core.play_out import positions_of
from numberquest.core.seen_history import HIDDEN, shown_history
from numberquest.core.settings import Setting, SettingValue, YesNo, as_text

WIDEST = 88
"""Longer lines are hard to read."""


FOR_PEOPLE: Final = ("G1", "G3")
"""Common rulings about typing and about who sits where: people alone are told these, and for programs G1 is not so."""


def titled(game: Game[Any]) -> str:
    """The title, with the rules that are changed behind it."""
    return game.title if game.is_classic else f"{game.title} ({game.changes})"


def rules_in_force(game: Game[Any]) -> str:
    """By which rules something was worked out."""
    return "classic rules" if game.is_classic else game.settings_text


def rulebook(game: Game[Any], width: int = WIDEST) -> str:
    """Rules, rulings and rule settings as text, folded to a width."""
    width = min(width, WIDEST)
    parts = [fill(titled(game), width), "", *(fill(line, width) for line in rules_of(game))]
    if not game.is_classic:
        parts += ["", fill(how_changed(game), width)]
    parts += ["", "What the rules leave open is decided like this:"]
    parts += _entries(game.rulings_told(), width)
    if game.fields:
        parts += ["", "Rules that you can change, with --set name=value:"]
        parts += house_rules(game, width)
    return "\n".join(parts)


def rules_of(game: Game[Any]) -> list[str]:
    """The rules as they are in this game, a paragraph each."""
    return game.told(game.rules).split("\n")


def rulings_in_force(game: Game[Any]) -> dict[str, str]:
    """Return by code the rulings that hold for a program, a language model or an engine, under these settings."""
    common = {code: COMMON_RULINGS[code] for code in game.common if code not in FOR_PEOPLE}
    return {code: told for code, text in {**common, **game.rulings}.items() if (told := game.told(text))}


def how_changed(game: Game[Any]) -> str:
    """Return a sentence with the rules that are not classic, and whether the text of the rules has them."""
    classic = type(game)()
    told = classic.told(classic.rules) != game.told(game.rules)
    where = "These are the rules as changed" if told else "These are the classic rules. In your game some are changed"
    changes = [
        f"{_meaning(game.fields[name], brief=True)}: {as_text(value)} instead of {as_text(classic.settings[name])}"
        for name, value in game.changed.items()
    ]
    return f"{where}: {'; '.join(changes)}."


def settings_described(game: Game[Any]) -> dict[str, str]:
    """Each rule that can be changed: what it is, what it may be, what it usually is and what it is here."""
    return {
        name: f"{said['meaning']}: {said['allowed']}; classic {as_text(said['classic'])}"
        + (f", here {as_text(game.changed[name])}" if name in game.changed else "")
        for name, said in _settings(game).items()
    }


def house_rules(game: Game[Any], width: int = WIDEST) -> list[str]:
    """Every rule that can be changed, with what it means and what is allowed, folded to a width."""
    return _entries(settings_described(game), min(width, WIDEST))


def rulebook_data(game: Game[Any]) -> dict[str, object]:
    """Rules, rulings and rule settings as data, for `rules GAME --json`."""
    return {
        "game": game.slug,
        "title": game.title,
        "summary": game.summary,
        "rules": game.told(game.rules),
        "rulings": game.rulings_told(),
        "settings": _settings(game),
    }


def _settings(game: Game[Any]) -> dict[str, dict[str, SettingValue]]:
    classic, here = type(game)().settings, game.settings
    return {
        name: {"meaning": _meaning(field), "classic": classic[name], "value": here[name], "allowed": field.words}
        for name, field in game.fields.items()
    }


def _meaning(field: Setting, *, brief: bool = False) -> str:
    meaning = f"whether {field.meaning}" if isinstance(field, YesNo) else field.meaning
    return f"{meaning}; {field.more}" if field.more and not brief else meaning


def _entries(entries: dict[str, str], width: int) -> list[str]:
    """Each entry with its code in front, folded to the width."""
    hang = max(map(len, entries)) + 4
    return [
        fill(text, width, initial_indent=f"  {code:<{hang - 2}}", subsequent_indent=" " * hang)
        for code, text in entries.items()
    ]


def story(game: Game[Any], history: Sequence[str], who: int) -> list[str]:
    """Return a sentence about the moves and reveals that a player saw, and one about the unseen numbers."""
    players = [game.player(p) for p in positions_of(game, history)]
    steps = list(zip(players, shown_history(game, history, who), strict=False))
    first = next(player for player in players if player != CHANCE)
    so_far = f"The game so far, {player_name(first)} first: {_grouped(steps)}"
    lines = [so_far if steps else "The game is about to begin."]
    if game.chance == "deck":
        seen = [int(entry) for player, entry in steps if player == CHANCE and entry != HIDDEN]
        unseen = " ".join(map(str, sorted((Counter(game.deck) - Counter(seen)).elements())))
        yet = "you have not seen" if game.has_secrets else "nobody has seen yet"
        lines.append(f"Numbers that {yet}: {unseen}")
    return lines


def _grouped(steps: list[tuple[int, str]]) -> str:
    """The moves with what they revealed; where the game opens with a draw, it stands before its move."""
    groups: list[str] = []
    for player, entry in steps:
        text = f"({entry})" if player == CHANCE else entry
        if (player == CHANCE) == (steps[0][0] == CHANCE):
            groups.append(text)
        else:
            groups[-1] += f" {text}"
    return "; ".join(groups)
