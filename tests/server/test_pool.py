"""Thinking has limits: a line, a time for each task, and a new worker for each that is gone."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.match import Match
from numberquest.core.record import Record
from numberquest.server.think import pool, tasks
from numberquest.server.think.pool import LIMITS, Busy, Thinking, TooSlow, Unwanted
from numberquest.server.wire import LARGEST_RECORD
from tests.server.keeping import until
from tests.server.test_worker import choose

SLOW = tasks.AskPuzzle(id="mystic-1-1:target=40")
SLOW_TOO = tasks.AskPuzzle(id="mystic-1-1:target=39")
"""Takes some seconds, where nothing is kept on disk."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def the_same_cache(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)


@asynccontextmanager
async def thinking(**settings: Any) -> AsyncIterator[Thinking]:
    """Workers; afterwards none of them is left."""
    found = Thinking(**settings)
    await found.start()
    try:
        yield found
    finally:
        pids = found.pids
        await found.close()
        assert found.pids == []
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


@pytest.fixture
def found() -> AbstractAsyncContextManager[Thinking]:
    """One worker."""
    return thinking(workers=1)


def sumquest(dice: int = 0) -> tasks.Choose:
    return choose(Match(nq.game("sumquest")), dice=str(dice))


def stopped(pid: int) -> None:
    """Have a worker stand still, so that whatever it is given takes for ever."""
    os.kill(pid, signal.SIGSTOP)


async def test_many_ask_at_once_and_each_gets_its_own_answer() -> None:
    async with thinking() as found:
        asked = [sumquest(dice) for dice in range(20)]
        together = await asyncio.gather(*(found.ask(task, "") for task in asked))
        assert together == [await found.ask(task, "") for task in asked]
        assert {answer.move for answer in together if isinstance(answer, tasks.Chosen)} == {"1", "6"}


async def test_measuring_ends_when_nobody_waits_for_it_any_more(
    found: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "LOOK", 0.01)
    (before,) = found.pids
    stopped(before)
    there = [True]
    task = tasks.Measure(game="fifty", settings="target=60", players=("medium", "medium"))
    asked = asyncio.ensure_future(found.ask(task, "", wanted=lambda: there[0]))
    await until(lambda: found.running == 1)
    there[0] = False
    with pytest.raises(Unwanted):
        await asked
    # Whoever asks next has a worker of their own.
    assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)
    assert before not in found.pids


async def test_a_worker_killed_in_the_middle_of_a_task_is_replaced_and_the_answer_comes(found: Thinking) -> None:
    (before,) = found.pids
    stopped(before)
    asked = asyncio.create_task(found.ask(sumquest(), ""))
    await until(lambda: found.running == 1)
    os.kill(before, signal.SIGKILL)
    assert isinstance(await asked, tasks.Chosen)
    assert before not in found.pids


async def test_a_worker_killed_while_it_waits_is_replaced(found: Thinking) -> None:
    for _ in range(3):
        for pid in found.pids:
            os.kill(pid, signal.SIGKILL)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)


async def test_a_task_that_takes_too_long_is_given_up_and_the_next_is_answered() -> None:
    async with thinking(workers=1, limits={**LIMITS, tasks.Games: 0.2}) as found:
        (before,) = found.pids
        stopped(before)
        # It is large from the start: there is no first try.
        with pytest.raises(TooSlow, match="longer than anybody would wait"):
            await found.ask(tasks.Games(), "")
        await until(lambda: before not in found.pids)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)


async def test_what_a_first_try_does_not_answer_is_done_in_earnest(
    found: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "FIRST_TRY", 0.1)

    (before,) = found.pids
    stopped(before)
    assert isinstance(await found.ask(tasks.Hint("sumquest", "", [], 1), ""), tasks.Made)
    assert before not in found.pids
    assert found.measured()['numberquest_thinking_tasks_total{size="large"}'] == 1


async def test_when_too_many_of_an_address_wait_its_next_is_told_so_but_nobody_at_a_board_and_no_other() -> None:
    async with thinking(workers=1, longest_line=3) as found:
        (pid,) = found.pids
        stopped(pid)

        def puzzle(seed: int) -> tasks.Task:
            return tasks.AskPuzzle(game="sumquest", seed=str(seed))

        waiting = [asyncio.create_task(found.ask(sumquest(), "one"))]
        await until(lambda: found.running == 1)
        waiting += [asyncio.create_task(found.ask(puzzle(seed), "one")) for seed in (1, 2, 3)]
        await until(lambda: found.waiting == 3)
        with pytest.raises(Busy, match="too much to do"):
            await found.ask(puzzle(4), "one")
        waiting += [asyncio.create_task(found.ask(sumquest(dice), "one", f"{dice}")) for dice in range(5)]
        waiting += [asyncio.create_task(found.ask(tasks.Hint("sumquest", "", [], 1), "one"))]
        waiting += [asyncio.create_task(found.ask(puzzle(4), "two"))]
        await until(lambda: found.waiting == 10)
        os.kill(pid, signal.SIGCONT)
        assert not any(isinstance(answer, tasks.Failed) for answer in await asyncio.gather(*waiting))
        assert isinstance(await found.ask(puzzle(5), "one"), tasks.Made)


