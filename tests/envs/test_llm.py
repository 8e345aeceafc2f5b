"""Training of language models: what an answer is worth is what its move is worth, exactly."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.stream import Stream
from numberquest.envs import llm
from numberquest.envs.llm import Episode


def positions(slug: str, games: int) -> list[Any]:
    """Positions that come up where both make any move."""
    found = []
    for seed in range(games):
        match, dice = nq.Match(nq.game(slug), seed=seed), Stream(str(seed), "any")
        while match.outcome is None:
            found.append(match.position)
            match.play(dice.choose(match.moves))
    return found


def test_the_example_in_the_module_is_true() -> None:
    assert doctest.testmod(llm).failed == 0


@pytest.mark.parametrize("slug", ["sumquest", "mystic"])
def test_an_allowed_move_is_worth_1_less_what_it_gives_away(slug: str) -> None:
    game = nq.game(slug)
    solution = nq.solve(game)
    for position in positions(slug, 3):
        values = solution.moves(position)
        for move, value in values.items():
            expected = 1 - float(max(values.values()) - value)
            assert llm.reward(game, position, f"[{move}]") == pytest.approx(expected, abs=1e-12)


def test_an_answer_that_is_no_allowed_move_costs_more_than_the_worst_move_and_least_where_it_can_be_read() -> None:
    game = nq.game("sumquest")
    after = game.play(game.start(), "7")
    barred, nonsense = llm.read("[7]", game, after), llm.read("no idea", game, after)
    assert (barred.move, barred.named, barred.illegal, barred.unreadable) == (None, "7", True, False)
    assert (nonsense.move, nonsense.named, nonsense.illegal, nonsense.unreadable) == (None, None, False, True)
    assert "not allowed" in barred.why
    worst = min(llm.reward(game, after, move) for move in game.moves(after))
    assert worst >= 0 > llm.reward(game, after, barred) == -llm.ILLEGAL > llm.reward(game, after, nonsense)
    assert llm.reward(game, after, nonsense, unreadable=0.25) == -0.25
    assert llm.reward(game, after, barred, illegal=2) == -2


def test_a_message_without_content_is_an_answer_that_cannot_be_read() -> None:
    game = nq.game("sumquest")
    for content in (None, ""):
        assert llm.read(content, game, game.start()) == llm.read("", game, game.start())
        assert llm.reward(game, game.start(), content) == -llm.UNREADABLE
        assert Episode(game, "easy", seed=1).answer(content) == -llm.UNREADABLE


def test_a_prompt_has_the_rules_the_position_and_what_was_wrong_before() -> None:
    game = nq.game("fifty", target=30)
    position = game.play(game.start(), "9+")
    wrong = llm.read("[10+]", game, position)
    system, user, assistant, again = (message["content"] for message in llm.prompt(game, position, ("9+",), wrong))
    assert "30" in system
    assert "Player 1: 9+" in user
    assert "Allowed now" in user
    assert assistant == "[10+]"
    assert wrong.why in again
    assert "Allowed now" not in llm.prompt(game, position, list_moves=False)[1]["content"]


@pytest.mark.parametrize("slug", nq.GAMES.own)
@pytest.mark.parametrize("seat", [1, 2, "random"])
def test_an_episode_goes_to_its_end_and_the_same_seed_gives_it_again(slug: str, seat: int | str) -> None:
    def played(seed: int) -> tuple[Any, ...]:
        rules = nq.game(slug, **({"picks": 3} if slug == "showdown" else {}))
        episode = Episode(rules, "medium", seat=seat, seed=seed)
        dice = Stream(str(seed), "answers")
        while not episode.over:
            assert episode.match.player == episode.seat
            assert episode.score is None
            assert episode.messages[-1]["role"] == "user"
            assert 0 <= episode.answer(f"I choose [{dice.choose(episode.match.moves)}]") <= 1
        assert episode.score in (0, 0.5, 1)
        assert not episode.forfeited
        with pytest.raises(ValueError, match="is over"):
            episode.answer("[1]")
        return episode.match.history, episode.seat, tuple(episode.rewards), episode.score

    assert [played(seed) for seed in range(3)] == [played(seed) for seed in range(3)]


def test_best_moves_have_the_highest_reward_and_win_where_the_game_is_won() -> None:
    for seed in range(5):
        episode = Episode("sumquest", "perfect", seat=1, seed=seed)
        solution = nq.solve(episode.game)
        while not episode.over:
            episode.answer(f"[{solution.best(episode.match.position)[0]}]")
        assert episode.mean_reward == 1
        assert episode.score == solution.value(episode.game.start()) == 1


def test_a_wrong_answer_is_asked_again_and_the_last_one_forfeits_the_game() -> None:
    episode = Episode("sumquest", "random", seed=1, tries=2)
    before = episode.match.history
    assert episode.answer("[77]") == -llm.UNREADABLE
    assert episode.match.history == before
    assert episode.messages[-2]["content"] == "[77]"
    assert episode.answer("[5]") >= 0
    assert not episode.over
    assert len(episode.messages) == 2
    barred = next(move for move in episode.game.actions if move not in episode.match.moves)
    assert [episode.answer(f"[{barred}]"), episode.answer("?")] == [-llm.ILLEGAL, -llm.UNREADABLE]
    assert episode.forfeited
    assert (episode.over, episode.score) == (True, 0)


def test_anybody_can_be_the_opponent_and_hears_what_was_played() -> None:
    class Hearing:
        """Makes the first move that is allowed."""

        def __init__(self) -> None:
            self.heard: list[tuple[str, ...]] = []

        def follow(self, history: Any) -> None:
            self.heard.append(tuple(history))

        def choose(self, game: Any, position: Any, dice: Any) -> str:
            return str(game.moves(position)[0])

    opponent = Hearing()
    episode = Episode("sumquest", opponent, seat=2, seed=3)  # type: ignore[arg-type]
    episode.answer("[9]")
    assert opponent.heard == [(), ("1", "9")]
    with pytest.raises(ValueError, match="no computer player"):
        Episode("sumquest", "nobody")
