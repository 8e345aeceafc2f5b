"""What is said where the package behind an adapter is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numberquest.mistake import FAILURE, Mistake

if TYPE_CHECKING:
    from collections.abc import Iterator
from contextlib import contextmanager

EXTRAS: Final = {"mcp": "mcp", "inspect_ai": "inspect", "textarena": "textarena"}
"""Each package, and the extra that brings it."""


@contextmanager
def needing(package: str) -> Iterator[None]:
    """Say which extra is missing where the block imports a package that is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0].startswith("numberquest"):
            raise
        raise Mistake(
            f"this needs the package {error.name}: pip install 'numberquest[{EXTRAS[package]}]'", FAILURE
        ) from None
