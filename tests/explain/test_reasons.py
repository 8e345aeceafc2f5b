"""Why a move is good or bad: facts of the position that are true, as few as will show it, for every game."""

from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import in_words, outcome_fact
from numberquest.core.sentences import Said
from numberquest.explain import hints
from numberquest.explain.puzzle import puzzle_game, puzzles
from numberquest.explain.reasons import calculation, landmark, reason, shown_best
from tests.explain.test_facts import SMALL, check

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [*nq.GAMES.own, "nim", "pig"]


def game_of(slug: str) -> Any:
    if slug in nq.GAMES.own:
        return nq.game(slug, **SMALL.get(slug, {}))
    return nq.game(str(EXAMPLES / f"{slug}.py"), **({"target": 12} if slug == "pig" else {}))


def told(game: Any, why: Any) -> str:
    return in_words(game, Said("reason-why", {"why": why})) if why else ""


def tip(game: Any, *moves: str, **dealt: Any) -> str:
    match = nq.Match(game, **dealt)
    for move in moves:
        match.play(move)
    return in_words(game, hints.tip(nq.solve(game), match.position))


def test_a_hint_says_the_arithmetic_and_the_plan() -> None:
    assert tip(nq.game("sumquest"), "5", "6") == "Play 1: 11 + 1 = 12. Leave 12: whatever they add, you can reach 23."
    plan = "Play 2+: 1 + 2 = 3. Whatever they play, you can win with 7+, 2* or 4+."
    assert tip(nq.game("fifty"), "3+", "1+", "8*") == plan
    assert tip(nq.game("showdown")) == "Play predict 45: the numbers come to 45 in the end, however they are picked."
    left = tip(nq.game("grid", stand=True), "1,1", "1,2", "1,3", "2,1", deal=[9, 8, 5, 1, 2, 3, 4, 6, 7])
    assert " of 5 unseen numbers " in left


def test_a_game_in_a_file_has_reasons_without_saying_a_word_of_its_own() -> None:
    nim = game_of("nim")
    assert tip(nim) == "Play 1:2: whatever they play, you can win: after 1:1 with 3:1."


def test_a_move_that_goes_too_far_says_by_how_much() -> None:
    mystic, solution = nq.game("mystic"), nq.solve(nq.game("mystic"))
    deal = [*(6, 3, 9, 7), *(n for n in mystic.deck)]
    match = nq.Match(mystic, deal=_with_first(mystic, deal[:4]))
    for move in ("add", "add", "add"):
        match.play(move)
    p = match.position
    assert told(mystic, reason(solution, p, "add")).startswith("3 + 7 = 10.")
    match = nq.Match(mystic, deal=_with_first(mystic, [7, 1, 8, 2, 7]))
    for move in ("add", "add", "add", "add"):
        match.play(move)
    assert told(mystic, reason(solution, match.position, "add")) == "15 + 7 = 22: past 21."


def _with_first(game: Any, first: list[int]) -> list[int]:
    rest = list(game.deck)
    for number in first:
        rest.remove(number)
    return [*first, *rest]


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_said_is_true_and_as_short_as_can_be(slug: str) -> None:
    game = game_of(slug)
    solution, dice = nq.solve(game), Random(slug)
    given = 0
    for seed in range(8):
        match = nq.Match(game, seed=seed)
        while match.outcome is None:
            for move in match.moves[:12]:
                why = reason(solution, match.position, move)
                given += why is not None
                check(game, [Said("reason-why", {"why": why})] if why else [])
                for fact in _cores(why) if why else []:
                    assert _hold(solution, match.position, move, fact), (move, fact)
            match.play(dice.choice(match.moves))
    assert given > 20


