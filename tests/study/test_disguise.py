"""The exam in disguise is the same exam: other words and numbers, and every move worth what it was."""

import json
import pickle
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest.cli import main
from numberquest.core.contract import CHANCE
from numberquest.core.laws import LAWS
from numberquest.core.registry import GAMES
from numberquest.core.walk import Walk
from numberquest.players.prompt import messages
from numberquest.study.exam.disguise import Disguised, disguised
from numberquest.study.exam.making import NoExam, published, rule_sets
from numberquest.study.exam.sitting import scores, sit
from tests.parts import having
from tests.strategies import EXAMPLES

NUMBERS = (0, 7)
"""Each story of every game once."""
SMALL = {
    "fifty": ({"target": 12, "high": 4, "copies": 1}, {"target": 9, "high": 4, "copies": 1, "ops": "+-"}),
    "grid": ({"side": 2, "target": 5, "stand": True}, {"side": 2, "target": 6}),
    "mystic": ({"target": 8, "high": 3, "copies": 1}, {"target": 6, "high": 4, "copies": 1}),
    "showdown": ({"high": 4, "picks": 2}, {"high": 3, "picks": 3}),
    "sumquest": ({}, {"target": 30, "high": 6}),
}


def test_every_game_of_the_exam_has_small_rules_to_prove_it_with() -> None:
    assert SMALL.keys() == set(having("exam-1.jsonl"))


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(("slug", "settings"), [(slug, each) for slug, some in SMALL.items() for each in some])
def test_the_disguised_game_solved_by_itself_has_the_same_values(
    slug: str, settings: dict[str, Any], number: int
) -> None:
    game = nq.game(slug, **settings)
    other = Disguised(game, number)
    mine, theirs = nq.solve(game), nq.solve(other)
    for walk in walks(game, 20):
        for p in walk:
            assert float(theirs.value(other.of(p))) == pytest.approx(float(mine.value(p)), abs=1e-12)
            values = {other.entry(p, move): float(value) for move, value in mine.moves(p).items()}
            assert {m: float(v) for m, v in theirs.moves(other.of(p)).items()} == pytest.approx(values, abs=1e-12)


def walks(game: nq.Game[Any], many: int) -> Iterator[Walk]:
    random = Random(1)
    for _ in range(many):
        walk = Walk(game, random)
        walk.go()
        yield walk


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("slug", SMALL)
def test_under_the_rules_of_the_exam_both_go_the_same_way(slug: str, number: int) -> None:
    for game in rule_sets(GAMES[slug]):
        other = Disguised(game, number)
        assert pickle.loads(pickle.dumps(other)) == other != Disguised(game, number + 2)  # noqa: S301
        for walk in walks(game, 3):
            for p, move in walk.steps():
                there = other.of(p)
                assert other.moves(there) == tuple(other.entry(p, each) for each in game.moves(p))
                assert other.play(there, other.entry(p, move)) == other.of(game.play(p, move))
                assert (other.player(there), other.turn(there)) == (game.player(p), game.turn(p))
                assert other.canonical(there) == other.of(game.canonical(p))
            outcome, same = game.outcome(walk.positions[-1]), other.outcome(other.of(walk.positions[-1]))
            assert outcome is not None
            assert same is not None
            assert same.winner == outcome.winner


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("slug", SMALL)
def test_a_disguised_game_keeps_the_laws_of_every_game(slug: str, number: int) -> None:
    game = Disguised(nq.game(slug, **SMALL[slug][0]), number)
    # It is made from a game, and not from settings.
    for law in (law for law in LAWS if law.name not in ("replay", "settings")):
        assert law.broken(game, Random(2)) is None, law.name


