"""What somebody can tell of the moves and reveals of a game with secrets."""

from hashlib import sha256
from itertools import product
from random import Random
from typing import Any

import pytest

from numberquest.core import seen_history
from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import Dealer, sealed
from numberquest.core.knowledge import knowledge
from numberquest.core.line import started
from numberquest.core.match import Match
from numberquest.core.record import Record, RecordError
from numberquest.core.registry import GAMES
from numberquest.core.seen_history import could_be_there, secret_choices, told_history
from tests.own.secret.games import PATHS, VIEWERS, histories, secret_games

SECRET = secret_games()


def known(game: Game[Any], history: tuple[str, ...], who: int | None) -> Any:
    steps, p = [], game.start()
    for move in history:
        steps.append((p, move))
        p = game.play(p, move)
    return knowledge(game, steps, p, who), len(history)


@pytest.mark.parametrize("most", [1, 2, seen_history.MOST])
@pytest.mark.parametrize("name", ["kuhn", "bluff", "pennies", "goof"])
def test_who_knows_the_same_is_told_the_same_and_nothing_that_is_not_so(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A class of its own: what is kept of others was worked out with another bound.
    game = type(name, (type(SECRET[name]),), {})()
    monkeypatch.setattr(seen_history, "MOST", most)
    for who in VIEWERS:
        told: dict[Any, tuple[str | None, ...]] = {}
        for history in histories(game):
            seen = told_history(game, history, who)
            assert told.setdefault(known(game, history, who), seen) == seen
            assert all(one in (None, entry) for one, entry in zip(seen, history, strict=True))


def test_a_card_that_follows_from_ones_own_is_told_and_another_is_not() -> None:
    kuhn, bluff = SECRET["kuhn"], SECRET["bluff"]
    assert told_history(kuhn, ("3", "1", "bet"), 0) == ("3", None, "bet")
    assert told_history(kuhn, ("3", "1", "bet"), 1) == (None, "1", "bet")
    assert told_history(kuhn, ("3", "1", "bet"), None) == (None, None, "bet")
    assert told_history(kuhn, ("3", "1", "bet", "call"), None) == ("3", "1", "bet", "call")
    assert told_history(kuhn, ("3", "1", "bet", "fold"), 0) == ("3", None, "bet", "fold")
    assert told_history(bluff, ("low", "raise"), 1) == (None, "raise")
    assert told_history(bluff, ("low", "raise", "call"), 1) == ("low", "raise", "call")


def test_a_choice_made_at_once_is_told_when_it_is_uncovered() -> None:
    goof = SECRET["goof"]
    assert told_history(goof, ("3",), 0) == ("3",)
    assert told_history(goof, ("3",), 1) == told_history(goof, ("1",), None) == (None,)
    assert told_history(goof, ("3", "1"), 1) == told_history(goof, ("3", "1"), None) == ("3", "1")
    assert secret_choices(goof, ("3", "1", "2", "3")) == [0, 2]


def test_a_game_with_more_worlds_than_can_be_followed_tells_what_is_heard_and_not_what_is_hidden() -> None:
    game = type(SECRET["goof"])(cards=5)
    for order in product("12345", repeat=2):
        assert told_history(game, order[:1], 1) == (None,)
    liar = type(SECRET["liar"])(faces=6)
    assert told_history(liar, ("6", "2", "1x3", "2x6", "liar"), None) == ("6", "2", "1x3", "2x6", "liar")
    assert told_history(liar, ("6", "2", "1x3", "2x6"), None) == (None, None, "1x3", "2x6")


@pytest.mark.parametrize("name", PATHS)
def test_a_position_that_could_be_there_looks_the_same(name: str) -> None:
    game, random = SECRET[name], Random(1)
    for _ in range(30):
        p, history = game.start(), tuple[str, ...]()
        while moves := game.moves(p):
            if (who := game.player(p)) != CHANCE:
                knows = known(game, history, who)[0]
                other = could_be_there(game, knows, who, random)
                assert other is not None
                assert (game.player(other), game.moves(other)) == (who, moves)
                assert game.sees(other, who) == game.sees(p, who)
            move = random.choice(moves)
            history, p = (*history, move), game.play(p, move)


def test_in_a_game_with_secrets_no_move_is_taken_back() -> None:
    line = started(SECRET["goof"], Dealer(())).play("3")
    assert line.undo_refusal is not None
    assert line.undo_refusal.code == "secrets-stay"
    assert line.taken_with(0) == line.play("2").taken_with(1) == []


def test_a_record_tells_the_seals_of_secret_choices_and_no_other_move_fits_them() -> None:
    goof = SECRET["goof"]
    GAMES.add(type(goof), PATHS["goof"], listed=False)
    match = Match(goof, dealer=sealed(goof, "a secret"))
    for move in ("3", "1", "2", "3"):
        match.play(move)
    text = Record(match).text()
    first, second = (sha256(f"a secret/{what}".encode()).hexdigest() for what in ("0/3", "2/2"))
    assert f'[Sealed "0:{first} 2:{second}"]' in text
    assert Record.read(text).match == match
    assert "Sealed" not in Record(match).text(deal=False)
    with pytest.raises(RecordError, match="is not that of the move that was made there"):
        Record.read(text.replace("1. 3", "1. 2").replace("3. 2", "3. 3"))
