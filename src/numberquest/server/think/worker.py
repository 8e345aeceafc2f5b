"""Thinks for the server, in a process of its own: `python -m numberquest.server.think.worker`.

A task comes as a line of JSON on standard input, and its answer goes as one to standard output: see tasks.py.
When the input ends, whoever asked is gone, and the worker ends at once, whatever it is doing.
"""

import argparse
import contextlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from numberquest.core.contract import CHANCE, Game, IllegalMove
from numberquest.core.dealer import BadDeal
from numberquest.core.errors import UsageError
from numberquest.core.loading import BadGame
from numberquest.core.progress import silently
from numberquest.core.record import RecordError, read
from numberquest.core.registry import GAMES
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import Said
from numberquest.core.settings import BadSetting
from numberquest.core.stream import Stream
from numberquest.explain import hints
from numberquest.explain.puzzle import NoPuzzles
from numberquest.players.levels import player
from numberquest.server import wire
from numberquest.server.think import drafts, messages, tasks
from numberquest.server.think.catalogue import catalogue
from numberquest.solver import TooLarge, budget, solve, table

TOO_LARGE: Final = wire.Said("too-large", {})
PATIENCE: Final[dict[type, float]] = {
    tasks.Choose: 4.0,
    tasks.Hint: 5.0,
    tasks.Comment: 5.0,
    tasks.Measure: 40.0,
    tasks.CheckDraft: 5.0,
    tasks.TryDraft: 5.0,
    tasks.MeasureDraft: 20.0,
}
"""How many seconds of work a game may take to solve, for tasks that somebody waits for; where it takes longer, the
computer looks ahead as far as it can, and everything else is told to be too large."""
PATIENCE_OTHERWISE: Final = 20.0
MOST_ON_DISK: Final = 2_000_000_000
"""So many bytes of solved games are kept on disk; above that the oldest go."""
WORTH_A_LOOK: Final = 0.25
"""A task that took so many seconds may have left something on disk."""

SOON: Final = 0.01
"""So many seconds of work later it is tried again."""

_decode = msgspec.json.Decoder(tasks.Task).decode


