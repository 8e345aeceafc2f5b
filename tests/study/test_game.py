"""One game is a pure function of who plays, the rules, the deal and the seat."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import numberquest as nq
from numberquest import review
from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import seeded
from numberquest.core.play_out import positions_of
from numberquest.core.record import read
from numberquest.core.stream import Stream
from numberquest.players.asking import ATTEMPTS, CutOff
from numberquest.players.levels import PLAYERS, Player
from numberquest.study.decisions import FORFEIT, Judge, record_of
from numberquest.study.game import Contest, ContestRunner, Job, Row, chooser, dealer_for
from tests.study.small import SMALL, Failing, Mumbling, Odd

SUMQUEST = Contest(nq.game("sumquest"), "games")


def runner(agent: Player, contest: Contest = SUMQUEST) -> ContestRunner:
    return ContestRunner(contest, {"me": agent, **PLAYERS})


def reveals(game: Game[Any], row: Row) -> list[str]:
    return [
        entry
        for p, entry in zip(positions_of(game, row.history), row.history, strict=False)
        if game.player(p) == CHANCE
    ]


@given(st.sampled_from(SMALL), st.sampled_from(list(PLAYERS)), st.integers(0, 1), st.integers(0, 10**9))
def test_the_same_job_gives_the_same_row_which_is_read_back_as_it_was(
    game: Game[Any], level: str, seat: int, deal: int
) -> None:
    contest, job = Contest(game, "same"), Job("me", level, deal, seat)
    row = runner(Odd(), contest).play(job)
    assert runner(Odd(), contest).play(job) == row
    assert Row.of(row.data()) == row
    assert row.job == job


@given(st.sampled_from(SMALL), st.integers(0, 1), st.integers(0, 10**9))
def test_the_record_of_a_row_is_the_game_itself(game: Game[Any], seat: int, deal: int) -> None:
    if type(game).__module__.startswith("numberquest_file"):
        # A record never says which file to load.
        return
    contest = Contest(game, "record")
    row = runner(Odd(), contest).play(Job("me", "easy", deal, seat))
    match = read(record_of(contest, row)).match
    assert match.history == row.history
    assert match.outcome is not None
    assert match.outcome.worth(seat) == row.result


@pytest.mark.parametrize("game", [nq.game("mystic", high=5, copies=1, target=12), nq.game("grid")], ids=repr)
def test_both_seats_and_all_opponents_have_the_same_deal(game: Game[Any]) -> None:
    contest = Contest(game, "pairs")
    rows = [runner(Odd(), contest).play(Job("me", level, 5, seat)) for level in ("random", "easy") for seat in (0, 1)]
    if game.slug == "mystic":
        # A pile is drawn from the top, so what one has seen the other has seen too.
        seen = [reveals(game, row) for row in rows]
        for one in seen:
            for other in seen:
                assert all(a == b for a, b in zip(one, other, strict=False))
    else:
        cells: dict[str, str] = {}
        for row in rows:
            for at, entry in enumerate(row.history[:-1]):
                if "," in entry:
                    assert cells.setdefault(entry, row.history[at + 1]) == row.history[at + 1]
    another = runner(Odd(), contest).play(Job("me", "random", 6, 0))
    assert reveals(game, another) != reveals(game, rows[0])


@pytest.mark.parametrize("name", list(PLAYERS))
def test_a_level_chooses_as_it_always_does(name: str) -> None:
    game, level = nq.game("fifty", target=12, high=4, copies=1), PLAYERS[name]
    choose = chooser(game, level)
    for number in range(40):
        p = game.play(game.start(), game.moves(game.start())[number % 8])
        one, two = Stream(str(number), "a"), Stream(str(number), "a")
        assert choose(p, one) == level.choose(game, p, two)
        assert one.below(1000) == two.below(1000)


def test_who_says_what_is_no_move_is_asked_again_and_then_loses() -> None:
    fine = runner(Mumbling(2)).play(Job("me", "random", 1, 0))
    assert fine.forfeit is None
    assert fine.illegal == (2 * sum(1 for _ in fine.history[::2]), 0)
    lost = runner(Mumbling(3)).play(Job("me", "random", 1, 1))
    assert (lost.result, lost.forfeit, lost.illegal) == (0.0, 1, (0, 3))
    assert lost.data()["forfeit"] == 2
    assert runner(Mumbling(3), SUMQUEST._replace(tries=4)).play(Job("me", "random", 1, 1)).forfeit is None


def test_an_opponent_who_forfeits_has_lost() -> None:
    row = ContestRunner(SUMQUEST, {"me": Odd(), "you": Mumbling(9)}).play(Job("me", "you", 0, 0))
    assert (row.result, row.forfeit, row.illegal) == (1.0, 1, (0, 3))


def test_a_forfeit_gives_away_all_that_was_left_as_the_review_of_its_record_says() -> None:
    game = SUMQUEST.game
    row = runner(Mumbling(3)).play(Job("me", "random", 1, 0))
    *_, last = Judge(game, nq.solve(game)).decisions(row, positions_of(game, row.history), 0)
    assert (last.move, last.loss, last.mattered) == (FORFEIT, 1, True)
    verdict = review(read(record_of(SUMQUEST, row)).match)[-1]
    assert verdict.loss == last.loss


def test_when_a_provider_fails_it_is_asked_again_and_at_last_the_answer_is_missing() -> None:
    job = Job("me", "random", 3, 0)
    fine = runner(Odd()).play(job)
    again = runner(Failing(ATTEMPTS - 1)).play(job)
    assert again == fine._replace(errors=ATTEMPTS - 1)
    for errors, forfeit in (("random", None), ("lose", 0), ("leave", None)):
        missing = runner(Failing(ATTEMPTS), SUMQUEST._replace(errors=errors)).play(job)
        assert (missing.errors, missing.error, missing.unanswered) == (ATTEMPTS, "the line is dead", (1, 0))
        assert (missing.result is None, missing.forfeit) == (errors == "leave", forfeit)
        assert Row.of(missing.data()) == missing
    always = runner(Failing(10**6)).play(job)
    assert always.silent
    assert always.unanswered[0] > 1
    assert always.result is not None


def test_answers_that_were_cut_off_are_counted_apart_and_are_no_wrong_moves() -> None:
    class Long(Odd):
        def choose(self, game: Game[Any], position: Any, dice: Any) -> str:
            raise CutOff("raise max_tokens")

    row = runner(Long()).play(Job("me", "random", 3, 0))
    assert row.illegal == (0, 0)
    assert row.errors == 0
    assert row.cut_off == (ATTEMPTS * row.unanswered[0], 0)
    assert Row.of(row.data()) == row


def test_deals_and_dice_follow_from_the_seed_for_good() -> None:
    game = nq.game("mystic", high=3, copies=1, target=5)
    assert dealer_for(Contest(game, "7"), 3) == seeded(game, "7/3")
    row = runner(PLAYERS["random"], Contest(game, "7")).play(Job("me", "random", 3, 0))
    agent, opponent = Stream("7/3/1/random", "agent"), Stream("7/3/1/random", "opponent")
    for p, move in zip(positions_of(game, row.history), row.history, strict=False):
        if game.player(p) != CHANCE:
            assert (opponent if game.player(p) else agent).choose(game.moves(p)) == move


def test_an_agent_that_wants_to_know_the_game_so_far_is_told() -> None:
    class Following(Odd):
        told: tuple[str, ...] = ()

        def follow(self, history: list[str]) -> None:
            self.told = tuple(history)

        def choose(self, game: Game[Any], position: Any, dice: Any) -> str:
            assert positions_of(game, self.told)[-1] == position
            return super().choose(game, position, dice)

    assert runner(Following()).play(Job("me", "easy", 3, 1)).result is not None
