"""Recipes with choices at once and secret numbers are the games that rules by hand make of them, and worth the same."""

from random import Random
from typing import Any, NamedTuple

import pytest

import numberquest as nq
from numberquest.core.recipe import load
from numberquest.solver.secrets.solution import SecretSolution
from tests.recipes.tours import tour

NUMBERS = ("1", "2", "3")


class Bids(NamedTuple):
    totals: tuple[int, int] = (0, 0)
    secrets: tuple[int, ...] = ()
    bid: int = 0
    rounds: int = 2


class ByHand(nq.Game[Bids]):
    """Both bid one of three numbers at once, twice; what a clash is, and whether each has a number besides, is set."""

    slug = "bids_by_hand"
    title = "Bids"
    summary = "Who has more wins."
    rules = "Both bid at the same time."
    endings = {"more": "{winner} has more", "alike": "both have as much"}
    actions = NUMBERS

    clash: int = nq.whole(0, 0, 2, "0: none, 1: two that are the same count for nobody, 2: one less takes both")
    dealt: bool = nq.yes_no(False, "each has a secret number")

    def start(self) -> Bids:
        return Bids()

    def turn(self, p: Bids) -> int:
        return int(p.bid > 0)

    def player(self, p: Bids) -> int:
        return nq.CHANCE if self.dealt and len(p.secrets) < 2 else self.turn(p)

    def moves(self, p: Bids) -> tuple[str, ...]:
        return NUMBERS if p.rounds else ()

    def weights(self, p: Bids) -> tuple[int, ...]:
        return (1, 1, 1)

    def play(self, p: Bids, move: str) -> Bids:
        number = int(move)
        if self.player(p) == nq.CHANCE:
            return p._replace(secrets=(*p.secrets, number))
        if not p.bid:
            return p._replace(bid=number)
        gained = (p.bid, number)
        if self.clash == 1 and p.bid == number:
            gained = (0, 0)
        elif self.clash == 2 and p.bid + 1 == number:
            gained = (p.bid + number, 0)
        elif self.clash == 2 and number + 1 == p.bid:
            gained = (0, p.bid + number)
        return Bids((p.totals[0] + gained[0], p.totals[1] + gained[1]), p.secrets, 0, p.rounds - 1)

    def outcome(self, p: Bids) -> nq.Outcome | None:
        if p.rounds:
            return None
        first, second = (total + sum(p.secrets[who : who + 1]) for who, total in enumerate(p.totals))
        return nq.Outcome(None, "alike") if first == second else nq.Outcome(int(first < second), "more")

    def sees(self, p: Bids, who: int | None) -> Bids:
        if not p.rounds:
            return p
        own = tuple(number if seat == who else 0 for seat, number in enumerate(p.secrets))
        return p._replace(secrets=own, bid=p.bid if who == 0 else 0)


def recipe(clash: str, secret: bool) -> nq.Game[Any]:
    return load(
        'title = "Bids"\n[numbers]\nkind = "any"\nto = 3\n'
        f'[totals]\nwhose = "each"\nsecret = {str(secret).lower()}\n'
        f'[turn]\nat_once = true\nclash = "{clash}"\n[end]\nturns = 2\n'
    )()


def solved(game: nq.Game[Any]) -> SecretSolution[Any]:
    found = nq.solve(game)
    assert isinstance(found, SecretSolution)
    assert found.certificate.low == found.certificate.high
    return found


@pytest.mark.parametrize("secret", [False, True])
@pytest.mark.parametrize("clash", ["none", "same", "one less"])
def test_a_recipe_with_secrets_and_rules_by_hand_are_the_same_game(clash: str, secret: bool) -> None:
    by_hand = ByHand(clash=["none", "same", "one less"].index(clash), dealt=secret)
    made = recipe(clash, secret)
    assert tour(by_hand, made, 10_000, Random(clash))
    told, again = solved(by_hand), solved(made)
    assert told.certificate == again.certificate
    for one in NUMBERS:
        for other in NUMBERS if not secret else ():
            matches = nq.Match(by_hand), nq.Match(made)
            for match in matches:
                match.play(one)
                match.play(other)
            values = [solution.value(match.known(0)) for solution, match in zip((told, again), matches, strict=True)]
            assert values[0] == values[1], (one, other)
            assert made.outcome(matches[1].position) is None