def _hold(solution: Any, p: Any, move: str, fact: Any) -> bool:
    """Tell whether what is said of a move is so, looked up in the game and its values again."""
    game, code, facts = solution.game, fact["code"], fact["facts"]
    me, after = game.player(p), game.play(p, move)
    outcome = game.outcome(after)
    if code in ("reason-ends", "reason-ending"):
        return outcome is not None and outcome_fact(outcome) == facts["outcome"]
    if code == "reason-exactly":
        return outcome is not None and outcome.winner == me and facts["sum"] == calculation(game, p, move)
    if code == "reason-sum":
        return bool(game.comes_to(p, move) == facts["sum"])
    if outcome is not None:
        return False
    if code.startswith("answer-"):
        if facts["move"] not in game.moves(after):
            return False
        then = game.play(after, facts["move"])
        worth = solution.value_for(me, then)
        same_end = (game.outcome(then) is not None) == code.startswith("answer-wins")
        return bool(worth == (0.5 if code == "answer-draws" else 0) and same_end)
    answers_met = all(solution.value_for(me, game.play(after, answer)) == 1 for answer in game.moves(after))
    if code.startswith("plan") and not answers_met:
        return False
    if code in ("plan-with", "plan-leave", "plan-reach", "plan-reach-leave"):
        ways = [*facts["moves"], *facts["leaves"], *(["reach"] if "reach" in code else [])]
        met = [_ways(solution, game.play(after, answer), code) for answer in game.moves(after)]
        fewer = [set(few) for few in combinations(ways, len(ways) - 1)]
        enough, *less = (all(few & one for one in met if one is not None) for few in (set(ways), *fewer))
        return enough and not any(less)
    if code == "plan-win-after":
        return bool(solution.best(game.play(after, facts["answer"])) == facts["moves"])
    if code.startswith("plan"):
        return True
    if code == "after-answer":
        if facts["move"] not in game.moves(after):
            return False
        after = game.play(after, facts["move"])
        code, facts = facts["then"]["code"], facts["then"]["facts"]
    if game.player(after) != nq.CHANCE:
        return False
    worth = {entry: solution.value_for(me, game.play(after, entry)) for entry in game.moves(after)}
    won, lost = ([entry for entry in worth if abs(worth[entry] - end) <= 1e-12] for end in (1, 0))
    if code in ("all-win", "all-lose"):
        return [*worth] == (won if code == "all-win" else lost)
    return bool([won, lost, sum(game.weights(after))] == [facts["won"], facts["lost"], facts["of"]])


CORES = ("reason-e", "reason-sum", "answer-", "plan-", "all-", "after-answer", "unseen-", "draw-")


def _cores(why: Any) -> list[Any]:
    """The facts of a reason that can be true or false of a move; what comes after an answer is part of that."""
    if why["code"] in ("reason-both", "plan-left"):
        return _cores(why["facts"].get("then") or why["facts"]["plan"])
    return [why] if why["code"].startswith(CORES) else []


@pytest.mark.parametrize(("slug", "many"), [(slug, 20 if slug == "showdown" else 70) for slug in nq.GAMES.own])
def test_the_reason_for_the_right_move_is_false_for_every_worse_one(slug: str, many: int) -> None:
    game = puzzle_game(slug)
    solution, given = nq.solve(game), 0
    for puzzle in islice(puzzles(game, 1, solution), many):
        p, why = puzzle.position, reason(solution, puzzle.position, puzzle.answer)
        if why is None:
            continue
        given += 1
        (fact,) = _cores(why)
        assert told(game, why)
        # That numbers beat the player speaks for a move only where they are the fewest.
        assert not str(fact).count("-lose'"), puzzle.id
        assert _hold(solution, p, puzzle.answer, fact), puzzle.id
        worse = [move for move in puzzle.values if move not in puzzle.answers]
        assert not any(_hold(solution, p, move, fact) for move in worse), (puzzle.id, fact)
        if fact["code"].startswith(("unseen-", "draw-")):
            leads = {move: _lead(solution, p, move) for move in puzzle.values}
            assert all(leads[puzzle.answer] > leads[move] for move in worse), puzzle.id
    assert given > many / 4


def _lead(solution: Any, p: Any, move: str) -> float:
    """How likely the next reveal decides the game for the player, less how likely it decides against."""
    game, after = solution.game, solution.game.play(p, move)
    if game.outcome(after) is None and game.player(after) == 1 - game.player(p):
        after = game.play(after, shown_best(solution, after))
    chance = game.outcome(after) is None and game.player(after) == nq.CHANCE
    coming = zip(game.weights(after), game.moves(after), strict=True) if chance else ()
    values = [(weight, solution.value_for(game.player(p), game.play(after, entry))) for weight, entry in coming]
    values = values or [(1, solution.value_for(game.player(p), after))]
    sided = sum(weight * ((value >= 1 - 1e-12) - (value <= 1e-12)) for weight, value in values)
    return float(sided / sum(weight for weight, _ in values))


def _ways(solution: Any, p: Any, code: str) -> set[str] | None:
    """The winning replies there, as moves or as the numbers they lead to; None where the game is over."""
    game = solution.game
    if game.outcome(p) is not None:
        return None
    best = solution.best(p)
    if code == "plan-with":
        return set(best)
    ends = {move: game.play(p, move) for move in best}
    reached = (
        {"reach"}
        if any(game.outcome(end) and "reached" in game.outcome(end).reason for end in ends.values())
        else set()
    )
    return reached | {str(landmark(game, end)) for end in ends.values() if game.outcome(end) is None}
