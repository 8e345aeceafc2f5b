"""How many positions and games there are: known figures, each with the way to it."""

from collections import Counter
from itertools import pairwise, permutations, product
from math import comb
from typing import Any

import pytest

from numberquest.core.contract import Game
from numberquest.games.fifty.rules import Fifty
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic.rules import Mystic
from numberquest.games.showdown.rules import Showdown
from numberquest.games.sumquest.rules import SumQuest
from tests.conftest import in_ci

ACTIONS = ("add", "subtract", "pass")


def layers(rules: Game[Any], depth: int) -> list[Counter[Any]]:
    """After each number of moves and reveals, in how many ways each position is reached."""
    found = [Counter({rules.start(): 1})]
    while found[-1] and len(found) <= depth:
        after: Counter[Any] = Counter()
        for p, ways in found[-1].items():
            for move in rules.moves(p):
                after[rules.play(p, move)] += ways
        found.append(after)
    return found


def sequences(rules: Game[Any], depth: int) -> list[int]:
    """How many sequences of 1, 2, … moves and reveals there are."""
    return [layer.total() for layer in layers(rules, depth)[1:]]


def reachable(rules: Game[Any]) -> set[Any]:
    return set().union(*layers(rules, rules.bound))


def showdown_positions(high: int, picks: int) -> int:
    """Pools, times what can have been predicted by then."""
    positions = 0
    for picked in range(picks + 1):
        turns_begun = min(picked + 1, picks)
        # Nobody, or Player 1 alone with any of 99; from the second turn on Player 2 alone, or both
        # with Player 1 first; from the third on, both with Player 2 first.
        predicted = 1 + 99
        if turns_begun >= 2:
            predicted += 99 + 99 * 99
        if turns_begun >= 3:
            predicted += 99 * 99
        positions += comb(high, picked) * predicted
    return positions


@in_ci
@pytest.mark.parametrize(
    ("high", "picks", "positions"),
    [
        (2, 1, 300),  # 100 before the pick, and 2 * 100 after it
        (2, 2, 30_100),  # 100 + 2 * 10,000 + 10,000
        (3, 3, 109_304),  # 100 + 3 * 10,000 + 3 * 19,801 + 19,801
        (4, 2, 100_100),  # 100 + 4 * 10,000 + 6 * 10,000
    ],
)
def test_reachable_positions_of_showdown(high: int, picks: int, positions: int) -> None:
    assert showdown_positions(high, picks) == positions
    assert len(reachable(Showdown(high=high, picks=picks))) == positions


def test_sequences_of_showdown() -> None:
    counted = sequences(Showdown(), 3)
    assert counted == [
        9 + 99,  # a pick or a prediction
        9 * (8 + 99) + 99 * 9,  # after a pick both again; after a prediction the pick
        # pick pick pick; one prediction among two picks, in three places; predict pick predict
        9 * 8 * 7 + 3 * (99 * 9 * 8) + 99 * 9 * 99,
    ]
    assert counted == [108, 1_854, 110_097]


