"""The worker answers every task for every game, knows no deal, and goes when nobody is there any more."""

import gc
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from weakref import ref

import msgspec
import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE
from numberquest.core.dealer import completed
from numberquest.core.match import Match
from numberquest.core.record import Record, read
from numberquest.core.registry import GAMES, VARIABLE
from numberquest.core.sentences import Said, told
from numberquest.explain.puzzle import puzzle
from numberquest.players.levels import PLAYERS, perfect_moves
from numberquest.server import wire
from numberquest.server.think import tasks
from numberquest.server.think.worker import _at_most, _Enough, make_room
from numberquest.solver import budget
from numberquest.solver.proved import proved
from tests.conftest import in_ci
from tests.own.files import LAST, written

T = TypeVar("T")


class Worker:
    """Started here, ended by `close`."""

    def __init__(self, cache: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "numberquest.server.think.worker", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        )

    def send(self, task: tasks.Task | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((task if isinstance(task, bytes) else msgspec.json.encode(task)) + b"\n")
        self.process.stdin.flush()

    def answer(self) -> tasks.Answer:
        assert self.process.stdout is not None
        found: tasks.Answer = msgspec.json.decode(self.process.stdout.readline(), type=tasks.Answer)
        return found

    def ask(self, task: tasks.Task | bytes) -> tasks.Answer:
        self.send(task)
        return self.answer()

    def made(self, task: tasks.Task, kind: type[T]) -> T:
        """The message that a task is answered by."""
        answer = self.ask(task)
        assert isinstance(answer, tasks.Made), answer
        return msgspec.json.decode(bytes(answer.json), type=kind)

    def close(self) -> tuple[bytes, bytes]:
        """End it; what it still said on both outputs."""
        return self.process.communicate(timeout=60)


def choose(match: Match[Any], level: str = "perfect", dice: str = "1") -> tasks.Choose:
    return tasks.Choose(match.game.slug, match.game.settings_text, list(match.history), level, dice)


HUGE = "target=200 high=9 copies=4 ops=+-*/"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def worker(cache: str) -> Iterator[Worker]:
    found = Worker(cache)
    yield found
    said, errors = found.close()
    assert (said, found.process.returncode) == (b"", 0)
    assert b"Traceback" not in errors


@pytest.fixture(autouse=True)
def the_same_cache(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)


def played(slug: str, moves: int, seed: int = 1, **settings: Any) -> Match[Any]:
    """A match after some random moves, at a decision or over."""
    match, dice = Match(nq.game(slug, **settings), seed=seed), random.Random(seed)
    while match.moves and moves:
        match.play(dice.choice(match.moves))
        moves -= 1
    return match


@pytest.mark.parametrize("slug", GAMES)
def test_a_perfect_player_chooses_a_perfect_move(slug: str, worker: Worker) -> None:
    for seed in range(5):
        match = played(slug, seed % 3, seed)
        if match.moves:
            answer = worker.ask(choose(match, dice=str(seed)))
            assert isinstance(answer, tasks.Chosen)
            assert answer.move in perfect_moves(match.game, match.position)


@pytest.mark.parametrize("level", PLAYERS)
def test_every_level_chooses_an_allowed_move_and_the_same_with_the_same_dice(level: str, worker: Worker) -> None:
    match = Match(nq.game("sumquest"))
    chosen = [worker.ask(choose(match, level, str(dice))) for dice in range(20)]
    assert all(isinstance(answer, tasks.Chosen) and answer.move in match.moves for answer in chosen)
    assert chosen == [worker.ask(choose(match, level, str(dice))) for dice in range(20)]


@in_ci
@pytest.mark.parametrize("slug", ["grid", "mystic"])
def test_two_worlds_that_differ_in_what_is_hidden_get_the_same_answers(slug: str, worker: Worker) -> None:
    match = played(slug, 2, 4)
    game = match.game
    steps = list(zip(match.positions, match.history, strict=False))
    seen = {game.slot(p): entry for p, entry in steps if game.player(p) == CHANCE}
    other = Match(game, dealer=completed(game, seen))
    for p, entry in steps:
        if game.player(p) != CHANCE:
            other.play(entry)
    assert (other.history, other.dealer != match.dealer) == (match.history, True)
    for dice in range(10):
        assert worker.ask(choose(match, "medium", str(dice))) == worker.ask(choose(other, "medium", str(dice)))


@pytest.mark.parametrize("slug", GAMES)
def test_a_hint_has_three_steps(slug: str, worker: Worker) -> None:
    match = played(slug, 1)
    for step in (1, 2, 3):
        task = tasks.Hint(slug, match.game.settings_text, list(match.history), step)
        hint = worker.made(task, wire.Hint)
        assert (hint.step, hint.steps) == (step, 3)
        assert in_words(hint.said)
        values = nq.solve(match.game).moves(match.position)
        alike = max(values.values()) - min(values.values()) < 1e-9
        assert hint.moves == ([] if step == 1 or alike else nq.solve(match.game).best(match.position))


def test_the_coach_comments_on_what_gave_something_away(worker: Worker) -> None:
    gave = worker.made(tasks.Comment("sumquest", "", [], "5"), wire.Comment)
    assert in_words(gave.said).startswith("5 gave the win away")
    assert worker.made(tasks.Comment("sumquest", "", [], "1"), wire.Comment).said == []
    # After 1, Player 2 is lost, whatever they do.
    lost = worker.made(tasks.Comment("sumquest", "", ["1"], "4"), wire.Comment)
    assert in_words(lost.said) == "The game was lost already, so nothing was given away."
    entries = ["5", "add", "3", "add", "4"]
    slip = worker.made(tasks.Comment("mystic", "target=9 high=5 copies=1", entries, "pass"), wire.Comment)
    assert in_words(slip.said).startswith("that cost 50 points")


def in_words(said: list[wire.Said]) -> str:
    return " ".join(told(Said(one.code, one.facts)) for one in said)


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("ending", ["over", "open", "resigned"])
def test_a_review_has_the_numbers_of_the_review(slug: str, ending: str, worker: Worker) -> None:
    match = played(slug, 99 if ending == "over" else 2, 3)
    if ending == "resigned":
        match.resign()
    record = Record(match, ("Ann", "Bo"))
    text = record.text()
    got = worker.made(tasks.AskReview(text), wire.Review)
    found, solution = nq.review(match), nq.solve(match.game)
    assert (got.game, got.names, got.record, got.outcome is None) == (slug, ("Ann", "Bo"), text, ending == "open")
    assert (got.start, got.end) == pytest.approx((float(found.start), float(found.end)))
    assert got.given_away == pytest.approx([float(given) for given in found.given_away])
    assert got.key_moments == found.key_moments
    assert got.start - got.given_away[0] + got.given_away[1] + got.luck == pytest.approx(got.end)
    assert len(got.boards) == len(got.steps) + 1 == len(found.steps) + 1
    made = iter(found)
    for at, (step, right) in enumerate(zip(got.steps, found.steps, strict=True)):
        assert (step.entry, step.player, step.reveal) == (right.entry, right.turn + 1, right.player == CHANCE)
        assert (step.before, step.after) == pytest.approx((float(right.before), float(right.after)))
        if not step.reveal:
            verdict = next(made)
            assert (step.verdict, step.best, step.number) == (verdict.verdict, list(verdict.best), verdict.number)
            assert step.loss == pytest.approx(float(verdict.loss))
            values = solution.moves(match.positions[at])
            assert {worth.move: worth.value for worth in step.options} == pytest.approx(
                {move: float(value) for move, value in values.items()}
            )
        else:
            assert (step.verdict, step.options) == (None, [])
    turning = found.turning_point
    assert got.turning_point == (None if turning is None else found.steps.index(turning))
    if turning is not None:
        assert in_words(got.told).startswith("The turning point was")


def test_a_review_names_the_first_mistake_of_a_person(worker: Worker) -> None:
    text = '[Game "sumquest"]\n[Player1Type "hard"]\n\n5 8 9 1\n'
    got = worker.made(tasks.AskReview(text), wire.Review)
    mistakes = [at for at, step in enumerate(got.steps) if step.mistake]
    assert mistakes[0] == 0
    assert got.first_mistake == next((at for at in mistakes if got.steps[at].player == 2), None)


def test_a_record_without_a_move_is_reviewed_too(worker: Worker) -> None:
    got = worker.made(tasks.AskReview('[Game "sumquest"]\n'), wire.Review)
    assert (got.steps, len(got.boards), got.turning_point) == ([], 1, None)
    assert in_words(got.told) == "No move has been made, so there is nothing to review."


@in_ci
@pytest.mark.parametrize("slug", GAMES)
def test_a_puzzle_does_not_hold_its_answer_and_a_guess_is_judged(slug: str, worker: Worker) -> None:
    for seed in ("1", "2", "3"):
        got = worker.made(tasks.AskPuzzle(game=slug, seed=seed), wire.Puzzle)
        right = puzzle(got.id)
        assert (got.game, got.player, got.grade) == (slug, right.player + 1, right.grade)
        assert {option.move for option in got.moves} == set(right.values)
        assert [entry.entry for entry in got.history] == list(right.history)
        # Every option is there in the same way: none of them says how it ends.
        assert not any(option.ends for option in got.moves)
        assert worker.made(tasks.AskPuzzle(id=got.id), wire.Puzzle) == got
        assert read(got.record).match.history == right.history
        assert "Deal" not in got.record
        for move in right.values:
            judged = worker.made(tasks.Judge(got.id, move), wire.Judged)
            assert judged.right == (move in right.answers)
            assert judged.answers == list(right.answers)
            assert judged.said[0].code == ("puzzle-right" if judged.right else "puzzle-wrong")
            assert {worth.move for worth in judged.values} == set(right.values)


def test_a_puzzle_that_is_won_at_once_does_not_say_so(worker: Worker) -> None:
    name = next(f"sumquest-{seed}-1" for seed in range(200) if is_won_at_once(f"sumquest-{seed}-1"))
    got = worker.made(tasks.AskPuzzle(id=name), wire.Puzzle)
    assert got.grade == 1
    assert b"win" not in msgspec.json.encode(got.moves)


def is_won_at_once(name: str) -> bool:
    try:
        return puzzle(name).grade == 1
    except LookupError:
        return False


def test_the_games_come_with_what_is_proved(worker: Worker) -> None:
    got = worker.made(tasks.Games(), wire.Games)
    assert [info.game for info in got.games] == list(GAMES)
    assert [level.name for level in got.levels] == list(PLAYERS)
    for info in got.games:
        game = nq.game(info.game)
        solution = nq.solve(game)
        assert info.proved == wire.Said(*proved(solution))
        assert info.value == float(solution.value_for(0, game.start()))
        assert {setting.name: setting.classic for setting in info.settings} == game.settings
        assert info.endings == game.endings
    kinds = {setting.name: setting for info in got.games for setting in info.settings}
    assert (kinds["ops"].kind, kinds["ops"].signs, kinds["ops"].needed) == ("signs", "+-*/", "+")
    assert (kinds["stand"].kind, kinds["picks"].up_to, kinds["side"].low, kinds["side"].high) == (
        "yesno",
        "high",
        2,
        4,
    )


@pytest.mark.parametrize(
    ("task", "code", "said"),
    [
        (tasks.AskReview("1. 5"), "bad-request", "line 1"),
        (tasks.AskReview('[Game "fifty"]\n\n1. 5+\n2. 77+\n'), "bad-request", "line 4"),
        (tasks.AskPuzzle(id="nothing"), "not-found", "not the name of a puzzle"),
        (tasks.AskPuzzle(id="fifty-1-1:target=9999"), "not-found", "target must be"),
        (tasks.AskPuzzle(date="2026-02-30"), "bad-request", "A date is written 2026-01-31"),
        (tasks.AskPuzzle(game="chess", seed="1"), "bad-request", "There is no game called"),
        (tasks.AskPuzzle(game="fifty", seed=""), "bad-request", "A seed is"),
        (tasks.Judge("sumquest-7-8", "77"), "bad-request", "not allowed here"),
        (tasks.Choose("sumquest", "", ["5", "5"], "hard", "1"), "bad-request", "'5' is not allowed here"),
        (tasks.Choose("grid", "", ["1,1"], "hard", "1"), "bad-request", "Nobody has to decide anything"),
        (tasks.Choose("fifty", "target", [], "hard", "1"), "bad-request", "A setting is written name=value"),
        (tasks.Choose("sumquest", "", [], "grandmaster", "1"), "bad-request", "no computer player"),
        (tasks.Hint("sumquest", "", ["9", "8", "6"], 1), "bad-request", "Nobody has to decide"),
        (tasks.Comment("sumquest", "", [], "12"), "bad-request", "not allowed"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(task: tasks.Task, code: str, said: str, worker: Worker) -> None:
    answer = worker.ask(task)
    assert isinstance(answer, tasks.Failed)
    assert answer.code == code
    words = told(Said(answer.said.code, answer.said.facts))
    assert said in words
    assert words[0].isupper() or words[0] == "'"
    assert words.endswith(".")


def test_rules_too_large_are_told_and_played_all_the_same(cache: str) -> None:
    # A new one: where much is in memory already, a worker that gives up goes with its answer.
    fresh = Worker(cache)
    match = played("fifty", 1, target=200, copies=4)
    answer = fresh.ask(tasks.Hint("fifty", HUGE, list(match.history), 1))
    assert isinstance(answer, tasks.Failed)
    assert (answer.code, answer.said.code, answer.last) == ("too-large", "too-large", False)
    chosen = fresh.ask(choose(match))
    assert isinstance(chosen, tasks.Chosen)
    assert chosen.move in match.moves
    assert (chosen.how, chosen.last) == ("ahead", False)
    fresh.close()


def test_a_worker_that_gives_up_with_much_in_memory_goes_since_a_new_one_has_more(cache: str) -> None:
    # Python and NumPy alone take more than a quarter of this.
    full = Worker(cache, "--memory", str(300 << 20))
    answer = full.ask(tasks.Hint("fifty", HUGE, [], 1))
    assert isinstance(answer, tasks.Failed)
    assert (answer.code, answer.last) == ("too-large", True)
    assert full.process.wait(timeout=60) == 0
    full.close()


def test_solving_is_given_up_when_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    from numberquest.server.think import worker as workers

    # It is the worker's own to set; here it must be as before for the tests that follow.
    monkeypatch.setattr(budget, "patience", budget.patience)
    monkeypatch.setattr(workers, "PATIENCE", {tasks.Choose: 0.01, tasks.Hint: 0.01})
    settings = "target=61 high=8 copies=2 ops=+-*/"
    hint = workers.answered(msgspec.json.encode(tasks.Hint("fifty", settings, [], 1)))
    assert isinstance(hint, tasks.Failed)
    assert hint.code == "too-large"
    chosen = workers.answered(msgspec.json.encode(tasks.Choose("fifty", settings, [], "perfect", "1")))
    assert isinstance(chosen, tasks.Chosen)
    # With more patience it is tried again.
    monkeypatch.setattr(workers, "PATIENCE", {tasks.Hint: 60.0})
    assert isinstance(workers.answered(msgspec.json.encode(tasks.Hint("fifty", settings, [], 1))), tasks.Made)


def test_a_worker_that_has_used_much_memory_says_that_it_goes(cache: str) -> None:
    small = Worker(cache, "--memory", str(180 << 20))
    answer = small.ask(tasks.Choose("mystic", "", ["5"], "perfect", "1"))
    assert answer.last
    assert small.process.wait(timeout=60) == 0
    small.close()


def test_what_nobody_foresaw_is_told_neutrally_and_traced_on_stderr(cache: str) -> None:
    other = Worker(cache)
    answer = other.ask(b'{"task":"nonsense"}')
    assert answer == tasks.Failed("internal", wire.Said("went-wrong", {}))
    assert isinstance(other.ask(choose(Match(nq.game("sumquest")))), tasks.Chosen)
    said, errors = other.close()
    assert said == b""
    assert b"Traceback" in errors


def test_a_worker_ends_with_its_input_even_in_the_middle_of_a_task(tmp_path: Path) -> None:
    busy = Worker(str(tmp_path))
    assert isinstance(busy.ask(choose(Match(nq.game("sumquest")))), tasks.Chosen)
    # It stands still until its input has ended, or on a busy machine it could have the answer before that.
    busy.process.send_signal(signal.SIGSTOP)
    busy.send(tasks.Games())
    assert busy.process.stdin is not None
    busy.process.stdin.close()
    busy.process.stdin = None
    busy.process.send_signal(signal.SIGCONT)
    said, _ = busy.close()
    assert (said, busy.process.returncode) == (b"", 0)


def test_a_worker_does_not_mind_ctrl_c(cache: str) -> None:
    other = Worker(cache)
    other.ask(choose(Match(nq.game("sumquest"))))
    other.process.send_signal(signal.SIGINT)
    assert isinstance(other.ask(choose(Match(nq.game("sumquest")))), tasks.Chosen)
    other.close()
    assert other.process.returncode == 0


def test_the_oldest_solved_games_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "numberquest"
    folder.mkdir()
    for age, name in enumerate(["new", "middle", "old"]):
        path = folder / f"{name}.table"
        path.write_bytes(bytes(100))
        os.utime(path, (1000 - age, 1000 - age))
    make_room(300)
    assert len(list(folder.iterdir())) == 3
    make_room(150)
    assert [path.name for path in folder.iterdir()] == ["new.table"]


@in_ci
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system cannot wake a process after some work")
def test_a_first_try_ends_after_little_work_however_slow_the_rules_are_and_the_worker_stays(
    cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    def work() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    large = ("whole(21, 1, 99,", "whole(15000, 1, 15000,")
    slow = ("return tuple(m ", "return sum(range(40_000)) and tuple(m ")
    monkeypatch.setenv(VARIABLE, written(tmp_path, LAST, large, slow))
    before, worker = work(), Worker(cache)
    answer = worker.ask(tasks.Choose("last", "", [], "perfect", "1", patience=0.3))
    assert isinstance(answer, tasks.Failed)
    assert (answer.code, answer.last) == ("too-large", False)
    assert isinstance(worker.ask(choose(Match(nq.game("sumquest")))), tasks.Chosen), "nobody had to start another one"
    worker.close()
    # The search looks at the clock after some 16,000 positions: with these rules that is half a minute of work.
    assert work() - before < 8


class Thing:
    """Nobody needs it for long."""


class LastWord(Thing):
    def __del__(self) -> None:
        end_of_time()


def end_of_time(*_: object) -> None:
    signal.raise_signal(signal.SIGPROF)


def forget() -> None:
    LastWord()


def forget_what_is_looked_at() -> None:
    thing = Thing()
    looks = ref(thing, end_of_time)
    del thing
    assert looks() is None


def tidy_up() -> None:
    gc.callbacks.append(end_of_time)
    gc.collect()
    gc.callbacks.remove(end_of_time)


def work_on(begin: Callable[[], None]) -> None:
    with _at_most(1000):
        begin()
        while True:
            pass


@pytest.mark.parametrize("begin", [forget, forget_what_is_looked_at, tidy_up])
def test_work_that_has_taken_long_enough_is_ended_also_where_python_drops_what_is_raised(
    begin: Callable[[], None],
) -> None:
    with pytest.raises(_Enough):
        work_on(begin)
