"""Computers whose clocks are wrong, and servers on them, in a world in which the time is known."""

from numberquest.server.hub import Hub
from numberquest.server.limits import Gate, Limits
from numberquest.server.log import Log
from numberquest.server.store.base import Retention, SqlStore
from numberquest.server.think.pool import Thinking

HOUR = 3600.0
DAY = 24 * HOUR


class Computer:
    """Knows how long it has been on, and has a clock that says anything."""

    def __init__(self) -> None:
        self.truth = 1_000_000.0
        """What time it is; nobody on this computer knows."""
        self.wrong_by = 0.0
        self._on_since = self.truth - 5.0
        self._boots = 1

    def clock(self) -> float:
        return self.truth + self.wrong_by

    def steady(self) -> float:
        return self.truth - self._on_since

    @property
    def boot(self) -> str:
        return f"boot {self._boots}"

    def wait(self, seconds: float) -> None:
        self.truth += seconds

    def switch_off(self, seconds: float) -> None:
        """And on again, so many seconds later."""
        self.truth += seconds
        self._on_since = self.truth - 1.0
        self._boots += 1


class Told(Log):
    """Remembers which matches were removed."""

    def __init__(self) -> None:
        super().__init__(None)
        self.removed: list[str] = []

    def event(self, name: str, /, **facts: str | float | None) -> None:
        if name == "removed":
            self.removed.append(str(facts["match"]))


def hub_on(computer: Computer, store: SqlStore, log: Log, retention: Retention | None = None) -> Hub:
    """A server without its web, started now."""
    return Hub(
        store,
        Thinking(),
        Gate(Limits()),
        log,
        clock=computer.clock,
        steady=computer.steady,
        boot=computer.boot,
        retention=retention,
    )