async def test_the_large_games_of_one_address_keep_no_small_game_of_another_waiting() -> None:
    async with thinking(workers=2) as found:
        done: list[str] = []

        async def ask(name: str, task: tasks.Task, address: str, match: str = "") -> None:
            await found.ask(task, address, match)
            done.append(name)

        games = [nq.game("fifty", copies=4, target=target) for target in (198, 199, 200)]
        large = [asyncio.create_task(ask("large", choose(Match(games[at % 3])), "one", str(at))) for at in range(60)]
        # The worker for small ones tries each of the rules once, and then leaves all of them to the other.
        await until(lambda: found.measured()['numberquest_thinking_waiting{size="large"}'] > 50)
        for dice in range(20):
            await ask("small", sumquest(dice), "two")
        # In the order in which they were asked, all of the large ones would come first.
        assert done.count("large") < 30, done
        for task in large:
            task.cancel()
        await asyncio.wait(large)


async def test_a_hint_is_counted_for_the_address_that_asks_and_a_move_of_the_computer_for_nobody(
    found: Thinking,
) -> None:
    spent: list[tuple[str, bool]] = []
    found.spent = lambda address, seconds: spent.append((address, seconds > 0))
    await found.ask(sumquest(), "one", "match")
    assert spent == []
    await found.ask(tasks.Hint("sumquest", "", [], 1), "one", "match")
    await found.ask(tasks.AskPuzzle(game="sumquest", seed="1"), "two")
    assert spent == [("one", True), ("two", True)]
    # What everybody needs is nobody's.
    await found.ask(tasks.Games(), "two")
    assert {address for address, _ in spent[2:]} == {""}


