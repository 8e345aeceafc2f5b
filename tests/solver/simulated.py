"""A card that is none: NumPy's arrays, and the kernels compiled by a C compiler, one block after the other."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from numberquest.solver.gpu import Card, Program
from tests.conftest import required

OPTIONS = ["-shared", "-fPIC", "-O2", "-x", "c", "-std=gnu11", "-Wall", "-Werror", "-ffp-contract=off"]


class SimulatedCard(Card):
    """A card of which everything happens on the processor."""

    def __init__(self, folder: Path, memory: int = 1 << 30) -> None:
        self.xp = np
        self.memory = memory
        self._folder = folder
        self._libraries: dict[Program, ctypes.CDLL] = {}

    def free(self) -> int:
        return self.memory

    def run(self, program: Program, kernel: str, blocks: tuple[int, ...], threads: tuple[int, ...], *args: Any) -> None:
        if program not in self._libraries:
            self._libraries[program] = self._compiled(program)
        library = self._libraries[program]
        given = [_given(argument) for argument in args]
        # A thread of a third dimension is a pool of its own, as a block is.
        for y in range(blocks[1]):
            for x in range(blocks[0] * threads[2]):
                library.at_block(x, y)
                library[kernel](*given)

    def wait(self) -> None:
        """Everything is done by now."""

    def read(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.ascontiguousarray(array)

    def _compiled(self, program: Program) -> ctypes.CDLL:
        compiler = shutil.which("cc")
        if not compiler:
            required("a C compiler")
        at = len(self._libraries)
        source, library = self._folder / f"{at}.c", self._folder / f"{at}.so"
        source.write_text(program.source())
        subprocess.run([str(compiler), *OPTIONS, *program.defines(), "-o", str(library), str(source)], check=True)
        return ctypes.CDLL(str(library))


def _given(argument: Any) -> Any:
    if argument is None:
        return ctypes.c_void_p(None)
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return argument.ctypes.data_as(ctypes.c_void_p)
    assert isinstance(argument, np.int32)
    return ctypes.c_int(int(argument))
