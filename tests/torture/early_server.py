"""`numberquest`, but with a store that says yes first and writes a little later: what the tests must catch."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from numberquest.cli import main
from numberquest.server.store.sqlite import SqliteStore

LATER = 0.1
"""Seconds between the word and the deed."""

_in_time = SqliteStore._answers


def _too_early(self: SqliteStore, rows: list[Any]) -> Sequence[bool | Exception]:
    self._tell(rows, [True for _ in rows])
    time.sleep(LATER)
    return _in_time(self, rows)


if __name__ == "__main__":
    SqliteStore._answers = _too_early  # type: ignore[method-assign]
    sys.exit(main())
