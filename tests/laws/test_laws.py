"""What is true of every game, with any rule settings: the laws that `numberquest check` looks at, and a little more."""

import ast
import pickle
from collections import Counter, defaultdict
from copy import copy, deepcopy
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game, ending
from numberquest.core.laws import LAWS, Law
from numberquest.core.registry import GAMES, game
from numberquest.core.settings import as_text
from numberquest.core.walk import Walk
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic.rules import Mystic
from tests.strategies import FIVE, KINDS, SECRET_KINDS, games


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_every_game_keeps_the_law(law: Law) -> None:
    @given(games((*KINDS, *SECRET_KINDS)), st.randoms(use_true_random=False))
    def kept(rules: Game[Any], random: Random) -> None:
        assert law.broken(rules, random) is None

    kept()


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    walk = Walk(draw(games(FIVE)), draw(st.randoms(use_true_random=False)))
    walk.go()
    return walk


@given(walks())
def test_g2_every_game_of_ours_has_one_winner_and_the_words_name_a_player(walk: Walk) -> None:
    outcome = walk.game.outcome(walk.positions[-1])
    assert outcome is not None
    assert outcome.winner in (0, 1)
    words = ending(walk.game, outcome)
    assert "Player 1" in words or "Player 2" in words
    assert outcome.reason in walk.game.endings


@given(walks())
def test_reveals_are_listed_in_ascending_order(walk: Walk) -> None:
    for p, _ in walk.chance():
        assert list(walk.game.moves(p)) == sorted(walk.game.moves(p), key=int)


@given(walks())
def test_a_position_of_ours_holds_nothing_but_numbers(walk: Walk) -> None:
    def plain(value: object) -> bool:
        return all(map(plain, value)) if isinstance(value, tuple) else isinstance(value, int)

    assert all(map(plain, walk.positions))


@given(games(FIVE))
def test_the_actions_are_the_moves_of_players_and_no_others(rules: Game[Any]) -> None:
    assert all(action == action.strip() != "" for action in rules.actions)
    unplayed = set(rules.actions) - set(rules.moves(rules.start()))
    # At the start only that is missing which needs a number drawn or a total to take from.
    assert unplayed <= ({"add", "subtract", "pass"} if isinstance(rules, Mystic) else set())


@pytest.mark.parametrize(
    "rules",
    [
        Grid(side=2),
        Grid(side=2, target=5),
        Grid(side=2, target=6, stand=True),
        Mystic(high=3, copies=1),
        Mystic(high=3, copies=1, target=4),
        Mystic(high=2, copies=2),
    ],
    ids=repr,
)
def test_odds_are_the_true_frequencies_over_all_deals(rules: Game[Any]) -> None:
    frequency: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    where: dict[tuple[str, ...], Any] = {}
    for deal in permutations(rules.deck):
        begun: list[tuple[tuple[str, ...], Any]] = [((), rules.start())]
        while begun:
            history, p = begun.pop()
            moves = rules.moves(p)
            if moves and rules.player(p) == CHANCE:
                moves = (str(deal[rules.slot(p)]),)
                frequency[history][moves[0]] += 1
                where[history] = p
            begun += [((*history, move), rules.play(p, move)) for move in moves]
    assert where
    for history, p in where.items():
        counts = frequency[history]
        assert dict(zip(rules.moves(p), rules.odds(p), strict=True)) == {
            reveal: Fraction(count, counts.total()) for reveal, count in counts.items()
        }


@given(games(), games())
def test_games_are_equal_exactly_when_their_rules_are(one: Game[Any], two: Game[Any]) -> None:
    assert (one == two) == ((one.slug, one.settings) == (two.slug, two.settings))
    assert (one != two) is not (one == two)
    if one == two:
        assert hash(one) == hash(two)
        assert repr(one) == repr(two)
    assert one != one.slug
    assert one == type(one)(**one.settings)
    assert hash(one) == hash(type(one)(**one.settings))


@given(games())
def test_a_changed_setting_is_another_game(rules: Game[Any]) -> None:
    for name in rules.fields:
        for value in (1, 2, 3, 5, True, False, "+", "+-"):
            try:
                other = game(rules.slug, **{**rules.settings, name: value})
            except ValueError:
                continue
            assert (other == rules) == (rules.settings[name] == value)
            assert other.settings[name] == value


@given(games())
def test_a_game_says_its_settings_as_python_and_as_they_are_typed(rules: Game[Any]) -> None:
    call = ast.parse(repr(rules), mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    assert call.func.id == type(rules).__name__
    said = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    assert said == rules.settings
    assert type(rules)(**said) == rules

    typed = dict(word.split("=", 1) for word in rules.settings_text.split(" "))
    unsaid = {name for name, field in rules.fields.items() if field.later} - set(rules.changed)
    assert typed == {name: as_text(value) for name, value in rules.settings.items() if name not in unsaid}
    assert game(rules.slug, **typed) == rules


@given(games())
def test_whole_numbers_of_numpy_are_the_same_settings(rules: Game[Any]) -> None:
    settings = {
        name: np.int16(value) if type(value) is int else value  # a truth value is none
        for name, value in rules.settings.items()
    }
    again = game(rules.slug, **settings)
    assert again == rules
    assert again.settings_text == rules.settings_text
    assert all(type(again.settings[name]) is type(value) for name, value in rules.settings.items())


@given(games())
def test_a_game_survives_pickling_and_copying(rules: Game[Any]) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(rules, protocol))  # noqa: S301  # the bytes are our own
        assert type(again) is type(rules)
        assert again == rules
        assert again.actions == rules.actions
        assert again.start() == rules.start()
    assert copy(rules) == deepcopy(rules) == rules


@given(games())
def test_a_game_is_frozen(rules: Game[Any]) -> None:
    before = rules.settings
    for name in (*rules.fields, "actions", "deck", "longest", "slug", "anything"):
        with pytest.raises(AttributeError, match="is frozen"):
            setattr(rules, name, 3)
        with pytest.raises(AttributeError, match="is frozen"):
            delattr(rules, name)
    rules.settings.clear()
    assert rules.settings == before
    assert isinstance(rules.actions, tuple)
    assert isinstance(rules.deck, tuple)


def test_every_game_is_registered_under_its_own_name() -> None:
    for slug, kind in GAMES.items():
        assert kind.slug == slug
        assert list(kind().settings) == list(kind.fields)
    assert [kind for kind in GAMES.own.values() if kind in FIVE] == list(FIVE)
