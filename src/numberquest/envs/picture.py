"""A position in a few lines of words, for render()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import player_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numberquest.contract import Game


def picture(game: Game[Any], position: Any) -> str:
    """What lies on the table, and whose turn it is or who has won."""
    outcome = game.outcome(position)
    if outcome is None:
        said = f"{player_name(game.turn(position))} is to move."
    else:
        said = f"{player_name(outcome.winner)} wins: {outcome.reason}."
    title = f"{game.title} ({game.changes})" if game.changes else game.title
    return "\n".join([title, *_TABLE[game.slug](game, position), said])


def _showdown(game: Any, p: Any) -> list[str]:
    predictions = [
        f"{player_name(player)} {f'predicts {said}' if said else 'has not predicted'}"
        for player, said in enumerate(p.predictions)
    ]
    return [f"The sum is {game.total(p)}. Left: {_listed(p.pool)}.", f"{'; '.join(predictions)}."]


def _fifty(_: Any, p: Any) -> list[str]:
    return [f"{_both(p.scores)}.", f"Left: {_listed(p.pool)}."]


def _grid(game: Any, p: Any) -> list[str]:
    # A covered cell is a dot; numbers of two digits keep the columns straight.
    wide = len(str(len(p.cells)))
    cells = [(str(number) if number else ".").rjust(wide) for number in p.cells]
    rows = [" ".join(cells[at : at + game.side]) for at in range(0, len(cells), game.side)]
    stands = [f"{player_name(player)} stands." for player, stood in enumerate(p.stood) if stood]
    return [*rows, " ".join([f"{_both(p.totals)}.", *stands])]


def _sumquest(_: Any, p: Any) -> list[str]:
    return [f"The sum is {p.total}; {p.barred or 'no number'} is barred."]


def _mystic(_: Any, p: Any) -> list[str]:
    drawn = f"Drawn: {p.drawn}. " if p.drawn else ""
    return [f"{_both(p.totals)}.", f"{drawn}Still in the pile: {_listed(p.unseen)}."]


def _both(totals: tuple[int, int]) -> str:
    return ", ".join(f"{player_name(player)} has {total}" for player, total in enumerate(totals))


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


_TABLE: dict[str, Callable[[Any, Any], list[str]]] = {
    "showdown": _showdown,
    "fifty": _fifty,
    "grid": _grid,
    "sumquest": _sumquest,
    "mystic": _mystic,
}
