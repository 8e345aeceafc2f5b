"""Who plays whom: whoever is free, in an arena; winners and winners, and nobody twice, in rounds."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from numberquest.server.classroom.events import COMPUTER
from numberquest.server.classroom.state import ClassState, PupilState

NEW_WITHIN: Final = 7.0
"""Seconds after which the computer steps in for somebody who has not played yet."""
FREE_WITHIN: Final = 13.0
"""The same for all others: so long somebody may become free for them."""
AGAIN_AFTER: Final = 8.0
"""Seconds after which two who have just played each other play again, where nobody else is free."""
MOST_TRIES: Final = 2_000
"""So many ways to pair a round are tried; then those for whom nobody is left play the computer."""

Pair = tuple[int, int]
"""Player 1 and 2, by their numbers; `COMPUTER` for the computer."""


def due(state: ClassState, here: Collection[int], now: float, toss: Callable[[], int]) -> list[Pair]:
    """Who is to be put at a table at this moment, without anybody asking."""
    if not state.begun or state.ended or state.paused:
        return []
    free = [one for one in state.present if not one.busy and one.number in here]
    if state.header.way == "rounds":
        # Whoever comes late plays the computer until the next round.
        late = [one for one in free if state.running and not one.met and _waits_for(one, now) >= NEW_WITHIN]
        return [seated(one, None, toss) for one in late]
    if state.left(now) == 0:
        return []
    if state.header.way == "computer":
        return [seated(one, None, toss) for one in free]
    return [seated(one, two, toss) for one, two in _arena(free, now)] if state.header.way == "arena" else []


def _arena(free: Sequence[PupilState], now: float) -> list[tuple[PupilState, PupilState | None]]:
    """Those who wait longest first, with whom they have met least; of these with who waits longest."""
    waiting = sorted(free, key=lambda one: (one.since, one.number))
    pairs: list[tuple[PupilState, PupilState | None]] = []
    while waiting:
        one = waiting.pop(0)
        others = [two for two in waiting if not _just_met(one, two) or _waits_for(one, now) >= AGAIN_AFTER]
        two = min(others, key=lambda two: (_just_met(one, two), one.met.count(two.number)), default=None)
        if two is not None:
            waiting.remove(two)
            pairs.append((one, two))
        elif _waits_for(one, now) >= (FREE_WITHIN if one.met else NEW_WITHIN):
            pairs.append((one, None))
    return pairs


def _just_met(one: PupilState, two: PupilState) -> bool:
    return one.met[-1:] == (two.number,) and two.met[-1:] == (one.number,)


def _waits_for(one: PupilState, now: float) -> float:
    return now - one.since


def round_of(state: ClassState, here: Collection[int], toss: Callable[[], int]) -> list[Pair]:
    """The next round: neighbours in points who have not met; the odd one, with few points, plays the computer."""
    order = sorted(
        (one for one in state.present if one.number in here and not one.busy), key=lambda one: (-one.points, one.number)
    )
    odd: list[PupilState] = []
    if len(order) % 2:
        odd = [min(reversed(order), key=lambda one: one.met.count(COMPUTER))]
        order.remove(odd[0])
    pairs = _without_repeats(order, [MOST_TRIES])
    if pairs is None:
        pairs, alone = _as_far_as_possible(order)
        odd += alone
    return [*(seated(one, two, toss) for one, two in pairs), *(seated(one, None, toss) for one in odd)]


def _without_repeats(order: Sequence[PupilState], tries: list[int]) -> list[tuple[PupilState, PupilState]] | None:
    """All of them in pairs that are new; None where there is no such way, or none was found in so many tries."""
    if not order:
        return []
    one, *rest = order
    for at, two in enumerate(rest):
        if two.number not in one.met and tries[0] > 0:
            tries[0] -= 1
            others = _without_repeats([*rest[:at], *rest[at + 1 :]], tries)
            if others is not None:
                return [(one, two), *others]
    return None


def _as_far_as_possible(
    order: Sequence[PupilState],
) -> tuple[list[tuple[PupilState, PupilState]], list[PupilState]]:
    """New pairs one after the other, and those for whom nobody is left."""
    left, pairs, alone = list(order), [], []
    while left:
        one = left.pop(0)
        two = next((other for other in left if other.number not in one.met), None)
        if two is None:
            alone.append(one)
        else:
            left.remove(two)
            pairs.append((one, two))
    return pairs, alone


def seated(one: PupilState, two: PupilState | None, toss: Callable[[], int]) -> Pair:
    """The two at a table: who has begun less often begins; against the computer too, half of the time."""
    often = _begins_often(one) - (0 if two is None else _begins_often(two))
    other = COMPUTER if two is None else two.number
    return (other, one.number) if often > 0 or (often == 0 and toss()) else (one.number, other)


def _begins_often(one: PupilState) -> int:
    """By how much somebody has begun more often than not."""
    return 2 * one.began - len(one.met)
