"""JAX's arrays as the tables want them: the names of `jax.numpy`, and a way to look things up that compiles well."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from numberquest.envs.batches.arrays import Arrays

WORD = np.dtype(np.uint32)


def __getattr__(name: str) -> Any:
    """Whatever is not here is what it is in `jax.numpy`."""
    return getattr(jnp, name)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Words:
    """Rows of small numbers, packed: a word for each few columns, so that four are looked up and added at once."""

    words: tuple[Any, ...]

    def __add__(self, other: Words) -> Words:
        """Row by row. No number grows out of its place."""
        return Words(tuple(a + b for a, b in zip(self.words, other.words, strict=True)))

    def __and__(self, other: Words) -> Words:
        return Words(tuple(a & b for a, b in zip(self.words, other.words, strict=True)))

    def __getitem__(self, which: Any) -> Words:
        return Words(tuple(word[which] for word in self.words))


class Key:
    """Random bits for every game from one of JAX's keys: each call gives others."""

    def __init__(self, key: Any, shape: tuple[int, ...]) -> None:
        self.key = key
        self.shape = shape
        self._calls = 0

    def __call__(self) -> Any:
        """A random number below 2**24 for every game."""
        # Most steps need one draw or none, and for that the key is good as it is.
        key = jax.random.fold_in(self.key, self._calls) if self._calls else self.key
        self._calls += 1
        return lax.convert_element_type(jax.random.bits(key, self.shape, jnp.uint32) >> 8, jnp.int32)


class JaxArrays(Arrays):
    """Small tables, and no more than one look-up where others make four."""

    def __init__(self, xp: Any) -> None:
        super().__init__(xp)
        self.take = _take

    def table(self, values: NDArray[Any]) -> Any:
        """A table of 16 bits where that is enough: more of it stays near the processor."""
        if values.dtype == np.int32 and values.size:
            for kind in (np.int16, np.uint16):
                if values.min() >= np.iinfo(kind).min and values.max() <= np.iinfo(kind).max:
                    return jnp.asarray(values.astype(kind))
        return jnp.asarray(values)

    @property
    def digits(self) -> Any:
        """64 bits where JAX was told to have them (`jax_enable_x64`), and 32 elsewhere."""
        return jnp.result_type(float)

    @property
    def alike(self) -> float:
        """As much as the last digits come to."""
        return super().alike if self.digits == jnp.float64 else 2.0**-22

    def ones(self, truths: Any) -> Any:
        """1 where it is True and 0 elsewhere, as small numbers."""
        return truths.astype(jnp.uint8)

    def rows(self, rows: NDArray[Any]) -> Words:
        """Each few columns as one word."""
        spare = -rows.shape[1] * rows.itemsize % WORD.itemsize // rows.itemsize
        whole = np.ascontiguousarray(np.pad(rows, ((0, 0), (0, spare))))
        return Words(tuple(jnp.asarray(column) for column in whole.view(WORD).T))

    def numbers(self, rows: Any, kind: type[np.generic], width: int) -> Any:
        """The words taken apart again."""
        words = jnp.stack(rows.words, axis=-1)
        numbers = lax.bitcast_convert_type(words, jnp.dtype(kind))
        return numbers.reshape(*words.shape[:-1], -1)[..., :width].astype(jnp.float32)

    def settled(
        self, state: Any, waits: Callable[[Any], Any], settle: Callable[..., Any], bits: Any, rounds: int | None
    ) -> Any:
        """A few rounds are written out, which can be compiled in one piece; of many nobody knows how many it takes."""
        if rounds is not None:
            for _ in range(rounds):
                state = settle(state, waits(state), bits)
            return state

        def go_on(carried: tuple[Any, Any]) -> tuple[Any, Any]:
            state, key = carried
            key, now = jax.random.split(key)
            return settle(state, waits(state), Key(now, bits.shape)), key

        return lax.while_loop(lambda carried: jnp.any(waits(carried[0])), go_on, (state, bits.key))[0]


def _take(table: Any, places: Any) -> Any:
    if isinstance(table, Words):
        return Words(tuple(_take(word, places) for word in table.words))
    found = table.at[places].get(mode="promise_in_bounds", wrap_negative_indices=False)
    # What was made smaller is counted with as before.
    return found.astype(jnp.int32) if found.dtype in (jnp.int16, jnp.uint16) else found


ARRAYS = JaxArrays
