"""`import FILE`: what a game is that somebody wrote for Gymnasium, found by looking at all its positions."""

import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Final

from numberquest.core.contract import CHANCE, Game
from numberquest.core.loading import GYM, BadGame, file_of, what_happened
from numberquest.core.progress import silently
from numberquest.core.registry import bring
from numberquest.core.sentences import percent
from numberquest.report.report import Report, counted, in_lines
from numberquest.solver.budget import TooLarge
from numberquest.solver.graph import OVER, Graph
from numberquest.solver.listed import Retrograde, best_play
from numberquest.terminal.commands.arguments import whole_number
from numberquest.terminal.commands.report import answer
from numberquest.terminal.options import File, Json, option

PATIENCE: Final = 25
TWICE: Final = 200
"""At so many positions every move is played twice, to see whether the same comes of it."""


class Slow(Exception):
    """The patience is at an end."""


def run_import(
    file: File,
    patience: Annotated[str, option("give up after so many seconds of work", "SECONDS")] = str(PATIENCE),
    json: Json = False,
) -> None:
    seconds = whole_number("--patience", patience, 1, 1_000_000)
    game = bring(file if file.startswith(GYM) else f"{GYM}{file}")()
    answer(import_report(game, seconds), json=json)


def import_report(game: Game[Any], patience: float) -> Report:
    """All that can be found out about a game within so many seconds of work."""
    started = time.process_time()

    def moves(p: Any) -> tuple[str, ...]:
        if time.process_time() - started > patience:
            raise Slow
        return game.moves(p)

    graph, figures = Graph(game, moves=moves), _unknown(game)
    try:
        graph.add(game.start(), silently)
    except (Slow, TooLarge):
        # It is told with what is known: how many positions were seen, and that there are more.
        pass
    except Exception as error:
        file = file_of(getattr(game, "theirs", game))
        figures["raises"] = str(error) if isinstance(error, BadGame) else what_happened(error, file)
    else:
        figures |= _proved(game, graph)
    figures |= {"positions": len(graph.numbers), "chance": CHANCE in graph.movers}
    # Those whose moves have been played once: elsewhere an error may wait.
    played = islice(zip(graph.numbers, graph.movers, strict=False), TWICE)
    looked_at = [(p, move) for p, _ in played for move in game.moves(p)]
    same = figures["raises"] is None and all(game.play(p, move) == game.play(p, move) for p, move in looked_at)
    figures["deterministic"] = same
    figures["seconds"] = round(time.process_time() - started, 3)
    return in_lines(game.title, [[game.title], list(_lines(figures, patience))], figures)


def _unknown(game: Game[Any]) -> dict[str, Any]:
    names = ("value", "exact", "winner", "moves", "repeats", "ends", "raises")
    return {"game": game.slug, "source": getattr(game, "source", ""), "complete": False, **dict.fromkeys(names)}


def _proved(game: Game[Any], graph: Graph[Any]) -> dict[str, Any]:
    solution = best_play(graph)
    start = game.start()
    value = solution.value_for(0, start)
    over = [game.outcome(p) for p, mover in zip(graph.numbers, graph.movers, strict=True) if mover == OVER]
    winners = Counter(outcome.winner for outcome in over if outcome is not None)
    certain = not game.chance and value in (0, 1)
    return {
        "complete": True,
        "value": float(value),
        "exact": None if isinstance(value, float) else str(value),
        "winner": 2 - int(value) if certain else None,
        "moves": solution.plies(start) if certain and isinstance(solution, Retrograde) else None,
        "repeats": any(map(graph.is_loop, graph.components())),
        "ends": {"1": winners[0], "2": winners[1], "nobody": winners[None]},
    }


def _lines(figures: dict[str, Any], patience: float) -> Iterator[str]:
    positions = counted(figures["positions"], "position")
    yield f"{positions}." if figures["complete"] else f"At least {positions}: more than could be looked at."
    yield "Chance draws in it." if figures["chance"] else "Nothing is left to chance."
    if figures["raises"] is not None:
        yield f"It breaks off with an error: {figures['raises']}."
        return
    unsure = "The same moves come to something else the next time, so nothing about it is certain."
    yield "The same moves always come to the same." if figures["deterministic"] else unsure
    if not figures["complete"]:
        yield f"Who wins is not known after {patience:g} seconds of work; --patience allows more."
        return
    yield "One can come back to where one was." if figures["repeats"] else "No position comes twice in a game."
    ends = figures["ends"]
    yield f"Ends: {ends['1']:,} won by Player 1, {ends['2']:,} by Player 2, {ends['nobody']:,} by nobody."
    yield _verdict(figures)


def _verdict(figures: dict[str, Any]) -> str:
    if figures["winner"] is not None:
        return f"With best play Player {figures['winner']} wins, in {counted(figures['moves'], 'move')}."
    if not figures["chance"]:
        never = " or it is never decided" if figures["repeats"] else ""
        return f"With best play nobody wins: it is a draw{never}."
    return f"With best play Player 1 gets {percent(figures['value'])} of the points, half of one for a draw."
