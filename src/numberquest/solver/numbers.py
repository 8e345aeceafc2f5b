"""NumPy, imported when something of it is first used, and the kinds of its arrays: most commands start without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["Flags", "Indices", "NDArray", "Numbers", "np"]

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class _Numpy:
        """Stands for the module, and keeps what was asked for: the second time it is found as fast as there."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            setattr(self, name, getattr(numpy, name))
            return getattr(numpy, name)

    np, NDArray = _Numpy(), Any

Numbers: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"
Flags: TypeAlias = "NDArray[np.bool_]"
