"""Which rules are large: learnt from how long they took. Pure."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from numberquest.server.think.fair_queue import LARGE, SMALL

QUICK: Final = 0.3
"""What takes no more seconds of a worker than this is small."""
REMEMBERED: Final = 10_000
"""Of so many rules it is known that they are large."""
MOST_DOUBTS: Final = 6


class CostModel:
    """Whatever is not known to be large is tried as a small one; of rules without a name nothing is learnt.

    What was large may be small later, since what was worked out is kept. So after an answer for which it was worked
    out it is tried once more; each time that was in vain, after twice as many such answers.
    """

    def __init__(self) -> None:
        self._large: OrderedDict[str, list[int]] = OrderedDict()

    def size(self, rules: str) -> str:
        """What these rules are to be taken for."""
        known = self._large.get(rules)
        return SMALL if known is None or known[1] >= 2 ** known[0] else LARGE

    def too_long(self, rules: str) -> None:
        """They were tried as small ones, and are not."""
        if not rules:
            return
        doubts = self._large.pop(rules, [-1, 0])[0]
        self._large[rules] = [min(doubts + 1, MOST_DOUBTS), 0]
        if len(self._large) > REMEMBERED:
            self._large.popitem(last=False)

    def answered(self, rules: str, size: str, *, solved: bool) -> None:
        """There is an answer: from the rules worked out, or only by looking ahead."""
        if size == SMALL:
            self._large.pop(rules, None)
        elif solved and rules in self._large:
            self._large[rules][1] += 1
