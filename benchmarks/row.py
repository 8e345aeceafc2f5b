"""One measured figure beside its reference."""

from typing import NamedTuple

COSTS = ("ms", "s", "µs", "MB")
"""Units of which less is better."""


class Row(NamedTuple):
    """What was measured; `goal` is the ratio to reach, at most for costs and at least for rates; None: only to be seen.

    The reference was measured in the same run.
    """

    what: str
    ours: float
    reference: float
    of: str
    unit: str
    goal: float | None

    @property
    def ratio(self) -> float:
        """Ours divided by the reference."""
        return self.ours / self.reference

    @property
    def met(self) -> bool:
        """Whether the goal was reached: a cost must be low, a rate must be high."""
        if self.goal is None:
            return True
        return self.ratio <= self.goal if self.unit in COSTS else self.ratio >= self.goal

    def line(self) -> str:
        """The row of the table."""
        sign = "≤" if self.unit in COSTS else "≥"
        ours, reference = f"{self.ours:,.1f} {self.unit}", f"{self.reference:,.1f} {self.unit}"
        verdict = "reached" if self.met else "MISSED"
        measured = f"{self.what:<34}{ours:>14}{reference:>12}  {self.of:<28}{self.ratio:>9.2f}×"
        return measured if self.goal is None else f"{measured}  {sign} {self.goal:g}× {verdict}"
