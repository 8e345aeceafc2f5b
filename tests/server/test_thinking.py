"""Thinking has limits: a line, a time for each task, and a new worker for each that is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import numberquest as nq
from numberquest.match import Match
from numberquest.record import Record
from numberquest.server.think import pool, tasks
from numberquest.server.think.pool import LIMITS, Busy, Thinking, TooSlow
from tests.server.asked import choose
from tests.server.test_worker import has_ended

SLOW = tasks.Puzzle(id="mystic-1-1:target=40")
SLOW_TOO = tasks.Puzzle(id="mystic-1-1:target=39")
"""Takes some seconds, where nothing is kept on disk."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def the_same_cache(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)


def thinking(work: Callable[[Thinking], Awaitable[None]], **settings: Any) -> None:
    """Do this with workers; afterwards none of them is left."""

    async def main() -> None:
        found = Thinking(**settings)
        await found.start()
        try:
            await work(found)
        finally:
            pids = found.pids
            await found.close()
            assert found.pids == []
            for pid in pids:
                with pytest.raises(ProcessLookupError):
                    os.kill(pid, 0)

    asyncio.run(main())


async def until(true: Callable[[], bool]) -> None:
    """Let everybody go on until it is so."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.001)  # workers need the processor more


def sumquest(dice: int = 0) -> tasks.Choose:
    return choose(Match(nq.game("sumquest")), dice=str(dice))


def stopped(pid: int) -> None:
    """Have a worker stand still, so that whatever it is given takes for ever."""
    os.kill(pid, signal.SIGSTOP)


def test_many_ask_at_once_and_each_gets_its_own_answer() -> None:
    async def work(found: Thinking) -> None:
        asked = [sumquest(dice) for dice in range(20)]
        together = await asyncio.gather(*(found.ask(task, "") for task in asked))
        assert together == [await found.ask(task, "") for task in asked]
        assert {answer.move for answer in together if isinstance(answer, tasks.Chosen)} == {"1", "6"}

    thinking(work)


def test_a_worker_killed_in_the_middle_of_a_task_is_replaced_and_the_answer_comes() -> None:
    async def work(found: Thinking) -> None:
        (before,) = found.pids
        stopped(before)
        asked = asyncio.create_task(found.ask(sumquest(), ""))
        await until(lambda: found.running == 1)
        os.kill(before, signal.SIGKILL)
        assert isinstance(await asked, tasks.Chosen)
        assert before not in found.pids

    thinking(work, workers=1)


def test_a_worker_killed_while_it_waits_is_replaced() -> None:
    async def work(found: Thinking) -> None:
        for _ in range(3):
            for pid in found.pids:
                os.kill(pid, signal.SIGKILL)
            assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)

    thinking(work, workers=1)


def test_a_task_that_takes_too_long_is_given_up_and_the_next_is_answered() -> None:
    async def work(found: Thinking) -> None:
        (before,) = found.pids
        stopped(before)
        # It is large from the start: there is no first try.
        with pytest.raises(TooSlow, match="longer than anybody would wait"):
            await found.ask(tasks.Games(), "")
        await until(lambda: before not in found.pids)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)

    thinking(work, workers=1, limits={**LIMITS, tasks.Games: 0.2})


def test_what_a_first_try_does_not_answer_is_done_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "FIRST_TRY", 0.1)

    async def work(found: Thinking) -> None:
        (before,) = found.pids
        stopped(before)
        assert isinstance(await found.ask(tasks.Hint("sumquest", "", [], 1), ""), tasks.Made)
        assert before not in found.pids
        assert found.measured()['numberquest_thinking_tasks_total{size="large"}'] == 1

    thinking(work, workers=1)


def test_when_too_many_of_an_address_wait_its_next_is_told_so_but_nobody_at_a_board_and_no_other() -> None:
    async def work(found: Thinking) -> None:
        (pid,) = found.pids
        stopped(pid)

        def puzzle(seed: int) -> tasks.Task:
            return tasks.Puzzle(game="sumquest", seed=str(seed))

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

    thinking(work, workers=1, longest_line=3)


def test_the_large_games_of_one_address_keep_no_small_game_of_another_waiting() -> None:
    async def work(found: Thinking) -> None:
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

    thinking(work, workers=2)


def test_an_address_that_has_used_much_waits_behind_one_that_has_used_little() -> None:
    async def work(found: Thinking) -> None:
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

    thinking(work, workers=1)


def test_whoever_gives_up_waiting_leaves_the_line() -> None:
    async def work(found: Thinking) -> None:
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

    thinking(work, workers=1)


def test_moves_go_before_puzzles() -> None:
    async def work(found: Thinking) -> None:
        (pid,) = found.pids
        stopped(pid)
        done: list[str] = []

        async def ask(name: str, task: tasks.Task) -> None:
            await found.ask(task, "")
            done.append(name)

        asked = [asyncio.create_task(ask("first", sumquest()))]
        await until(lambda: found.running == 1)
        asked += [
            asyncio.create_task(ask("puzzle", tasks.Puzzle(game="sumquest", seed="1"))),
            asyncio.create_task(ask("move", sumquest(1))),
        ]
        await until(lambda: found.waiting == 2)
        os.kill(pid, signal.SIGCONT)
        await asyncio.gather(*asked)
        assert done == ["first", "move", "puzzle"]

    thinking(work, workers=1)


def test_a_long_review_keeps_no_computer_player_waiting(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    async def work(found: Thinking) -> None:
        puzzles = [asyncio.create_task(found.ask(one, "")) for one in (SLOW, SLOW_TOO)]
        await until(lambda: 1 in found._processes)
        # Whoever does what is large stands still: however fast the machine is, the puzzles are not done.
        stopped(found._processes[1].pid)
        assert isinstance(await found.ask(sumquest(), ""), tasks.Chosen)
        assert not any(task.done() for task in puzzles)

    thinking(work, workers=2)


def test_the_same_question_is_thought_about_once() -> None:
    async def work(found: Thinking) -> None:
        match = Match(nq.game("sumquest"))
        match.play("5")
        review = tasks.Review(Record(match).text())
        together = await asyncio.gather(*(found.ask(review, "") for _ in range(100)))
        assert all(answer is together[0] for answer in together)
        # Nobody is there to think any more, and still it is known.
        for pid in found.pids:
            stopped(pid)
        assert await asyncio.wait_for(found.ask(review, ""), 60) is together[0]

    thinking(work, workers=1, longest_line=2)


def test_the_list_of_games_costs_nobody_anything_before_it_is_known_too() -> None:
    async def work(found: Thinking) -> None:
        assert found.free(tasks.Games(), "one")
        assert not found.free(tasks.Puzzle(game="sumquest", seed="1"), "one")

    thinking(work, workers=1)


def test_a_failure_is_not_kept_but_told() -> None:
    async def work(found: Thinking) -> None:
        for _ in range(2):
            answer = await found.ask(tasks.Review("nothing"), "")
            assert isinstance(answer, tasks.Failed)
            assert answer.code == "bad-request"

    thinking(work)


def test_a_task_that_is_too_long_is_refused_before_it_is_sent() -> None:
    async def work(found: Thinking) -> None:
        answer = await found.ask(tasks.Review("x" * tasks.LARGEST_TASK), "")
        assert isinstance(answer, tasks.Failed)
        assert answer.code == "too-large"

    thinking(work)


def test_the_longest_record_that_the_wire_allows_comes_through() -> None:
    from numberquest.server.wire import LARGEST_RECORD

    async def work(found: Thinking) -> None:
        # Each of these takes six characters in JSON.
        answer = await found.ask(tasks.Review("\x01" * LARGEST_RECORD), "")
        assert isinstance(answer, tasks.Failed)
        assert answer.code == "bad-request"

    thinking(work)


def test_closing_tells_those_who_wait() -> None:
    async def main() -> None:
        found = Thinking(workers=1)
        await found.start()
        stopped(found.pids[0])
        asked = [
            asyncio.create_task(found.ask(task, ""))
            for task in (sumquest(), sumquest(1), tasks.Puzzle(game="sumquest", seed="1"))
        ]
        await until(lambda: found.waiting == 2)
        await found.close()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert all(isinstance(answer, Busy) for answer in told), told
        with pytest.raises(Busy):
            await found.ask(sumquest(), "")

    asyncio.run(main())


def test_no_worker_is_left_when_the_server_is_killed() -> None:
    code = (
        "import asyncio\n"
        "from numberquest.server.think import tasks\n"
        "from numberquest.server.think.pool import Thinking\n"
        "async def main():\n"
        "    thinking = Thinking()\n"
        "    await thinking.start()\n"
        "    asked = [tasks.Puzzle(game='sumquest', seed=seed) for seed in '12']\n"
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
    assert all(has_ended(one) for one in watched)


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
