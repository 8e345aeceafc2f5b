"""Gambit, which reads nothing of ours but the rules, finds the same values of games with secrets, in fractions."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.environment import needed

needed("pygambit", "gambit")

import pygambit  # noqa: E402

import numberquest as nq  # noqa: E402
from numberquest.core.contract import CHANCE, Game  # noqa: E402
from numberquest.core.recipe import load  # noqa: E402
from numberquest.core.registry import kind_in  # noqa: E402
from numberquest.solver.secrets.solution import SecretSolution  # noqa: E402
from tests.own.secret_games import Kuhn  # noqa: E402

PLAYERS = ["Player 1", "Player 2"]
LIARS_DICE = str(Path(__file__).parents[2] / "examples" / "liars_dice.py")
BIDS = """\
title = "Bids"
[numbers]
kind = "any"
to = 3
[totals]
whose = "each"
[turn]
at_once = true
clash = "one less"
[end]
turns = 3
"""


def in_gambit(game: Game[Any], start: Any) -> Any:
    """The tree of a game from a position on, for Gambit.

    A player's choices are one where they have seen and done the same before: what `sees` shows them of each position,
    and their own moves. Nothing else of ours says what a player knows.
    """
    tree = pygambit.Game.new_tree(players=PLAYERS)
    ends = {
        worth: tree.add_outcome(label=str(worth), payoffs=[worth, 1 - worth])
        for worth in (Fraction(0), Fraction(1, 2), Fraction(1))
    }
    choices: dict[tuple[Any, ...], Any] = {}
    waiting: list[tuple[Any, Any, tuple[Any, ...]]] = [(tree.root, start, ((), ()))]
    while waiting:
        node, p, before = waiting.pop()
        # What a player sees does not tell how often it has stayed the same.
        views = [game.sees(p, who) for who in (0, 1)]
        seen = tuple(past if past[-1:] == (view,) else (*past, view) for past, view in zip(before, views, strict=True))
        moves, mover = game.moves(p), game.player(p)
        if not moves:
            outcome = game.outcome(p)
            assert outcome is not None
            tree.set_outcome(node, ends[Fraction(outcome.worth(0))])
            continue
        if mover == CHANCE:
            tree.append_move(node, tree.players.chance, list(moves))
            weights = game.weights(p)
            tree.set_chance_probs(node.infoset, [Fraction(weight, sum(weights)) for weight in weights])
        elif (mover, seen[mover]) in choices:
            tree.append_infoset(node, choices[mover, seen[mover]])
        else:
            tree.append_move(node, PLAYERS[mover], list(moves))
            choices[mover, seen[mover]] = node.infoset
        for child, move in zip(node.children, moves, strict=True):
            # Their own move is kept as a text in a tuple: no position looks like that.
            after = tuple((*past, (move,)) if who == mover else past for who, past in enumerate(seen))
            waiting.append((child, game.play(p, move), after))
    return tree


def solved(game: Game[Any]) -> SecretSolution[Any]:
    found = nq.solve(game)
    assert isinstance(found, SecretSolution)
    assert found.error == 0
    return found


def test_gambit_finds_the_value_of_kuhns_poker() -> None:
    game = Kuhn()
    (theirs,) = pygambit.nash.lp_solve(in_gambit(game, game.start())).equilibria
    assert theirs.payoff(PLAYERS[0]) == solved(game).certificate.value == Fraction(35, 72)


def test_gambit_finds_the_value_of_liars_dice_with_three_faces() -> None:
    game = kind_in(LIARS_DICE)(faces=3)
    # In fractions it would take minutes.
    (theirs,) = pygambit.nash.lp_solve(in_gambit(game, game.start()), rational=False).equilibria
    assert theirs.payoff(PLAYERS[0]) == pytest.approx(float(solved(game).certificate.value), abs=1e-9)


def test_gambit_finds_the_values_of_a_recipe_with_choices_at_once_after_each_first_round() -> None:
    game = load(BIDS)()
    ours, values = solved(game), set()
    for one, other in product(game.actions, repeat=2):
        p = game.play(game.play(game.start(), one), other)
        (theirs,) = pygambit.nash.lp_solve(in_gambit(game, p)).equilibria
        values.add(ours.value_for(0, p))
        assert theirs.payoff(PLAYERS[0]) == ours.value_for(0, p), (one, other)
    assert len(values) > 3
