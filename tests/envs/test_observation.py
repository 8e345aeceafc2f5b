"""An observation holds everything that bears on the game, in its place and its range, and nothing else."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from numberquest.core.contract import Game
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.envs.episode import Episode
from numberquest.envs.observation import Observer
from numberquest.solver import solve
from tests.solver.small import SMALL
from tests.strategies import matches


@given(matches())
def test_an_observation_stays_in_its_ranges(match: Match[Any]) -> None:
    observer = Observer(match.game)
    assert not observer.low.any()
    assert observer.size == len(observer.low) == len(observer.high) == sum(part.size for part in observer.parts)
    for player in (0, 1):
        seen = observer.see(match.position, player)
        assert seen.dtype == np.float32
        assert seen.shape == (observer.size,)
        assert (seen >= observer.low).all()
        assert (seen <= observer.high).all(), (match.position, seen, observer.high)
        assert (seen == seen.round()).all()


Reading = tuple[list[tuple[str, int, int]], list[int]]


def read(rules: Any, p: Any, player: int) -> Reading:
    """The parts with their sizes and largest numbers, and the numbers, as they were before a view was declared."""
    other = 1 - player
    turn = [1 if rules.turn(p) == player else 2]

    def counts(numbers: tuple[int, ...]) -> list[int]:
        return [numbers.count(number) for number in range(1, rules.high + 1)]

    match rules.slug:
        case "showdown":
            parts = [("mine", 1, 99), ("other", 1, 99), ("first", 1, 2), ("pool", rules.high, 1)]
            first = 0 if not any(p.predictions) else 1 if p.first == player else 2
            row = [p.predictions[player], p.predictions[other], first, *counts(p.pool)]
        case "fifty":
            most = max((rules.target - 1) * rules.high, rules.target - 1 + rules.high)
            parts = [("mine", 1, most), ("other", 1, most), ("pool", rules.high, rules.copies)]
            row = [p.scores[player], p.scores[other], *counts(p.pool)]
        case "grid":
            cells = rules.side**2
            most = rules.target + cells
            parts = [("mine", 1, most), ("other", 1, most), ("stands", 2, 1), ("cells", cells, cells)]
            row = [p.totals[player], p.totals[other], p.stood[player], p.stood[other], *p.cells]
        case "sumquest":
            parts = [("sum", 1, rules.target + rules.high), ("barred", 1, rules.high)]
            row = [p.total, p.barred]
        case "mystic":
            most = rules.target + rules.high
            parts = [("mine", 1, most), ("other", 1, most), ("drawn", 1, rules.high)]
            parts += [("unseen", rules.high, rules.copies)]
            row = [p.totals[player], p.totals[other], p.drawn, *counts(p.unseen)]
        case slug:
            raise KeyError(slug)
    return [("turn", 1, 2), *parts], turn + row


@given(matches())
def test_observations_stay_what_they_have_always_been(match: Match[Any]) -> None:
    """So that what has learnt from them once can still read them."""
    observer = Observer(match.game)
    for position in match.positions:
        for player in (0, 1):
            parts, row = read(match.game, position, player)
            assert [(part.name, part.size, part.high) for part in observer.parts] == parts
            seen = observer.see(position, player)
            assert seen.tolist() == row
            assert np.concatenate([seen[observer.at(part.name)] for part in observer.parts]).tolist() == row


def test_the_largest_score_of_the_smallest_target_is_in_range() -> None:
    rules = game("fifty", target=2)
    observer = Observer(rules)
    match = Match(rules)
    for move in ("1+", "1+", "9+"):
        match.play(move)
    seen = observer.see(match.position, 0)
    assert seen[observer.at("mine")] == 10
    assert (seen <= observer.high).all()


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(KeyError, match="nothing"):
        Observer(game("fifty")).at("nothing")


def test_a_pickled_observer_sees_the_same() -> None:
    rules = game("grid", side=2)
    again = pickle.loads(pickle.dumps(Observer(rules)))  # noqa: S301
    assert again.see(rules.start(), 1).tolist() == Observer(rules).see(rules.start(), 1).tolist()


CLASSIC = [game("showdown"), game("sumquest"), game("grid")]
OTHERS = [game("showdown", high=4), game("showdown", high=5, picks=4), game("grid", stand=True)]


@pytest.mark.parametrize("rules", [*SMALL, *CLASSIC, *OTHERS], ids=repr)
def test_who_sees_the_same_has_the_same_moves_and_the_same_chances(rules: Game[Any]) -> None:
    """So an observation lacks nothing that bears on the game: not even who it is that looks."""
    dice = np.random.default_rng(1)
    observer, solution, episode = Observer(rules), solve(rules), Episode(rules)
    known: dict[bytes, tuple[tuple[str, ...], float]] = {}
    met: dict[bytes, set[Any]] = {}
    for number in range(400):
        episode.start(dice)
        while episode.moves:
            seen = observer.see(episode.position, episode.player).tobytes()
            value = float(solution.value(episode.position))
            if seen in known:
                moves, before = known[seen]
                assert moves == episode.moves
                assert before == pytest.approx(value, abs=1e-9)
            known[seen] = episode.moves, value
            met.setdefault(seen, set()).add(episode.position)
            # In half of the games few predictions are made, so that the same ones come in another order.
            episode.play(str(dice.choice(episode.moves[:7] if number % 2 else episode.moves)))
    assert len(known) > 1 or rules.bound <= 3
    if rules.slug == "sumquest":
        # Not for want of positions that look alike: the same sum comes up for both players.
        assert any(len(positions) > 1 for positions in met.values())
