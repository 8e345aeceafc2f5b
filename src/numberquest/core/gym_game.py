"""Games that somebody wrote for Gymnasium: a class with `reset`, `step` and `valid_moves`, as a game like any other.

What the object remembers is copied and hashed: that is the position. Whatever it draws from `random` or `numpy.random`
is a reveal, so that all that can come of it is known. Who moves is its `current_player`, where it has one; otherwise
the two take turns. A reward above 0 at the end says that whoever moved has won, one below 0 that they have lost.
"""

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout, suppress
from contextvars import ContextVar
from fractions import Fraction
from functools import cache, cached_property
from io import StringIO
from math import isfinite, lcm, prod
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game, Outcome
from numberquest.core.loading import GYM, BadGame, load, what_happened
from numberquest.core.view import LARGEST, Plain

METHODS: Final = ("reset", "step", "valid_moves")
MOVERS: Final = ("current_player", "player_to_move", "to_move")
"""What such a class calls whose turn it is, if anything."""
NOBODY: Final = 2
SIMPLE: Final = frozenset((int, float, str, bytes, bool, type(None)))

_script: ContextVar[list[int] | None] = ContextVar("_script", default=None)
"""What chance draws next, by number; None while an object is made, which is then begun anew anyway."""


class _Undrawn(BaseException):
    """Chance has to draw, and nothing says what; no Exception, so that no game takes it for one of its own."""

    def __init__(self, weights: tuple[int, ...]) -> None:
        self.weights = weights


