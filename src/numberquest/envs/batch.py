"""Thousands of games at once, in plain arrays: `Batch("./last.py", 8192)`. docs/batch.md shows how.

A step takes an action id for every game. Games that end are begun anew in the same step: what it returns says
which, and what was won. The rules are tables filled by asking `Game` (`batches/`): those that lie beside the rules of
the game, or the general ones.
"""

import operator
from importlib import import_module
from typing import Any, Final, NamedTuple, SupportsIndex

import numpy as np

from numberquest.core.contract import Game
from numberquest.core.registry import part
from numberquest.envs.arguments import AnyGame, rules_for
from numberquest.envs.batches.arrays import Bits, BitsOfEach
from numberquest.envs.batches.general import GeneralTables, ListedTruth
from numberquest.envs.batches.tables import DRAWN, GOES_ON, TRUNCATED, Tables, Truth, made
from numberquest.solver.budget import TooLarge, in_words, rules_of

MOST: Final = 500_000_000
"""How many bytes the tables of one game may take."""


class Stepped(NamedTuple):
    """What a step has brought, for each of the games."""

    rewards: Any
    """For whoever made the move: 1 is won, -1 is lost, 0 goes on, or a draw. The other's reward is the opposite."""
    ended: Any
    """True where the game was over. A new one has begun there already."""
    truncated: Any
    """True where the game was broken off after `game.bound` moves and reveals, and a new one has begun."""


