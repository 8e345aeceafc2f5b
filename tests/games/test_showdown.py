"""Showdown: its rulings, the game of its document and its endings."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest.core import laws
from numberquest.core.contract import IllegalMove
from numberquest.core.knowledge import in_text
from numberquest.core.match import Match
from numberquest.core.progress import silently
from numberquest.core.record import Record
from numberquest.core.registry import game
from numberquest.core.settings import BadSetting
from numberquest.games.showdown import solver
from numberquest.games.showdown.rules import NOBODY, Position, Showdown
from numberquest.solver.certificate import certified
from numberquest.solver.secrets.solution import SecretSolution
from tests.endings import end_of

PREDICTIONS = [f"predict {guess}" for guess in range(1, 100)]


def played(*moves: str, **settings: Any) -> Match[Position]:
    match = Match(Showdown(**settings))
    for move in moves:
        match.play(move)
    return match


def ended(*moves: str, **settings: Any) -> tuple[int | None, str]:
    end = end_of(played(*moves, **settings))
    assert end is not None
    return end


def both_say(early: int, late: int, *, first: int) -> tuple[int | None, str]:
    """The end of a classic game in which one predicts in their first turn, and the other in the turn after it."""
    numbers = tuple("123456789")
    return ended(*numbers[:first], f"predict {early}", numbers[first], f"predict {late}", *numbers[first + 1 :])


def predictions_in(match: Match[Position]) -> list[str]:
    return [move for move in match.moves if move.startswith("predict")]


@pytest.mark.parametrize("before", [(), ("5",), ("predict 45", "5"), ("5", "9", "8", "7")])
def test_s1_a_prediction_is_a_whole_number_from_1_to_99(before: tuple[str, ...]) -> None:
    match = played(*before)
    assert predictions_in(match) == PREDICTIONS
    assert [move for move in match.game.actions if move.startswith("predict")] == PREDICTIONS


@pytest.mark.parametrize("guess", ["1", "45", "99"])
def test_s1_both_ends_of_the_range_can_be_predicted(guess: str) -> None:
    assert played(f"predict {guess}").position.predictions == (int(guess), 0)
    assert played("5", f"predict {guess}").position.predictions == (0, int(guess))


@pytest.mark.parametrize(
    "said", ["0", "100", "-1", "4.5", "045", "45.0", "forty-five", "", "45 ", "4_5", "٤٥", "10 + 35"]
)
def test_s1_any_other_prediction_is_refused(said: str) -> None:
    match = played()
    with pytest.raises(IllegalMove, match=r"Allowed: 1 to 9, predict 1 to predict 99\."):
        match.play(f"predict {said}")
    assert match.position == Showdown().start()


def test_s2_a_prediction_is_made_before_the_pick_of_the_same_turn() -> None:
    match = played("predict 45")
    assert match.player == 0, "the turn goes on with the pick"
    assert match.moves == tuple("123456789")
    match.play("5")
    assert match.player == 1
    # What is predicted after the pick is the other player's prediction.
    match.play("predict 30")
    assert match.position.predictions == (45, 30)


def test_s2_a_prediction_is_made_once_per_game() -> None:
    match = played("predict 45")
    with pytest.raises(IllegalMove, match="predict 46"):
        match.play("predict 46")
    match.play("5")
    assert predictions_in(match) == PREDICTIONS, "the opponent has still to speak"
    match.play("predict 30")
    for number in "98764321":
        assert predictions_in(match) == []
        match.play(number)
    assert match.position.predictions == (45, 30)


def test_s2_a_prediction_may_wait_until_the_last_turn_but_no_longer() -> None:
    match = played("5", "9", "8", "7", "6", "4", "3", "2")
    assert predictions_in(match) == PREDICTIONS
    assert played("5", "9", "8", "7", "6", "4", "3", "2", "1").moves == ()


@pytest.mark.parametrize("before", [(), ("5",)])
def test_s2_a_prediction_is_never_taken_back(before: tuple[str, ...]) -> None:
    match = played(*before, "predict 45", "9")
    assert match.undo() == "9"
    with pytest.raises(IllegalMove, match="'predict 45' is final: it can never be taken back"):
        match.undo()
    assert match.position.predictions[len(before)] == 45


@pytest.mark.parametrize("guess", [1, 44, 45, 99])
def test_s3_the_only_player_who_predicted_wins_however_far_away(guess: int) -> None:
    numbers = tuple("123456789")
    assert ended(f"predict {guess}", *numbers) == (0, "only Player 1 made a prediction")
    assert ended("1", f"predict {guess}", *numbers[1:]) == (1, "only Player 2 made a prediction")


def test_s4_if_neither_predicted_the_player_who_added_the_last_number_loses() -> None:
    assert ended(*"123456789") == (1, "nobody predicted, and Player 1, who added the last number, loses")
    assert ended(*"1234", high=4) == (0, "nobody predicted, and Player 2, who added the last number, loses")
    assert ended("7", picks=1)[0] == 1
    assert ended("7", "1", picks=2)[0] == 0


@pytest.mark.parametrize(("early", "late", "off"), [(40, 50, 5), (50, 40, 5), (30, 30, 15), (46, 46, 1), (99, 99, 54)])
def test_s5_both_wrong_and_equally_far_the_earlier_loses(early: int, late: int, off: int) -> None:
    words = f"both predictions are {off} away from 45, and Player"
    assert both_say(early, late, first=0) == (1, f"{words} 1 said theirs earlier")
    assert both_say(early, late, first=1) == (0, f"{words} 2 said theirs earlier")


@pytest.mark.parametrize("first", [0, 1])
def test_s5_both_exact_the_earlier_wins(first: int) -> None:
    assert both_say(45, 45, first=first) == (first, f"both predicted 45, and Player {first + 1} said it first")


@pytest.mark.parametrize("wrong", [1, 44, 46, 99])
def test_an_exact_prediction_beats_a_wrong_one_early_or_late(wrong: int) -> None:
    for first in (0, 1):
        assert both_say(45, wrong, first=first) == (first, f"Player {first + 1} predicted 45 exactly")
        assert both_say(wrong, 45, first=first) == (1 - first, f"Player {2 - first} predicted 45 exactly")


@pytest.mark.parametrize(("near", "far"), [(44, 43), (44, 47), (46, 47), (46, 43), (50, 39)])
def test_the_closer_of_two_wrong_predictions_wins_early_or_late(near: int, far: int) -> None:
    for first in (0, 1):
        assert both_say(near, far, first=first)[0] == first
        assert both_say(far, near, first=first)[0] == 1 - first


def test_the_sample_game_play_of_the_document() -> None:
    match = Match(Showdown())
    sample = [
        # player, predicts, picks, sequence, numbers remaining, predictions
        (0, None, 5, [5], [1, 2, 3, 4, 6, 7, 8, 9], (0, 0)),
        (1, 30, 9, [5, 9], [1, 2, 3, 4, 6, 7, 8], (0, 30)),
        (0, 35, 8, [5, 9, 8], [1, 2, 3, 4, 6, 7], (35, 30)),
        (1, None, 7, [5, 9, 8, 7], [1, 2, 3, 4, 6], (35, 30)),
        (0, None, 6, [5, 9, 8, 7, 6], [1, 2, 3, 4], (35, 30)),
        (1, None, 4, [5, 9, 8, 7, 6, 4], [1, 2, 3], (35, 30)),
        (0, None, 3, [5, 9, 8, 7, 6, 4, 3], [1, 2], (35, 30)),
        (1, None, 2, [5, 9, 8, 7, 6, 4, 3, 2], [1], (35, 30)),
        (0, None, 1, [5, 9, 8, 7, 6, 4, 3, 2, 1], [], (35, 30)),
    ]
    assert match.position == Position((1, 2, 3, 4, 5, 6, 7, 8, 9), (0, 0), NOBODY)
    for player, prediction, pick, sequence, remaining, predictions in sample:
        assert match.outcome is None
        assert match.player == player
        if prediction is not None:
            match.play(f"predict {prediction}")
            assert match.player == player
        match.play(str(pick))
        assert [int(move) for move in match.history if move.isdigit()] == sequence
        assert list(match.position.pool) == remaining
        assert match.position.predictions == predictions
        assert Showdown().total(match.position) == sum(sequence)
    assert match.position.first == 1
    assert Showdown().total(match.position) == 45
    assert end_of(match) == (0, "Player 1's prediction 35 is 10 away from 45, Player 2's 30 is 15 away")
    assert match.moves == ()


def test_the_reason_names_the_closer_prediction_first_whoever_won() -> None:
    words = "Player 2's prediction 50 is 5 away from 45, Player 1's 30 is 15 away"
    assert both_say(30, 50, first=0) == (1, words)


def test_a_number_can_be_used_once_by_either_player() -> None:
    match = played("5")
    with pytest.raises(IllegalMove, match="Allowed: 1 to 4, 6 to 9, predict 1 to predict 99"):
        match.play("5")
    match.play("9")
    assert "5" not in match.moves
    assert "9" not in match.moves


def test_the_game_ends_after_that_many_picks_and_the_rest_stay_out_of_the_sum() -> None:
    match = played("predict 12", "9", "predict 45", "2", "1", picks=3)
    assert match.position.pool == (3, 4, 5, 6, 7, 8)
    assert end_of(match) == (0, "Player 1 predicted 12 exactly")
    assert match.moves == ()
    assert played("9", "2", picks=3).outcome is None


@pytest.mark.parametrize("high", [2, 5, 9, 13])
def test_all_numbers_are_played_by_default(high: int) -> None:
    rules = game("showdown", high=high)
    assert rules == Showdown(high=high, picks=high)
    assert rules.start().pool == tuple(range(1, high + 1))
    match = Match(rules)
    for number in range(1, high + 1):
        assert match.outcome is None
        match.play(str(number))
    assert match.outcome is not None


@pytest.mark.parametrize("settings", [{"high": 13, "picks": 13}, {"high": 2, "picks": 1}])
def test_as_many_numbers_are_played_as_there_are_at_most(settings: dict[str, Any]) -> None:
    assert Showdown(**settings).settings == {**settings, "secret": False}
    with pytest.raises(BadSetting, match=r"^picks must be a whole number from 1 to 5 in showdown, not 6$"):
        Showdown(high=5, picks=6)


def written(one: int, two: int, *numbers: str, **settings: Any) -> Match[Position]:
    return played(f"predict {one}", f"predict {two}", *numbers, **{"secret": True, "high": 4, "picks": 3, **settings})


def test_s6_both_predict_before_the_first_number_and_nobody_later() -> None:
    match = played(secret=True)
    assert list(match.moves) == PREDICTIONS
    match.play("predict 40")
    assert (match.player, list(match.moves)) == (1, PREDICTIONS)
    match.play("predict 41")
    for number in range(1, 10):
        assert match.player == (number - 1) % 2
        assert predictions_in(match) == []
        match.play(str(number))
    assert match.outcome is not None


def test_s6_what_was_written_down_is_seen_by_its_writer_alone_until_the_end() -> None:
    one, other = (written(7, guess, "1", "2") for guess in (6, 9))
    assert one.known(0) == other.known(0)
    assert one.known(None) == other.known(None)
    assert one.game.sees(one.position, 0).predictions == (7, 0)
    assert one.game.sees(one.position, 1).predictions == (0, 6)
    assert one.game.sees(one.position, None).predictions == (0, 0)
    one.play("4")
    assert one.game.sees(one.position, None).predictions == (7, 6)
    second = played("predict 7", secret=True, high=4, picks=3)
    assert second.known(1) == (1, second.game.start()), "the first one has written theirs at the same time"


@pytest.mark.parametrize(
    ("guesses", "end"),
    [
        ((7, 9), (0, "Player 1 predicted 7 exactly")),
        ((9, 7), (1, "Player 2 predicted 7 exactly")),
        ((6, 9), (0, "Player 1's prediction 6 is 1 away from 7, Player 2's 9 is 2 away")),
        ((7, 7), (1, "both predicted 7, and Player 1, who added the last number, loses")),
        ((6, 8), (1, "both predictions are 1 away from 7, and Player 1, who added the last number, loses")),
        ((8, 6), (1, "both predictions are 1 away from 7, and Player 1, who added the last number, loses")),
    ],
)
def test_s6_nobody_is_earlier_so_where_both_are_as_far_g2_decides(
    guesses: tuple[int, int], end: tuple[int, str]
) -> None:
    assert end_of(written(*guesses, "1", "2", "4")) == end


def test_s6_where_the_second_player_adds_the_last_number_they_lose_what_is_even() -> None:
    assert end_of(written(3, 3, "1", "2", picks=2)) == (
        0,
        "both predicted 3, and Player 2, who added the last number, loses",
    )


def test_s6_is_told_only_where_it_holds() -> None:
    classic, secret = Showdown(), Showdown(secret=True)
    assert "secret" not in classic.told(classic.rules)
    assert "at the same time and in secret" in secret.told(secret.rules)
    assert "for your opponent to hear" not in secret.told(secret.rules)
    assert set(classic.rulings_told()) - set(classic.common) == {"S1", "S2", "S3", "S4", "S5", "S6"}
    assert set(secret.rulings_told()) - set(secret.common) == {"S1", "S6"}
    assert (classic.has_secrets, secret.has_secrets) == (False, True)


def test_a_record_of_before_is_read_and_a_classic_one_is_written_as_before() -> None:
    match = played("5", "predict 45")
    assert match.game.settings_text == "high=9 picks=9"
    assert Showdown(secret=True).settings_text == "high=9 picks=9 secret=yes"
    text = Record(match).text()
    assert '[Settings "high=9 picks=9"]' in text
    assert Record.read(text).match == match
    secret = Record(written(7, 6, "1", "2", "4")).text()
    assert '[Settings "high=4 picks=3 secret=yes"]' in secret


@pytest.mark.parametrize("seed", range(4))
def test_with_secrets_it_keeps_every_law(seed: int) -> None:
    game = Showdown(secret=True, high=4, picks=3)
    assert not list(filter(None, (law.broken(game, Random(seed)) for law in laws.LAWS)))


def test_small_pools_are_solved_exactly() -> None:
    cases: list[tuple[dict[str, Any], Fraction]] = [
        ({"high": 3, "picks": 2}, Fraction(2, 3)),
        ({"high": 4, "picks": 2}, Fraction(4, 7)),
        ({"high": 5, "picks": 3}, Fraction(2, 3)),
        ({"high": 9, "picks": 9}, Fraction(0)),
    ]
    for settings, value in cases:
        found = nq.solve(Showdown(**{"secret": True, **settings}))
        assert isinstance(found, SecretSolution)
        assert tuple(found.certificate) == (value, value, value)


def test_what_is_proved_holds_against_all_predictions_also_those_that_no_sum_can_come_to() -> None:
    found = nq.solve(Showdown(secret=True, high=3, picks=2))
    assert isinstance(found, SecretSolution)
    table = {(known[0], in_text(known)): odds for known, odds in found.strategy()}
    assert certified(found.game, table) == (Fraction(2, 3), Fraction(2, 3))
    match = Match(found.game)
    match.play("predict 99")
    match.play("predict 4")
    assert found.value(match.known(0)) == 0, "who has predicted that can only lose"
    assert set(found.odds(match.known(0))) == {"1", "2", "3"}


@pytest.mark.parametrize("high", [3, 4])
def test_where_every_number_is_played_the_table_says_what_comes_after_any_picks_of_the_other(high: int) -> None:
    found = nq.solve(Showdown(secret=True, high=high, picks=high))
    assert isinstance(found, SecretSolution)
    table = {(known[0], in_text(known)): odds for known, odds in found.strategy()}
    assert certified(found.game, table) == (found.certificate.low, found.certificate.high)


def test_larger_pools_are_learned_and_the_interval_holds_the_truth() -> None:
    game = Showdown(secret=True, high=4, picks=3)
    exact, near = solver.Written(game, silently), solver.Learned(game, silently)
    low, value, high = near.certificate
    assert low <= exact.certificate.value <= high
    assert low <= value <= high
    assert 0 < near.error <= solver.NEAR
    table = {(known[0], in_text(known)): odds for known, odds in near.strategy()}
    assert certified(game, table) == (low, high)
    match = Match(game)
    moves = near.moves(match.known(0))
    assert len(moves) == 99
    assert max(moves.values()) == pytest.approx(float(high))
    for move in ("predict 8", "predict 7", "1", "3"):
        who = match.player
        assert sum(near.odds(match.known(who)).values()) == 1
        mine = near.moves(match.known(who))
        worlds = near.worlds(match.known(who))
        assert any(world.position == match.position for world in worlds) or move != "1"
        assert sum(share for _, share in near.chances(worlds[0])) == 1
        assert near.value(match.known(who)) == pytest.approx(max(map(float, mine.values())), abs=2 * solver.NEAR)
        match.play(move)
    world = near.worlds((0, game.start()))[0]
    assert near.expected(world) == value
    for move in match.history:
        world = near.after(world, move)
    assert near.expected(world) == 1, "Player 1 has written 8 down, and adds the 4 to 1 and 3"
