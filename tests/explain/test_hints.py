"""What the coach and the hints say: right, and in plain words."""

from typing import Any

import numberquest as nq
from numberquest.core.contract import CHANCE, Outcome, in_words
from numberquest.core.match import Match
from numberquest.explain import hints
from tests.own.paper import LOST, WON, At, on_paper, one, two
from tests.own.secret_games import Coins, Hand


def said(game: Any, *moves: str, **dealt: Any) -> str:
    """What the coach says of the last of these moves."""
    match = Match(game, **dealt)
    *before, last = moves
    for move in before:
        match.play(move)
    return in_words(game, hints.comment(nq.solve(game), match.position, last))


def nudge(solution: Any, position: Any) -> str:
    return in_words(solution.game, hints.nudge(solution, position))


def tip(solution: Any, position: Any) -> str:
    return in_words(solution.game, hints.tip(solution, position))


def proof(solution: Any, position: Any) -> list[str]:
    return [in_words(solution.game, line) for line in hints.proof(solution, position)]


def test_the_coach_names_a_move_that_loses_or_wins_at_once() -> None:
    fifty = nq.game("fifty", target=12)
    assert said(fifty, "9+", "1+", "4+").startswith("4+ gave the win away. 9 + 4 = 13: past 12. Best was ")
    assert said(fifty, "9+", "1+", "3+") == ""
    text = said(nq.game("sumquest"), "5", "9", "1", "3", "4")
    lost = "4 gave the win away. 18 + 4 = 22. The answer 1 wins: 22 + 1 = 23."
    assert text == f"{lost} Best was 5: 18 + 5 = 23: exactly 23."


def test_a_move_that_must_lose_is_not_said_to_win_whoever_makes_it() -> None:
    first, second = on_paper(one(1), LOST), on_paper(one(1), two(2), WON)
    assert proof(nq.solve(first), At(0))[-1] == proof(nq.solve(second), At(1))[-1] == "a: loses"
    assert proof(nq.solve(on_paper(one(1), two(2, 3), WON, LOST)), At(1))[-1] == "Why b? Player 2 has come to the end."


def test_with_chance_the_coach_says_the_points_given_away() -> None:
    mystic = nq.game("mystic", target=9, high=5, copies=1)
    assert said(mystic, "add", "add", "add", deal=[5, 4, 3, 1, 2]) == ""
    text = said(mystic, "add", "add", "pass", deal=[5, 3, 4, 1, 2])
    cost = "that cost 50 points, your chance is now 50 % instead of 100 %"
    unseen = "The other has 3 + 4 = 7. 1 of 2 unseen numbers would let you win (1), 1 would beat you (2)."
    assert text == f"{cost}. {unseen} Best was add: 5 + 4 = 9: exactly 9."


def test_with_chance_the_coach_counts_the_numbers_that_lose() -> None:
    grid = nq.game("grid", stand=True)
    text = said(grid, "1,1", "1,2", "1,3", "2,1", "2,2", deal=[9, 8, 5, 1, 2, 3, 4, 6, 7])
    assert "Whatever comes up makes you lose. Best was stand: after the answer 2,2: 2 of 5 unseen numbers" in text


def test_hints_with_chance() -> None:
    grid = nq.game("grid")
    solution, start = nq.solve(grid), grid.start()
    assert nudge(solution, start) == "Your chance to win is 41 %. All moves are alike here."
    assert tip(solution, start) == "Take any move, they are all alike."
    assert proof(solution, start)[-1] == ("1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3: 41.23 %")
    mystic = nq.game("mystic", target=9, high=5, copies=1)
    match = Match(mystic, deal=[5, 3, 4, 1, 2])
    match.play("add")
    match.play("add")
    assert nudge(nq.solve(mystic), match.position) == "Your chance to win is 100 %."
    assert tip(nq.solve(mystic), match.position) == "Play add: 5 + 4 = 9: exactly 9."
    assert "add: 100.00 %" in proof(nq.solve(mystic), match.position)


def test_in_a_lost_position_the_hint_makes_it_hard() -> None:
    game = nq.game("sumquest")
    match = Match(game)
    match.play("1")
    text = tip(nq.solve(game), match.position)
    move, right, answers = text.split()[0], int(text.split()[5]), int(text.split()[7])
    after = nq.solve(game).moves(game.play(match.position, move))
    assert (sum(map(int, after.values())), len(after)) == (right, answers)


def test_what_is_left_is_said_where_a_few_words_say_it() -> None:
    text = said(nq.game("sumquest"), "5")
    why = "0 + 1 = 1. Leave 1: whatever they add, you can leave 12."
    assert text.endswith(f"Best was 1 or 6: {why}")
    match = Match(nq.game("sumquest"))
    assert proof(nq.solve(match.game), match.position)[-1] == f"Why 1? {why}"


def test_a_lost_position_s_tip_leaves_the_opponent_the_smallest_share_of_ways_to_win() -> None:
    # After a the one answer wins, after b two of three do, after c all four: b is hardest, though more answers win.
    game = on_paper(one(1, 2, 3), two(4), two(4, 4, 5), two(4, 4, 4, 4), LOST, WON)
    assert tip(nq.solve(game), game.start()) == "b makes it hardest: then 2 of 3 answers win."


class Uneven(Hand):
    """Player 2, who takes a coin for none, loses only 3 of 997 draws."""

    def player(self, p: Coins) -> int:
        return CHANCE if p == Coins(1, 0) else super().player(p)

    def moves(self, p: Coins) -> tuple[str, ...]:
        return ("2", "3") if p == Coins(1, 0) else super().moves(p)

    def weights(self, p: Coins) -> tuple[int, ...]:
        return (3, 994)

    def outcome(self, p: Coins) -> Outcome | None:
        return None if p == Coins(1, 0) else Outcome(p.guess - 2, "drew it") if p.guess > 1 else super().outcome(p)


def test_what_is_played_now_and_then_is_never_said_to_be_played_at_no_time() -> None:
    game = Uneven()
    assert hints.mix_of(nq.solve(game), Match(game).known(0)) == [("1", 1, 1), ("0", 1, 100)]
