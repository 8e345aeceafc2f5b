"""Puzzles: exactly one right move, found by seed, never twice in a set, graded by who misses them."""

from collections import defaultdict
from itertools import islice, pairwise
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, in_words
from numberquest.core.recipe import link
from numberquest.core.registry import GAMES
from numberquest.explain import puzzle as words
from numberquest.explain.puzzle import (
    FEWEST_MOVES,
    GRADES,
    MARGIN,
    STEP_TRIES,
    NoPuzzles,
    Puzzle,
    daily,
    daily_game,
    daily_steps,
    match_of,
    missed_by,
    puzzle,
    puzzle_game,
    puzzles,
    read_id,
)
from numberquest.report.worksheet import worksheet
from tests.conftest import in_ci
from tests.own.paper import on_paper, one, two
from tests.own.pig import Pig
from tests.own.row import Row

SMALL: list[nq.Game[Any]] = [
    nq.game("showdown", high=7, picks=5),
    nq.game("fifty"),
    nq.game("fifty", target=20, high=5, copies=1, ops="+-"),
    puzzle_game("grid"),
    nq.game("grid", target=7, side=2, stand=True),
    nq.game("sumquest"),
    nq.game("sumquest", target=100, high=7),
    nq.game("mystic", target=12, high=4),
]


def some(game: nq.Game[Any], count: int, seed: int = 1) -> list[Puzzle]:
    return list(islice(puzzles(game, seed), count))


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_the_history_leads_to_a_position_in_which_exactly_one_move_is_right(game: nq.Game[Any]) -> None:
    solution = nq.solve(game)
    for found in some(game, 40):
        p = game.start()
        for entry in found.history:
            assert entry in game.moves(p)
            p = game.play(p, entry)
        assert p == found.position
        assert found.player == game.player(p) != CHANCE
        assert list(found.values) == list(solution.moves(p))
        assert len(found.values) >= FEWEST_MOVES
        # Worked out here from the values of what follows, not from the puzzle's own list.
        worth = {move: float(solution.value_for(found.player, game.play(p, move))) for move in game.moves(p)}
        others = [value for move, value in worth.items() if move not in found.answers]
        if game.chance:
            assert worth[found.answer] - max(others) > MARGIN - 1e-9
            # Cells are alike; nothing else is.
            assert len({game.canonical(game.play(p, move)) for move in found.answers}) == 1
            assert found.answers == (found.answer,) or game.slug == "grid"
        else:
            assert found.answers == (found.answer,)
            assert worth[found.answer] == 1
            assert set(others) == {0}


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_the_same_seed_gives_the_same_puzzles_and_an_id_gives_one_again(game: nq.Game[Any]) -> None:
    found = some(game, 8)
    assert found == some(game, 8)
    assert [puzzle(each.id) for each in found] == found


def test_another_seed_gives_other_puzzles() -> None:
    fifty = nq.game("fifty")
    assert not {each.position for each in some(fifty, 20, seed=1)} & {each.position for each in some(fifty, 20, seed=2)}


@in_ci
def test_thousands_exist_and_none_comes_twice_in_a_set() -> None:
    for slug, count in (("fifty", 300), ("mystic", 2000)):
        game = nq.game(slug)
        found = some(game, count)
        assert len({game.canonical(each.position) for each in found}) == count
        assert len({each.id for each in found}) == count


def test_a_small_game_ends_when_every_puzzle_has_come() -> None:
    # Sum Quest to 23 has only so many sums and barred numbers.
    sumquest = nq.game("sumquest")
    found = some(sumquest, 1000)
    assert 100 < len(found) < 400
    assert len({each.position for each in found}) == len(found)


def test_the_search_is_given_up_after_so_many_games_in_a_row_without_a_new_puzzle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(words, "FRUITLESS", 10)
    numbers = [0, *(int(found.id.rpartition("-")[2]) for found in some(nq.game("sumquest"), 1000))]
    assert max(later - before for before, later in pairwise(numbers)) <= 10
    assert numbers[-1] - len(numbers) > 10, "in all there were more"


def test_where_no_choice_matters_there_is_no_puzzle() -> None:
    with pytest.raises(NoPuzzles, match="grid with target=15 side=3 stand=no"):
        next(puzzles(nq.game("grid"), 1))


def test_the_classic_showdown_has_one_answer_to_all_its_first_turns() -> None:
    assert {each.answer for each in some(nq.game("showdown"), 2)} == {"predict 45"}


@in_ci
@pytest.mark.parametrize(("slug", "count"), [("fifty", 200), ("sumquest", 120), ("showdown", 60)])
def test_higher_grades_are_missed_more_often_by_a_random_mover(slug: str, count: int) -> None:
    by_grade: dict[int, list[float]] = defaultdict(list)
    for found in some(puzzle_game(slug), count):
        wrong = [move for move in found.values if move not in found.answers]
        by_grade[found.grade].append(len(wrong) / len(found.values))
    means = [sum(shares) / len(shares) for _, shares in sorted(by_grade.items())]
    assert len(means) >= 4
    assert means == pytest.approx(sorted(means))


