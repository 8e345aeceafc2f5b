"""Why a move is good or bad, in facts of the position: what it makes of the numbers, what each answer to it leads to,
and the fewest of them that show it."""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game, Outcome, outcome_fact
from numberquest.core.sentences import inside
from numberquest.core.view import Number, fields_of, progress_of, view_of
from numberquest.solver import Solution
from numberquest.solver.solution import ALIKE, Value, loses, wins

MOST_WAYS: Final = 3
"""The largest number of ways to win that a plan names."""
MOST_TRIED: Final = 12
"""How many ways to win are combined at most: those that meet the most answers."""
WORDS: Final = ("now", "reach")
"""Ways to win that are no numbers: to win at once in any way, or to reach the target."""

Why = dict[str, Any]
"""A sentence that stands inside another."""


def reason(solution: Solution[Any], position: Any, move: str, *, named: bool = False) -> Why | None:
    """Return a fact that tells why `move` is as good or as bad as it is; None where no short one is known.

    The fact of a best move is false for every worse move. Arithmetic alone is no reason, and neither is the verdict in
    other words. The sentence speaks to the player to move, or where `named` is true of the players by name.
    """
    game, player = solution.game, solution.game.player(position)
    after = game.play(position, move)
    outcome, sums = game.outcome(after), calculation(game, position, move)
    if outcome is not None:
        return _ended(game, player, after, outcome, sums)
    if game.player(after) == player:
        return _spoken_for(solution, position, move)
    if game.chance and not _stands_out(solution, position, move):
        return None
    then = _then(solution, player, position, after, named)
    return inside("reason-both", sum=sums, then=then) if sums and then else then


def _spoken_for(solution: Solution[Any], position: Any, move: str) -> Why | None:
    """Return what the game says for a best move after which the same player goes on, unless a worse move shares it."""
    game, best = solution.game, solution.best(position)
    words = game.comes_to(position, move) if move in best else ""
    worse = (other for other in game.moves(position) if other not in best)
    shared = not words or any(game.comes_to(position, other) == words for other in worse)
    return None if shared else inside("reason-sum", sum=words)


def _stands_out(solution: Solution[Any], position: Any, move: str) -> bool:
    """Tell whether what comes up next speaks more for a best move than for all worse ones, or less for a worse one."""
    values, best = solution.moves(position), solution.best(position)
    lead = _lead(solution, position, move)
    if move not in best:
        return lead < _lead(solution, position, best[0])
    return all(lead > _lead(solution, position, other) for other in values if other not in best)


def _lead(solution: Solution[Any], position: Any, move: str) -> Fraction:
    """Return the share of what can come up after `move` that wins for certain, less the share that loses so."""
    game, player = solution.game, solution.game.player(position)
    after = game.play(position, move)
    if game.outcome(after) is None and game.player(after) == 1 - player:
        after = game.play(after, shown_best(solution, after))
    reached = [(1, after)]
    if game.outcome(after) is None and game.player(after) == CHANCE:
        entries = zip(game.weights(after), game.moves(after), strict=True)
        reached = [(weight, game.play(after, entry)) for weight, entry in entries]
    values = [(weight, solution.value_for(player, p)) for weight, p in reached]
    lead = sum(weight * (wins(value) - loses(value)) for weight, value in values)
    return Fraction(lead, sum(weight for weight, _ in values))


def calculation(game: Game[Any], position: Any, move: str) -> str:
    """Return what a move makes of a score or a shared number: `15 + 7 = 22`; empty where nothing is calculated."""
    own, read = game.comes_to(position, move), progress_of(game)
    if own or read is None:
        return own
    player, after = game.player(position), game.play(position, move)
    had, has = read.value(position, player), read.value(after, player)
    if had == has:
        return ""
    for sign in sorted("+-*", key=lambda sign: sign not in move):
        for number in _operands(game, position, move):
            if {"+": had + number, "-": had - number, "*": had * number}[sign] == has:
                return f"{had} {sign} {number} = {has}"
    return ""


def _operands(game: Game[Any], position: Any, move: str) -> list[int]:
    """Return the numbers that a move can calculate with: those in the move, and the single numbers of the view."""
    lying = (getattr(position, field.name) for field in view_of(game) if isinstance(field, Number))
    return [*map(int, re.findall("[0-9]+", move)), *lying]


def _ended(game: Game[Any], player: int, after: Any, outcome: Outcome, sums: str) -> Why:
    read = progress_of(game)
    has = None if read is None else read.value(after, player)
    if sums and read is not None and has is not None:
        if has == read.target and outcome.winner == player:
            return inside("reason-exactly", sum=sums, target=read.target)
        if has > read.target and outcome.winner == 1 - player:
            return inside("reason-past", sum=sums, target=read.target)
    fact = outcome_fact(outcome)
    return inside("reason-ends", sum=sums, outcome=fact) if sums else inside("reason-ending", outcome=fact)


def _then(solution: Solution[Any], player: int, position: Any, after: Any, named: bool) -> Why | None:
    """Return what comes after a move that does not end the game."""
    game = solution.game
    is_best = solution.value(position) - solution.value_for(player, after) <= ALIKE
    if game.player(after) == CHANCE:
        return _reveals(solution, player, after, named, is_best=is_best)
    if game.chance:
        answer = shown_best(solution, after)
        coming = _reveals(solution, player, game.play(after, answer), named, is_best=is_best)
        return coming and inside("after-answer", move=answer, then=coming)
    top = max(solution.moves(after).values())
    if wins(top):
        return _refuted(solution, player, after)
    if loses(top):
        return _plan(solution, player, after, named)
    return inside("answer-draws", move=solution.best(after)[0]) if wins(solution.value(position)) else inside("no-win")


