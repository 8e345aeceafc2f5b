"""What is hidden is dealt fairly, from a seed that can be promised before and checked after."""

import subprocess
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest

from numberquest.core import dealer
from numberquest.core.contract import Game
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.core.stream import Stream
from tests.strategies import KINDS


@pytest.fixture
def pig() -> Game[Any]:
    return next(kind() for kind in KINDS if kind.slug == "pig")


def test_the_deal_of_a_seed_never_changes() -> None:
    assert dealer.seeded(game("grid"), 7).deal == (7, 5, 4, 6, 9, 1, 3, 8, 2)
    assert dealer.seeded(game("grid"), 7) == dealer.seeded(game("grid"), "7"), "a number is its text"
    mystic = (5, 9, 8, 6, 2, 4, 1, 7, 5, 3, 7, 4, 3, 1, 2, 9, 8, 6)
    assert dealer.seeded(game("mystic"), 7).deal == mystic


def test_the_draws_of_a_seed_never_change_and_depend_on_nothing_but_how_many_came_before() -> None:
    die = [dealer.drawn("7", before, "123456", (1,) * 6) for before in range(10)]
    assert "".join(die) == "5325663156"
    # docs/seeds.md in code, written apart from the program: a number below 4, and three of them are heads.
    for before in range(50):
        digest = sha256(f"numberquest/1/draw {before}/7/0".encode()).digest()
        expected = "heads" if int.from_bytes(digest[:8], "big") % 4 < 3 else "tails"
        assert dealer.drawn("7", before, ("heads", "tails"), (3, 1)) == expected


def test_a_die_falls_as_its_seed_says_whatever_the_players_do(pig: Game[Any]) -> None:
    rolls = [dealer.drawn("7", before, "123456", (1,) * 6) for before in range(3)]
    bold, shy = Match(pig, seed=7), Match(pig, seed=7)
    for _ in range(3):
        bold.play("roll")
        shy.play("roll")
        shy.play("hold")
    assert [entry for entry in bold.history if entry.isdigit()] == rolls
    assert [entry for entry in shy.history if entry.isdigit()] == rolls


def test_given_draws_come_first_and_the_seed_tells_the_rest(pig: Game[Any]) -> None:
    match = Match(pig, deal=["6", "5"], seed=7)
    for _ in range(3):
        match.play("roll")
    assert match.history[1::2] == ("6", "5", dealer.drawn("7", 2, "123456", (1,) * 6))


def test_a_draw_that_cannot_be_is_refused_and_nothing_has_happened(pig: Game[Any]) -> None:
    match = Match(pig, deal=["6", "9"])
    match.play("roll")
    before = match.position
    for _ in range(2):
        with pytest.raises(dealer.BadDeal, match="draw number 2 is 9, but only 1 to 6 can be drawn there"):
            match.play("roll")
        assert (match.history, match.position) == (("roll", "6"), before)
    match.play("hold")
    assert match.player == 1


def test_a_sealed_die_follows_from_its_seed_alone(pig: Game[Any]) -> None:
    sealed = Match(pig)
    assert sealed.dealer.commitment == dealer.commitment_of(sealed.dealer.seed or "")
    again = Match(pig, seed=sealed.dealer.seed)
    for _ in range(20):
        sealed.play(sealed.moves[0])
        again.play(again.moves[0])
    assert sealed.history == again.history


def test_a_sealed_deal_follows_from_its_seed_alone() -> None:
    sealed = dealer.sealed(game("mystic"))
    assert sealed.seed is not None
    assert dealer.seeded(game("mystic"), sealed.seed).deal == sealed.deal


def test_anyone_can_check_a_commitment_with_sha256sum() -> None:
    sealed = dealer.sealed(game("grid"))
    done = subprocess.run(["sha256sum"], input=(sealed.seed or "").encode(), capture_output=True, check=True)  # noqa: S607
    assert done.stdout.decode().split()[0] == sealed.commitment


def test_sealed_seeds_have_128_bits_and_never_repeat() -> None:
    seeds = {dealer.new_seed() for _ in range(1000)}
    assert len(seeds) == 1000
    assert all(len(bytes.fromhex(seed)) == 16 for seed in seeds)


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ([1, 2, 3, 9], "4 is missing, 9 is too many"),
        ([1, 3, 4], "2 is missing"),
        *(([first, 2, 3, 4], "whole numbers") for first in (1.0, True, "a")),
        ([None], "whole numbers"),
    ],
)
def test_a_deal_is_a_permutation_of_the_game_s_whole_numbers(deal: list[Any], why: str) -> None:
    assert dealer.given(game("grid", side=2), [4, 3, 2, 1]).deal == (4, 3, 2, 1)
    with pytest.raises(dealer.BadDeal, match=why):
        dealer.given(game("grid", side=2), deal)


def test_a_game_that_hides_nothing_takes_no_deal() -> None:
    with pytest.raises(dealer.BadDeal, match="nothing is hidden in sumquest"):
        dealer.given(game("sumquest"), [1])


@pytest.mark.parametrize("seed", ["", "a\nb", "x" * 101, "\x1b[2J"])
def test_a_seed_is_one_visible_line(seed: str) -> None:
    with pytest.raises(dealer.BadDeal, match="1 to 100 visible characters"):
        dealer.seeded(game("grid"), seed)


def test_a_deal_is_completed_around_what_was_seen() -> None:
    dealt = dealer.completed(game("mystic"), {0: "9", 5: "9"}).deal
    assert (dealt[0], dealt[5]) == (9, 9)
    assert sorted(dealt) == sorted(game("mystic").deck)


def test_a_word_is_the_first_eight_bytes_of_the_hash_of_label_seed_and_block() -> None:
    # docs/seeds.md in code, written apart from the program.
    words = []
    for block in (0, 1):
        digest = sha256(f"numberquest/1/deal/7/{block}".encode()).digest()
        words += [int.from_bytes(digest[8 * at : 8 * at + 8], "big") for at in range(4)]
    stream = Stream("7", "deal")
    # A bound just below 2**64 leaves each of these words as it is.
    assert [stream.below(2**64 - 1) for _ in words] == words


def test_the_numbers_of_a_seed_never_change() -> None:
    stream = Stream("7", "deal")
    assert [stream.below(100) for _ in range(10)] == [14, 79, 10, 68, 36, 8, 90, 97, 94, 44]


def test_another_label_is_another_stream() -> None:
    assert Stream("7", "deal").shuffled(range(20)) != Stream("7", "toss").shuffled(range(20))


def test_a_word_that_would_favour_small_numbers_is_passed_over() -> None:
    class Loaded(Stream):
        def __init__(self) -> None:
            super().__init__("", "")
            self._given = [2**64 - 1, 5]

        def _word(self) -> int:
            return self._given.pop(0)

    # 2**64 leaves a remainder by 3, so the very last word must not count.
    assert Loaded().below(3) == 2


def test_every_order_is_alike() -> None:
    counts = Counter(Stream(str(seed), "deal").shuffled("abc") for seed in range(6000))
    assert len(counts) == 6
    # 1000 expected, standard deviation 29; these seeds are fixed, so this cannot fail by chance.
    assert all(abs(count - 1000) < 120 for count in counts.values())
