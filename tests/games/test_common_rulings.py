"""The rulings that hold for all games, and how a game is named and set."""

import re
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, COMMON_RULINGS, Game, IllegalMove
from numberquest.core.match import Match
from numberquest.core.registry import GAMES, game
from numberquest.core.settings import BadSetting
from numberquest.games.fifty.rules import Fifty
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic.rules import Mystic
from numberquest.games.showdown.rules import Showdown
from numberquest.games.sumquest.rules import SumQuest
from tests.strategies import FIVE, games

CLASSICS: list[Game[Any]] = [kind() for kind in FIVE]
PILE = (3, 7, 1, 5, 2, 8, 9, 4, 6, 2, 5, 7, 1, 6, 8, 9, 4, 3)
NO_MOVE_ANYWHERE = [
    *("", " ", "\n", "help", "ADD", "0", "10", "-1", "5 ", "５", "5+5", "6×", "0,0", "4,4", "1;1", "predict")
]


def by_slug(rules: Game[Any]) -> str:
    return rules.slug


def dealt(rules: Game[Any], deal: tuple[int, ...], *moves: str) -> Match[Any]:
    match = Match(rules, deal=deal) if deal else Match(rules)
    for move in moves:
        match.play(move)
    return match


def state(match: Match[Any]) -> tuple[Any, ...]:
    return match.position, match.history, match.player, match.moves, match.outcome


@pytest.mark.parametrize("rules", CLASSICS, ids=by_slug)
@pytest.mark.parametrize("said", NO_MOVE_ANYWHERE)
def test_g1_an_input_that_is_no_move_is_refused_with_what_is_allowed_and_costs_nothing(
    rules: Game[Any], said: str
) -> None:
    match = Match(rules, seed=1)
    for _ in range(3):
        before = state(match)
        with pytest.raises(IllegalMove, match=r"is not allowed here\. Allowed: .*[^.]\.$"):
            match.play(said)
        assert state(match) == before
        match.play(match.moves[0])


@pytest.mark.parametrize(
    ("rules", "deal", "moves", "said", "allowed"),
    [
        (Showdown(), (), ["5"], "5", "1 to 4, 6 to 9, predict 1 to predict 99"),
        (Showdown(), (), ["predict 45"], "predict 45", "1 to 9"),
        (Fifty(high=2), (), ["1+", "1+"], "1+", r"2\+, 2-, 2\*, 2/"),
        (Grid(side=2, stand=True), (1, 2, 3, 4), ["stand", "1,2"], "1,2", "1,1,? 2,1,? 2,2,? stand"),
        (SumQuest(), (), ["5"], "5", "1 to 4, 6 to 9"),
        (Mystic(), PILE, [], "subtract", "add, pass"),
        (Showdown(), (), [], "nonsense", "1 to 9, predict 1 to predict 99"),
        (Fifty(), (), [], "nonsense", r"1\+, 1-, 1\*, 1/, 2\+.*"),
        (Grid(), (), [], "nonsense", "1,1 1,2 1,3 2,1 2,2 2,3 3,1 3,2 3,3"),
        (SumQuest(), (), [], "nonsense", "1 to 9"),
        (Mystic(), (), [], "nonsense", "add, pass"),
    ],
    ids=["used number", "second prediction", "empty number", "open cell", "barred number", "below 0", *[None] * 5],
)
def test_g1_an_impossible_move_is_refused_with_what_is_allowed_and_costs_nothing(
    rules: Game[Any], deal: tuple[int, ...], moves: list[str], said: str, allowed: str
) -> None:
    match = dealt(rules, deal, *moves)
    before = state(match)
    with pytest.raises(IllegalMove, match=rf"^{re.escape(repr(said))} is not allowed here\. Allowed: {allowed}\.$"):
        match.play(said)
    assert state(match) == before