def _reveals(solution: Solution[Any], player: int, p: Any, named: bool, *, is_best: bool) -> Why | None:
    """Return which of the numbers that can come up at `p` win or lose for certain for the player; None if none does.

    Of the best move, numbers that lose are a reason only as the fewest that any move leaves.
    """
    game = solution.game
    if game.player(p) != CHANCE or game.outcome(p) is not None:
        return None
    coming = dict(zip(game.moves(p), game.weights(p), strict=True))
    worth: dict[str, Value] = {entry: solution.value_for(player, game.play(p, entry)) for entry in coming}
    won, lost = ([entry for entry in coming if sure(worth[entry])] for sure in (wins, loses))
    if len(coming) in (len(won), len(lost)):
        return inside("all-win" if won else "all-lose", me=_me(player, named))
    if not won and not lost:
        return None
    code = "both" if won and lost else "win" if won else "lose-least" if is_best else "lose"
    counts = [sum(coming[entry] for entry in some) for some in (won, lost)]
    facts = {"of": sum(coming.values()), "won": won, "lost": lost, "wins": counts[0], "losses": counts[1]}
    return inside(f"{'draw' if game.chance == 'draws' else 'unseen'}-{code}", me=_me(player, named), **facts)


def _me(player: int, named: bool) -> Why:
    """Return the words for the player to move: `you`, or where `named` is true the player's name."""
    return inside("the-player", player=player + 1) if named else inside("the-mover")


def _refuted(solution: Solution[Any], player: int, after: Any) -> Why:
    """Return the one answer that shows that a move loses: one that ends the game, if there is one."""
    game, answer = solution.game, shown_best(solution, after)
    then = game.play(after, answer)
    if game.outcome(then) is not None:
        sums = calculation(game, after, answer)
        return inside("answer-wins-by", move=answer, sum=sums) if sums else inside("answer-wins", move=answer)
    left = landmark(game, then)
    if game.player(then) != player:
        return inside("answer-can-win", move=answer)
    return inside("answer-beats", move=answer) if left is None else inside("answer-leaves", move=answer, left=left)


def _plan(solution: Solution[Any], player: int, after: Any, named: bool) -> Why | None:
    """Return the fewest numbers to reach, or moves, that meet every answer; None where no short plan does."""
    game, read = solution.game, progress_of(solution.game)
    replies = {move: p for move in game.moves(after) if game.outcome(p := game.play(after, move)) is None}
    best = {move: solution.best(p) for move, p in replies.items() if game.player(p) == player}
    ways, answer = _fewest([_ways(solution, player, p) for p in replies.values()]), None
    moves = [] if ways or len(best) < len(replies) else _fewest([*best.values()])
    if not replies:
        code = "plan-lost"
    elif ways:
        # To win at once in any way says more than to reach the target.
        at_once = [word for word in WORDS if word in ways][:1]
        code = "-".join(["plan", *at_once, *(["leave"] if set(ways) - set(WORDS) else [])])
    elif moves:
        code = "plan-with"
    elif best:
        # Too many to be told: then the answer that is hardest to meet.
        answer = min(best, key=lambda move: len(best[move]))
        code, moves = "plan-win-after", best[answer]
    else:
        return None
    other = {"answering": game.answering}
    rival = inside("they-may", player=2 - player, **other) if named else inside("they-do", **other)
    leaves, target = [way for way in ways if way not in WORDS], read and read.target
    facts = {"rival": rival, "leaves": leaves, "target": target, "moves": moves, "answer": answer}
    plan = inside(code, me=_me(player, named), **facts)
    left = landmark(game, after)
    return plan if left is None else inside("plan-left", left=left, plan=plan)


def _fewest(met: Sequence[Collection[str]]) -> list[str]:
    """Return the fewest ways of which one is at hand after every answer; none where that takes too many."""
    every = sorted(set().union(*met), key=lambda way: (way not in WORDS, sum(way not in some for some in met), way))
    several = (combinations(every[:MOST_TRIED], size) for size in range(1, MOST_WAYS + 1))
    return next((list(few) for some in several for few in some if all(set(few) & set(one) for one in met)), [])


def _ways(solution: Solution[Any], player: int, p: Any) -> set[str]:
    """Return how the player wins from `p`: by reaching the target, otherwise at once, or by leaving a number."""
    game, read = solution.game, progress_of(solution.game)
    found = set[str]()
    for move in solution.best(p) if game.player(p) == player else ():
        after = game.play(p, move)
        left = landmark(game, after)
        if game.outcome(after) is not None:
            found.add("reach" if read is not None and read.value(after, player) == read.target else "now")
        elif left is not None:
            found.add(str(left))
    return found


def landmark(game: Game[Any], p: Any) -> int | None:
    """Return the number by which people remember a position: the game's landmark, or the only field but the player."""
    if game.landmark:
        return int(getattr(p, game.landmark))
    numbers = [value for name, value in fields_of(p).items() if name != "player"]
    return numbers[0] if len(numbers) == 1 and type(numbers[0]) is int and not game.chance else None


def shown_best(solution: Solution[Any], position: Any) -> str:
    """Return a best move; one that ends the game at once, if there is one."""
    game, best = solution.game, solution.best(position)
    return next((move for move in best if game.outcome(game.play(position, move)) is not None), best[0])
