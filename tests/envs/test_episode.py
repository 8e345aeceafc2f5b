"""An episode plays by the rules of the game, and by nothing else."""

import copy
import pickle
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game
from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.envs import episode as episode_file
from numberquest.envs.episode import Episode
from tests.strategies import games


class Stacked:
    """Dice that deal a known order."""

    def __init__(self, deal: list[int]) -> None:
        self.deal = deal

    def shuffle(self, deck: list[str]) -> None:
        assert sorted(deck) == sorted(map(str, self.deal))
        deck[:] = map(str, self.deal)


@st.composite
def deals(draw: st.DrawFn) -> tuple[Game[Any], list[int]]:
    rules = draw(games())
    return rules, draw(st.permutations(rules.deck))


@given(deals(), st.randoms(use_true_random=False))
def test_an_episode_is_the_match_of_the_same_deal(dealt: tuple[Game[Any], list[int]], random: Any) -> None:
    rules, deal = dealt
    match = Match(rules, deal=deal) if deal else Match(rules)
    episode = Episode(rules)
    episode.start(Stacked(deal))  # type: ignore[arg-type]
    while True:
        assert episode.position == match.position
        assert episode.moves == match.moves
        assert [rules.actions[action] for action in episode.legal] == list(match.moves)
        assert np.flatnonzero(episode.mask).tolist() == episode.legal
        assert [episode.allows(action) for action in range(len(rules.actions))] == episode.mask.tolist()
        assert not episode.no_mask.any()
        if match.outcome is not None:
            assert episode.over
            assert episode.outcome == match.outcome
            assert [episode.reward(player) for player in (0, 1)] == [match.outcome.reward(player) for player in (0, 1)]
            return
        assert not episode.over
        assert episode.outcome is None
        assert episode.player == match.player != CHANCE
        move = random.choice(match.moves)
        match.play(move)
        episode.play(move)


def test_a_seed_gives_the_same_deals_whatever_was_dealt_before() -> None:
    def opened(episode: Episode[Any], seed: int) -> list[Any]:
        dice = np.random.default_rng(seed)
        seen = []
        for _ in range(3):
            episode.start(dice)
            while episode.moves:
                episode.play(episode.moves[0])
            seen.append(episode.position)
        return seen

    episode = Episode(game("grid", side=4))
    first = opened(episode, 1)
    assert opened(episode, 2) != first
    assert opened(episode, 1) == first
    assert opened(Episode(game("grid", side=4)), 1) == first


def test_every_deal_is_as_likely_as_any_other() -> None:
    dice = np.random.default_rng(5)
    episode = Episode(game("mystic", high=3, copies=1, target=60))
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        episode.start(dice)
        drawn = []
        while episode.moves:
            drawn.append(episode.position.drawn)
            episode.play("add")
        seen[tuple(drawn)] = seen.get(tuple(drawn), 0) + 1
    # Six deals, each about 1000 times; the spread of such a count is 29.
    assert len(seen) == 6
    assert all(abs(count - 1000) < 150 for count in seen.values())


def test_a_mask_is_the_callers_own() -> None:
    episode = Episode(game("sumquest"))
    episode.start(np.random.default_rng(0))
    episode.mask[:] = 0
    episode.no_mask[:] = 1
    assert episode.mask.all()
    assert not episode.no_mask.any()


def test_masks_do_not_fill_the_memory(monkeypatch: Any) -> None:
    monkeypatch.setattr(episode_file, "MASKS_KEPT", 5)
    dice = np.random.default_rng(0)
    episode = Episode(game("grid"))
    for _ in range(50):
        episode.start(dice)
        while episode.moves:
            assert np.flatnonzero(episode.mask).tolist() == episode.legal
            episode.play(str(dice.choice(episode.moves)))
    assert len(episode._masks) <= 5


def test_a_copied_episode_goes_on_with_the_same_deal() -> None:
    episode = Episode(game("grid", target=99))
    episode.start(np.random.default_rng(3))
    episode.play("2,2")
    copies = [copy.deepcopy(episode), pickle.loads(pickle.dumps(episode))]  # noqa: S301
    while episode.moves:
        episode.play(episode.moves[0])
    for other in copies:
        assert other.position != episode.position
        while other.moves:
            other.play(other.moves[0])
        assert other.position == episode.position
        assert other.outcome == episode.outcome
