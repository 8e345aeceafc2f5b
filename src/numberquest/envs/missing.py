"""What is said where the package behind an adapter is not installed."""

from __future__ import annotations


def needs(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error to raise instead, which names the extra."""
    return ModuleNotFoundError(
        f"this environment needs the package {error.name}: pip install 'numberquest[{extra}]'", name=error.name
    )