def test_g1_a_refused_move_leaves_what_was_taken_back() -> None:
    match = dealt(Fifty(), (), "5+")
    match.undo()
    with pytest.raises(IllegalMove, match="is not allowed here"):
        match.play("10+")
    assert match.redo() == "5+"


@pytest.mark.parametrize("rules", CLASSICS, ids=by_slug)
def test_g1_after_the_end_every_move_is_refused(rules: Game[Any]) -> None:
    match = Match(rules, seed=1)
    while match.moves:
        match.play(match.moves[0])
    before = state(match)
    for action in rules.actions:
        with pytest.raises(IllegalMove, match=r"is not allowed here\. The game is over\.$"):
            match.play(action)
    with pytest.raises(IllegalMove, match="nobody can resign"):
        match.resign()
    assert state(match) == before


@given(games(), st.integers(0, 10**9))
def test_g3_player_1_moves_first_in_every_game(rules: Game[Any], seed: int) -> None:
    match = Match(rules, seed=seed)
    assert match.player == 0
    assert match.last_player in (None, CHANCE), "before that, only chance has had a turn"


@given(games(), st.randoms(use_true_random=False))
def test_g4_a_position_and_all_that_is_shown_of_a_match_do_not_tell_what_is_hidden(
    rules: Game[Any], random: Any
) -> None:
    first, second = ([*rules.deck] for _ in range(2))
    random.shuffle(first)
    random.shuffle(second)
    # Uncovering the same first number, two deals cannot be told apart, whatever lies behind it.
    opening = rules.moves(rules.start())[0] if rules.deck and rules.player(rules.start()) != CHANCE else None
    if rules.deck:
        second[second.index(first[0])], second[0] = second[0], first[0]
    one, two = (dealt(rules, tuple(deal), *([opening] if opening else [])) for deal in (first, second))
    assert state(one) == state(two)
    assert repr(one) == repr(two)


@given(games((Grid, Mystic)), st.randoms(use_true_random=False))
def test_g4_which_numbers_are_still_unseen_is_known_to_both(rules: Game[Any], random: Any) -> None:
    deal = [*rules.deck]
    random.shuffle(deal)
    match = Match(rules, deal=deal)
    while True:
        uncovered = Counter(int(move) for move in match.history if move.isdigit())
        position = match.position
        known = position.unseen if isinstance(rules, Mystic) else set(rules.deck) - set(position.cells)
        assert sorted(known) == sorted((Counter(deal) - uncovered).elements())
        if not match.moves:
            break
        match.play(random.choice(match.moves))


@pytest.mark.parametrize("rules", [Showdown(), Fifty(), SumQuest()], ids=by_slug)
def test_g4_nothing_is_hidden_where_nothing_is_dealt_and_no_ruling_speaks_of_it(rules: Game[Any]) -> None:
    assert rules.deck == ()
    assert "G4" not in rules.rulings_told()
    for ask in (rules.weights, rules.slot, rules.odds):
        with pytest.raises(LookupError, match=f"nothing is (left to chance|dealt) in {rules.slug}"):
            ask(rules.start())


def test_every_ruling_is_told() -> None:
    assert list(COMMON_RULINGS) == ["G1", "G2", "G3", "G4"]
    assert {kind.slug: list(kind.rulings) for kind in FIVE} == {
        "showdown": ["S1", "S2", "S3", "S4", "S5", "S6"],
        "fifty": ["F1", "F2", "F3", "F4", "F5"],
        "grid": ["C1", "C2", "stand=yes"],
        "sumquest": ["Q1", "Q2", "Q3"],
        "mystic": ["M1", "M2", "M3", "M4"],
    }


@pytest.mark.parametrize("slug", ["", "Fifty", "chess", "fifty "])
def test_a_game_that_does_not_exist_is_refused_with_those_that_do(slug: str) -> None:
    message = f"there is no game called {slug!r}; the games are {', '.join(GAMES)}"
    with pytest.raises(BadSetting, match=f"^{re.escape(message)}$"):
        game(slug)