def fifty_positions(rules: Fifty) -> int:
    """Every order of the numbers with every choice of operations, reckoned with a pencil."""
    pool = sorted([*range(1, rules.high + 1)] * rules.copies)
    found: set[tuple[object, ...]] = {(tuple(pool), 0, 0)}
    for order in set(permutations(pool)):
        for ops in product(rules.ops, repeat=len(order)):
            scores, left = [0, 0], list(pool)
            for turn, (number, op) in enumerate(zip(order, ops, strict=True)):
                score = scores[turn % 2]
                results = {"+": score + number, "-": score - number, "*": score * number, "/": score // number}
                scores[turn % 2] = results[op] if results[op] >= 0 else score
                left.remove(number)
                found.add((tuple(left), *scores))
                if max(scores) >= rules.target:
                    break
    return len(found)


@pytest.mark.parametrize(
    ("rules", "positions"),
    [
        (Fifty(high=2, copies=1, ops="+"), 5),  # the start; 1-0 or 2-0; 1-2 or 2-1
        # The start; 1 or 2 gone, and Player 1 has it or 0; then each has their number or 0: two times
        # four, of which 0-0 is the same.
        (Fifty(high=2, copies=1, ops="+*"), 1 + 4 + 7),
        # The rest is what the pencil says.
        (Fifty(high=2, copies=2), 66),
        (Fifty(high=3, copies=1), 50),
        (Fifty(high=3, copies=1, target=3), 40),
        (Fifty(high=4, copies=1, target=6), 201),
    ],
    ids=repr,
)
def test_reachable_positions_of_fifty(rules: Fifty, positions: int) -> None:
    assert fifty_positions(rules) == positions
    assert len(reachable(rules)) == positions


def test_sequences_of_fifty() -> None:
    # Four operations each time, and nine numbers to take until one has gone twice. Three turns take
    # three different numbers (9 * 8 * 7), leaving nine; or one of them twice (3 * 9 * 8), leaving eight.
    different, one_twice = 9 * 8 * 7, 3 * 9 * 8
    # The third turn is the first that can end a game: n+ and then m* with n * m above 50. For n and m
    # not alike there are 8 such pairs, and Player 2 took one of 7 others (leaving nine) or one of these
    # 2 (leaving eight). For 8, 8 and 9, 9 Player 2 took one of 8 others, leaving eight.
    lost = 4 * (8 * (7 * 9 + 2 * 8) + 2 * (8 * 8))
    counted = sequences(Fifty(), 4)
    assert counted == [
        4 * 9,
        4**2 * 9 * 9,
        4**3 * (different + one_twice),
        4**4 * (different * 9 + one_twice * 8) - 4 * lost,
    ]
    assert counted == [36, 1_296, 46_080, 1_591_424]


@pytest.mark.parametrize(
    ("target", "going_on", "totals"),
    [
        (99, 6, ["3-7", "4-6", "5-5", "6-4", "7-3"]),
        (6, 4, ["3-7", "4-6", "5-5"]),  # not 2+4 and 3+4
        (5, 2, ["3-7", "4-6"]),  # only 1+2 and 1+3
    ],
)
def test_reachable_positions_of_grid(target: int, going_on: int, totals: list[str]) -> None:
    opened_and_opening = [
        1,
        4,  # one of four cells is being opened
        4 * 4,  # and shows one of four numbers
        4 * 4 * 3,
        (4 * 3) * (4 * 3),  # two cells, two numbers, and it shows in the totals whose is whose
        (4 * 3) * (4 * 3) * 2,
        4 * 4 * 6 * 3,  # the covered cell, the unseen number, the order of the others, and Player 2's one of them
    ]
    # The last cell is opened where Player 1's two numbers are below the target, and Player 2 has one of the
    # two others. Each order of the four numbers on the board then ends with one of these totals.
    ends = [4 * 6 * going_on * 2, 24 * len(totals)]
    rules = Grid(side=2, target=target)
    assert len(reachable(rules)) == sum(opened_and_opening) + sum(ends)


def test_sequences_of_grid() -> None:
    # Cells and numbers go down together, and nobody can have 15 before the third number.
    counted = sequences(Grid(), 6)
    assert counted == [9, 9 * 9, 81 * 8, 81 * 64, 81 * 64 * 7, 81 * 64 * 49]
    assert counted == [9, 81, 648, 5_184, 36_288, 254_016]


def test_sequences_of_grid_to_the_end_of_a_small_board() -> None:
    whole = [4, 16, 16 * 3, 16 * 9, 16 * 9 * 2, 16 * 9 * 4, 16 * 9 * 4, 16 * 9 * 4]
    assert sequences(Grid(side=2, target=99), 8) == whole
    # Of the six pairs that Player 1 can have by then, only 1+2 and 1+3 are below 5.
    assert sequences(Grid(side=2, target=5), 8) == [*whole[:6], whole[6] // 3, whole[7] // 3]


def test_sequences_of_grid_with_standing() -> None:
    assert sequences(Grid(stand=True), 4) == [
        9 + 1,
        9 * 9 + (9 + 1),  # a reveal; or Player 1 stands and Player 2 opens or stands
        81 * (8 + 1) + 81,  # Player 2 opens or stands; or Player 2 alone sees a number
        81 * 8 * 8 + 81 * (8 + 1) + 81 * (8 + 1),  # a reveal; or either is alone, and opens or stands
    ]


def sumquest_positions(target: int, high: int) -> int:
    """For each sum from below: which number can have come last, by which player."""
    ends: dict[int, set[tuple[int, int]]] = {0: {(0, 1)}}
    for total in range(1, target + high):
        ends[total] = {
            (number, 1 - player)
            for number in range(1, high + 1)
            for last, player in ends.get(total - number, set())
            if last != number and total - number < target and not (total - number == target - 1 and last == 1)
        }
    return sum(map(len, ends.values()))


def test_reachable_positions_of_sumquest() -> None:
    assert len(reachable(SumQuest())) == sumquest_positions(23, 9) == 385
    # 0; 1 after 1; 2 after 2: the first number decides.
    assert len(reachable(SumQuest(target=2, high=2))) == sumquest_positions(2, 2) == 3
    # 0; 1 or 2; 3 as 1 + 2. At 2 the 2 is barred, so 2 + 1 is the only other way to 3.
    assert len(reachable(SumQuest(target=3, high=2))) == sumquest_positions(3, 2) == 5
    for target, high in product(range(2, 30), range(2, 10)):
        assert len(reachable(SumQuest(target=target, high=high))) == sumquest_positions(target, high)


def goes_on(sofar: tuple[int, ...]) -> bool:
    return sum(sofar) < 22 or (sum(sofar) == 22 and sofar[-1] != 1)


def test_sequences_of_sumquest() -> None:
    # Nothing is barred at first, and then one of nine. 17 is the most after two, so three are always there.
    counted = sequences(SumQuest(), 16)
    assert counted[:3] == [9, 9 * 8, 9 * 8 * 8]
    for length in (4, 5):
        assert counted[length - 1] == sum(
            all(one != next_one for one, next_one in pairwise(numbers))
            and all(goes_on(numbers[:some]) for some in range(1, length))
            for numbers in product(range(1, 10), repeat=length)
        )
    # Fourteen numbers leave room for a fifteenth if they are 1 2 1 2 … or 2 1 2 1 … (21), or the first of
    # these with one of its seven 2s made a 3 (22; the second would end with a 1, and nothing could follow).
    assert counted[14] == (2 + 7) * 8
    assert counted[3:] == [4456, 25512, 91880, 213008, 333392, 363032, 277616, 147296, 52136, 11432, 1368, 72, 0]


def legal_in_mystic(numbers: tuple[int, ...], actions: tuple[str, ...]) -> bool:
    """Whether these draws with these actions are the beginning of a game, as long as nobody can have 21."""
    totals = [0, 0]
    for turn, (number, action) in enumerate(zip(numbers, actions, strict=True)):
        gainer = 1 - turn % 2 if action == "pass" else turn % 2
        totals[gainer] += -number if action == "subtract" else number
        if totals[gainer] < 0:
            return False
    return all(numbers.count(number) <= 2 for number in numbers)


def test_sequences_of_mystic() -> None:
    # Nothing can be taken from 0. If Player 1 passed, Player 2 may subtract up to that: 45 of 81 pairs.
    decided_twice = 9 * 9 * 4 + 45
    # After two alike (9 pairs: 4 decisions, and the subtraction to 0) only eight are left to draw.
    alike = 9 * 5
    # Two numbers make 18 at most, so nobody has 21 before the third decision.
    third = [legal_in_mystic(*turns) for turns in product(product(range(1, 10), repeat=3), product(ACTIONS, repeat=3))]
    counted = sequences(Mystic(), 6)
    assert counted == [9, 9 * 2, 9 * 2 * 9, decided_twice, (decided_twice - alike) * 9 + alike * 8, sum(third)]
    assert counted == [9, 18, 162, 369, 3_276, 7_980]


def test_reachable_positions_of_mystic() -> None:
    # The start; two draws; each added or passed; the other drawn. The ends are 1-2, 2-1, 3-0, 0-3, and
    # 0-1 where Player 1 passed the 2 and Player 2 took the 1 from it.
    assert len(reachable(Mystic(high=2, copies=1))) == 1 + 2 + 2 * 2 + 2 * 2 + 5 == 16
    # With 2 to reach, a 2 that is added or passed is the end at once: only after a 1 is there a second
    # draw (1-0 or 0-1, a 2 in hand). Its ends are 1-2, 3-0, 0-3 and 2-1.
    assert len(reachable(Mystic(high=2, copies=1, target=2))) == 1 + 2 + 2 * 2 + 2 + 4 == 13


@pytest.mark.parametrize("high", [2, 9])
def test_a_sumquest_can_last_as_long_as_it_says_or_one_less(high: int) -> None:
    for target in range(2, 50):
        rules = SumQuest(target=target, high=high)
        lasts = len(layers(rules, 2 * target)) - 2
        # Where the slowest way would leave a player stuck one step before its end (Q3), it is one less.
        assert lasts <= rules.longest <= lasts + 1


@pytest.mark.parametrize(
    ("rules", "lasts"),
    [
        (Showdown(high=3), 3 + 2),  # three picks, two predictions
        (Fifty(high=2), 4),
        (Grid(side=2, target=99), 4 * 2),
        (Grid(side=2, target=99, stand=True), 4 * 2 + 1),  # with the second stand a cell stays covered
        (Mystic(high=3, copies=1), 3 * 2),
    ],
    ids=repr,
)
def test_how_long_a_game_can_last(rules: Game[Any], lasts: int) -> None:
    # One layer is the start, and the last one is empty.
    assert len(layers(rules, 99)) - 2 == lasts
    assert lasts <= rules.bound <= lasts + 1
