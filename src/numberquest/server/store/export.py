"""Finished and abandoned matches as records, one file each, to keep for good or to look at elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake
from numberquest.server.match.state import folded
from numberquest.server.refusal import Refusal
from numberquest.server.store.contract import Retention, StoreError

if TYPE_CHECKING:
    from numberquest.server.store.contract import Store

MOST_NAMED: Final = 10


async def export(store: Store, folder: str, now: float | None = None, retention: Retention | None = None) -> int:
    """Write the records into the folder, and return how many. `now` is the store's own time.

    A match that still goes on is not among them: its record would tell the hidden numbers. What cannot be read is left
    out, and told at the end.
    """
    retention, now = retention or Retention(), store.lived.time if now is None else now
    written, missing, unreadable = 0, set[str](), list[str]()
    try:
        os.makedirs(folder, exist_ok=True)
        async for kept, log in store.everything(unreadable.append):
            try:
                state = folded(kept, log)
            except Exception as trouble:
                # Whatever a row that nobody of us has written may bring about.
                if isinstance(trouble, Refusal) and trouble.code == "not-found":
                    missing.add(kept.game)
                else:
                    unreadable.append(kept.match)
                continue
            touched = log[-1].at if log else kept.created
            if state.over or (log and now - touched > retention.abandoned):
                write_whole(os.path.join(folder, f"{kept.game}-{kept.match}.nq"), [state.record().text().encode()])
                written += 1
    except OSError as error:
        raise Mistake(f"--export {folder} cannot be written: {error.strerror}", FAILURE) from None
    except StoreError as trouble:
        raise Mistake(f"{written} records written to {folder}, then no more. {trouble}", FAILURE) from None
    left_out = []
    if missing:
        left_out.append(f"those of {', '.join(sorted(missing))} are left out: name the files with --with")
    if unreadable:
        others = f" and {len(unreadable) - MOST_NAMED} others" if len(unreadable) > MOST_NAMED else ""
        left_out.append(f"match {', '.join(unreadable[:MOST_NAMED])}{others} cannot be read: see numberquest db check")
    if left_out:
        raise Mistake("; ".join([f"{written} records written to {folder}", *left_out]), FAILURE)
    return written