@pytest.mark.parametrize(
    ("slug", "name", "known"),
    [
        ("showdown", "target", "high, picks, secret"),
        ("fifty", "side", "target, high, copies, ops"),
        ("grid", "high", "target, side, stand"),
        ("sumquest", "copies", "target, high"),
        ("mystic", "ops", "target, high, copies"),
    ],
)
def test_a_setting_that_does_not_exist_is_refused_with_those_that_do(slug: str, name: str, known: str) -> None:
    with pytest.raises(BadSetting, match=f"^{slug} has no setting '{name}'; it has {known}$"):
        game(slug, **{name: 3})


@pytest.mark.parametrize("typed", ["", " 5", "5 ", "+5", "-5", "5.0", "1e1", "0x5", "٥", "5_0", "five", "9" * 5000])
def test_a_number_is_typed_in_the_digits_0_to_9_alone(typed: str) -> None:
    with pytest.raises(BadSetting, match=r"^target must be a whole number from 2 to 200 in fifty, not "):
        game("fifty", target=typed)


def test_a_refused_setting_is_shown_short_and_without_control_characters() -> None:
    for value in (10**5000, "\x1b[31mhi\n", "9" * 1000):
        with pytest.raises(BadSetting) as refusal:
            game("fifty", target=value)
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 150


CLASSIC: dict[str, dict[str, Any]] = {
    "showdown": {"high": 9, "picks": 9, "secret": False},
    "fifty": {"target": 50, "high": 9, "copies": 2, "ops": "+-*/"},
    "grid": {"target": 15, "side": 3, "stand": False},
    "sumquest": {"target": 23, "high": 9},
    "mystic": {"target": 21, "high": 9, "copies": 2},
}
RANGES = [
    *(("showdown", "high", 2, 13), ("showdown", "picks", 1, 9)),
    *(("fifty", "target", 2, 200), ("fifty", "high", 2, 9), ("fifty", "copies", 1, 4)),
    *(("grid", "target", 2, 99), ("grid", "side", 2, 4)),
    *(("sumquest", "target", 2, 999), ("sumquest", "high", 2, 9)),
    *(("mystic", "target", 2, 60), ("mystic", "high", 2, 9), ("mystic", "copies", 1, 4)),
]


@pytest.mark.parametrize("slug", CLASSIC)
def test_the_classic_game_is_the_default(slug: str) -> None:
    assert GAMES[slug]().settings == CLASSIC[slug]
    assert game(slug) == GAMES[slug]()
    assert {name for known, name, *_ in RANGES if known == slug} == CLASSIC[slug].keys() - {"ops", "stand", "secret"}


@pytest.mark.parametrize(("slug", "name", "low", "high"), RANGES)
def test_whole_numbers_to_both_ends_of_a_range_are_accepted_and_all_else_is_refused_with_the_range(
    slug: str, name: str, low: int, high: int
) -> None:
    kind = GAMES[slug]
    for end in (low, high):
        # In Showdown all numbers are played unless it is said how many.
        follows = {"picks": end} if (slug, name) == ("showdown", "high") else {}
        assert kind(**{name: end}).settings == {**CLASSIC[slug], **follows, name: end}
        assert game(slug, **{name: str(end)}) == kind(**{name: end})
    for past in (low - 1, high + 1):
        for make, value in ((kind, past), (partial(game, slug), str(past))):
            with pytest.raises(BadSetting) as refusal:
                make(**{name: value})
            assert str(refusal.value) == f"{name} must be a whole number from {low} to {high} in {slug}, not {past}"
    # Without a number of picks all numbers are played.
    for wrong in (True, "3", 3.0, [3], b"3", "", *([None] if name != "picks" else [])):
        with pytest.raises(BadSetting, match=f"^{name} must be a whole number from "):
            kind(**{name: wrong})
