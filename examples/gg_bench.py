"""Who wins the games of gg-bench under best play: each is read from its own code, and solved.

    python examples/gg_bench.py gg-bench/gg_bench/data/envs/env_80.py     what is true of one game
    python examples/gg_bench.py gg-bench                                  the table of docs/gg-bench.md

A number after the path is how many seconds of work each game gets (25). The code in the files is run: look at it first.
"""

import json
import pickle
import random
import sys
import time
from collections import Counter
from functools import partial
from graphlib import CycleError, TopologicalSorter
from multiprocessing import Pool
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import numberquest as nq


class Draw(BaseException):
    """A draw that the script does not decide, one of so many. No Exception, so that no game catches it."""


class Luck:
    """A stand-in for `random` and `numpy.random`: each draw is the next number of the script."""

    script: list[int] | None = None  # None while an object is made: every draw is then the first one
    inclusive = 0  # 1 where `randint` may give its upper bound, as in `random`

    def choice(self, among: Any, size: int | None = None, replace: bool = True) -> Any:
        pool, picked = list(range(among) if isinstance(among, int) else among), []
        for _ in range(1 if size is None else size):
            if Luck.script == [] and len(pool) > 1:
                raise Draw(len(pool))
            at = Luck.script.pop(0) if Luck.script and len(pool) > 1 else 0
            picked.append(pool[at] if replace else pool.pop(at))
        return picked[0] if size is None else np.array(picked)

    def integers(self, low: int, high: int | None = None, size: int | None = None, **_: Any) -> Any:
        return self.choice(range(low) if high is None else range(low, high), size)

    def randint(self, low: int, high: int, size: int | None = None) -> Any:
        return self.integers(low, high + self.inclusive, size)

    def permutation(self, row: Any) -> Any:
        return self.choice(row, len(row), replace=False)

    def shuffle(self, row: Any) -> None:
        row[:] = [row[at] for at in self.permutation(range(len(row)))]

    def default_rng(self, seed: Any = None) -> "Luck":
        return self


class Position(NamedTuple):
    turn: int
    memory: str  # all that the object remembers, as JSON; nothing before `reset`
    moves: tuple[str, ...] = ()  # none when the game is over
    winner: int | None = None
    move: str = ""  # while chance draws: the move that was played,
    drawn: tuple[int, ...] | None = None  # and what has been drawn after it


class Game(nq.Game[Position]):
    """The game in a file: a class whose object plays both sides, with `reset`, `step` and `valid_moves`."""

    slug, title, summary, actions = "game", "A game of gg-bench", "", ()
    __setattr__ = object.__setattr__  # type: ignore[assignment] # other games are frozen; this one learns its positions

    def __init__(self, file: Path) -> None:
        super().__init__()
        module = sys.modules[file.stem] = ModuleType(file.stem)
        exec(compile(file.read_text(), file, "exec"), scope := vars(module))  # noqa: S102
        luck, plain_luck, numpy = Luck(), Luck(), ModuleType("numpy")
        plain_luck.inclusive = 1
        vars(numpy).update(vars(np), random=luck)
        stand_ins = {id(random): plain_luck, id(np): numpy}
        scope.update({name: stand_ins.get(id(value), value) for name, value in scope.items()})
        (self.kind,) = (value for value in scope.values() if hasattr(value, "valid_moves"))
        self.kind._np_random = luck  # what an environment of Gymnasium draws from
        env = self.kind()
        self.spaces = {name: value for name, value in vars(env).items() if hasattr(value, "sample")}
        for space in self.spaces.values():
            space._np_random = luck
        self.copies = {"": pickle.dumps(remembered(env))}
        self.after: dict[Position, dict[str, Position]] = {}
        self.usual: set[float] = set()  # rewards of first moves that end nothing
        self.first = Position(1, "")
        self.first = self.reached(self.first, "")
        for move in self.first.moves:
            self.reached(self.first, move)

    def reached(self, p: Position, move: str) -> Position:
        """Return the position after a move or a draw, from the object itself; with no move, after `reset`."""
        move, drawn = (move, ()) if p.drawn is None else (p.move, (*p.drawn, int(move)))
        env: Any = object.__new__(self.kind)
        vars(env).update(self.spaces | pickle.loads(self.copies[p.memory]))  # noqa: S301
        Luck.script = [*drawn]
        try:
            _, reward, *over, _ = env.step(int(move)) if move else (env.reset(), 0, False, {})
        except Draw as draw:
            return Position(p.turn, p.memory, tuple(map(str, range(draw.args[0]))), None, move, drawn)
        if not move:
            env.first_mover = getattr(env, "current_player", None)
        memory = sys.intern(json.dumps(remembered(env), sort_keys=True, default=plain))
        self.copies.setdefault(memory, pickle.dumps(remembered(env)))
        if any(over):
            lost = reward < 0 and reward not in self.usual
            return Position(p.turn, memory, (), p.turn if reward > 0 else 1 - p.turn if lost else None)
        self.usual |= {reward} if p == self.first else set()
        moves = tuple(map(str, sorted(set(map(int, env.valid_moves())))))
        # Without `current_player` the two take turns.
        turn = 1 - p.turn if env.first_mover is None else int(env.current_player != env.first_mover)
        return Position(turn, memory, moves)

    def start(self) -> Position:
        return self.first

    def player(self, p: Position) -> int:
        return p.turn if p.drawn is None else nq.CHANCE

    def turn(self, p: Position) -> int:
        return p.turn

    def moves(self, p: Position) -> tuple[str, ...]:
        return p.moves

    def weights(self, p: Position) -> tuple[int, ...]:
        return (1,) * len(p.moves)

    def play(self, p: Position, move: str) -> Position:
        return self.after[p][move]

    def outcome(self, p: Position) -> nq.Outcome | None:
        return None if p.moves else nq.Outcome(p.winner, "over")


