"""What somebody knows of a game with secrets, and the laws that hold of what is seen."""

from random import Random
from typing import Any

import pytest

from numberquest.core import laws
from numberquest.core.contract import Game, Outcome
from numberquest.core.knowledge import in_text
from numberquest.core.match import Match
from tests.own.pig import Pig
from tests.own.secret_games import Choices, Coins, Hand, Hands, Kuhn, Pennies

NAMED = {law.name: law for law in laws.LAWS}


def test_without_secrets_what_is_known_is_the_position() -> None:
    match = Match(Pig(), seed=1)
    match.play("roll")
    assert not match.game.has_secrets
    assert match.known(0) is match.known(1) is match.known(None) is match.position
    assert match.game.sees(match.position, None) is match.position


def test_whether_there_are_secrets_follows_from_what_is_seen_under_these_rules() -> None:
    assert Kuhn().has_secrets
    assert not Kuhn(shown=True).has_secrets
    assert Pennies().has_secrets
    assert not type("Plain", (Pig,), {})().has_secrets


def test_a_player_knows_what_they_have_seen_and_done_and_nothing_else() -> None:
    one, other = (Match(Kuhn(), deal=deal) for deal in (["3", "1"], ["3", "2"]))
    for match in (one, other):
        match.play("bet")
    assert one.known(0) == other.known(0)
    assert one.known(None) == other.known(None)
    assert one.known(1) != other.known(1)
    assert in_text(one.known(0)) == "cards=(0,0) said=0 ticket=0 > cards=(3,0) > 'bet' > said=2"
    assert in_text(one.known(1)) == "cards=(0,0) said=0 ticket=0 > cards=(0,1) > said=2"
    assert in_text(one.known(None)) == "cards=(0,0) said=0 ticket=0 > said=2"


def test_the_second_of_two_who_choose_at_once_learns_nothing_before_both_have_chosen() -> None:
    match = Match(Pennies())
    before = match.known(1), match.known(None)
    match.play("tails")
    assert (match.known(1), match.known(None)) == before
    assert match.known(0) == (0, Choices(0, 0), "tails", Choices(2, 0))
    match.play("heads")
    assert match.known(1) == (1, Choices(0, 0), "heads", Choices(2, 1))


class Blinking(Kuhn):
    """What is seen is something else when it is seen again."""

    def sees(self, p: Hands, who: int | None) -> Hands:
        seen = super().sees(p, who)
        return seen._replace(ticket=1 - seen.ticket) if seen.ticket < 2 else seen


class Overlooked(Kuhn):
    """Who watches sees the cards."""

    def sees(self, p: Hands, who: int | None) -> Hands:
        return p if who is None else super().sees(p, who)


class Telling(Kuhn):
    """With a 1 nobody may bet."""

    def moves(self, p: Hands) -> tuple[str, ...]:
        moves = super().moves(p)
        return tuple(move for move in moves if move != "bet" or 1 not in p.cards)


class Turning(Pennies):
    """Whoever chose tails chooses again."""

    def player(self, p: Choices) -> int:
        return int(p.first == 1 or p.second > 0)


BREACHES: list[tuple[str, type[Game[Any]], str]] = [
    ("seen", Blinking, "what Player 1 sees is not the same when it is seen again"),
    ("watched", Overlooked, "who watches sees something that Player "),
    ("allowed", Telling, "whether 'bet' is allowed depends on what is secret to Player"),
    ("known", Turning, "Player 2 is to move here or not, depending on what is secret to them"),
]


@pytest.mark.parametrize(("law", "kind", "found"), BREACHES)
def test_a_game_whose_secrets_break_a_law_is_found_out(law: str, kind: type[Game[Any]], found: str) -> None:
    told = next(filter(None, (NAMED[law].broken(kind(), Random(seed)) for seed in range(50))))
    assert found in told


class Forgotten(Hand):
    """Player 1 chooses twice, not the same, and sees of both choices no more than Player 2 does."""

    longest = 3

    def player(self, p: Coins) -> int:
        return int(p.held > 1)

    def moves(self, p: Coins) -> tuple[str, ...]:
        return tuple(move for move in super().moves(p) if p.held < 0 or p.held > 1 or int(move) != p.held)

    def play(self, p: Coins, move: str) -> Coins:
        return p._replace(held=2 + int(move)) if p.held in (0, 1) else super().play(p, move)

    def outcome(self, p: Coins) -> Outcome | None:
        return Outcome(int(p.held - 2 == p.guess), "was right") if p.guess >= 0 else None

    def sees(self, p: Coins, who: int | None) -> Coins:
        return p if p.guess >= 0 or p.held < 0 else p._replace(held=0 if p.held < 2 else 2)


@pytest.mark.parametrize("kind", [Kuhn, Pennies, Forgotten])
def test_games_with_secrets_keep_every_law(kind: type[Game[Any]]) -> None:
    for seed in range(40):
        assert not list(filter(None, (law.broken(kind(), Random(seed)) for law in laws.LAWS)))
