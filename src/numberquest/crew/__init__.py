"""Long rows of jobs, shared among those who work: processes of this machine, or of others."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from numberquest.crew.workers import Crew, crew_here

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Crew", "crew_here", "crew_of"]


@contextmanager
def crew_of(number: int, cluster: str | None = None) -> Iterator[Crew | None]:
    """Those who work: nobody else where one is enough, so many processes, or a cluster at that address."""
    if cluster is not None:
        from numberquest.crew.cluster import crew_at

        with crew_at(cluster) as crew:
            yield crew
    else:
        yield crew_here(number) if number > 1 else None