def test_neither_the_story_nor_the_moves_are_those_of_the_game() -> None:
    exam, other = published(), disguised(published(), 7)
    assert [question.id for question in other.questions] == [question.id for question in exam.questions]
    assert [list(q.values.values()) for q in other.questions] == [list(q.values.values()) for q in exam.questions]
    assert len({exam.hash, other.hash, disguised(exam, 8).hash}) == 3
    for before, question in zip(exam.questions[::50], other.questions[::50], strict=True):
        text = "\n".join(message["content"] for message in messages(question.game, question.position, question.history))
        for word in (before.game.title, before.game.short_title, *before.game.slug.split("_")):
            assert word not in text
        assert "{" not in text
        assert not set(before.moves) & set(question.moves)


def test_numbers_are_others_only_where_the_rules_allow_it() -> None:
    assert "5, 10, 15" in Disguised(nq.game("sumquest"), 7).rules
    multiplied, added = (Disguised(nq.game("fifty", ops=ops), 7) for ops in ("+-*/", "+-"))
    assert "1, 2, 3, 4" in multiplied.rules
    assert "1, 2, 3, 4" not in added.rules


def test_whoever_plays_by_the_key_scores_the_same_in_disguise(capsys: pytest.CaptureFixture[str]) -> None:
    exam = published()
    few = exam.questions[::25]
    plain = scores(list(sit(few, nq.player("perfect"), print)))
    assert scores(list(sit(disguised(exam, 3).questions[::25], nq.player("perfect"), print))).total == plain.total
    assert main(["exam", "--disguise", "7", "--who", "perfect", "--count", "2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["disguise"], said["score"], len(said["answers"])) == (7, 100, 10)
    assert main(["exam", "--disguise", "7", "--list", "--only", "sumquest-001"]) == 0
    assert "The Tower" in capsys.readouterr().out
    assert main(["exam", "--disguise", "seven"]) == 2
    assert "--disguise wants a whole number from 0" in capsys.readouterr().err


def test_a_game_without_another_story_has_no_disguise() -> None:
    game = nq.game(str(EXAMPLES[0]))
    with pytest.raises(NoExam, match=f"there is no disguise of {game.slug}: nobody has written"):
        Disguised(game, 1)


def number_in(text: str) -> int:
    return int("".join(filter(str.isdigit, text)))


@pytest.mark.parametrize("number", NUMBERS)
def test_the_numbers_that_are_told_are_those_that_are_reckoned_with(number: int) -> None:
    """Whoever knows nothing but the story reckons right: what a move or a reveal names is what a total changes by."""
    for slug, settings in (("sumquest", {}), ("fifty", {"ops": "+"}), ("grid", {"stand": True}), ("mystic", {})):
        game = nq.game(slug, **settings)
        other = Disguised(game, number)
        for walk in walks(game, 5):
            for p, move in walk.steps():
                there = other.of(p)
                after = other.play(there, other.entry(p, move))
                gain = totals(after) - totals(there)
                if slug == "mystic" and game.player(p) != CHANCE:
                    assert gain == {"subtract": -1}.get(move, 1) * there.drawn
                elif slug in ("sumquest", "fifty") or (slug == "grid" and game.player(p) == CHANCE):
                    assert gain == number_in(other.entry(p, move))
                else:
                    assert gain == 0


def totals(p: Any) -> int:
    """Both totals together, or the one there is."""
    return p.total if hasattr(p, "total") else sum(p.scores if hasattr(p, "scores") else p.totals)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_bid_is_right_that_is_the_sum_of_what_was_loaded(number: int) -> None:
    game = nq.game("showdown", high=5, picks=3)
    other = Disguised(game, number)
    for walk in walks(game, 200):
        loaded = [number_in(other.entry(p, move)) for p, move in walk.steps() if not game.binding(move)]
        first, second = other.of(walk.positions[-1]).predictions
        outcome = other.outcome(other.of(walk.positions[-1]))
        off = [abs(bid - sum(loaded)) if bid else 10**6 for bid in (first, second)]
        if off[0] != off[1]:
            assert outcome is not None
            assert outcome.winner == off.index(min(off))
