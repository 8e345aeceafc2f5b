"""Games over pools where there is no NumPy: in a page, by a kernel in WebAssembly (pools.c), asked as kernel.h is.

The kernel runs in a memory of its own, beside Python's; what it has worked out is copied over when it is done.
"""

from __future__ import annotations

from array import array
from importlib.resources import files
from itertools import chain
from typing import Any, Final

from numberquest.core.progress import Progress
from numberquest.solver.budget import TooLarge
from numberquest.solver.distance import WON

MOST_BYTES: Final = 512 * 2**20
"""A page on a phone has no more to give."""
KERNEL: Final = "pools.wasm"
PAGE: Final = 65536
"""How much memory is asked for at a time."""

_tables: dict[Any, memoryview] = {}


def effects_of(rules: Any) -> array[int]:
    """What each move of each number does to a score, and whether it is the player's own, as the kernel reads it."""
    return array("i", chain.from_iterable([*e.to, e.on_own] for effects in rules.effects[1:] for e in effects))


def ends_of(rules: Any) -> array[Any]:
    """What the empty pool is worth, as the kernel's table holds it."""
    won, lost = (1.0, 0.0) if rules.drawn else (WON, -WON)
    return array("d" if rules.drawn else "b", [won if wins else lost for row in rules.ends for wins in row])


def shape_of(rules: Any) -> tuple[int, int, int, int, int]:
    """What `layout` of the kernel is told."""
    return rules.pools.high, rules.pools.copies, rules.target, int(rules.drawn), len(rules.effects[1])


def best_play(rules: Any, progress: Progress) -> memoryview:
    """As `pool_recurrence.best_play`, flat, and the same to the last digit."""
    # One is enough: those of large rule sets take most of the memory that there is.
    if rules.game not in _tables:
        made = _made(rules, progress)
        _tables.clear()
        _tables[rules.game] = made
    return _tables[rules.game]


def _made(rules: Any, progress: Progress) -> memoryview:
    import js  # type: ignore[import-not-found]  # a page has it
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    memory = js.WebAssembly.Memory.new(to_js({"initial": 2}, dict_converter=js.Object.fromEntries))
    module = js.WebAssembly.Module.new(to_js(files(__package__).joinpath(KERNEL).read_bytes()))
    imports = to_js({"env": {"memory": memory}}, dict_converter=js.Object.fromEntries)
    kernel = js.WebAssembly.Instance.new(module, imports).exports
    bytes_ = int(kernel.layout(*shape_of(rules)))
    if not 0 < bytes_ <= MOST_BYTES:
        raise TooLarge(f"{rules.game!r} takes more memory than a page has")
    memory.grow(-(-bytes_ // PAGE))
    ends = ends_of(rules)
    for at, values in ((kernel.effects_at(), effects_of(rules)), (kernel.table_at(), ends)):
        js.Uint8Array.new(memory.buffer, at, len(values) * values.itemsize).assign(memoryview(values).cast("B"))
    kernel.begin()
    for size in range(1, rules.pools.size + 1):
        kernel.layer(size)
        progress(size, rules.pools.size)
    table = js.Uint8Array.new(memory.buffer, kernel.table_at(), rules.positions * ends.itemsize)
    copied: Any = memoryview(table.to_bytes())
    whole: memoryview = copied.cast(ends.typecode)
    return whole
