"""The chances of two levels from every position on."""

from __future__ import annotations

from typing import Any

import pytest

from numberquest.contract import CHANCE, Game
from numberquest.lab.levels import chances, everywhere
from numberquest.lab.mixed import Pair
from numberquest.players import PLAYERS
from tests.conftest import a_few
from tests.evaluate.small import SMALL

PAIRS = [Pair("medium", "random"), Pair("easy", "perfect")]


@pytest.mark.parametrize("game", a_few(SMALL, 6), ids=repr)
def test_every_position_follows_from_those_that_it_leads_to_and_the_start_is_what_levels_says(game: Game[Any]) -> None:
    for pair in PAIRS:
        known = everywhere(game, pair)
        assert known.first(game.start()) == pytest.approx(chances(game, [pair])[pair], abs=2e-5)
        found, waiting = {game.start()}, [game.start()]
        for p in waiting:
            moves = game.moves(p)
            if not moves:
                outcome = game.outcome(p)
                assert known.first(p) == (0.5 if outcome is None else outcome.worth(0))
                continue
            player = game.player(p)
            odds = game.odds(p) if player == CHANCE else PLAYERS[pair[player]].odds(game, p).values()
            after = [game.play(p, move) for move in moves]
            mean = sum(float(likely) * known.first(one) for likely, one in zip(odds, after, strict=True))
            # Where a table holds five digits, these are right up to the last of them.
            assert known.first(p) == pytest.approx(mean, abs=2e-5)
            if len(found) < 500:
                new = [one for one in after if one not in found]
                found.update(new)
                waiting.extend(dict.fromkeys(new))
