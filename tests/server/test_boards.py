"""The boards, the moves on offer and the lines of the history say what the game says, and nothing that is hidden."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given

import numberquest as nq
from numberquest.contract import CHANCE, Game
from numberquest.dealer import completed
from numberquest.games import GAMES
from numberquest.match import Match
from numberquest.server import wire
from numberquest.server.boards import board, line, options
from tests.strategies import matches


def after(slug: str, *moves: str, **settings: Any) -> Match[Any]:
    deal = settings.pop("deal", None)
    match = Match(nq.game(slug, **settings), deal=deal)
    for move in moves:
        match.play(move)
    return match


def words(match: Match[Any]) -> dict[str, str]:
    return {option.move: option.words for option in options(match.game, match.position)}


def said(match: Match[Any]) -> list[str]:
    return [
        line(match.game, match.positions[at], entry, match.positions[at + 1]).words
        for at, entry in enumerate(match.history)
    ]


def shown(match: Match[Any]) -> wire.Board:
    return board(match.game, match.positions, match.history)


@given(matches())
def test_the_options_are_the_moves_and_end_as_the_game_says(match: Match[Any]) -> None:
    game = match.game
    for position in match.positions:
        found = options(game, position)
        if game.player(position) == CHANCE or game.outcome(position) is not None:
            assert found == []
            continue
        assert [option.move for option in found] == list(game.moves(position))
        for option in found:
            player, then = game.player(position), game.play(position, option.move)
            outcome = game.outcome(then)
            ends = None if outcome is None else "wins" if outcome.winner == player else "loses"
            assert option.ends == ends
            assert option.result == known_result(game, option.move, then, player)
            assert (f"that {option.ends}" in option.words) == (option.ends is not None)


def known_result(game: Game[Any], move: str, then: Any, player: int) -> int | None:
    if game.slug == "fifty":
        return int(then.scores[player])
    if game.slug == "sumquest":
        return int(then.total)
    if game.slug == "mystic":
        return int(then.totals[player])
    if game.slug == "grid":
        return int(then.totals[player]) if move == "stand" else None
    return None if move.startswith("predict") else sum({*range(1, int(game.settings["high"]) + 1)} - {*then.pool})


@given(matches())
def test_every_board_shows_the_position(match: Match[Any]) -> None:
    game = match.game
    for at, p in enumerate(match.positions):
        found = board(game, match.positions[: at + 1], match.history[:at])
        for name in set(game.settings) - {"stand"}:
            assert getattr(found, name) == game.settings[name]
        if isinstance(found, wire.FiftyBoard):
            assert (tuple(found.pool), found.scores) == (p.pool, p.scores)
        elif isinstance(found, wire.GridBoard):
            assert tuple(number or 0 for number in found.cells) == p.cells
            assert (found.totals, found.stood) == (p.totals, p.stood)
            assert sorted([*filter(None, p.cells), *found.unseen]) == sorted(game.deck)
        elif isinstance(found, wire.SumquestBoard):
            assert (found.total, found.barred or 0) == (p.total, p.barred)
        elif isinstance(found, wire.MysticBoard):
            assert (tuple(found.unseen), found.totals, found.drawn or 0) == (p.unseen, p.totals, p.drawn)
            assert found.pile == len(found.unseen)
        else:
            assert sorted([*found.sequence, *found.pool]) == list(range(1, found.high + 1))
            assert found.sum == sum(found.sequence)
            assert found.players == [1 + number % 2 for number in range(len(found.sequence))]
            assert tuple(guess or 0 for guess in found.predictions) == p.predictions
            assert (found.first or 0) == p.first + 1


@given(matches())
def test_everything_comes_through_json_unchanged(match: Match[Any]) -> None:
    found = shown(match)
    assert msgspec.json.decode(msgspec.json.encode(found), type=wire.Board) == found
    moves = options(match.game, match.position)
    assert msgspec.json.decode(msgspec.json.encode(moves), type=list[wire.Option]) == moves
    lines = [line(match.game, *step) for step in zip(match.positions, match.history, match.positions[1:], strict=False)]
    assert msgspec.json.decode(msgspec.json.encode(lines), type=list[wire.Line]) == lines


@given(matches())
def test_words_are_there_and_name_no_player(match: Match[Any]) -> None:
    texts = [*said(match), *(option.words for position in match.positions for option in options(match.game, position))]
    for text in texts:
        assert text == text.strip() != ""
        assert not re.search(r"[Pp]layer|[*/]|\d-|- ", text)


@given(matches())
def test_the_lines_say_who_and_what(match: Match[Any]) -> None:
    for before, entry, then in zip(match.positions, match.history, match.positions[1:], strict=False):
        found = line(match.game, before, entry, then)
        assert (found.player, found.entry) == (match.game.player(before) + 1, entry)


@given(matches())
def test_nothing_depends_on_what_is_hidden(match: Match[Any]) -> None:
    game = match.game
    if not game.deck:
        return
    # Another world: everything seen is the same, and the rest is dealt anew.
    seen = {
        game.slot(p): int(entry)
        for p, entry in zip(match.positions, match.history, strict=False)
        if game.player(p) == CHANCE
    }
    other = Match(game, dealer=completed(game, seen))
    for p, entry in zip(match.positions, match.history, strict=False):
        if game.player(p) != CHANCE:
            other.play(entry)
    assert other.history == match.history
    both = [msgspec.json.encode((shown(one), options(game, one.position), said(one))) for one in (match, other)]
    assert both[0] == both[1]


@given(matches())
def test_what_is_kept_from_other_games_changes_nothing(match: Match[Any]) -> None:
    from numberquest.server import boards

    before = [options(match.game, position) for position in match.positions]
    boards._shown.cache_clear()
    assert [options(match.game, position) for position in match.positions] == before


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_board(slug: str) -> None:
    assert msgspec.to_builtins(shown(after(slug)))["game"] == slug


def test_fifty_in_words() -> None:
    match = after("fifty", "8+", "3+", "5*", "5-")
    assert said(match) == [
        "adds 8: 0 + 8 = 8",
        "adds 3: 0 + 3 = 3",
        "multiplies by 5: 8 × 5 = 40",
        "subtracts 5: 3 − 5 would go below 0, so the turn is lost",
    ]
    found = words(match)
    assert found["4+"] == "40 + 4 = 44"
    assert found["4-"] == "40 − 4 = 36"
    assert found["9/"] == "40 ÷ 9 = 4"
    assert found["9*"] == "40 × 9 = 360, past 50: that loses"
    match.play("1+")
    match.play("4+")
    assert words(match)["9+"] == "41 + 9 = 50: that wins"


def test_in_fifty_the_last_number_is_judged_by_both_scores() -> None:
    high = after("fifty", "1+", "1+", "2+", high=2)
    assert words(high) == {
        "2+": "1 + 2 = 3: that loses",
        "2-": "1 − 2 would go below 0, so the turn is lost: that loses",
        "2*": "1 × 2 = 2: that loses",
        "2/": "1 ÷ 2 = 0: that loses",
    }
    low = after("fifty", "1+", "1+", "2/", high=2)
    assert words(low)["2+"] == "1 + 2 = 3: that wins"


def test_sumquest_in_words() -> None:
    match = after("sumquest", "9", "8")
    assert words(match)["6"] == "17 + 6 = 23: that wins"
    assert words(match)["7"] == "17 + 7 = 24, past 23: that loses"
    match.play("4")
    assert words(match)["1"] == "21 + 1 = 22: that wins, for the other has no number left"
    assert said(match)[-1] == "adds 4: 17 + 4 = 21"


def test_mystic_in_words() -> None:
    match = after("mystic", "add", "add", deal=[9, 8, 7, *[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9]])
    assert said(match) == ["9 is drawn", "adds 9: total 9", "8 is drawn", "adds 8: total 8", "7 is drawn"]
    assert words(match) == {
        "add": "add 7: total 16",
        "subtract": "subtract 7: total 2",
        "pass": "pass 7 to the other, who then has 15",
    }
    match = after("mystic", "add", deal=[1, 2, 2, 1], high=2, target=2)
    assert words(match) == {
        "add": "add 2: total 2, that wins",
        "pass": "pass 2 to the other, who then has 3, past 2, that wins",
    }


def test_grid_in_words() -> None:
    match = after("grid", "2,3", deal=[1, 2, 3, 4, 5, 6, 7, 8, 9], stand=True)
    assert said(match) == ["opens row 2, column 3", "row 2, column 3 hides 6"]
    assert words(match)["1,2"] == "open row 1, column 2"
    assert words(match)["stand"] == "stand at 0"
    match.play("stand")
    assert said(match)[-1] == "stands at 0"
    assert words(match)["stand"] == "stand at 6: that wins"


def test_showdown_in_words() -> None:
    match = after("showdown", "predict 6", "1", high=3)
    assert said(match) == ["predicts 6", "adds 1 to the sequence: the sum is 1"]
    assert words(match)["predict 45"] == "predict 45"
    assert words(match)["2"] == "add 2 to the sequence"
    match.play("2")
    assert words(match) == {"3": "add 3 to the sequence: that wins"}
    # The same numbers, and other predictions.
    assert words(after("showdown", "predict 7", "1", "predict 6", "2", high=3)) == {
        "3": "add 3 to the sequence: that loses"
    }