class Batch:
    """So many games of one kind. Each array has one entry, or one row, for each game; none is ever changed in place.

    A copy, or a batch that was pickled, stands where this one stands, and goes on with the same deals.
    """

    def __init__(
        self, game: AnyGame, size: SupportsIndex, seed: int | None = None, *, xp: Any = np, most_memory: int = MOST
    ) -> None:
        """`game` is a slug, the path of a file, a class or an object.

        `xp` is the array module: NumPy, or one that follows the array API standard.
        `TooLarge`, a ValueError, where the tables would take more than `most_memory` bytes.
        """
        try:
            self.size = operator.index(size)
        except TypeError:
            raise TypeError(f"a batch has a whole number of games, not {size!r}") from None
        if self.size < 1:
            raise ValueError(f"a batch has at least one game, not {size}")
        self.game = rules_for(game, {})
        self.xp = xp
        self.tables = tables_for(self.game, xp, most_memory)
        self.observer = self.tables.observer
        self.seed(seed)
        self.reset()

    def seed(self, seed: int | None = None) -> None:
        """From here on, the same seed gives the same deals and samples. The games stay where they are."""
        # What is dealt does not depend on whether actions are sampled here or chosen by somebody else.
        chance, samples = np.random.SeedSequence(seed).spawn(2)
        self._chance: Bits | BitsOfEach = Bits(chance, self.size, self.xp)
        self._samples: Bits | BitsOfEach = Bits(samples, self.size, self.xp)

    def draw_from(self, chance: BitsOfEach, samples: BitsOfEach) -> None:
        """From here on, deals and samples come from there, where each game has a seed of its own; with NumPy alone."""
        self._chance, self._samples = chance, samples

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew. The same seed gives the same deals and samples; without one they go on by chance."""
        if seed is not None:
            self.seed(seed)
        fresh = self.tables.fresh(self.size)
        self._arrive(self.tables.reveal(fresh, self._chance) if self.tables.reveals else fresh)
        self._before = self._after = self.state
        self.rewards = self.xp.asarray(np.zeros(self.size, np.int8))
        self.ended = self.truncated = self._nowhere = self.rewards != 0

    def _arrive(self, state: Any) -> None:
        self.state = state
        """The positions: a NamedTuple of arrays. The file of the tables says what they hold."""
        # Only worked out when asked for.
        self._cases: Any = None
        self._players: Any = None

    def step(self, actions: Any, only: Any = None, *, check: bool = False) -> Stepped:
        """Play one action in every game, or `only` where that is True.

        Trusts its caller to take what is allowed; with `check`, what is not is a ValueError, and nothing is played.
        """
        tables, before, chance = self.tables, self.state, self._chance
        if only is not None:
            only = self._truths(only)
            chance = chance.where(only)
        if check:
            self._check_allowed(actions, only)
        actions = self.xp.asarray(actions, dtype=self.tables.index)
        self._check_shape("actions are", actions)
        after, results = tables.move(before, actions, chance)
        if only is not None:
            after, results = self._where(only, after, before), results * self.xp.astype(only, results.dtype)
        over = results != GOES_ON
        state = tables.restart(after, over)
        if tables.reveals:
            revealed = tables.reveal(state, chance)
            state = revealed if only is None else self._where(only, revealed, state)
        self._before, self._after = before, after
        self._arrive(state)
        self.rewards, self.ended, self.truncated = results, over, self._nowhere
        if not tables.bounded:
            self.truncated = results == TRUNCATED
            self.ended = over & ~self.truncated
        if tables.draws or not tables.bounded:
            self.rewards = results * self.xp.astype(results < DRAWN, results.dtype)
        return Stepped(self.rewards, self.ended, self.truncated)

    def restart(self, where: Any) -> None:
        """Begin the games anew where this is True, whatever stood there; nothing is won or lost by it."""
        where = self._truths(where)
        state = self.tables.restart(self.state, where)
        if self.tables.reveals:
            state = self._where(where, self.tables.reveal(state, self._chance.where(where)), state)
        self._arrive(state)

    def _truths(self, values: Any) -> Any:
        values = self.xp.asarray(values, dtype=self.ended.dtype)
        self._check_shape("truth values are", values)
        return values

    def _check_allowed(self, actions: Any, only: Any) -> None:
        """Refuse what is not allowed, and say where the first of it stands."""
        wrong = ~self.allowed(actions)
        if only is not None:
            wrong = wrong & only
        if bool(self.xp.any(wrong)):
            i = int(self.xp.argmax(self.xp.astype(wrong, self.xp.int32)))
            action, names = np.asarray(actions)[i].item(), self.game.actions
            named = f" ({names[action]!r})" if isinstance(action, int) and 0 <= action < len(names) else ""
            count = int(self.xp.sum(self.xp.astype(wrong, self.xp.int32)))
            others = f", nor are those of {count - 1} more games" if count > 1 else ""
            raise ValueError(f"action {action}{named} is not allowed in game {i}{others}; nothing was played")

    def _check_shape(self, what: str, array: Any) -> None:
        # Another shape would be stretched to a table of all games by all games.
        if array.shape != (self.size,):
            raise ValueError(f"{what} one for each of the {self.size} games, not an array of shape {array.shape}")

    def _where(self, only: Any, new: Any, old: Any) -> Any:
        """The new arrays where it is True, and the old ones elsewhere."""
        pairs = zip(new, old, strict=True)
        return type(new)(*(self.xp.where(only if a.ndim == 1 else only[:, None], a, b) for a, b in pairs))

    def sample(self, only: Any = None) -> Any:
        """An action for every game, each of those allowed there alike; only some of them may be wanted."""
        return self.tables.legal.any_of(self.cases, self._samples if only is None else self._samples.where(only))

    @property
    def truth(self) -> Truth[Any]:
        """What is true of these games, from the solver's tables, made once. `TooLarge` where they do not fit."""
        return truth_of(self.tables)

    def values(self) -> Any:
        """The chance of whoever's turn it is to win, in every game, if both play as well as possible from there on."""
        return self.truth.values(self.state)

    def regret(self, actions: Any) -> Any:
        """How much of that chance each of these actions would lose; one that is not allowed loses all of it."""
        actions = self.xp.asarray(actions)
        allowed = self.allowed(actions)
        ids = self.xp.astype(self.xp.where(allowed, actions, self.xp.zeros_like(actions)), self.tables.index)
        lost = self.truth.regret(self.state, ids)
        return lost if bool(self.xp.all(allowed)) else self.xp.where(allowed, lost, self.values())

    def mattered(self) -> Any:
        """True where the moves differ in what they are worth."""
        return self.truth.mattered(self.state)

    def perfect(self, key: int | None = None) -> Any:
        """A best move for every game, one of those between which the player `perfect` varies, each alike.

        The same key gives the same moves; without one they are drawn as `sample` draws.
        """
        bits = self._samples if key is None else Bits(np.random.SeedSequence(key), self.size, self.xp)
        return self.truth.perfect(self.state, bits)

    @property
    def cases(self) -> Any:
        """Games with the same number here have the same actions allowed."""
        if self._cases is None:
            self._cases = self.tables.cases(self.state)
        return self._cases

    @property
    def masks(self) -> Any:
        """For every game a row: True for each action that is allowed."""
        return self.tables.take(self.tables.legal.masks, self.cases)[:, : self.tables.actions]

    def allowed(self, actions: Any) -> Any:
        """True where this is an action that is allowed."""
        actions = self.xp.asarray(actions)
        self._check_shape("actions are", actions)
        masks = self.tables.legal.masks
        # Before they are made smaller numbers, which may be others.
        inside = (actions >= 0) & (actions < self.tables.actions)
        ids = self.xp.astype(self.xp.where(inside, actions, self.xp.zeros_like(actions)), self.tables.index)
        whole = self.xp.astype(ids, actions.dtype) == actions
        spots = self.cases * masks.shape[1] + ids
        return self.tables.take(self.xp.reshape(masks, (-1,)), spots) & inside & whole

    @property
    def players(self) -> Any:
        """Whose turn it is in every game, 0 or 1."""
        if self._players is None:
            self._players = self.tables.players(self.state)
        return self._players

    @property
    def movers(self) -> Any:
        """Who made the move of the last step in every game, 0 or 1."""
        return self.tables.players(self._before)

    @property
    def winners(self) -> Any:
        """Who won in the last step, 0 or 1; -1 where nobody did."""
        movers = self.movers
        nobody = self.xp.zeros_like(movers) - 1
        return self.xp.where(self.rewards != 0, self.xp.where(self.rewards > 0, movers, 1 - movers), nobody)

    def observe(self, players: Any = None) -> Any:
        """What these players see, or whoever's turn it is: a row of numbers for every game (`Observer.see`)."""
        return self.tables.observe(self.state, self.players if players is None else players)

    def observe_final(self, players: Any) -> Any:
        """The same for the positions in which the last step left the games, before those that ended began anew."""
        return self.tables.observe(self._after, players)

    def final_position(self, i: int) -> Any:
        """The position in which the last step left one game: where it ended, the end of it."""
        return self.tables.position(self._after, i)

    def position(self, i: int) -> Any:
        """The position of one game, as the game itself has it."""
        return self.tables.position(self.state, i)

    def __getstate__(self) -> dict[str, Any]:
        # A module cannot be copied, but it can be found again.
        return {**self.__dict__, "xp": self.xp.__name__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, xp=import_module(state["xp"]))


