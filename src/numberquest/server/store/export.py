"""Finished and abandoned matches as records, one file each, to keep for good or to look at elsewhere."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake
from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store.contract import Retention

if TYPE_CHECKING:
    from numberquest.server.store.contract import Store


async def export(store: Store, folder: str, now: float | None = None, retention: Retention | None = None) -> int:
    """Write the records into the folder, and return how many.

    A match that still goes on is not among them: its record would tell the hidden numbers.
    """
    retention, now = retention or Retention(), time.time() if now is None else now
    written, missing = 0, set[str]()
    try:
        os.makedirs(folder, exist_ok=True)
        async for kept, log in store.everything():
            try:
                state = folded(kept, log)
            except Refusal:
                missing.add(kept.game)
                continue
            touched = log[-1].at if log else kept.created
            if state.over or (log and now - touched > retention.abandoned):
                write_whole(os.path.join(folder, f"{kept.game}-{kept.match}.nq"), [state.record().text().encode()])
                written += 1
    except OSError as error:
        raise Mistake(f"--export {folder} cannot be written: {error.strerror}", FAILURE) from None
    if missing:
        games = ", ".join(sorted(missing))
        raise Mistake(
            f"{written} records written to {folder}; those of {games} are left out: name the files with --with", FAILURE
        )
    return written
