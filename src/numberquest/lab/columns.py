"""What is measured as columns of numbers, for the games that are worked out in arrays, layer by layer.

Everything is seen by the player whose turn it is. Only one pass backward is made: each column holds what is still to
come from a position on, so that the first position holds the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from numberquest.lab.walk import EVEN, Flow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

WINS: Final = "wins"
"""How often the player whose turn it is wins. Every group of columns needs it."""
GROUPS: Final = (
    (WINS, "by_chance", "by_choice", "moves", "squares"),
    (WINS, "allowed", "decisions", "mattered", "staked", "blindly"),
    (WINS, "mine", "theirs", "unsettled", "behind", "deficit"),
    (WINS, "led_mine", "led_theirs", "led_none"),
)
"""A few columns at a time, for the sake of memory."""
OTHER: Final = {"mine": "theirs", "theirs": "mine", "led_mine": "led_theirs", "led_theirs": "led_mine"}
"""What a column is called by the other player."""
AT_A_WIN: Final = {WINS: 1.0, "mine": 1.0, "led_theirs": 1.0}
AT_A_LOSS: Final = {"theirs": 1.0, "led_mine": 1.0}
"""What columns hold at an end, for who has won there or lost; the others hold nothing."""


class Choice(NamedTuple):
    """What the rules say about a decision, as arrays or as one number for all positions."""

    moves: Numbers
    staked: Numbers
    """What the worst move gives away; 0 where the choice does not matter."""
    blindly: Numbers


def ended(columns: Sequence[str], won: Numbers) -> Numbers:
    """The columns of ends, from where the player whose turn it would be has won (1) or lost (0)."""
    import numpy as np

    return np.stack([won * AT_A_WIN.get(name, 0.0) + (1 - won) * AT_A_LOSS.get(name, 0.0) for name in columns])


def seen_by_the_other(columns: Sequence[str], known: Numbers) -> Numbers:
    """The same for who has just moved: columns by own score and the other's become those by the other's and own."""
    import numpy as np

    turned = np.ascontiguousarray(known.swapaxes(-1, -2)[[columns.index(OTHER.get(name, name)) for name in columns]])
    turned[columns.index(WINS)] = 1 - turned[columns.index(WINS)]
    return turned


def settled(columns: Sequence[str], mean: Numbers, squares: Numbers | None, choice: Choice | None) -> Numbers:
    """The columns of positions, from the means over what follows, and the mean of the squared chances.

    `choice` is None where a reveal follows; the squares are needed where what scatters is among the columns.
    """
    import numpy as np

    at = {name: mean[number] for number, name in enumerate(columns)}
    wins = at[WINS]
    leads, trails = wins > 0.5 + EVEN, wins < 0.5 - EVEN
    found = dict(at)
    if squares is not None and "by_chance" in at:
        whose = "by_chance" if choice is None else "by_choice"
        found[whose] = at[whose] + np.maximum(squares - wins * wins, 0)
    if "mine" in at:
        found["mine"], found["theirs"] = at["mine"] * leads, at["theirs"] * trails
    if "led_mine" in at:
        mine, theirs, none = at["led_mine"], at["led_theirs"], at["led_none"]
        found["led_mine"] = np.where(trails, 1 + theirs, mine)
        found["led_theirs"] = np.where(leads, 1 + mine, theirs)
        found["led_none"] = np.where(leads, mine, np.where(trails, theirs, none))
    if choice is not None:
        found |= _chosen(at, found, choice, leads | trails)
    return np.stack([np.broadcast_to(found[name], wins.shape) for name in columns])


def _chosen(
    at: Mapping[str, Numbers], found: Mapping[str, Numbers], choice: Choice, somebody_leads: NDArray[np.bool_]
) -> dict[str, Numbers]:
    """What a move adds."""
    import numpy as np

    more: dict[str, Numbers] = {}
    if "moves" in at:
        more["moves"] = at["moves"] + 1
        more["squares"] = at["squares"] + 2 * at["moves"] + 1
    if "allowed" in at:
        more["allowed"] = at["allowed"] + choice.moves
        more["decisions"] = at["decisions"] + (choice.moves > 1)
        more["mattered"] = at["mattered"] + (choice.staked > 0)
        if "staked" in at:
            more["staked"] = at["staked"] + choice.staked
        more["blindly"] = at["blindly"] + choice.blindly
    if "mine" in at:
        wins = at[WINS]
        more["unsettled"] = at["unsettled"] + 1 - found["mine"] - found["theirs"]
        # The one who is behind wins after all.
        behind = np.where(somebody_leads, np.minimum(wins, 1 - wins), 0.0)
        more["behind"] = at["behind"] + behind
        more["deficit"] = at["deficit"] + behind * np.abs(1 - 2 * wins)
    return more


def flow_of(start: Mapping[str, float]) -> Flow:
    """What a game comes to, from the columns of its first position, at which it is Player 1's turn; nobody draws."""
    return Flow(
        first=start[WINS],
        second=1 - start[WINS],
        endless=0.0,
        by_chance=start["by_chance"],
        by_choice=start["by_choice"],
        lead_changes=start["led_none"],
        moves=start["moves"],
        spread=max(start["squares"] - start["moves"] ** 2, 0.0) ** 0.5,
        **{name: start[name] for name in ("allowed", "decisions", "mattered", "staked", "blindly")},
        **{name: start[name] for name in ("behind", "deficit", "unsettled")},
    )
