"""What is true of every game, with any rule settings."""

from __future__ import annotations

import ast
import pickle
from collections import Counter, defaultdict
from copy import copy, deepcopy
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.contract import CHANCE, Game, Outcome
from numberquest.games import GAMES, game
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic.rules import Mystic
from numberquest.settings import as_text
from tests.strategies import games, matches

if TYPE_CHECKING:
    from random import Random

    from numberquest.match import Match


class Walk(NamedTuple):
    """A whole game at random: each move, and the position before it and after the last."""

    rules: Game[Any]
    moves: list[str]
    positions: list[Any]


def chosen(rules: Game[Any], p: Any, random: Random) -> str:
    moves = rules.moves(p)
    # Half of the reveals are by their weights, as a dealer makes them, and half are any that is listed.
    if rules.player(p) == CHANCE and random.random() < 0.5:
        return random.choices(moves, rules.weights(p))[0]
    return random.choice(moves)


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    rules = draw(games())
    random = draw(st.randoms(use_true_random=False))
    moves: list[str] = []
    positions = [rules.start()]
    while rules.moves(positions[-1]):
        moves.append(chosen(rules, positions[-1], random))
        positions.append(rules.play(positions[-1], moves[-1]))
        assert len(moves) <= rules.longest, "an endless game would never come to its assertions"
    return Walk(rules, moves, positions)


def plain(value: object) -> bool:
    """Whether something can neither change nor be anything but numbers."""
    if isinstance(value, tuple):
        return all(map(plain, value))
    return isinstance(value, int)


def attributes(p: Any) -> list[str]:
    return list(p._fields)


@given(walks())
def test_moves_are_empty_exactly_when_there_is_an_outcome(walk: Walk) -> None:
    rules, _, positions = walk
    for p in positions:
        assert (rules.moves(p) == ()) == (rules.outcome(p) is not None)
    assert rules.outcome(positions[-1]) is not None


@given(walks())
def test_every_game_has_one_winner_and_a_reason(walk: Walk) -> None:
    rules, _, positions = walk
    outcome = rules.outcome(positions[-1])
    assert isinstance(outcome, Outcome)
    assert type(outcome.winner) is int
    assert outcome.winner in (0, 1)
    assert "Player 1" in outcome.reason or "Player 2" in outcome.reason


@given(walks())
def test_every_listed_move_can_be_played_and_gives_the_same_position_again(walk: Walk) -> None:
    rules, _, positions = walk
    for p in positions:
        for move in rules.moves(p):
            after = rules.play(p, move)
            assert after == rules.play(p, move)
            assert hash(after) == hash(rules.play(p, move))
            assert after != p
            # Listing and playing what follows must be possible, too, wherever the move leads.
            assert (rules.moves(after) == ()) == (rules.outcome(after) is not None)


@given(walks())
def test_a_position_is_immutable_and_playing_from_it_leaves_it_as_it_was(walk: Walk) -> None:
    rules, moves, positions = walk
    for p, move in zip(positions, moves, strict=False):
        before = repr(p)
        rules.play(p, move)
        rules.moves(p)
        assert repr(p) == before
        assert plain(p)
        assert type(p) is type(positions[0])
    for name in attributes(positions[0]):
        with pytest.raises(AttributeError):
            setattr(positions[0], name, 0)


@given(walks())
def test_players_moves_are_distinct_actions_in_their_order(walk: Walk) -> None:
    rules, _, positions = walk
    assert len(set(rules.actions)) == len(rules.actions)
    order = {action: at for at, action in enumerate(rules.actions)}
    for p in positions:
        if rules.moves(p) and rules.player(p) != CHANCE:
            ids = [order[move] for move in rules.moves(p)]
            assert ids == sorted(set(ids))


@given(games())
def test_the_actions_are_the_moves_of_players_and_no_others(rules: Game[Any]) -> None:
    assert all(action == action.strip() != "" for action in rules.actions)
    unplayed = set(rules.actions) - set(rules.moves(rules.start()))
    # At the start only that is missing which needs a number drawn or a total to take from.
    assert unplayed <= ({"add", "subtract", "pass"} if isinstance(rules, Mystic) else set())


@given(walks())
def test_reveals_are_exactly_the_distinct_unseen_numbers_in_order(walk: Walk) -> None:
    rules, moves, positions = walk
    unseen = Counter(rules.deck)
    for p, move in zip(positions, moves, strict=False):
        if rules.player(p) == CHANCE:
            assert rules.moves(p) == tuple(map(str, sorted(unseen)))
            assert rules.weights(p) == tuple(unseen[number] for number in sorted(unseen))
            unseen -= Counter([int(move)])


