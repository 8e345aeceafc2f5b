"""The public names for the reference: imported so that the types in their signatures are known, and lead somewhere."""

from __future__ import annotations

import typing
from importlib import import_module
from typing import Any, Final

import numberquest as nq

OTHERS: Final = ("gymnasium", "pettingzoo")
"""Packages that must be imported as usual: they could not be with what is only there for their types."""
MODULES: Final = (
    *dict.fromkeys(nq._HOMES.values()),
    "client",
    "core.line",
    "envs.batch",
    "envs.gymnasium",
    "envs.pettingzoo",
    "envs.vector",
    "players.levels",
    "server.wire",
)


def import_with_types() -> None:
    """Import the modules as a type checker sees them: with what they name in types alone."""
    for name in OTHERS:
        import_module(name)
    vars(typing)["TYPE_CHECKING"] = True
    try:
        for name in MODULES:
            import_module(f"numberquest.{name}")
    finally:
        vars(typing)["TYPE_CHECKING"] = False


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx: a class that is only a description of others has no arguments of its own."""

    def without_arguments(_: Any, what: str, _name: str, kind: Any, *__: Any) -> tuple[str, str] | None:
        return ("", "") if what == "class" and getattr(kind, "_is_protocol", False) else None

    import_with_types()
    app.connect("autodoc-process-signature", without_arguments)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