def tables_for(game: Game[Any], xp: Any, most: int = MOST) -> Tables[Any, Any]:
    """The tables of this game, made once. `TooLarge` says how large they would be."""
    # What lies beside the rules is about games in which everybody sees everything.
    own = None if game.has_secrets else part(type(game), "batch")
    kind: type[Tables[Any, Any]] = own.TABLES if own else GeneralTables
    needed = kind.bytes_for(game)
    if needed > most:
        what = f"{game.slug} with {game.settings_text}" if game.settings else game.slug
        raise TooLarge(
            f"the tables to play {what} in a batch take about {in_words(needed)}, and no more than {in_words(most)} "
            "are allowed"
        )
    return made(kind, game, xp)


def truth_of(tables: Tables[Any, Any], most: int = MOST) -> Truth[Any]:
    """What is true of a game, made once. `TooLarge` where it cannot be solved, or does not fit into so many bytes."""
    game: Game[Any] = tables.game
    if game.has_secrets:
        raise TooLarge(
            f"{game.slug} has secrets: what a move is worth there depends on all that a player has seen, which a batch "
            "does not keep; one game at a time tells it"
        )
    own: type[Truth[Any]] | None = getattr(part(type(game), "batch"), "TRUTH", None)
    if own is None and not isinstance(tables, GeneralTables):
        raise TooLarge(f"{rules_of(game)} has tables of its own to play from, and no TRUTH beside them in batch.py")
    kind: type[Truth[Any]] = own or ListedTruth
    needed = kind.bytes_for(tables)
    if needed > most:
        raise TooLarge(
            f"what is true of {rules_of(game)} takes about {in_words(needed)} to look up in a batch, "
            f"and no more than {in_words(most)} are allowed"
        )
    # Once for each kind of number that chances can have.
    digits = str(tables.arrays.digits)
    if digits not in tables.known:
        tables.known[digits] = kind(tables)
    return tables.known[digits]