async def test_of_answers_only_so_many_bytes_are_kept_and_the_newest_of_them(
    found: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzles = [tasks.AskPuzzle(game="sumquest", seed=str(seed)) for seed in range(5)]
    for puzzle in puzzles[:3]:
        await found.ask(puzzle, "")
    assert all(map(found.knows, puzzles[:3]))
    monkeypatch.setattr(pool, "MOST_KEPT", found._kept_bytes)
    # The first is asked for again, and so goes later than the second.
    for puzzle in (puzzles[0], puzzles[3]):
        await found.ask(puzzle, "")
    assert [found.knows(puzzles[at]) for at in (0, 1, 3)] == [True, False, True]
    assert found._kept_bytes <= pool.MOST_KEPT
    monkeypatch.setattr(pool, "MOST_KEPT", 0)
    await found.ask(puzzles[4], "")
    assert not any(map(found.knows, puzzles))


async def test_an_address_that_has_used_much_waits_behind_one_that_has_used_little(found: Thinking) -> None:
    (pid,) = found.pids
    done: list[str] = []

    async def ask(address: str, dice: int) -> None:
        await found.ask(sumquest(dice), address, str(dice))
        done.append(address)

    asked = [asyncio.create_task(ask("much", dice)) for dice in range(3)]
    stopped(pid)
    await until(lambda: found.running == 1 and found.waiting == 2)
    asked += [asyncio.create_task(ask(address, 1)) for address in ("little", "less")]
    await until(lambda: found.waiting == 4)
    os.kill(pid, signal.SIGCONT)
    await asyncio.gather(*asked)
    assert done[0] == "much"
    assert sorted(done[1:3]) == ["less", "little"]


async def test_whoever_gives_up_waiting_leaves_the_line(found: Thinking) -> None:
    (pid,) = found.pids
    stopped(pid)
    first, *others = [asyncio.create_task(found.ask(sumquest(dice), "")) for dice in range(4)]
    await until(lambda: found.waiting == 3)
    for task in others:
        task.cancel()
    await asyncio.wait(others)
    assert found.waiting == 0
    os.kill(pid, signal.SIGCONT)
    assert isinstance(await first, tasks.Chosen)


async def test_moves_go_before_puzzles(found: Thinking) -> None:
    (pid,) = found.pids
    stopped(pid)
    done: list[str] = []

    async def ask(name: str, task: tasks.Task) -> None:
        await found.ask(task, "")
        done.append(name)

    asked = [asyncio.create_task(ask("first", sumquest()))]
    await until(lambda: found.running == 1)
    asked += [
        asyncio.create_task(ask("puzzle", tasks.AskPuzzle(game="sumquest", seed="1"))),
        asyncio.create_task(ask("move", sumquest(1))),
    ]
    await until(lambda: found.waiting == 2)
    os.kill(pid, signal.SIGCONT)
    await asyncio.gather(*asked)
    assert done == ["first", "move", "puzzle"]


async def test_a_long_review_keeps_no_computer_player_waiting(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    async with thinking(workers=2) as found:
        puzzles = [asyncio.create_task(found.ask(one, "")) for one in (SLOW, SLOW_TOO)]
        await until(lambda: 1 in found._processes)
        # Whoever does what is large stands still: however fast the machine is, the puzzles are not done.
        stopped(found._processes[1].pid)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)
        assert not any(task.done() for task in puzzles)


async def test_the_same_question_is_thought_about_once() -> None:
    async with thinking(workers=1, longest_line=2) as found:
        match = Match(nq.game("sumquest"))
        match.play("5")
        review = tasks.AskReview(Record(match).text())
        together = await asyncio.gather(*(found.ask(review, "") for _ in range(100)))
        assert all(answer is together[0] for answer in together)
        # Nobody is there to think any more, and still it is known.
        for pid in found.pids:
            stopped(pid)
        assert await asyncio.wait_for(found.ask(review, ""), 60) is together[0]


async def test_the_list_of_games_costs_nobody_anything_before_it_is_known_too(found: Thinking) -> None:
    assert found.free(tasks.Games(), "one")
    assert not found.free(tasks.AskPuzzle(game="sumquest", seed="1"), "one")


async def test_a_failure_is_not_kept_but_told_and_the_longest_record_of_the_wire_comes_through() -> None:
    # The last one takes six characters in JSON for each of its own; what is longer is refused before it is sent.
    records = {"nothing": "bad-request", "x" * tasks.LARGEST_TASK: "too-large", "\x01" * LARGEST_RECORD: "bad-request"}
    async with thinking() as found:
        for record, code in [*records.items()] * 2:
            answer = await found.ask(tasks.AskReview(record), "")
            assert isinstance(answer, tasks.Failed)
            assert answer.code == code


async def test_closing_tells_those_who_wait() -> None:
    found = Thinking(workers=1)
    await found.start()
    stopped(found.pids[0])
    asked = [
        asyncio.create_task(found.ask(task, ""))
        for task in (sumquest(), sumquest(1), tasks.AskPuzzle(game="sumquest", seed="1"))
    ]
    await until(lambda: found.waiting == 2)
    await found.close()
    told = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(answer, Busy) for answer in told), told
    with pytest.raises(Busy):
        await found.ask(sumquest(), "")


def test_no_worker_is_left_when_the_server_is_killed() -> None:
    code = (
        "import asyncio\n"
        "from numberquest.server.think import tasks\n"
        "from numberquest.server.think.pool import Thinking\n"
        "async def main():\n"
        "    thinking = Thinking()\n"
        "    await thinking.start()\n"
        "    asked = [tasks.AskPuzzle(game='sumquest', seed=seed) for seed in '12']\n"
        "    await asyncio.gather(*(thinking.ask(task, '') for task in asked))\n"
        "    print(*thinking.pids, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert server.stdout is not None
    watched = [os.pidfd_open(int(pid)) for pid in server.stdout.readline().split()]
    assert len(watched) == 2
    server.kill()
    server.wait()
    server.stdout.close()
    for one in watched:
        # It becomes readable when the process, which is not our child, has ended.
        assert select.select([one], [], [], 60)[0]
        os.close(one)


def test_it_works_in_the_loop_that_the_server_uses() -> None:
    import uvloop

    async def main() -> None:
        found = Thinking()
        await found.start()
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)
        for pid in found.pids:
            os.kill(pid, signal.SIGKILL)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)
        await found.close()

    uvloop.run(main())


async def test_a_worker_goes_on_after_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.server.background.RESTART_AFTER", 0.01)
    limits: dict[type, float] = {}
    async with thinking(workers=1, limits=limits) as asked:
        errors: list[str] = []
        asked.background.failed = lambda task, error: errors.append(f"{task}: {type(error).__name__}")
        # No limit for such a task: it cannot even be begun.
        with pytest.raises(Busy, match="cannot think just now"):
            await asked.ask(sumquest(), "")
        await until(lambda: asked.background.stopped == {"worker 1"})
        assert errors == ["worker 1: KeyError"]
        limits.update(LIMITS)
        assert isinstance(await asked.ask(sumquest(), ""), tasks.Chosen)
        await until(lambda: not asked.background.stopped)