def test_every_level_misses_a_part_of_what_random_misses() -> None:
    for found in some(nq.game("fifty"), 5):
        shares = missed_by(found)
        assert shares["random"] == pytest.approx(1 - 1 / len(found.values))
        assert list(shares.values()) == sorted(shares.values(), reverse=True)
        assert shares["perfect"] == 0


def test_a_win_at_once_is_very_easy_and_every_grade_has_a_name() -> None:
    fifty = nq.game("fifty")
    found = some(fifty, 100)
    assert {each.grade for each in found} == set(range(1, len(GRADES) + 1))
    at_once = [each for each in found if fifty.outcome(fifty.play(each.position, each.answer)) is not None]
    assert at_once
    assert {each.grade for each in at_once} == {1}


def test_the_daily_puzzles_of_these_dates_never_change() -> None:
    pinned = {
        "2026-11-16": ("mystic-2026-11-16-2", "1 add 1 add 6 pass 4 pass 5 add 8 pass 8", "subtract"),
        "2026-11-17": ("mystic-2026-11-17-5", "8 pass 3 pass 6 add 9 pass 5 subtract 7", "pass"),
        "2026-11-20": ("grid-2026-11-20-3", "1,3 9 2,3 5 1,2 4 2,2 8", "stand"),
        "2026-11-23": ("fifty-2026-11-23-2", "5- 3- 8+ 7+ 7+ 3* 6/ 2- 1/ 2- 5/ 1- 4+", "6-"),
        "2026-11-25": ("grid-2026-11-25-3", "3,1 3 2,2 7 1,1 6 3,3 1", "1,2"),
        "2026-12-24": ("showdown-2026-12-24-12", "predict 23", "1"),
        "2027-01-01": ("sumquest-2027-01-01-1", "6 1", "5"),
        "2028-02-29": ("fifty-2028-02-29-1", "5+ 2+ 1+ 9+ 7- 4* 6- 4/ 7+ 3+ 9+ 3* 8/ 6/", "5*"),
    }
    found = {day: daily(day) for day in pinned}
    assert {day: (each.id, " ".join(each.history), each.answer) for day, each in found.items()} == pinned


@pytest.mark.parametrize("day", range(1, 9))
def test_the_three_of_a_day_reach_from_its_easy_end_to_its_hard_one(day: int) -> None:
    date, game = f"2027-03-0{day}", nq.game("sumquest")
    own, steps = daily(date, game), daily_steps(date, game)
    grades = [own.grade, *(found.grade for found in islice(puzzles(game, date), STEP_TRIES))]
    easiest, hardest = min(grades), max(grades)
    assert own in steps
    assert len({step.id for step in steps}) == 3
    assert [step.grade for step in steps] == sorted(step.grade for step in steps)
    # The daily one stands for the end, or the middle, that it is nearest to: no further off than a quarter.
    assert steps[0].grade - easiest <= (hardest - easiest) / 4
    assert hardest - steps[2].grade <= (hardest - easiest) / 4
    nearest = min(abs(grade - (easiest + hardest) / 2) for grade in grades if grade != own.grade)
    assert own is steps[1] or abs(steps[1].grade - (easiest + hardest) / 2) <= nearest + 1e-9


def test_the_games_of_these_days_never_change() -> None:
    pinned = """
        grid showdown fifty sumquest fifty sumquest grid fifty grid sumquest mystic showdown grid sumquest showdown
        mystic mystic grid grid grid sumquest mystic fifty grid grid sumquest grid sumquest fifty sumquest
    """
    assert [daily_game(f"2026-11-{day:02}") for day in range(1, 31)] == pinned.split()
    assert set(pinned.split()) == set(GAMES.own), "and every game has its days"


@pytest.mark.parametrize(
    "game",
    [
        nq.game("fifty", target=30, ops="+-*"),
        nq.game("showdown"),
        nq.game("grid", side=2, stand=True),
        nq.game("grid"),
        nq.game("mystic", copies=1),
        puzzle_game("grid"),
    ],
    ids=repr,
)
def test_an_id_carries_the_rules_and_any_seed(game: nq.Game[Any]) -> None:
    for seed in ("7", "2026-11-16", "a-1:target=3", "ü"):
        assert read_id(f"{game.slug}-{seed}-12{words._rules_in_id(game)}") == (game, seed, 12)


@pytest.mark.parametrize("name", ["", "fifty", "fifty-7", "chess-7-1", "fifty-7-x", "fifty-7-1:target=999", "7-7-7"])
def test_what_is_no_id_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(NoPuzzles, match="not the name of a puzzle"):
        puzzle(name)


def test_a_number_without_a_puzzle_says_so() -> None:
    numbers = [read_id(each.id)[2] for each in some(nq.game("fifty"), 20)]
    free = next(f"fifty-1-{number}" for number in range(1, numbers[-1]) if number not in numbers)
    with pytest.raises(NoPuzzles, match="there is no puzzle called"):
        puzzle(free)


