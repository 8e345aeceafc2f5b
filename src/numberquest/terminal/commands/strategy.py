"""Games with secrets: what `solve` says of them, and a strategy in a file, with what is proved of it beside it."""

import csv
import os
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from io import StringIO
from json import dumps, loads
from math import inf, nextafter
from typing import Any, Final

from numberquest.core.contract import CHANCE, player_name
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.knowledge import STEP, in_text
from numberquest.core.registry import GAMES
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import percent
from numberquest.core.settings import as_text
from numberquest.report.report import Report, in_lines
from numberquest.solver.certificate import BadStrategy, certified
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.secrets.tree import Certificate
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.report import beside, check_new, write_new
from numberquest.terminal.prompt.console import tell

COLUMNS: Final = ["player", "known", "move", "odds"]
MOST_SHOWN: Final = 12
LARGEST_SHOWN: Final = 99_999
"""Fractions with larger denominators are shown in per cent."""
STRATEGY, CERTIFICATE = "strategy", "certificate"
FRACTION: Final = re.compile("-?[0-9]+(/[0-9]+)?")
"""Form of the fractions of `write_strategy`; `Fraction` also takes `1e99999999`, and computes for ever."""


def secret_report(
    solution: SecretSolution[Any], entries: Sequence[str], p: Any, title: str, turn: str, asked: Mapping[str, Any]
) -> Report:
    """The answer of `solve` for a game with secrets, with what was asked: what is proved, and what each player does."""
    game, over = solution.game, solution.game.outcome(p) is not None
    known = known_after(game, entries, game.turn(p))
    deciding = not over and game.player(p) != CHANCE
    odds = solution.odds(known) if deciding else {}
    moves = solution.moves(known) if deciding else {}
    proved = Certificate(*[Fraction(solution.value(p))] * 3) if over else solution.proved(p)
    value = Fraction(solution.value(known)) if proved is None else proved.value
    figures = {
        **asked,
        "known": in_text(known),
        **({"value": float(value), "exact": str(value), "low": None, "high": None} if proved is None else {}),
        **({"error": solution.error} if proved is None else interval(*proved)),
        "moves": {move: float(worth) for move, worth in moves.items()},
        "odds": {move: str(share) for move, share in odds.items()},
        "best": [move for move, share in odds.items() if share],
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }
    if over:
        return in_lines(title, [[title], [turn]], figures)
    who, other = player_name(game.turn(p)), player_name(1 - game.turn(p))
    of_all = f"of the {'points, half of one for a draw' if solution.can_be_drawn else 'games'}"
    solved = [f"{solution.positions:,} positions solved in {solution.seconds:.2f} s."]
    if proved is None:
        gets = f"By what they know {who} gets {percent(value)} {of_all}, if both keep to their strategies."
        return in_lines(
            title, [[title], [turn, gets], _decisions(who, [(known, odds)] if odds else []), solved], figures
        )
    low, value, high = proved
    gets = f"{percent(low)} {of_all} (exactly {low})" if low == high else f"{percent(low)} to {percent(high)} {of_all}"
    if low < high and percent(low) == percent(high):
        gets = f"{percent(low)} {of_all} (to within {float(high - low):.1e})"
    verdict = f"With best play on both sides {who} gets {gets}."
    proof = [
        f"Proved: with the strategy of {who} it is at least {_share(low)}, whatever {other} does;",
        f"with that of {other} it is at most {_share(high)}, whatever {who} does.",
    ]
    first = [_decisions(player_name(seat), solution.first_decisions(seat)) for seat in (0, 1)] if not entries else []
    here = _decisions(who, [(known, odds)]) if entries and odds else []
    return in_lines(title, [[title], [turn, verdict], *first, here, proof, solved], figures)


def _decisions(who: str, decisions: Sequence[tuple[Any, Mapping[str, Fraction]]]) -> list[str]:
    """Return lines with the moves of a player for each infostate."""
    if not decisions:
        return []
    lines = [f"What {who} does, by what they know:"]
    for known, odds in decisions[:MOST_SHOWN]:
        seen = STEP.join(in_text(known).split(STEP)[1:]) or "at first"
        mix = [move if share == 1 else f"{move} {_share(share)}" for move, share in odds.items() if share]
        lines.append(f"  {seen}: {', '.join(mix)}")
    more = len(decisions) - MOST_SHOWN
    return [*lines, f"  and {more:,} more: --strategy FILE.csv has them all"] if more > 0 else lines


def _share(share: Fraction) -> str:
    return str(share) if share.denominator <= LARGEST_SHOWN else percent(share)


def is_strategy(path: str) -> bool:
    """Whether a file is called as a strategy is, or its certificate."""
    return os.path.splitext(path)[1].lower() in (".csv", ".json")


