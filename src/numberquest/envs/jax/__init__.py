"""Any game as pure functions for JAX: they compile, and run on a graphics card as they are. docs/jax.md shows how.

    core = Core("fifty", target=30)
    state = core.init(jax.random.key(0), 4096)
    state, stepped = jax.jit(core.step)(state, core.sample(state, key), other_key)

The rules are the tables of `envs/batches/`, which `envs/batch.py` plays from too: nothing is written twice.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple, SupportsIndex

from numberquest.envs.arguments import AnyGame, needing, rules_for
from numberquest.envs.batch import MOST, tables_for, truth_of
from numberquest.envs.batches.tables import DRAWN, GOES_ON, TRUNCATED, Truth

with needing("jax"):
    import jax
    import jax.numpy as jnp

    from numberquest.envs.jax import arrays
    from numberquest.envs.jax.arrays import Key

__all__ = ["Core", "Stepped"]


class Stepped(NamedTuple):
    """What a step has brought, for each of the games: as in `envs.batch.Stepped`, and where it has led."""

    rewards: Any
    ended: Any
    truncated: Any
    final: Any
    """The positions in which the moves left the games, before those that were over began anew."""


class Core:
    """One game with its settings. Every method is a pure function of arrays, to be compiled, mapped and scanned.

    A state is a NamedTuple of arrays, all of one shape: one game for each place in it, or one game where the shape is
    `()`. A key is one of JAX's own, for all games together: what it decides is drawn for each of them.
    """

    def __init__(self, game: AnyGame, *, most_memory: int = MOST, **settings: Any) -> None:
        """`game` is a slug, the path of a file, a class or an object; `settings` are its rule settings.

        `TooLarge`, a ValueError, where the tables would take more than `most_memory` bytes.
        """
        self.game = rules_for(game, settings, ("most_memory",))
        # Wherever this is made, the tables are arrays, not something that is still to be compiled.
        with jax.ensure_compile_time_eval():
            self.tables = tables_for(self.game, arrays, most_memory)
        self.observer = self.tables.observer
        self.actions = len(self.game.actions)
        """How many actions there are: an action is its place in `game.actions`."""

    def init(self, key: Any, size: SupportsIndex | tuple[int, ...] = ()) -> Any:
        """New games, up to the first move: one, or so many, or an array of them of this shape."""
        shape = size if isinstance(size, tuple) else (operator.index(size),)
        fresh = self.tables.fresh(shape)
        return self.tables.reveal(fresh, Key(key, shape)) if self.tables.reveals else fresh

    def step(self, state: Any, action: Any, key: Any) -> tuple[Any, Stepped]:
        """Play an action in every game, and begin anew what is over. Trusts its caller to take what is allowed."""
        tables = self.tables
        bits = Key(key, shape_of(state))
        after, results = tables.move(state, jnp.asarray(action, tables.index), bits)
        over = results != GOES_ON
        new = tables.restart(after, over)
        if tables.reveals:
            new = tables.reveal(new, bits)
        truncated = results == TRUNCATED
        rewards = jnp.where(results < DRAWN, results, jnp.zeros_like(results))
        return new, Stepped(rewards, over & ~truncated, truncated, after)

    def restart(self, state: Any, where: Any, key: Any) -> Any:
        """Begin the games anew where this is True, whatever stood there."""
        tables = self.tables
        new = tables.restart(state, where)
        if tables.reveals:
            revealed = tables.reveal(new, Key(key, shape_of(state)))
            new = jax.tree.map(lambda one, other: jnp.where(where, one, other), revealed, new)
        return new

    def sample(self, state: Any, key: Any) -> Any:
        """An action for every game, each of those allowed there alike."""
        return self.tables.legal.any_of(self.tables.cases(state), Key(key, shape_of(state)))

    def mask(self, state: Any) -> Any:
        """For every game a row: True for each action that is allowed."""
        return self.tables.take(self.tables.legal.masks, self.tables.cases(state))[..., : self.actions]

    def player(self, state: Any) -> Any:
        """Whose turn it is in every game, 0 or 1."""
        return self.tables.players(state)

    def observe(self, state: Any, player: Any = None) -> Any:
        """What these players see, or whoever's turn it is: a row of numbers for every game (`Observer.see`)."""
        return self.tables.observe(state, self.tables.players(state) if player is None else player)

    @property
    def truth(self) -> Truth[Any]:
        """What is true of the game, from the solver's tables, made once. `TooLarge` where they do not fit."""
        with jax.ensure_compile_time_eval():
            return truth_of(self.tables)

    def values(self, state: Any) -> Any:
        """The chance of whoever's turn it is to win, if both play as well as possible from there on.

        Of 32 bits, unless JAX was told to have 64 (`jax_enable_x64`): then as exact as the solver has it.
        """
        return self.truth.values(state)

    def regret(self, state: Any, action: Any) -> Any:
        """How much of that chance each of these actions, which are allowed, would lose."""
        return self.truth.regret(state, jnp.asarray(action, self.tables.index))

    def mattered(self, state: Any) -> Any:
        """True where the moves differ in what they are worth."""
        return self.truth.mattered(state)

    def perfect(self, state: Any, key: Any) -> Any:
        """A best move for every game, one of those between which the player `perfect` varies, each alike."""
        truth = self.truth
        with jax.ensure_compile_time_eval():
            truth.ready()
        return truth.perfect(state, Key(key, shape_of(state)))

    def position(self, state: Any, i: int = 0) -> Any:
        """The position of one game, as the game itself has it."""
        one = state if shape_of(state) else jax.tree.map(lambda array: array[None], state)
        return self.tables.position(one, i)


def shape_of(state: Any) -> tuple[int, ...]:
    """The shape of the games in a state: that of every array in it."""
    shape: tuple[int, ...] = jnp.shape(state[0])
    return shape
