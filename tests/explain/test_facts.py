"""What hints, reviews and puzzles tell is plain data: it can be sent anywhere, and says the same there."""

import ast
import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import in_words
from numberquest.core.sentences import Said
from numberquest.explain import hints, review
from numberquest.explain import puzzle as asked
from numberquest.explain.puzzle import puzzle_game, puzzles
from numberquest.server.refusal import OF_THE_SERVER, SENTENCES

SMALL: dict[str, dict[str, Any]] = {
    "showdown": {"high": 4},
    "fifty": {"target": 12, "high": 3},
    "grid": {"side": 2, "target": 6, "stand": True},
    "sumquest": {},
    "mystic": {"target": 9, "high": 5, "copies": 1},
}
MATCHES = {"showdown": 3}
"""In which as much is told as in twice as many; of the others, 6."""


def sent(said: Iterable[Said]) -> list[Said]:
    """The same after a journey as text."""
    return [Said(*one) for one in json.loads(json.dumps(list(said)))]


def check(game: Any, said: list[Said]) -> None:
    assert all(one.code in SENTENCES for one in said)
    assert sent(said) == said
    words = in_words(game, sent(said), ("Ann", "Bo"))
    assert "{" not in words
    assert "None" not in words


@pytest.mark.parametrize("slug", nq.GAMES.own)
def test_hints_and_reviews_are_plain_facts(slug: str) -> None:
    game = nq.game(slug, **SMALL.get(slug, {}))
    solution = nq.solve(game)
    for seed in range(MATCHES.get(slug, 6)):
        match = nq.Match(game, seed=seed)
        while match.outcome is None:
            position, moves = match.position, match.moves
            for step in (hints.nudge, hints.tip, hints.proof):
                check(game, step(solution, position))
            for move in moves:
                check(game, hints.comment(solution, position, move))
            match.play(moves[(7 * seed + len(match.history)) % len(moves)])
        found = nq.review(match)
        check(game, [review.result(found), *review.turning_point(found), review.key_moments(found)])
        check(game, review.luck_and_skill(found))


@pytest.mark.parametrize("slug", nq.GAMES.own)
def test_puzzles_are_plain_facts(slug: str) -> None:
    game = puzzle_game(slug)
    solution = nq.solve(game)
    for puzzle in islice(puzzles(game, 1, solution), 3):
        note = asked.note(puzzle)
        check(game, [*([note] if note else []), *asked.question(puzzle)])
        for move in puzzle.values:
            check(game, [asked.verdict(puzzle, move), *asked.why(puzzle, move, solution)])


SOURCE = Path(str(nq.__file__)).parent


def said_in(files: Iterable[Path]) -> set[str]:
    """The codes that modules say as they stand."""
    return {code for file in files for code in codes_of(file)}


@cache
def codes_of(file: Path) -> list[str]:
    """The same of one module."""
    text = file.read_text()
    if "Said(" not in text:
        return []
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.args]
    said = [call.args[0] for call in calls if ast.unparse(call.func) in ("Said", "wire.Said")]
    return [str(code.value) for code in said if isinstance(code, ast.Constant)]


def test_whatever_is_said_stands_in_the_table() -> None:
    codes = said_in(SOURCE.rglob("*.py"))
    assert len(codes) > 100
    assert codes <= set(SENTENCES)


def test_what_only_the_server_says_no_other_room_does() -> None:
    rooms = [file for file in SOURCE.rglob("*.py") if not file.is_relative_to(SOURCE / "server")]
    assert said_in(rooms).isdisjoint(OF_THE_SERVER)


def test_every_code_that_the_page_names_stands_in_the_table() -> None:
    page = (SOURCE / "server" / "page" / "parts" / "words.js").read_text()
    # A code stands alone, or is one of two.
    named = {code for said in re.findall(r"code: ([^,}]*'[^,}]*)", page) for code in re.findall(r"'([^']+)'", said)}
    assert {"best-was", "result-won", "result-drawn"} <= named <= set(SENTENCES)
