"""The boards, the moves on offer and the lines of the history say what the game says, and nothing that is hidden."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import completed, sealed
from numberquest.core.match import Match
from numberquest.core.play_out import positions_of
from numberquest.core.registry import kind_in
from numberquest.games.showdown import board as showdown_board
from numberquest.games.showdown.rules import Showdown
from numberquest.server import boards, wire
from numberquest.server.boards import EVERYTHING
from numberquest.server.boards import shown as look
from tests.own.files import FOLDER
from tests.own.secret.games import secret_games
from tests.strategies import matches

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def after(slug: str, *moves: str, **settings: Any) -> Match[Any]:
    deal = settings.pop("deal", None)
    match = Match(nq.game(slug, **settings), deal=deal)
    for move in moves:
        match.play(move)
    return match


def shown(match: Match[Any]) -> wire.Board:
    return look(match.game).board(match.positions, match.history)


@given(matches())
def test_the_options_are_the_moves_and_end_as_the_game_says(match: Match[Any]) -> None:
    game = match.game
    for position in match.positions:
        found = look(game).options(position)
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


def known_result(game: Game[Any], move: str, then: Any, player: int) -> int | None:
    if game.slug == "fifty":
        return int(then.scores[player])
    if game.slug == "sumquest":
        return int(then.total)
    if game.slug == "mystic" and move != "pass":
        return int(then.totals[player])
    if game.slug == "mystic":
        # Whether the game is over with it is known, and then so is the total.
        return int(then.totals[player]) if game.outcome(then) is not None else None
    return int(then.totals[player]) if move == "stand" else None


@given(matches())
def test_every_board_shows_the_position(match: Match[Any]) -> None:
    game = match.game
    for at, p in enumerate(match.positions):
        found = look(game).board(match.positions[: at + 1], match.history[:at])
        assert set(found) >= {field.name for field in look(game).view}
        for name in found.keys() & p._asdict().keys() - {"first"}:
            # What is called nothing is 0 in a position and null on the wire.
            assert tuple(flat(found[name])) == tuple(flat(getattr(p, name)))
        if game.slug == "grid":
            assert sorted([*filter(None, p.cells), *found["unseen"]]) == sorted(game.deck)
        if game.slug == "mystic":
            assert found["pile"] == len(found["unseen"])
        if game.slug == "showdown":
            assert sorted([*found["sequence"], *found["pool"]]) == list(range(1, int(game.settings["high"]) + 1))
            assert found["sum"] == sum(found["sequence"])
            assert found["players"] == [1 + number % 2 for number in range(len(found["sequence"]))]
            assert (found["first"] or 0) == p.first + 1


def flat(value: Any) -> list[Any]:
    return [one or 0 for one in value] if isinstance(value, list | tuple) else [value or 0]


@given(matches())
def test_everything_comes_through_json_unchanged(match: Match[Any]) -> None:
    found = shown(match)
    encoded = msgspec.json.encode(found)
    assert msgspec.json.encode(msgspec.json.decode(encoded, type=wire.Board)) == encoded
    moves = look(match.game).options(match.position)
    assert msgspec.json.decode(msgspec.json.encode(moves), type=list[wire.Option]) == moves
    told = look(match.game).lines(match.positions, match.history)
    assert msgspec.json.decode(msgspec.json.encode(told), type=list[wire.Line]) == told


@given(matches())
def test_the_lines_say_who_and_what(match: Match[Any]) -> None:
    for before, entry, then in zip(match.positions, match.history, match.positions[1:], strict=False):
        found = boards.shown(match.game).line(before, entry, then)
        assert (found.player, found.entry) == (match.game.player(before) + 1, entry)


@given(matches())
def test_nothing_depends_on_what_is_hidden(match: Match[Any]) -> None:
    game = match.game
    if not game.deck:
        return
    # Another world: everything seen is the same, and the rest is dealt anew.
    seen = {
        game.slot(p): entry
        for p, entry in zip(match.positions, match.history, strict=False)
        if game.player(p) == CHANCE
    }
    other = Match(game, dealer=completed(game, seen))
    for p, entry in zip(match.positions, match.history, strict=False):
        if game.player(p) != CHANCE:
            other.play(entry)
    assert other.history == match.history
    both = [
        msgspec.json.encode(
            (shown(one), look(game).options(one.position), look(game).lines(one.positions, one.history)),
        )
        for one in (match, other)
    ]
    assert both[0] == both[1]


@given(matches())
def test_what_is_kept_from_other_games_changes_nothing(match: Match[Any]) -> None:
    before = [look(match.game).options(position) for position in match.positions]
    boards.shown.cache_clear()
    assert [look(match.game).options(position) for position in match.positions] == before


def test_a_reveal_says_its_place_in_the_deal_or_what_could_be_drawn() -> None:
    match = after("grid", "2,3", deal=[1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert look(match.game).lines(match.positions, match.history)[-1] == wire.Line(0, "6", place=5)
    pig = Match(kind_in(str(EXAMPLES / "pig.py"))(), deal=[4])
    pig.play("roll")
    assert look(pig.game).lines(pig.positions, pig.history)[-1] == wire.Line(
        0, "4", faces=["1", "2", "3", "4", "5", "6"], weights=[1] * 6
    )


def test_moves_say_the_score_before_and_after_and_what_the_game_adds() -> None:
    fifty = after("fifty", "8+", "3+", "5*")
    told = look(fifty.game).lines(fifty.positions, fifty.history)
    assert [line.facts for line in told] == [{"had": 0, "has": 8}, {"had": 0, "has": 3}, {"had": 8, "has": 40}]
    mystic = after("mystic", "pass", deal=[9, 8, 7, *[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9]])
    assert look(mystic.game).lines(mystic.positions, mystic.history)[1].facts == {
        "drawn": 9,
        "total": 9,
        "had": 0,
        "has": 0,
    }
    showdown = after("showdown", "predict 6", "1", high=3)
    assert [line.facts for line in look(showdown.game).lines(showdown.positions, showdown.history)] == [{}, {"sum": 1}]


def test_in_fifty_the_last_number_is_judged_by_both_scores() -> None:
    high = after("fifty", "1+", "1+", "2+", high=2)
    assert {option.ends for option in look(high.game).options(high.position)} == {"loses"}
    low = after("fifty", "1+", "1+", "2/", high=2)
    assert next(option for option in look(low.game).options(low.position) if option.move == "2+").ends == "wins"


def test_of_secret_predictions_a_board_knows_how_many_are_written_down_and_no_more() -> None:
    match = after("showdown", "predict 6", "predict 5", "1", high=3, secret=True)
    game, seen = nq.game("showdown", high=3, secret=True), [match.game.sees(p, 1) for p in match.positions]
    assert isinstance(game, Showdown)
    assert showdown_board.more(game, seen, ["?", "predict 5", "1"]) == {
        "sequence": [1],
        "players": [1],
        "sum": 1,
        "written": 2,
    }


def test_in_showdown_the_same_numbers_with_other_predictions_end_otherwise() -> None:
    for predicted, ends in (("predict 6", "wins"), ("predict 7", "loses")):
        match = after("showdown", predicted, "1", "predict 6", "2", high=3)
        assert [option.ends for option in look(match.game).options(match.position)] == [ends]


def test_a_game_of_one_file_has_a_board_moves_and_lines() -> None:
    nim = Match(kind_in(str(EXAMPLES / "nim.py"))())
    nim.play(nim.moves[0])
    assert shown(nim).keys() == {field.name for field in look(nim.game).view}
    assert [option.move for option in look(nim.game).options(nim.position)] == list(nim.moves)
    assert [line.entry for line in look(nim.game).lines(nim.positions, nim.history)] == list(nim.history)


def test_a_move_that_makes_a_draw_says_so() -> None:
    drawn = Match(kind_in(str(FOLDER / "sharing.py"))())
    assert [(option.move, option.ends) for option in look(drawn.game).options(drawn.position)] == [
        ("share", "draws"),
        ("take", "wins"),
        ("give", "loses"),
    ]


@pytest.mark.parametrize("who", [0, 1, None])
def test_of_a_secret_choice_everybody_is_shown_the_seal_at_once_and_in_the_end_the_same(who: int | None) -> None:
    goof = secret_games()["goof"]
    match = Match(goof, dealer=sealed(goof, "a secret"))
    match.play("3")
    (line,) = look(goof).lines_for(match.line, who)
    assert (line.entry, line.sealed) == ("3" if who == 0 else "?", sha256(b"a secret/0/3").hexdigest())
    for move in ("1", "2", "3", "1", "2"):
        match.play(move)
    assert match.outcome is not None
    assert look(goof).lines_for(match.line, EVERYTHING)[0].sealed == line.sealed


def test_a_move_that_may_come_to_something_secret_is_offered_without_what_it_comes_to() -> None:
    kuhn = secret_games()["kuhn"]
    called = positions_of(kuhn, ("3", "1", "bet"))[-1]
    assert kuhn.outcome(kuhn.play(called, "call")) is not None
    assert look(kuhn).options(called) == [wire.Option("call"), wire.Option("fold")]
