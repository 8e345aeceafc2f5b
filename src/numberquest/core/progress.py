"""How far long work is: whoever works tells it, whoever waits shows it."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how much is done, and of how much."""


def silently(*_: object) -> None:
    """Progress and warnings for somebody who does not want to know."""


def part_of(progress: Progress, at: int, parts: int) -> Progress:
    """How far one part is, of several that take about as long, told as how far all is."""
    return lambda done, total: progress(at * total + done, parts * total)
