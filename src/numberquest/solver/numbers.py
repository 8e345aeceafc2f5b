"""NumPy, imported when something of it is first used, and the kinds of its arrays: most commands start without it."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

__all__ = ["IN_PAGE", "Flags", "Indices", "NDArray", "Numbers", "arrays", "np"]

IN_PAGE: Final = sys.platform == "emscripten"
"""Whether this is Python in a page: it has no NumPy, and what needs more of it than `arrays` has is too large there."""

if TYPE_CHECKING:
    import numpy as arrays
    import numpy as np
    from numpy.typing import NDArray
else:

    class _Numpy:
        """Stands for the module, and keeps what was asked for: the second time it is found as fast as there."""

        def __init__(self, instead: str = "") -> None:
            self._instead = instead

        def __getattr__(self, name: str) -> Any:
            try:
                found = getattr(import_module("numpy"), name)
            except ImportError:
                found = getattr(import_module(self._instead), name, None) if self._instead else None
            if found is None:
                from numberquest.solver.budget import TooLarge

                raise TooLarge("working this out needs NumPy, which is not here")
            setattr(self, name, found)
            return found

    np, arrays, NDArray = _Numpy(), _Numpy("numberquest.solver.plain_arrays"), Any

Numbers: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"