def remembered(env: Any) -> dict[str, Any]:
    """Return the attributes of an object that are neither spaces nor generators of NumPy."""
    out = np.random.Generator
    return {name: each for name, each in vars(env).items() if not (isinstance(each, out) or hasattr(each, "sample"))}


def plain(value: Any) -> Any:
    """Return what JSON can hold in place of a set, of numbers of NumPy, or of any other object."""
    return sorted(value) if isinstance(value, set) else value.tolist() if hasattr(value, "tolist") else vars(value)


def row(file: Path, seconds: float) -> str:
    """Return a row of the table: what so many seconds of work show of the game in a file."""
    game = Game(file)
    waiting = [game.start()]
    for p in waiting:
        if time.process_time() > seconds:
            break
        if p not in game.after:
            game.after[p] = {move: game.reached(p, move) for move in p.moves}
            waiting += game.after[p].values()
    number, seen, chance = file.stem.removeprefix("env_"), set(waiting), any(p.drawn is not None for p in game.after)
    if len(game.after) < len(seen):
        return f"| {number} | > {len(seen):,} | {'yes' if chance else 'no'} |  |  |  |"
    game.chance, circles = "draws" if chance else "", ""
    try:
        TopologicalSorter({p: after.values() for p, after in game.after.items()}).prepare()
    except CycleError:
        circles = "can go round in circles"
    p, length, perfect = game.start(), 0, nq.player("perfect")
    value = nq.solve(game).value_for(0, p)
    draw = "never decided, or a draw" if circles else "a draw"
    best = f"Player 1 gets {100 * float(value):.1f} %" if chance else draw
    if not chance and value in (0, 1):
        while p.moves:
            p, length = game.play(p, perfect.choose(game, p, nq.Stream("gg", "bench"))), length + 1
        best = f"Player {2 - int(value)} in {length}"
    wins = Counter(p.winner for p in seen if not p.moves)
    ends = f"{wins[0]:,} · {wins[1]:,} · {wins[None]:,}"
    return f"| {number} | {len(seen):,} | {'yes' if chance else 'no'} | {best} | {ends} | {circles} |"


def main(path: str, seconds: str = "25") -> None:
    data, files = Path(path, "gg_bench", "data"), [Path(path)]
    if data.is_dir():
        numbers = [int(number) for number, _ in json.loads((data / "splits" / "valid_envs.json").read_text())]
        files = [data / "envs" / f"env_{number}.py" for number in sorted(numbers)]
    print("| game | positions | chance | with best play | ends won by 1, 2, nobody | besides |")
    print("|---:|---:|---|---|---|---|")
    with Pool(maxtasksperchild=1) as pool:  # a process for each game, whose time is counted alone
        for line in pool.imap(partial(row, seconds=float(seconds)), files):
            print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