@pytest.mark.parametrize("slug", ["showdown", "fifty", "grid", "sumquest"])
def test_a_match_can_be_had_that_has_come_to_the_puzzle(slug: str) -> None:
    for _, found in zip(range(10), puzzles(puzzle_game(slug), 3), strict=False):
        match = match_of(found)
        assert (match.history, match.position, match.player) == (found.history, found.position, found.player)
        assert set(match.moves) == set(found.values)


def test_in_a_game_that_is_drawn_the_right_move_may_only_keep_the_draw() -> None:
    game: nq.Game[Any] = Row()
    solution = nq.solve(game)
    found = some(game, 60)
    for each in found:
        worth = {
            move: solution.value_for(each.player, game.play(each.position, move)) for move in game.moves(each.position)
        }
        assert worth[each.answer] > max(value for move, value in worth.items() if move != each.answer)
    assert {float(each.values[each.answer]) for each in found} == {0.5, 1.0}


@pytest.mark.parametrize("game", [Row(), Pig(target=20)], ids=repr)
def test_anybodys_game_has_puzzles_that_an_id_gives_again(game: nq.Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES._brought, game.slug, type(game))
    for found in some(game, 5):
        assert puzzle(found.id) == found
        match = match_of(found)
        assert (match.history, match.position) == (found.history, found.position)
        assert set(match.moves) == set(found.values)


@pytest.mark.parametrize("goal", [9, 8])
def test_a_puzzle_of_a_recipe_in_a_link_carries_the_game(goal: int) -> None:
    # Letters of such a name may be dashes, and so may those of a seed.
    text = (
        'title = "Nine"\nnumbers = { kind = "any", to = 3 }\ntotals = { whose = "shared" }\nend = { target = "goal" }\n'
        '[settings]\ngoal = { usual = 9, from = 4, to = 20, meaning = "the sum" }\n'
    )
    name = next(one for count in range(500) if "-" in (one := link(f"{text}# {count}\n")))
    found = next(puzzles(nq.game(name, goal=goal), "2026-01-31"))
    assert found.id.startswith(f"{name}.2026-01-31-")
    again = puzzle(found.id)
    assert again.game.settings == {"goal": goal}
    assert (again.history, again.answer, again.id) == (found.history, found.answer, found.id)


def test_a_game_with_never_more_than_two_moves_at_once_has_puzzles_though_it_has_four_in_all() -> None:
    turn = 'turn = { stand = true, pass_on = true }\nend = { target = 9, tie = "draw" }\n'
    pile = f'title = "P"\nnumbers = {{ kind = "pile", to = 4 }}\ntotals = {{ whose = "each" }}\n{turn}'
    found = next(puzzles(nq.game(link(pile)), 2))
    assert (len(found.values), len(found.game.actions)) == (2, 4)
    assert puzzle(found.id).history == found.history


def test_a_game_that_need_not_end_is_given_up_in_search_of_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.explain.puzzle.FRUITLESS", 20)
    with pytest.raises(NoPuzzles, match="never exactly one right move"):
        next(puzzles(on_paper(one(1, 2, 1), two(0, 3, 0), two(3, 0, 0), one(1, 2, 1)), 1))


# ---- what is asked is what there is to find


def question(found: Puzzle) -> str:
    return in_words(found.game, words.question(found))


@pytest.mark.parametrize("slug", ["fifty", "sumquest"])
def test_without_chance_one_move_wins(slug: str) -> None:
    for found in islice(puzzles(puzzle_game(slug), 1), 10):
        assert len(found.answers) == 1
        assert question(found).endswith(". One move wins, and all others lose. Which?")


def test_where_all_cells_are_alike_it_is_asked_whether_to_open_one() -> None:
    alike = 0
    for found in islice(puzzles(puzzle_game("grid"), 1), 30):
        asked = question(found)
        if len(found.answers) > 1:
            alike += 1
            assert asked.endswith(". One of these is the best: opening a cell, or stand. Which?")
        else:
            assert asked.endswith("Which?")
    assert alike


@pytest.mark.parametrize("game", [*SMALL, Row()], ids=repr)
def test_what_a_class_is_asked_and_its_answers_are_true_of_every_position(game: nq.Game[Any]) -> None:
    solution, codes = nq.solve(game), set()
    for seed in range(8):
        match = nq.Match(game, seed=seed)
        while match.outcome is None:
            asked = words.asked_at(game, match.history, solution)
            code = words.question(asked)[-1].code.removeprefix("puzzle-")
            codes.add(code)
            values = solution.moves(match.position)
            right = {move for move, value in values.items() if value >= max(values.values()) - 1e-9}
            one = len({words.named(asked, move) for move in right}) == 1
            assert set(asked.answers) == right
            assert code == "all" or code.endswith("-several") is not one, (match.history, code)
            assert (code == "all") is (len(right) == len(values)), (match.history, code)
            if code.startswith("win"):
                worse = {value for move, value in values.items() if move not in right}
                assert worse == {0} or (code.startswith("win-not-draw") and max(worse) < 1)
            sheet = worksheet([asked], solution)
            assert f"<td>{' or '.join(words.right_moves(asked))}</td>" in sheet
            match.play(match.moves[(7 * seed + len(match.history)) % len(match.moves)])
    assert len(codes) > 1