def main(arguments: list[str] | None = None) -> None:
    """Answer tasks until the input ends, or until so much memory is used that a fresh start is better."""
    parser = argparse.ArgumentParser(prog="numberquest.server.think.worker")
    parser.add_argument("--memory", type=int, default=tasks.MEMORY, help="the most address space, in bytes")
    memory: int = parser.parse_args(arguments).memory
    # Ctrl-C in the server's terminal reaches everybody there: the server decides when a worker ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # No more address space than that, on the systems that can see to it.
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever else might print must not be taken for an answer.
    os.dup2(2, 1)
    # Before the first task: what is tried has little time, and looking at somebody's own games may take longer.
    with contextlib.suppress(BadGame):
        list(GAMES)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(waiting,), daemon=True).start()
    while True:
        answer = answered(waiting.get())
        used = budget.used_memory()
        # What was solved stays in memory for the next time; before it is too much, a new worker takes over. So it does
        # where something was too large, but perhaps only for want of the memory that the others take.
        want = 4 * used > memory and tasks.gave_up(answer) and not budget.only_tried
        answer.last = answer.last or want or 2 * used > memory
        try:
            answers.write(wire.encode(answer) + b"\n")
            answers.flush()
        except BrokenPipeError:
            os._exit(0)
        if answer.last:
            os._exit(0)


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Give up after so many seconds of work, also where nobody looks at the clock for long; 0: never.

    Solvers look now and then, and how long it takes until then is up to the rules: somebody's own may be slow.
    """
    if not (seconds and hasattr(signal, "setitimer")):
        yield
        return

    drop = sys.unraisablehook

    def try_again(dropped: "sys.UnraisableHookArgs") -> None:
        # Python drops what is raised while something is being forgotten.
        if dropped.exc_type is _Enough:
            signal.setitimer(signal.ITIMER_PROF, SOON)
        else:
            drop(dropped)

    sys.unraisablehook = try_again
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.unraisablehook = drop


class _Enough(BaseException):
    """The work of a first try is done. Not an `Exception`: no rules and no solver take it for one of their own."""


def _give_up(*_: object) -> None:
    raise _Enough


def _listen(waiting: queue.SimpleQueue[bytes]) -> None:
    """Pass the tasks on; when there will be no more, end at once, also in the middle of one."""
    try:
        while line := sys.stdin.buffer.readline(tasks.LARGEST_TASK):
            waiting.put(line)
    finally:
        os._exit(0)


def answered(line: bytes) -> tasks.Answer:
    """The answer to a task; whatever goes wrong is an answer too."""
    started = time.perf_counter()
    try:
        task = _decode(line)
        budget.patience = task.patience or PATIENCE.get(type(task), PATIENCE_OTHERWISE)
        budget.only_tried = task.patience > 0
        with _at_most(2 * task.patience):
            if isinstance(task, tasks.Choose):
                return _choose(task)
            return tasks.Made(msgspec.Raw(wire.encode(_MESSAGES[type(task)](task))))
    except (TooLarge, _Enough):
        return tasks.Failed("too-large", TOO_LARGE)
    except MemoryError:
        return tasks.Failed("too-large", TOO_LARGE, last=True)
    except RecordError as error:
        return tasks.Failed("bad-request", wire.Said("record-wrong", {"why": str(error).rstrip(".")}), error.line)
    except NoPuzzles as error:
        return tasks.Failed("not-found", wire.Said("because", {"why": str(error)}))
    except IllegalMove as error:
        return tasks.Failed("bad-request", wire.Said(*error.said))
    except BadGame as error:
        return tasks.Failed("bad-request", wire.Said("because", {"why": str(error)}), error.line)
    except (BadSetting, BadDeal, UsageError) as error:
        return tasks.Failed("bad-request", wire.Said("because", {"why": str(error)}))
    except Exception:
        traceback.print_exc()
        return tasks.Failed("internal", wire.Said("went-wrong", {}))
    finally:
        if time.perf_counter() - started > WORTH_A_LOOK:
            make_room(MOST_ON_DISK)


def make_room(most: int) -> None:
    """Remove the oldest of the solved games on disk until no more than so many bytes are left."""
    try:
        oldest_first = sorted(table.kept(), key=lambda kept: os.stat(kept[0]).st_mtime)
        size = sum(bytes_ for _, bytes_ in oldest_first)
        for path, bytes_ in oldest_first:
            if size <= most:
                return
            os.remove(path)
            size -= bytes_
    except OSError as error:
        # Another worker may be doing the same; what is left is looked at the next time.
        print(f"solved games on disk: {error}", file=sys.stderr)


def _choose(task: tasks.Choose) -> tasks.Chosen:
    game, position = _reached(task)
    if task.ahead:
        budget.patience = 0.0
    level, dice = player(task.level), Stream(task.dice, "server")
    return tasks.Chosen(*level.choice(game, position, dice, task.entries, only_solved=budget.only_tried))


def _hint(task: tasks.Hint) -> wire.Hint:
    game, position = _known(task)
    solution = solve(game)
    said = (hints.nudge, hints.tip, hints.proof)[task.step - 1](solution, position)
    moves = [] if task.step == 1 or hints.all_alike(solution.moves(position)) else solution.best(position)
    return wire.Hint(task.step, hints.STEPS, messages.wired(said), moves)


def _comment(task: tasks.Comment) -> wire.Comment:
    game, position = _reached(task)
    _check_allowed(game, position, task.move)
    game, position = _known(task)
    solution = solve(game)
    said = hints.comment(solution, position, task.move)
    if not said and hints.is_lost(solution, position):
        said = [Said("lost-already")]
    return wire.Comment(messages.wired(said))


def _review(task: tasks.AskReview) -> wire.Review:
    record, text = read(task.record), task.record
    solution = solve(record.match.game)
    if task.move:
        record = messages.what_if(record, task.at, task.move)
        text = record.text()
    return messages.review_message(record, text, solution)


_MESSAGES: Final[dict[type, Callable[[Any], Any]]] = {
    tasks.Hint: _hint,
    tasks.Comment: _comment,
    tasks.AskReview: _review,
    tasks.AskPuzzle: messages.puzzle_message,
    tasks.Judge: messages.judged_message,
    tasks.Games: lambda _: catalogue(),
    tasks.AskLesson: lambda task: messages.lesson_message(task.game),
    tasks.Measure: lambda task: messages.measures_message(messages.game_for(task), task.players),
    tasks.Map: lambda task: messages.map_message(task.game),
    tasks.BestLine: messages.best_line,
    tasks.QrCode: lambda task: messages.page_code(task.text),
    tasks.Weigh: messages.weighed,
    tasks.LookBack: messages.decisions,
    tasks.CheckDraft: drafts.checked,
    tasks.TryDraft: drafts.tried,
    tasks.MeasureDraft: drafts.measured,
    tasks.Worksheet: messages.sheet,
    tasks.Prepare: lambda task: player("perfect").prepare(messages.game_for(task), silently),
}


def _reached(task: tasks.AtPosition) -> tuple[Game[Any], Any]:
    """The game, and the position that these moves and reveals lead to, where somebody has to decide."""
    game = messages.game_for(task)
    position = game.start()
    for entry in task.entries:
        _check_allowed(game, position, entry)
        position = game.play(position, entry)
    if game.player(position) == CHANCE or not game.moves(position):
        raise IllegalMove(Said("nothing-to-decide"))
    return game, position


def _known(task: tasks.AtPosition) -> tuple[Game[Any], Any]:
    """The game, and what the one to move knows after these moves and reveals: without secrets, the position."""
    game, position = _reached(task)
    return game, known_after(game, task.entries, game.player(position))


def _check_allowed(game: Game[Any], position: Any, entry: str) -> None:
    if entry not in game.moves(position):
        raise IllegalMove(Said("not-allowed-here", {"move": entry[:20]}))


if __name__ == "__main__":
    main()
