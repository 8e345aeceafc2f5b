"""What `solve GAME` prints: the value of a position, as data, or in words with a picture."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE, Game, player_name
from numberquest.games.mystic.rules import Mystic
from numberquest.games.mystic.rules import Position as MysticPosition
from numberquest.games.sumquest.rules import Position as SumPosition
from numberquest.games.sumquest.rules import SumQuest
from numberquest.mistake import FAILURE, Mistake
from numberquest.solver import Solution, TooLarge, solve
from numberquest.solver.proved import percent
from numberquest.terminal.progress import Progress
from numberquest.terminal.start import tell
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.solver.solution import Value

BAR = 40
"""How many characters a certain win is long in a chart."""


def solved(game: Game[Any]) -> Solution[Any]:
    """The game's solution, with progress shown if it takes long; `Mistake` where it is too large."""
    try:
        return solve(game, progress=Progress(f"Solving {game.slug}"), warn=tell)
    except TooLarge as error:
        raise Mistake(str(error), FAILURE) from None


def position_after(game: Game[Any], text: str) -> tuple[list[str], Any]:
    """The moves and reveals that a text names, and the position they lead to; `Mistake` where one is not allowed."""
    # As in a record: numbers before moves do not matter, and a reveal may stand in brackets.
    words = [re.sub(r"^\(([0-9]+)\)$", r"\1", word) for word in text.split() if not re.fullmatch(r"[0-9]+\.", word)]
    position = game.start()
    entries: list[str] = []
    while words:
        allowed = game.moves(position)
        entry = words.pop(0)
        if entry not in allowed and words and f"{entry} {words[0]}" in allowed:
            entry = f"{entry} {words.pop(0)}"
        if entry not in allowed:
            after = f"after {' '.join(entries)}" if entries else "at the start"
            what = in_short(allowed) if allowed else "nothing, because the game is over"
            raise Mistake(f"--after: {entry} is not possible {after}; possible is {what}")
        entries.append(entry)
        position = game.play(position, entry)
    return entries, position


def as_data(solution: Solution[Any], entries: Sequence[str], p: Any) -> dict[str, object]:
    """The answer with exactly the fields that programs rely on."""
    game = solution.game
    value = solution.value(p)
    return {
        "game": game.slug,
        "settings": game.settings,
        "after": list(entries),
        "player": game.turn(p) + 1,
        "value": _number(value),
        "exact": None if isinstance(value, float) else str(value),
        "moves": {move: _number(worth) for move, worth in solution.moves(p).items()},
        "best": solution.best(p),
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }


def in_words(solution: Solution[Any], entries: Sequence[str], p: Any) -> str:
    """The answer for a person."""
    game = solution.game
    who = player_name(game.turn(p))
    rules = "classic rules" if game == type(game)() else game.settings_text
    where = f"After {' '.join(entries)}" if entries else "At the start"
    lines = [f"{game.title}, {rules}", ""]
    outcome = game.outcome(p)
    if outcome is not None:
        lines.append(f"{where} the game is over: {outcome.reason}.")
        return "\n".join(lines)
    coming = ", and a number is about to be revealed" if game.player(p) == CHANCE else ""
    lines.append(f"{where} it is {who}'s turn{coming}.")
    lines.append(_verdict(who, solution.value(p)))
    lines += ["", *_moves(solution, p)] if game.player(p) != CHANCE else []
    lines += _picture(solution, p)
    lines += ["", f"{solution.positions:,} positions solved, in {solution.seconds:.2f} s."]
    return "\n".join(lines)


def _number(value: Value) -> int | float:
    return int(value) if value in (0, 1) else float(value)


def _verdict(who: str, value: Value) -> str:
    if value == 1:
        return f"{who} wins with best play."
    if value == 0:
        return f"{who} loses against best play."
    exact = "" if isinstance(value, float) else f" (exactly {value})"
    return f"With best play on both sides {who} wins {percent(value)} of the games{exact}."


def _moves(solution: Solution[Any], p: Any) -> list[str]:
    values = solution.moves(p)
    if set(values.values()) <= {0, 1}:
        winning = [move for move, value in values.items() if value == 1]
        losing = [move for move, value in values.items() if value == 0]
        lines = [f"Winning moves: {in_short(winning)}"] if winning else []
        return [*lines, f"Losing moves: {in_short(losing)}"] if losing else lines
    if len(set(values.values())) == 1:
        return [f"All {len(values)} moves are alike."]
    width = max(map(len, values))
    return ["Moves, best first:", *(f"  {move:<{width}}  {percent(value):>8}" for move, value in values.items())]


def _picture(solution: Solution[Any], p: Any) -> list[str]:
    """Where one helps: who wins at which sum, or how the chance grows with the total."""
    game = solution.game
    if isinstance(game, SumQuest):
        return ["", *_sums(solution, game, p)]
    if isinstance(game, Mystic):
        return ["", *_totals(solution, game, p)]
    return []


def _sums(solution: Solution[Any], game: SumQuest, p: SumPosition) -> list[str]:
    """For each sum and each last number, whether the player to move wins."""
    numbers = range(1, game.high + 1)
    first = max(0, min(game.target - 30, p.total))
    shown = f" (from {first} on)" if first else ""
    lines = [
        f"Who wins when it is your turn, by the sum and by the number that was used last{shown}:",
        "(W: you win, -: you lose)",
        f"  sum    last {' '.join(map(str, numbers))}",
    ]
    for total in range(max(first, 1), game.target):
        # A number larger than the sum cannot have been used.
        possible = [last for last in numbers if last <= total]
        row = ["W" if solution.value(SumPosition(total, last, p.player)) else "-" for last in possible]
        lines.append(f"  {total:>3}         {' '.join(row)}")
    return lines


def _totals(solution: Solution[Any], game: Mystic, p: MysticPosition) -> list[str]:
    """The chance before a draw from this pile, for each total of the player whose turn it is."""
    turn = game.turn(p)
    theirs = p.totals[1 - turn]
    unseen = tuple(sorted((*p.unseen, p.drawn))) if p.drawn else p.unseen
    lines = [f"The chance before drawing from this pile, by your own total, if your opponent has {theirs}:"]
    for total in range(game.target):
        totals = (total, theirs) if turn == 0 else (theirs, total)
        chance = float(solution.value(MysticPosition(unseen, totals, 0)))
        lines.append(f"  {total:>3}  {'#' * round(BAR * chance):<{BAR}} {percent(chance):>8}")
    return lines
