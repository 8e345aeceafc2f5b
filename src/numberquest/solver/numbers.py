"""NumPy, imported when something of it is first used, and the kinds of its arrays: most commands start without it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

__all__ = ["IN_PAGE", "Flags", "Indices", "NDArray", "Numbers", "np"]

IN_PAGE: Final = sys.platform == "emscripten"
"""Whether this is Python in a page: it has no NumPy, and what needs it is too large there."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _Numpy:
        """Stands for the module, and keeps what was asked for: the second time it is found as fast as there."""

        def __getattr__(self, name: str) -> Any:
            try:
                import numpy
            except ImportError:
                from numberquest.solver.budget import TooLarge

                raise TooLarge("working this out needs NumPy, which is not here") from None
            setattr(self, name, getattr(numpy, name))
            return getattr(numpy, name)

    np, NDArray = _Numpy(), Any

Numbers: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"