class _Draws(ModuleType):
    """In place of `random` or `numpy.random`: each draw is taken from a script."""

    def __init__(self, inclusive: bool) -> None:
        """`inclusive`: `randint` can come to its upper bound, as in `random`."""
        super().__init__("draws")
        self._inclusive = inclusive

    def integers(
        self, low: int, high: int | None = None, size: Any = None, dtype: Any = None, endpoint: bool = False
    ) -> Any:
        first, end = (0, low) if high is None else (low, high)
        return _several(lambda: int(first) + _draw((1,) * int(end + endpoint - first)), size)

    def randint(self, low: int, high: int | None = None, size: Any = None, dtype: Any = None) -> Any:
        return self.integers(low, high, size, dtype, self._inclusive)

    def randrange(self, *bounds: int) -> Any:
        return self.choice(range(*bounds))

    def choice(self, among: Any, size: Any = None, replace: bool = True, p: Sequence[float] | None = None) -> Any:
        pool = list(range(among)) if isinstance(among, int) else list(among)
        weights = _whole(p) if p is not None else (1,) * len(pool)
        # What never comes is no reveal.
        pool, weights = [one for one, weight in zip(pool, weights, strict=True) if weight], tuple(filter(None, weights))
        if size is not None and not replace:
            return _array(_taken(pool, weights, prod(size if isinstance(size, tuple) else (size,))), size)
        return _several(lambda: pool[_draw(weights)], size)

    def sample(self, among: Iterable[Any], k: int) -> list[Any]:
        pool = list(among)
        return _taken(pool, (1,) * len(pool), k)

    def shuffle(self, row: Any) -> None:
        row[:] = self.sample(list(row), len(row))

    def permutation(self, row: Any) -> Any:
        things = list(range(row) if isinstance(row, int) else row)
        return _array(self.sample(things, len(things)))

    def default_rng(self, seed: Any = None) -> "_Draws":
        return self

    Random = RandomState = default_rng

    def seed(self, seed: Any = None) -> None:
        """Nothing hangs on a seed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise BadGame(f"it calls random.{name}, and what can come of that cannot be listed")

    def __reduce__(self) -> tuple[Any, ...]:
        return _Draws, (self._inclusive,)


def _draw(weights: tuple[int, ...]) -> int:
    script = _script.get()
    if script is None or len(weights) < 2:
        return 0
    if not script:
        raise _Undrawn(weights)
    return script.pop(0)


def _taken(pool: list[Any], weights: tuple[int, ...], k: int) -> list[Any]:
    """So many of a pool, one after the other."""
    taken = []
    for _ in range(k):
        at = _draw(weights)
        weights = (*weights[:at], *weights[at + 1 :])
        taken.append(pool.pop(at))
    return taken


def _whole(odds: Sequence[float]) -> tuple[int, ...]:
    exact = [Fraction(float(odd)).limit_denominator(10**6) for odd in odds]
    return tuple(int(odd * lcm(*(odd.denominator for odd in exact))) for odd in exact)


def _several(draw: Callable[[], Any], size: Any) -> Any:
    many = None if size is None else prod(size if isinstance(size, tuple) else (size,))
    return draw() if many is None else _array([draw() for _ in range(many)], size)


def _array(row: list[Any], size: Any = None) -> Any:
    import numpy as np

    return np.array(row) if size is None else np.array(row).reshape(size)


class Memory:
    """All that the object remembers, as bytes to go on from; two are equal that remember the same."""

    __slots__ = ("begins", "data", "hash", "key", "moves", "seen")

    def __init__(self, data: bytes, key: Any, begins: Any, moves: tuple[str, ...], seen: tuple[float, ...]) -> None:
        self.data, self.key, self.begins, self.moves, self.seen = data, (key, begins), begins, moves, seen
        self.hash = hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and self.key == other.key

    def __hash__(self) -> int:
        return self.hash


class Position(NamedTuple):
    """Where a game stands; while chance draws, the move that it draws for, and what it has drawn already."""

    turn: int
    ending: str
    """A key of `endings`, or nothing while the game goes on."""
    winner: int
    memory: Memory
    move: str = ""
    drawn: tuple[int, ...] = ()
    weights: tuple[int, ...] = ()


NOTHING: Final = Memory(b"", None, None, (), ())
"""What is remembered before the first draw."""


class Picture(Plain):
    """What the object itself shows of a position; agents see the numbers that it shows them."""

    def __init__(self, size: int) -> None:
        super().__init__("memory", (0,) * size)

    def reader(self, game: Game[Any]) -> Any:
        return lambda p, _: (*self.shown(game, p), *[0] * self._size)[: self._size]

    def shown(self, game: Game[Any], p: Any) -> Any:
        return [max(-LARGEST, min(LARGEST, round(value))) for value in p.memory.seen if isfinite(value)]

    def said(self, game: Any, p: Any, names: tuple[str, str]) -> str:
        return str(game.picture(p))


class GymGame(Game[Position]):
    """A class of Gymnasium's shape as a game: what `gym:FILE:Class` makes is derived from this."""

    source: ClassVar[str]
    """How it is named: `gym:/where/it/is.py:Class`."""
    theirs: ClassVar[type]
    summary = "Two take turns; a move is typed by its number."
    endings = {
        "won": "{winner} wins",
        "lost": "{loser} loses with this move",
        "drawn": "the game ends, and nobody wins",
        "stuck": "nobody can move, and nobody wins",
    }

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.source,)

    @cached_property
    def _parts(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What never changes of an object, and the rest."""
        env = type(self).theirs()
        fixed = {name for name, value in vars(env).items() if _is_fixed(value)}
        for space in filter(lambda value: hasattr(value, "sample"), map(vars(env).get, fixed)):
            vars(space)["_np_random"] = _Draws(False)
        kept = {name: value for name, value in vars(env).items() if name in fixed} | {"_np_random": _Draws(False)}
        return kept, {name: value for name, value in vars(env).items() if name not in fixed}

    @cached_property
    def _usual(self) -> frozenset[float]:
        """What a first move is rewarded with that does not end the game."""
        p = self.start()
        results: list[tuple[float, bool]] = []
        for move in p.memory.moves:
            with suppress(_Undrawn):
                results.append(self._step(p.memory, move, [])[2:])
        return frozenset(reward for reward, over in results if not over)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        space = type(self).theirs().action_space
        first = int(getattr(space, "start", 0))
        return tuple(map(str, range(first, first + int(space.n))))

    @cached_property
    def _first(self) -> Position:
        return self._after(NOTHING, 0, "", ())

    def start(self) -> Position:
        return self._first

    def player(self, p: Position) -> int:
        return CHANCE if p.weights else p.turn

    def turn(self, p: Position) -> int:
        return p.turn

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.ending:
            return ()
        return tuple(str(1 + at) for at in range(len(p.weights))) if p.weights else p.memory.moves

    def outcome(self, p: Position) -> Outcome | None:
        return Outcome(None if p.winner == NOBODY else p.winner, p.ending) if p.ending else None

    def play(self, p: Position, move: str) -> Position:
        if p.weights:
            return self._after(p.memory, p.turn, p.move, (*p.drawn, int(move) - 1))
        return self._after(p.memory, p.turn, move, ())

    def picture(self, p: Position) -> str:
        """What the object shows of itself, in words."""
        if p.memory is NOTHING or not hasattr(self.theirs, "render"):
            return "Nothing to see."
        with redirect_stdout(StringIO()) as printed:
            text = self._restored(p.memory).render()
        return (text if isinstance(text, str) else printed.getvalue()).rstrip() or "Nothing to see."

    def _restored(self, memory: Memory) -> Any:
        env: Any = object.__new__(type(self).theirs)
        fixed, rest = self._parts
        vars(env).update(fixed)
        vars(env).update(pickle.loads(memory.data) if memory.data else pickle.loads(pickle.dumps(rest)))  # noqa: S301
        return env

    def _step(self, memory: Memory, move: str, draws: list[int]) -> tuple[Any, Any, float, bool]:
        """The object after a move, or at the start, with what it shows; the reward, and whether it is over."""
        env: Any = self._restored(memory)
        token = _script.set(draws)
        try:
            if not move:
                shown = env.reset()
                return env, shown[0] if isinstance(shown, tuple) else shown, 0.0, False
            shown, reward, *over, _ = env.step(int(move))
            return env, shown, float(reward), any(map(bool, over))
        finally:
            _script.reset(token)

    def _after(self, memory: Memory, turn: int, move: str, drawn: tuple[int, ...]) -> Position:
        try:
            result = self._step(memory, move, list(drawn))
        except _Undrawn as more:
            return Position(turn, "", NOBODY, memory, move, drawn, more.weights)
        env, shown, reward, over = result
        mover: Any = next((vars(env)[name] for name in MOVERS if name in vars(env)), None)
        mover = mover.item() if hasattr(mover, "item") else mover
        begins = mover if memory is NOTHING else memory.begins
        moves = () if over else tuple(map(str, sorted({int(each) for each in env.valid_moves()})))
        after = self._remembered(env, begins, moves, shown)
        if over:
            return Position(turn, *self._end(turn, reward), after)
        following = 1 - turn if mover is None and move else int(mover != begins)
        return Position(following, "" if moves else "stuck", NOBODY, after)

    def _end(self, turn: int, reward: float) -> tuple[str, int]:
        if reward > 0:
            return "won", turn
        # Some reward every allowed move with the same number below 0: at the end that says no more than before.
        return ("lost", 1 - turn) if reward < 0 and reward not in self._usual else ("drawn", NOBODY)

    def _remembered(self, env: Any, begins: Any, moves: tuple[str, ...], shown: Any) -> Memory:
        fixed, _ = self._parts
        rest = {
            name: value
            for name, value in vars(env).items()
            if type(value) in SIMPLE or (name not in fixed and not _is_fixed(value))
        }
        return Memory(pickle.dumps(rest), frozen(rest), begins, moves, _numbers(shown))


def _is_fixed(value: object) -> bool:
    """Whether that is the description of a space, or a source of luck: nothing that a position is made of."""
    return isinstance(value, _Draws) or type(value).__module__.startswith(("gymnasium", "gym.", "numpy.random"))


def _numbers(shown: Any) -> tuple[float, ...]:
    """What the object shows to agents; nothing where that is anything but a row of numbers."""
    row = shown.ravel().tolist() if hasattr(shown, "ravel") else shown
    return tuple(row) if isinstance(row, list | tuple) and all(type(one) in (int, float, bool) for one in row) else ()


def frozen(value: Any) -> Any:
    """The same for two values that are the same, and never for two others: something with a hash."""
    if type(value) in SIMPLE:
        return value
    if isinstance(value, (list, tuple)) or hasattr(value, "popleft"):
        return tuple([each if type(each) in SIMPLE else frozen(each) for each in value])
    if hasattr(value, "dtype"):
        if not value.shape or value.dtype.hasobject:
            return frozen(value.tolist())
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return "dict", frozenset((frozen(key), frozen(each)) for key, each in value.items())
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(frozen, value))
    if hasattr(value, "__dict__"):
        return type(value).__qualname__, frozen(vars(value))
    return pickle.dumps(value)


def kind_of(source: str) -> type[GymGame]:
    """The game in `gym:FILE` or `gym:FILE:Class`; `BadGame` where there is none."""
    path, _, name = source.removeprefix(GYM).partition(".py:")
    path = os.path.realpath(f"{path}.py" if name else path)
    return _kind(path, _class_in(load(path), path, name))


def _made(source: str) -> GymGame:
    return kind_of(source)()


@cache
def _kind(path: str, theirs: type) -> type[GymGame]:
    module = sys.modules[theirs.__module__]
    slug = re.sub("[^a-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0].lower()).strip("_")[:20]
    texts = {
        "slug": slug if slug[:1].isalpha() else f"game_{slug}"[:20],
        "title": f"{os.path.basename(path)} ({theirs.__name__})",
        "rules": "This game was written for Gymnasium, and its rules are its code. A move is typed by its number.",
        "source": f"{GYM}{path}:{theirs.__name__}",
        "theirs": theirs,
        "__module__": module.__name__,
        # Only a game of chance has weights.
        **({"weights": lambda _, p: p.weights} if _take_draws(module) else {}),
    }
    try:
        kind: type[GymGame] = type(f"{theirs.__name__}Game", (GymGame,), texts)
        # The first position is made, and what is wrong with the class is said here.
        game = kind()
        p = game.start()
        while p.weights:
            p = game.play(p, "1")
        kind.view = (Picture(len(p.memory.seen)),)
    except BadGame as error:
        raise BadGame(f"{path}: {error}") from None
    except Exception as error:
        raise BadGame(f"{path}: it does not begin: {what_happened(error, path)}") from None
    # Errors in a file are known as those of a game by what the file holds.
    setattr(module, f"_{theirs.__name__}Game", kind)
    return kind


def _class_in(module: ModuleType, path: str, name: str) -> Any:
    kinds = {
        key: kind
        for key, kind in vars(module).items()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and all(callable(getattr(kind, method, None)) for method in METHODS)
    }
    if name in kinds or (not name and len(kinds) == 1):
        return kinds[name or next(iter(kinds))]
    shape = f"a class with {', '.join(METHODS[:-1])} and {METHODS[-1]}"
    if name or not kinds:
        what = f"there is no {name} in it that is {shape}" if name else f"it does not hold {shape}"
        raise BadGame(f"{path}: {what}")
    raise BadGame(f"{path}: say which one is meant: {' or '.join(f'{GYM}{path}:{key}' for key in kinds)}")


def _take_draw(module: ModuleType, name: str, value: Any) -> None:
    """The same for what was imported alone: `from random import randint`."""
    home = getattr(value, "__module__", None) or type(getattr(value, "__self__", None)).__module__
    draws, called = _Draws(home == "random"), getattr(value, "__name__", "")
    if home != "random" and not home.startswith("numpy.random"):
        return
    if called in vars(_Draws):
        setattr(module, name, getattr(draws, called))
    elif not isinstance(value, type):
        setattr(module, name, lambda *_, **__: getattr(draws, called))


def _take_draws(module: ModuleType) -> bool:
    """Give a module our own `random`, and a NumPy that has it; whether it speaks of chance at all."""
    for name, value in list(vars(module).items()):
        called = value.__name__ if isinstance(value, ModuleType) else ""
        if called in ("random", "numpy.random"):
            setattr(module, name, _Draws(called == "random"))
        elif called == "numpy":
            own = ModuleType("numpy")
            vars(own).update(vars(value), random=_Draws(False))
            setattr(module, name, own)
        elif callable(value):
            _take_draw(module, name, value)
    with open(str(module.__file__)) as file:
        return re.search(r"random|rng|shuffle|\.sample\(", file.read()) is not None
