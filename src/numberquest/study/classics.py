"""Makes the measures that come with a game: `python -m numberquest.study.classics`, or of some games alone.

They are those of its classic rules and of the exam's, which many ask for, so that nobody waits for them.
"""

import sys
import zlib
from json import dumps
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.files import write_whole
from numberquest.core.registry import GAMES, kind_for
from numberquest.solver import budget
from numberquest.study.atlas import place_for
from numberquest.study.measures import SHIPPED, Study

PAIRS: Final = (("perfect", "perfect"), ("medium", "medium"), ("random", "random"))
"""Between whom: best play, people, and nobody who thinks."""

MOST: Final = 1_000_000
"""So many positions are looked at one by one, at most: each takes some kilobytes of memory meanwhile."""


def rule_sets(kind: type[Game[Any]]) -> list[Game[Any]]:
    """The classic rules, and those of the exam's questions."""
    return list(dict.fromkeys([kind(), *(kind(**settings) for settings in kind.exam_settings)]))


def make(kind: type[Game[Any]]) -> None:
    """Work them out, and write them beside the game's rules."""
    found = {}
    for game in rule_sets(kind):
        study = Study(game, shipped=False)
        found[game.settings_text] = {" ".join(pair): study.measures(pair).data() for pair in PAIRS}
    write_whole(place_for(kind, SHIPPED), [zlib.compress(dumps(found).encode(), 9)])


if __name__ == "__main__":
    # Here nobody waits.
    budget.MOST_FOLLOWED = MOST
    for name in sys.argv[1:] or GAMES.own:
        make(kind_for(name))