@given(walks())
def test_odds_are_exact_positive_and_sum_to_1(walk: Walk) -> None:
    rules, _, positions = walk
    for p in positions:
        if rules.moves(p) and rules.player(p) == CHANCE:
            odds, weights = rules.odds(p), rules.weights(p)
            assert len(odds) == len(weights) == len(rules.moves(p))
            assert all(type(chance) is Fraction and chance > 0 for chance in odds)
            assert all(type(weight) is int and weight > 0 for weight in weights)
            assert sum(odds) == 1
            assert [chance * sum(weights) for chance in odds] == list(weights)


@given(walks())
def test_a_game_ends_within_its_longest(walk: Walk) -> None:
    assert 0 < len(walk.moves) <= walk.rules.longest


@given(walks())
def test_replaying_the_moves_gives_the_same_positions_in_an_equal_game(walk: Walk) -> None:
    rules, moves, positions = walk
    # Another object, so that nothing remembered from the first walk helps.
    again = game(rules.slug, **rules.settings)
    p = again.start()
    for move, expected in zip(moves, positions[1:], strict=True):
        assert move in again.moves(p)
        p = again.play(p, move)
        assert p == expected
    assert again.outcome(p) == rules.outcome(positions[-1])


@given(walks())
def test_the_player_is_0_or_1_or_chance_and_chance_only_where_something_is_dealt(walk: Walk) -> None:
    rules, _, positions = walk
    for p in positions:
        if rules.moves(p):
            assert rules.player(p) in ((0, 1, CHANCE) if rules.deck else (0, 1))


@given(walks())
def test_slots_are_places_of_the_deal_and_never_repeat(walk: Walk) -> None:
    rules, moves, positions = walk
    slots = [rules.slot(p) for p, _ in zip(positions, moves, strict=False) if rules.player(p) == CHANCE]
    assert len(set(slots)) == len(slots)
    assert set(slots) <= set(range(len(rules.deck)))


@given(games().filter(lambda rules: bool(rules.deck)), st.randoms(use_true_random=False))
def test_dealing_any_permutation_by_slot_always_gives_a_listed_reveal(rules: Game[Any], random: Random) -> None:
    deal = random.sample(rules.deck, len(rules.deck))
    p = rules.start()
    while moves := rules.moves(p):
        move = str(deal[rules.slot(p)]) if rules.player(p) == CHANCE else random.choice(moves)
        assert move in moves
        p = rules.play(p, move)


@given(games().filter(lambda rules: bool(rules.deck)), st.randoms(use_true_random=False), st.integers(1, 36))
def test_no_position_tells_what_is_hidden(rules: Game[Any], random: Random, length: int) -> None:
    deal = random.sample(rules.deck, len(rules.deck))
    decisions: list[str] = []
    seen: set[int] = set()
    positions = [rules.start()]
    while (moves := rules.moves(positions[-1])) and len(positions) <= length:
        p = positions[-1]
        if rules.player(p) == CHANCE:
            seen.add(rules.slot(p))
            move = str(deal[rules.slot(p)])
        else:
            move = random.choice(moves)
            decisions.append(move)
        positions.append(rules.play(p, move))

    hidden = [at for at in range(len(deal)) if at not in seen]
    other = list(deal)
    for at, number in zip(hidden, random.sample([deal[at] for at in hidden], len(hidden)), strict=True):
        other[at] = number

    replayed = [rules.start()]
    rest = iter(decisions)
    for _ in positions[1:]:
        p = replayed[-1]
        move = str(other[rules.slot(p)]) if rules.player(p) == CHANCE else next(rest)
        replayed.append(rules.play(p, move))
    assert replayed == positions
    assert list(map(rules.moves, replayed)) == list(map(rules.moves, positions))


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


@given(matches())
def test_a_match_walks_as_its_game_does(match: Match[Any]) -> None:
    rules = match.game
    p = rules.start()
    for move, expected in zip(match.history, match.positions[1:], strict=True):
        p = rules.play(p, move)
        assert p == expected
    assert p == match.position
    assert match.outcome is not None or rules.player(p) != CHANCE, "a match stands at a decision"


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
    for name in rules.ranges:
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
    assert typed == {name: as_text(value) for name, value in rules.settings.items()}
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
    for name in (*rules.ranges, "actions", "deck", "longest", "slug", "anything"):
        with pytest.raises(AttributeError, match="is frozen"):
            setattr(rules, name, 3)
        with pytest.raises(AttributeError, match="is frozen"):
            delattr(rules, name)
    rules.settings.clear()
    assert rules.settings == before
    assert isinstance(rules.actions, tuple)
    assert isinstance(rules.deck, tuple)


def test_every_game_is_registered_under_its_own_name() -> None:
    assert list(GAMES) == ["showdown", "fifty", "grid", "sumquest", "mystic"]
    for slug, kind in GAMES.items():
        assert kind.slug == slug
        assert list(kind().settings) == list(kind.ranges)