def check_strategy(path: str) -> None:
    """`UsageError` where a strategy cannot be written there; said before the work is done."""
    check_new(path, STRATEGY)
    if beside(path) == path:
        raise UsageError(f"{path} is where its certificate would go; give the strategy a name such as strategy.csv")
    check_new(beside(path), CERTIFICATE)


def write_strategy(path: str, solution: SecretSolution[Any]) -> None:
    """The table, and beside it what is proved of it."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for known, odds in solution.strategy():
        for move, share in odds.items():
            writer.writerow([known[0] + 1, in_text(known), move, share])
    game = solution.game
    low, value, high = solution.certificate
    claimed = {
        "game": game.slug,
        "settings": game.settings,
        "player": 1,
        **interval(low, value, high),
        "proved": [str(low), str(high)],
        "strategy": os.path.basename(path),
    }
    write_new(path, text.getvalue(), STRATEGY)
    write_new(beside(path), dumps(claimed, indent=1) + "\n", CERTIFICATE)
    tell(f"The strategy: {path}, and its certificate: {beside(path)}")


def interval(low: Fraction, value: Fraction, high: Fraction) -> dict[str, Any]:
    """A value as JSON has it, with what is proved of it: rounded outward, so that it stays true."""
    return {
        "value": float(value),
        "exact": str(value) if low == high else None,
        "low": float(low) if low == high else max(nextafter(float(low), -inf), 0.0),
        "high": float(high) if low == high else min(nextafter(float(high), inf), 1.0),
        "error": float(high - low),
    }


def verified(path: str) -> list[str]:
    """Compute the certificate of a strategy, and return the words of `verify`; `UsageError` where the claim differs."""
    claimed, table = _read(path)
    if claimed["game"] not in GAMES:
        raise UsageError(f"{path} is about {claimed['game']}: bring that game along, --with FILE", FAILURE)
    game = game_with(claimed["game"], [f"{name}={as_text(value)}" for name, value in claimed["settings"].items()])
    try:
        low, high = certified(game, table)
    except BadStrategy as wrong:
        raise UsageError(f"{path}: {wrong}", FAILURE) from None
    least, most = claimed["proved"]
    if (low, high) != (least, most):
        raise UsageError(f"{path} claims from {least} to {most}, but these strategies prove {low} to {high}", FAILURE)
    # Between the two any value is an estimate; that it lies there is all that is proved of it.
    for name, figure in interval(low, min(max(claimed["estimate"], low), high), high).items():
        if claimed[name] != figure:
            told = f"claims {name} {claimed[name]}, but these strategies prove {low} to {high}: {figure}"
            raise UsageError(f"{path} {told}", FAILURE)
    one, two = player_name(0), player_name(1)
    worth = f"at least {percent(low)} and at most {percent(high)}: to within {float(high - low):.1e}."
    if low == high:
        no_less_no_more = f"{one} gets no less, whatever {two} does, and no more, whatever {one} does."
        worth = f"exactly {low} ({percent(low)}): {no_less_no_more}"
    rows = f"{len(table):,} decisions, looked through with the rules of {game.slug} alone"
    return [f"{path}: the certificate holds ({rows}).", f"{one} is worth {worth}"]


def _read(path: str) -> tuple[dict[str, Any], dict[tuple[int, str], dict[str, Fraction]]]:
    table: dict[tuple[int, str], dict[str, Fraction]] = {}
    try:
        with open(beside(path), encoding="utf-8") as file:
            claimed = loads(file.read())
        folder = os.path.dirname(path)
        source = os.path.join(folder, claimed["strategy"]) if beside(path) == path else path
        with open(source, encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            if next(rows) != COLUMNS:
                raise ValueError("these are other columns")
            for player, known, move, odds in rows:
                mix = table.setdefault((int(player) - 1, known), {})
                if move in mix:
                    raise ValueError("the odds of a move stand there twice")
                mix[move] = _fraction(odds)
        least, most = claimed["proved"]
        claimed |= {"proved": (_fraction(least), _fraction(most)), "settings": dict(claimed["settings"])}
        claimed["estimate"] = Fraction(float(claimed["value"]))
        if not isinstance(claimed["game"], str) or not claimed.keys() >= {"exact", "low", "high", "error"}:
            raise ValueError("something is missing")
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}", FAILURE) from None
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError, StopIteration, csv.Error):
        raise UsageError(
            f"{path} is no strategy with its certificate, as solve --strategy writes them", FAILURE
        ) from None
    return claimed, table


def _fraction(text: str) -> Fraction:
    """Read a fraction; `ValueError` where it is not written as `write_strategy` does."""
    if not FRACTION.fullmatch(text):
        raise ValueError(f"{text} is no fraction")
    return Fraction(text)
