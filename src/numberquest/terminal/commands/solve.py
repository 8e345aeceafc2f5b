"""What `solve GAME` prints: the value of a position, as data, or in words with a picture."""

from collections.abc import Sequence
from math import inf
from typing import Annotated, Any, Final

from numberquest.core.contract import CHANCE, Game, ending, in_words, player_name
from numberquest.core.errors import UsageError
from numberquest.core.registry import part
from numberquest.core.rulebook import rules_in_force
from numberquest.core.sentences import in_short, percent
from numberquest.report.report import Report, in_lines
from numberquest.solver import Solution, TooLarge, solve
from numberquest.solver.budget import patient_for
from numberquest.solver.device import CPU
from numberquest.solver.proved import can_be_drawn, proved
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.solver.solution import Value, loses, wins
from numberquest.terminal.commands.arguments import game_with, position_after
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.commands.report import answer
from numberquest.terminal.commands.strategy import check_strategy, secret_report, write_strategy
from numberquest.terminal.options import Device, GameName, Json, Set, option

PATIENCE: Final = 20.0
"""Whoever wants to see the games, or the rules of one, waits no longer than so many seconds for what is proved."""


def run_solve(
    name: GameName,
    changes: Set = (),
    after: Annotated[str, option("moves and reveals so far, with blanks between", "MOVES")] = "",
    device: Device = CPU,
    strategy: Annotated[
        str | None, option("of a game with secrets: write what each player does to this table (CSV)", "FILE")
    ] = None,
    json: Json = False,
) -> None:
    game = game_with(name, changes)
    entries, position = position_after(game, after)
    if strategy is not None:
        if not game.has_secrets:
            raise UsageError(f"nothing is secret in {game.slug}, so no odds are needed: leave --strategy out")
        check_strategy(strategy)
    solution = solved(game, device=device)
    if strategy is not None and isinstance(solution, SecretSolution):
        write_strategy(strategy, solution)
    answer(solve_report(solution, entries, position), json=json)


def solved(game: Game[Any], patience: float = inf, device: str = CPU) -> Solution[Any]:
    """The game's solution, with progress shown if it takes long."""
    with patient_for(patience), Progress(f"Solving {game.slug}") as progress:
        return solve(game, device=device, progress=progress, warn=progress.tell)


def proved_of(game: Game[Any]) -> tuple[float | None, str]:
    """Player 1's chance under best play, and what is proved in words; where it is too large, None and why."""
    try:
        solution = solved(game, PATIENCE)
    except TooLarge as why:
        return None, str(why)
    return float(solution.value_for(0, game.start())), in_words(game, proved(solution))


def solve_report(solution: Solution[Any], entries: Sequence[str], p: Any) -> Report:
    """The answer of `solve`: who wins, what each move is worth, and the game's own chart where it has one."""
    game = solution.game
    title = f"{game.title}, {rules_in_force(game)}"
    asked = {
        "game": game.slug,
        "settings": game.settings,
        "after": list(entries),
        "player": game.turn(p) + 1,
    }
    if isinstance(solution, SecretSolution):
        return secret_report(solution, entries, p, title, _turn(game, entries, p), asked)
    value = solution.value(p)
    figures = {
        **asked,
        "value": _number(value),
        "exact": None if isinstance(value, float) else str(value),
        "moves": {move: _number(worth) for move, worth in solution.moves(p).items()},
        "best": solution.best(p),
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }
    if game.outcome(p) is not None:
        return in_lines(title, [[title], [_turn(game, entries, p)]], figures)
    who, chance = player_name(game.turn(p)), game.player(p) == CHANCE
    moves = [] if chance else _moves(solution, p)
    chart = getattr(part(type(game), "dialogue"), "chart", None)
    drawn = chart(solution, p) if chart else []
    how = "solved before and kept: read" if solution.kept else "solved,"
    solved = f"{solution.positions:,} positions {how} in {solution.seconds:.2f} s."
    return in_lines(
        title, [[title], [_turn(game, entries, p), _verdict(solution, p, who)], moves, drawn, [solved]], figures
    )


def _turn(game: Game[Any], entries: Sequence[str], p: Any) -> str:
    """Whose turn it is there, or how the game ended."""
    where = f"After {' '.join(entries)}" if entries else "At the start"
    outcome = game.outcome(p)
    if outcome is not None:
        return f"{where} the game is over: {ending(game, outcome)}."
    reveal = "a number is about to be revealed" if game.chance == "deck" else "chance is about to draw"
    more = f", and {reveal}" if game.player(p) == CHANCE else ""
    return f"{where} it is {player_name(game.turn(p))}'s turn{more}."


def _number(value: Value) -> int | float:
    return int(value) if value in (0, 1) else float(value)


def _verdict(solution: Solution[Any], p: Any, who: str) -> str:
    value = solution.value(p)
    if value == 1:
        return f"{who} wins with best play."
    if value == 0:
        return f"{who} loses against best play."
    if not solution.game.chance:
        never = ", or it is never decided" if solution.game.longest is None else ""
        return f"With best play on both sides it is a draw{never}."
    exact = f" (to within {solution.error:.0e})" if solution.error else ""
    if not isinstance(value, float):
        exact = f" (exactly {value})"
    if can_be_drawn(solution):
        return f"With best play on both sides {who} gets {percent(value)} of the points, half of one for a draw{exact}."
    return f"With best play on both sides {who} wins {percent(value)} of the games{exact}."


def _moves(solution: Solution[Any], p: Any) -> list[str]:
    values = solution.moves(p)
    if not solution.game.chance or set(values.values()) <= {0, 1}:
        winning = [move for move, value in values.items() if wins(value)]
        losing = [move for move, value in values.items() if loses(value)]
        drawing = [move for move in values if move not in (*winning, *losing)]
        groups = (("Winning", winning), ("Drawing", drawing), ("Losing", losing))
        return [f"{result} moves: {in_short(moves)}" for result, moves in groups if moves]
    if len(values) == 1:
        return [f"The only move: {in_short(list(values))}"]
    if len(set(values.values())) == 1:
        return [f"All {len(values)} moves are alike."]
    width = max(map(len, values))
    return ["Moves, best first:", *(f"  {move:<{width}}  {percent(value):>8}" for move, value in values.items())]
