"""The exam: its key is the solver's, its choices matter, and its scores are what they say they are."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from numberquest.core.contract import CHANCE, Game
from numberquest.core.progress import silently
from numberquest.core.registry import GAMES, game, kind_for, kind_in
from numberquest.core.stream import Dice
from numberquest.core.view import fields_of
from numberquest.players.asking import ATTEMPTS, CutOff, Illegal, ProviderError
from numberquest.players.levels import PLAYERS
from numberquest.players.named import who
from numberquest.solver import solve
from numberquest.study.exam.making import (
    HASHES,
    SEED,
    STAKE,
    VERSION,
    Hardness,
    NoExam,
    _Look,
    candidates,
    distinct,
    make_exam,
    path_of,
    published,
    questions_of,
    rule_sets,
)
from numberquest.study.exam.question import GRADES, Question, hash_of, line, mean_loss, read, rounded
from numberquest.study.exam.sitting import IN_VAIN, NOT_ASKED, Answer, score, scores, sit
from numberquest.study.levels import Kept
from tests.conftest import a_few, in_ci
from tests.documents import run_examples
from tests.own.files import CARDS, LAST, written
from tests.parts import having

EXAM = published()
SMALL = [
    game("sumquest"),
    game("sumquest", high=6),
    game("showdown", high=5, picks=3),
    game("grid", stand=True, side=2),
]
QUICK = [pytest.param(slug, marks=in_ci if slug == "grid" else ()) for slug in having("exam-1.jsonl")]
SMALL += [game("fifty", target=12, high=4), game("mystic", target=9, high=4, copies=1)]


def of(slug: str) -> list[Question]:
    return [question for question in EXAM.questions if question.game.slug == slug]


class Agent:
    """A player whose moves are told beforehand."""

    name = "agent"
    words = "plays as it is told"

    def __init__(self, choose: Any) -> None:
        self._choose = choose

    def prepare(self, game: Game[Any], tell: Any, progress: Any = None) -> None:
        pass

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        move: str = self._choose(game, position, dice)
        return move


class Policy(Agent):
    """One that tells its odds."""

    def odds(self, game: Game[Any], position: Any) -> Mapping[str, float]:
        odds: Mapping[str, float] = self._choose(game, position, None)
        return odds


def sat(questions: list[Question], player: Any, tries: int = 3) -> list[Answer]:
    return list(sit(questions, player, lambda _: None, tries))


# The published exam.


def test_the_published_exam_is_the_one_that_was_published() -> None:
    lines = [
        text
        for kind in map(kind_for, having("exam-1.jsonl"))
        for text in Path(path_of(kind)).read_text().splitlines(keepends=True)
    ]
    assert hash_of(lines) == HASHES[1] == EXAM.hash
    assert HASHES[1] == "fc6058d798875d0af8c596d7660f927255ecde790c78a5218d1f7867bd6bfc27"


def test_a_changed_question_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in map(kind_for, having("exam-1.jsonl")):
        text = Path(path_of(kind)).read_text()
        Path(tmp_path / f"{kind.slug}.jsonl").write_text(text.replace('"grade":1', '"grade":2', 1))
    monkeypatch.setattr("numberquest.study.exam.making.path_of", lambda kind, _: tmp_path / f"{kind.slug}.jsonl")
    with pytest.raises(NoExam, match="not those that were published"):
        published.__wrapped__(1)
    with pytest.raises(NoExam, match="no version 2"):
        published(2)
    with pytest.raises(NoExam, match="no version 2"):
        make_exam(1, 2)


@pytest.mark.parametrize("slug", having("exam-1.jsonl"))
def test_a_game_has_a_hundred_questions_twenty_of_each_grade_and_as_many_of_each_rule_set(slug: str) -> None:
    games = rule_sets(GAMES[slug])
    assert [question.id for question in of(slug)] == [f"{slug}-{number:03}" for number in range(1, 101)]
    counts = Counter((question.game, question.grade) for question in of(slug))
    assert counts == {(rules, grade): 20 // len(games) for rules in games for grade in range(1, GRADES + 1)}


@pytest.mark.parametrize("slug", having("exam-1.jsonl"))
def test_a_higher_grade_is_missed_more_often(slug: str) -> None:
    means = [sum(q.missed for q in of(slug) if q.grade == grade) / 20 for grade in range(1, GRADES + 1)]
    assert all(harder > easier - 0.05 for easier, harder in pairwise(means))
    assert means[-1] > means[0] + 0.2
    for rules in rule_sets(GAMES[slug]):
        own = [question.grade for question in of(slug) if question.game == rules]
        assert own == sorted(own)


@pytest.mark.parametrize("slug", having("exam-1.jsonl"))
def test_no_position_is_asked_twice_whoever_sits_where(slug: str) -> None:
    seen: Counter[Any] = Counter()
    for question in of(slug):
        p, player = question.game.canonical(question.position), question.player
        seats = {name: value for name, value in fields_of(p).items() if name not in ("player", "last", "first")}
        turned = {
            name: (
                value[::-1]
                if player and isinstance(value, tuple) and name not in ("pool", "cells", "unseen")
                else value
            )
            for name, value in seats.items()
        }
        seen[question.game, tuple(turned.items()), tuple(question.values.items())] += 1
    assert max(seen.values()) == 1


@pytest.mark.parametrize("question", EXAM.questions[::7], ids=lambda question: question.id)
def test_every_choice_matters_and_the_key_follows_the_rules(question: Question) -> None:
    rules = question.game
    assert rules.player(question.position) != CHANCE
    assert question.moves == rules.moves(question.position)
    p = rules.start()
    for entry in question.history:
        assert entry in rules.moves(p)
        p = rules.play(p, entry)
    assert p == question.position
    assert 0 < len(question.right) < len(question.moves)
    assert min(question.values.values()) < question.value - STAKE / 2
    assert all(question.loss(move) == 0 for move in question.right)
    different = distinct(rules, p)
    assert mean_loss([question.values[move] for move in different]) >= STAKE
    assert sum(move in question.right for move in different) <= len(different) / 2
    again = read(line(question), type(rules))
    assert again == question


def agrees(questions: list[Question]) -> None:
    for question in questions:
        values = solve(question.game).moves(question.position)
        assert question.values == {move: pytest.approx(float(value), abs=1e-11) for move, value in values.items()}


@pytest.mark.parametrize("slug", QUICK)
def test_the_key_is_the_solvers_for_rules_that_are_solved_at_once(slug: str) -> None:
    # The second rule set of each is solved soonest.
    agrees([question for question in of(slug) if question.game == rule_sets(GAMES[slug])[1]])


@in_ci
@pytest.mark.parametrize("slug", having("exam-1.jsonl"))
def test_the_key_is_the_solvers(slug: str) -> None:
    agrees(of(slug))


@pytest.mark.parametrize("slug", a_few(sorted(having("exam-1.jsonl"), key="sumquest".__ne__), 1))
def test_its_seed_makes_it_again(slug: str) -> None:
    assert questions_of(GAMES[slug], SEED) == of(slug)


@pytest.mark.parametrize("slug", a_few(sorted(having("exam-1.jsonl"), key="sumquest".__ne__), 1))
def test_another_seed_makes_another_exam_with_the_same_counts_and_as_hard(slug: str) -> None:
    kind = kind_for(slug)
    other = make_exam(7, kinds=[kind])
    assert other.hash != EXAM.hash
    own = of(slug)
    assert [question.id for question in other.questions] == [question.id for question in own]
    assert Counter((q.game, q.grade) for q in other.questions) == Counter((q.game, q.grade) for q in own)
    common = {(q.game, q.position) for q in other.questions} & {(q.game, q.position) for q in own}
    assert len(common) < 70
    means = [sum(question.missed for question in one) / 100 for one in (other.questions, own)]
    assert means[0] == pytest.approx(means[1], abs=0.05)


# How it is made.


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_what_is_asked_matters_and_is_valued_as_the_solver_does(rules: Game[Any]) -> None:
    solution = solve(rules)
    found = list(candidates(solution, "3", "a label", 60))
    assert found
    assert len({(rules.canonical(one.position), rules.player(one.position)) for one in found}) == len(found)
    for one in found:
        values = solution.moves(one.position)
        assert one.values == tuple(rounded(values[move]) for move in rules.moves(one.position))
        assert max(one.values) - min(one.values) >= STAKE
        different = distinct(rules, one.position)
        assert len(set(different) & set(solution.best(one.position))) <= len(different) / 2
        if one.kind:
            assert one.kind in solution.best(one.position)


def looked(rules: Game[Any], p: Any, ahead: int) -> float:
    """What a position looks worth to Player 1, worked out as plainly as can be."""
    outcome = rules.outcome(p)
    if outcome is not None:
        return outcome.worth(0)
    mover = rules.player(p)
    if mover == CHANCE:
        odds = zip(rules.odds(p), rules.moves(p), strict=True)
        return float(sum(float(chance) * looked(rules, rules.play(p, move), ahead) for chance, move in odds))
    if ahead == 0:
        return 0.5
    values = [looked(rules, rules.play(p, move), ahead - 1) for move in rules.moves(p)]
    return min(values) if mover else max(values)


@pytest.mark.parametrize("rules", [SMALL[1], SMALL[3], SMALL[5]], ids=repr)
def test_hardness_is_how_often_those_who_look_a_little_ahead_miss(rules: Game[Any]) -> None:
    solution = solve(rules)
    hardness = Hardness(solution)
    for one in list(candidates(solution, "5", "a label", 8)):
        right = set(solution.best(one.position))
        player, after = rules.player(one.position), distinct(rules, one.position)
        shares = []
        for ahead in range(4):
            if ahead == 0:
                best = list(after)
            else:
                seen = {move: looked(rules, p, ahead - 1) for move, p in after.items()}
                seen = {move: 1 - value if player else value for move, value in seen.items()}
                best = [move for move in seen if seen[move] >= max(seen.values()) - 1e-12]
            shares.append(sum(move not in right for move in best) / len(best))
        assert hardness.missed(one.position, right) == pytest.approx(sum(shares) / 4, abs=1e-4)


def test_a_game_of_somebodys_own_has_an_exam_as_large_as_it_can_be(tmp_path: Path) -> None:
    kind = kind_in(written(tmp_path, LAST))
    exam = make_exam(1, kinds=[kind])
    assert 5 <= len(exam.questions) <= 20
    assert len(exam.questions) % GRADES == 0
    assert all(question.value == 1 for question in exam.questions)
    agrees(list(exam.questions))
    cards = make_exam(1, kinds=[kind_in(written(tmp_path, CARDS))])
    assert len(cards.questions) > 50
    agrees(list(cards.questions))


def test_a_game_without_choices_that_matter_has_no_exam(tmp_path: Path) -> None:
    kind = kind_in(written(tmp_path, LAST, ("heap: int = nq.whole(21", "heap: int = nq.whole(1")))
    with pytest.raises(NoExam, match="too few positions"):
        make_exam(1, kinds=[kind])


def test_a_game_names_the_rules_that_are_asked(tmp_path: Path) -> None:
    changed = ("    heap:", "    exam_settings = ({'heap': 30}, {'heap': 40})\n\n    heap:")
    kind = kind_in(written(tmp_path, LAST, changed))
    assert [rules.settings for rules in rule_sets(kind)] == [{"heap": 30}, {"heap": 40}]
    assert {question.game for question in make_exam(1, kinds=[kind]).questions} == set(rule_sets(kind))
    assert [rules.settings for rules in rule_sets(kind_in(written(tmp_path, LAST)))] == [{"heap": 21}]


# Scores.


def uniform(rules: Game[Any], position: Any, _: Any) -> dict[str, float]:
    moves = rules.moves(position)
    return dict.fromkeys(moves, 1 / len(moves))


def test_random_play_scores_0_and_perfect_play_100_and_every_level_its_share_of_best_moves() -> None:
    right = {(q.game, q.position): q.right for q in EXAM.questions}
    for level in PLAYERS.values():
        share = level.any_move / 100

        def odds(rules: Game[Any], position: Any, _: Any, share: float = share) -> dict[str, float]:
            best = right[rules, position]
            mixed = {move: share * odd for move, odd in uniform(rules, position, None).items()}
            return {move: odd + (1 - share) * (move in best) / len(best) for move, odd in mixed.items()}

        found = scores(sat(list(EXAM.questions), Policy(odds)))
        expected = pytest.approx(100 - level.any_move, abs=1e-4)
        assert found.total.score == expected
        assert all(one.score == expected for one in found.by_game.values())
        assert all(one.score == expected for one in found.by_grade.values())
        assert all(one.score == expected for own in found.by_both.values() for one in own.values())


def test_perfect_answers_are_all_right_but_the_interval_does_not_claim_to_know_that() -> None:
    found = score(sat(list(EXAM.questions), PLAYERS["perfect"]))
    assert (found.score, found.high, found.right, found.answered) == (100, 100, 500, 1)
    # At least as much room as the rule of three leaves.
    assert found.low is not None
    assert 97 < found.low < 100 * 500 / 503


def test_levels_answer_as_they_play_without_solving_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing is to be solved")

    monkeypatch.setattr("numberquest.solver.solve", refused)
    for level in PLAYERS.values():
        wrong = sum(answer.move not in answer.question.right for answer in sat(list(EXAM.questions), level))
        expected = sum(level.any_move / 100 * (1 - len(q.right) / len(q.moves)) for q in EXAM.questions)
        assert wrong == pytest.approx(expected, abs=4 * sqrt(expected) + 1e-9)
    assert sat(list(EXAM.questions), PLAYERS["easy"]) == sat(list(EXAM.questions), PLAYERS["easy"])


def test_the_interval_holds_the_true_score_about_95_times_in_100() -> None:
    questions, held, dice = list(EXAM.questions), 0, Random(5)
    lost = [(q, [q.loss(move) for move in q.moves]) for q in questions]
    rounds = 120
    for _ in range(rounds):
        answers = [Answer(q, "", dice.choice(losses) if dice.random() < 0.5 else 0.0) for q, losses in lost]
        found = score(answers)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 50 <= found.high
    assert held >= 0.88 * rounds


def test_the_score_of_several_games_is_the_mean_of_theirs() -> None:
    questions = [*of("grid")[:10], *of("fifty")]
    answers = [Answer(q, q.right[0], 0.0 if q.game.slug == "grid" else q.random_loss) for q in questions]
    found = scores(answers)
    assert (found.by_game["grid"].score, found.by_game["fifty"].score, found.total.score) == (100, 0, 50)


def test_one_question_alone_has_no_interval() -> None:
    found = score([Answer(of("grid")[0], None, 0.0)])
    assert (found.score, found.low, found.high) == (100, None, None)
    assert score([]).score is None


# Sitting it.


def test_an_illegal_answer_is_asked_for_again_and_then_all_that_was_to_win_is_lost() -> None:
    questions, heard = of("mystic")[:3], []

    def stubborn(_: Game[Any], position: Any, __: Dice) -> str:
        heard.append(position)
        if position == questions[0].position and heard.count(position) == 2:
            return questions[0].right[0]
        raise Illegal("what?")

    answers = sat(questions, Agent(stubborn), tries=2)
    assert [answer.move for answer in answers] == [questions[0].right[0], None, None]
    assert [answer.loss for answer in answers] == [0.0, questions[1].value, questions[2].value]
    assert [answer.illegal for answer in answers] == [1, 2, 2]
    assert score(answers).illegal == 5
    assert score(answers).answered == 1


def test_an_answer_that_is_missing_is_asked_for_again_and_then_counts_as_a_random_move() -> None:
    questions = of("sumquest")
    key = {(q.game, q.position): q.right[0] for q in questions}
    failing = [(questions[at].game, questions[at].position) for at in (3, 50)]

    def unsure(rules: Game[Any], position: Any, _: Dice) -> str:
        if (rules, position) in failing:
            raise ProviderError("the line is down")
        return key[rules, position]

    lost = {"random": [questions[at].random_loss for at in (3, 50)], "lose": [1.0, 1.0], "leave": [None, None]}
    for errors, losses in lost.items():
        answers = list(sit(questions, Agent(unsure), silently, errors=errors))
        missing = [answer for answer in answers if answer.error]
        assert [answer.question for answer in missing] == [questions[3], questions[50]]
        assert [answer.loss for answer in missing] == losses
        found = score(answers)
        assert (found.answered, found.missing, found.questions) == (0.98, 2, 100)
        assert found.left_out == (2 if errors == "leave" else 0)
        assert (found.score == 100) == (errors == "leave")
        # Of 2 in 100 that were left out one can be as sure as of all; of more nobody can.
        assert found.low is not None
    assert score([*answers, answers[3]]).low is None


def test_whoever_gives_up_where_it_is_hard_gets_no_more_for_it() -> None:
    hard = [question for question in EXAM.questions if question.grade > 2]

    def gives_up(game: Game[Any], position: Any, dice: Dice) -> str:
        if any(question.position == position for question in hard):
            raise ProviderError("I give up")
        return dice.choose(game.moves(position))

    questions = of("sumquest")[::5]
    told = score(list(sit(questions, Agent(gives_up), silently)))
    assert told.answered == 0.4
    assert told.score == pytest.approx(0, abs=60)
    lost = score(list(sit(questions, Agent(gives_up), silently, errors="lose")))
    assert lost.score is not None
    assert told.score is not None
    assert lost.score < told.score


def test_answers_that_were_cut_off_are_counted_apart() -> None:
    questions = of("sumquest")[:2]

    def thinks(game: Game[Any], position: Any, _: Dice) -> str:
        if position == questions[0].position:
            raise CutOff("raise max_tokens")
        return game.moves(position)[0]

    found = score(list(sit(questions, Agent(thinks), silently)))
    assert (found.cut_off, found.illegal, found.missing) == (ATTEMPTS, 0, 1)


def test_a_provider_that_has_gone_is_not_asked_for_ever() -> None:
    asked_for: list[Any] = []

    def gone(_: Game[Any], position: Any, __: Dice) -> str:
        asked_for.append(position)
        raise ProviderError("gone")

    answers = sat(of("fifty"), Agent(gone))
    assert len(asked_for) == IN_VAIN * ATTEMPTS
    assert [answer.error for answer in answers] == ["gone"] * IN_VAIN + [NOT_ASKED] * 90
    found = score(answers)
    assert (found.score, found.answered, found.low, found.high) == (0, 0, None, None)


def test_a_provider_that_fails_now_and_then_is_asked_everything() -> None:
    questions = of("fifty")

    def failing(_: Game[Any], position: Any, __: Dice) -> str:
        at = next(at for at, question in enumerate(questions) if question.position == position)
        if at % IN_VAIN:
            raise ProviderError("busy")
        return questions[at].right[0]

    errors = [answer.error for answer in sat(questions, Agent(failing))]
    assert errors == ["busy" if at % IN_VAIN else "" for at in range(len(questions))]


@pytest.mark.parametrize("odds", [{}, {"1": 2.0, "2": -1.0}, {"1": 0.5}, None, {"x": 1.0}])
def test_odds_that_are_none_are_no_answer(odds: Any) -> None:
    (answer,) = sat(of("sumquest")[:1], Policy(lambda *_: odds))
    assert answer.loss == answer.question.random_loss
    assert "odds" in answer.error


def test_an_agent_in_a_file_sits_it(tmp_path: Path) -> None:
    file = tmp_path / "agents.py"
    file.write_text(
        "class First:\n    def choose(self, game, position, dice):\n        return game.moves(position)[0]\n"
        "class Broken:\n    def choose(self, game, position, dice):\n        return 1 / 0\n"
        "class Wild:\n    def choose(self, game, position, dice):\n        return 'castle'\n"
    )
    first = sat(of("grid"), who(f"{file}:First"))
    assert [answer.move for answer in first] == [question.moves[0] for question in of("grid")]
    broken = sat(of("grid")[:2], who(f"{file}:Broken"))
    assert all("ZeroDivisionError" in answer.error for answer in broken)
    wild = sat(of("grid")[:2], who(f"{file}:Wild"))
    assert [(answer.move, answer.illegal) for answer in wild] == [(None, 3), (None, 3)]


@pytest.mark.parametrize("slug", having("exam-1.jsonl"))
def test_whoever_always_plays_the_same_move_scores_little_in_every_grade(slug: str) -> None:
    for move in {move for question in of(slug) for move in (question.moves[0], question.moves[-1])}:
        answers = [Answer(q, None, q.loss(move if move in q.moves else q.moves[0])) for q in of(slug)]
        found = scores(answers)
        assert found.total.score is not None
        assert found.total.score < 30
        assert all(one.score is not None and one.score < 75 for one in found.by_grade.values())


# What docs/exam.md says.

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "exam.md"
PAGE = DOCUMENT.read_text()


def test_the_document_says_what_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"    {HASHES[1]}\n" in PAGE
    for level in PLAYERS.values():
        assert f"| `{level.name}` | {100 - level.any_move} |" in PAGE
    for slug, kind in GAMES.own.items():
        rules = "; ".join("classic" if one.is_classic else f"`{one.changes}`" for one in rule_sets(kind))
        assert f"| `{slug}` | {rules} |" in PAGE
    run_examples(DOCUMENT)
    assert capsys.readouterr().out


def ahead_of(question: Question, ahead: int) -> dict[str, float]:
    """The odds of a player who looks so many moves ahead."""
    rules, look = question.game, _Look(question.game)
    after = {move: rules.play(question.position, move) for move in question.moves}
    seen = {move: look.value(p, ahead - 1, question.player) for move, p in after.items()}
    best = [move for move in seen if seen[move] >= max(seen.values()) - 1e-12]
    return {move: 1 / len(best) for move in best}


@pytest.mark.parametrize("ahead", [1, 2, pytest.param(3, marks=in_ci)])
def test_who_looks_a_little_ahead_gets_what_the_document_says(ahead: int) -> None:
    odds = {(question.game, question.position): ahead_of(question, ahead) for question in EXAM.questions}
    found = scores(sat(list(EXAM.questions), Policy(lambda rules, position, _: odds[rules, position])))
    assert found.total.score is not None
    grades = ", ".join(f"{one.score:.0f}" for one in found.by_grade.values())
    games = " | ".join(f"{one.score:.1f}" for one in found.by_game.values())
    row = f"| {ahead} move{'s' if ahead > 1 else ''} | {found.total.score:.1f} | {grades} | {games} |"
    assert row in PAGE


def test_a_made_exam_asks_nothing_that_the_published_one_asks_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = GAMES["sumquest"]

    def looks(questions: Iterable[Question]) -> set[object]:
        return {(one.game, one.game.canonical(one.position)) for one in questions}

    made = make_exam("7", kinds=[kind])
    assert len(looks(made.questions)) == 100
    assert not looks(made.questions) & looks(of(kind.slug))
    # It was made once, and lies on disk.
    monkeypatch.setattr("numberquest.study.exam.making.questions_of", lambda *_: pytest.fail("it was made before"))
    assert make_exam("7", kinds=[kind]).hash == made.hash


@pytest.mark.parametrize("lines", ["[7]", '["{"]', '["{}"]', "7"])
def test_a_made_exam_whose_file_is_damaged_is_made_anew(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, own = GAMES["sumquest"], of("sumquest")[:1]
    monkeypatch.setattr("numberquest.study.exam.making.questions_of", lambda *_: own)
    right = make_exam("8", kinds=[kind]).hash
    path = Path(Kept(rule_sets(kind)[0], f"exam-{hash_of(['8'])[:16]}-", VERSION).path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "lines": json.loads(lines)}))
    assert make_exam("8", kinds=[kind]).hash == right
