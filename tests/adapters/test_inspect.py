"""The tasks of Inspect AI, with its mock model: figures, answers, errors, and a run that is taken up again."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.environment import needed

needed("inspect_ai", "inspect")

from click import ClickException  # noqa: E402
from inspect_ai import Task, eval_set, scorer, solver  # noqa: E402
from inspect_ai import eval as inspect_eval  # noqa: E402
from inspect_ai.dataset import FieldSpec, json_dataset  # noqa: E402
from inspect_ai.log import read_eval_log  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

import numberquest as nq  # noqa: E402
from numberquest.cli import main  # noqa: E402
from numberquest.envs.inspect.tasks import exam, games, match_of  # noqa: E402
from numberquest.players.prompt import question as asked_in_words  # noqa: E402
from numberquest.study.exam.making import HASHES, published  # noqa: E402
from numberquest.study.exam.question import Question  # noqa: E402
from numberquest.study.exam.sitting import Answer, score  # noqa: E402
from tests.players.readings import READINGS  # noqa: E402

# Inspect warns about its own dependencies. And it never closes the stream from which the events of a sample are read
# (`active.event_receive`): the garbage collector finds it, and anyio complains.
pytestmark = pytest.mark.filterwarnings("ignore")
COUNT = 5
WORST: Callable[[Question], str] = lambda one: min(one.values, key=lambda move: one.values[move])  # noqa: E731
BEST: Callable[[Question], str] = lambda one: one.right[0]  # noqa: E731
MIXED: Callable[[Question], str] = lambda one: one.moves[len(one.history) % len(one.moves)]  # noqa: E731


@pytest.fixture(autouse=True)
def streams_are_collected_where_that_is_ignored() -> Iterator[None]:
    """Collected between two tests or after the last, they would fail the run: there every warning is an error."""
    yield
    gc.collect()


def by_words() -> dict[str, Question]:
    """Every question by what a model is asked."""
    return {
        asked_in_words(one.game, one.position, one.history, list_moves=listed): one
        for one in published().questions
        for listed in (True, False)
    }


WORDS = by_words()


def model(answer: Callable[[str, int], str], *, by_tool: bool = False) -> Any:
    """A model that answers the last question; the second argument is how many answers it has given to it so far."""

    def outputs(messages: list[Any], tools: Iterable[Any], *_: Any) -> ModelOutput:
        asked = max(at for at, one in enumerate(messages) if one.role == "user" and "So far:" in one.text)
        given = sum(one.role == "assistant" for one in messages[asked:])
        said = answer(messages[asked].text, given)
        if by_tool:
            assert [one.name for one in tools] == ["make_move"]
            made = ModelOutput.for_tool_call("mockllm/model", "make_move", {"move": said})
        else:
            assert not list(tools)
            made = ModelOutput.from_content("mockllm/model", said)
        # Without it Inspect wants to download a tokenizer.
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def run(task: Any, answer: Callable[[str, int], str], tmp_path: Path, *, by_tool: bool = False, **how: Any) -> Any:
    where: dict[str, Any] = {"log_dir": str(tmp_path / "logs"), "display": "none", "ctl_server": False}
    (log,) = inspect_eval(task, model=model(answer, by_tool=by_tool), **where, **how)
    return log


@pytest.mark.parametrize("by_tool", [False, True], ids=["text", "tools"])
@pytest.mark.parametrize("slug", READINGS)
def test_an_answer_means_what_it_means_everywhere(slug: str, by_tool: bool, tmp_path: Path) -> None:
    cases = READINGS[slug]
    task = games(slug, "random", deals=len(cases), answer="tools" if by_tool else "text", tries=1)
    task.dataset = task.dataset.filter(lambda sample: sample.metadata["seat"] == 1)
    left = iter(cases)
    log = run(task, lambda words, _: "" if "Player 1:" in words else next(left), tmp_path, by_tool=by_tool)
    heard = [sample.store["numberquest_answers"][0] for sample in log.samples]
    assert {one["said"]: one["read"] for one in heard} == cases


def figures(log: Any) -> dict[str, float]:
    """Every figure of a log as `name/metric`, and those of all samples together by their names alone."""
    return {
        (
            name
            if score.name not in ("loss", "best", "illegal", "cut_off", "win", "without_luck", "lost", "forfeit")
            else ""
        )
        or f"{score.name}/{name}": found.value
        for score in log.results.scores
        for name, found in score.metrics.items()
    }


@pytest.mark.parametrize("choose", [BEST, WORST, MIXED], ids=["best", "worst", "mixed"])
@pytest.mark.parametrize("by_tool", [False, True], ids=["text", "tools"])
def test_the_score_is_that_of_the_exam(choose: Callable[[Question], str], by_tool: bool, tmp_path: Path) -> None:
    task = exam(count=COUNT, answer="tools" if by_tool else "text")
    log = run(task, lambda words, _: f"[{choose(WORDS[words])}]", tmp_path, by_tool=by_tool)
    assert log.status == "success", log.error
    known = {one.id: one for one in published().questions}
    sat = [known[sample.id] for sample in log.samples]
    assert len(sat) == COUNT * len({one.game.slug for one in sat})
    expected = score([Answer(one, choose(one), one.loss(choose(one))) for one in sat])
    found = figures(log)
    assert (found["score"], found["low"], found["high"]) == (expected.score, expected.low, expected.high)
    assert found["loss/mean"] == pytest.approx(sum(one.loss(choose(one)) for one in sat) / len(sat))
    assert found["best/mean"] == pytest.approx(sum(choose(one) in one.right for one in sat) / len(sat))
    assert "loss/stderr" in found
    if choose is BEST:
        assert found["score"] == 100
    for sample in log.samples:
        assert list(sample.scores["lost_value"].metadata["values"]) == list(known[sample.id].values)


def test_it_is_found_by_its_name_and_says_which_exam_it_was(tmp_path: Path) -> None:
    log = run(
        "numberquest/exam",
        lambda words, _: BEST(WORDS[words]),
        tmp_path,
        task_args={"game": "sumquest", "count": 2, "list_moves": False},
    )
    assert log.eval.task == "numberquest/exam"
    assert log.eval.metadata["hash"] == HASHES[log.eval.task_version]
    assert log.eval.metadata["list_moves"] is False
    assert [sample.id[:8] for sample in log.samples] == ["sumquest"] * 2
    assert not any("Allowed now" in sample.input[1].text for sample in log.samples)
    listed = run(exam(game="sumquest", count=1), lambda words, _: BEST(WORDS[words]), tmp_path)
    assert "Allowed now" in listed.samples[0].input[1].text


@pytest.mark.parametrize("by_tool", [False, True], ids=["text", "tools"])
def test_a_wrong_answer_is_asked_for_again_counted_and_logged(by_tool: bool, tmp_path: Path) -> None:
    task = exam(game="sumquest", count=4, answer="tools" if by_tool else "text")
    log = run(task, lambda words, given: "no idea" if given < 2 else BEST(WORDS[words]), tmp_path, by_tool=by_tool)
    found = figures(log)
    assert (found["score"], found["illegal/mean"]) == (100, 2)
    said = log.samples[0].scores["lost_value"].metadata["answers"]
    assert [one["said"] for one in said[:2]] == ["no idea"] * 2
    assert [one["read"] is None for one in said] == [True, True, False]
    assert said[0]["how"] == ("tool" if by_tool else "text")


def test_who_never_makes_a_move_has_lost_all_there_was(tmp_path: Path) -> None:
    log = run(exam(game="sumquest", count=4, tries=2), lambda *_: "I give up", tmp_path)
    for sample in log.samples:
        value = sample.scores["lost_value"].value
        asked = next(one for one in published().questions if one.id == sample.id)
        assert value == {"loss": asked.value, "best": 0, "illegal": 2, "cut_off": 0}


def test_an_error_of_the_provider_is_no_answer_and_no_loss(tmp_path: Path) -> None:
    broken = exam(game="sumquest", count=4).dataset[1].id

    def answer(words: str, _: int) -> str:
        if WORDS[words].id == broken:
            raise RuntimeError("the server is down")
        return BEST(WORDS[words])

    log = run(exam(game="sumquest", count=4), answer, tmp_path, fail_on_error=False)
    assert log.status == "success"
    assert [sample.id for sample in log.samples if sample.error] == [broken]
    assert not next(sample for sample in log.samples if sample.id == broken).scores
    assert figures(log)["score"] == 100


def test_what_was_broken_off_by_a_limit_counts_for_nothing(tmp_path: Path) -> None:
    log = run(exam(game="sumquest", count=4), lambda *_: "no idea", tmp_path, message_limit=4)
    assert log.status == "success", log.error
    assert all(sample.limit for sample in log.samples)
    assert log.results.scores[0].scored_samples == 0


def test_a_set_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    asked: list[str] = []
    down = True
    broken = exam(game="sumquest", count=4).dataset[2].id

    def answer(words: str, _: int) -> str:
        one = WORDS[words]
        asked.append(one.id)
        if down and one.id == broken:
            raise RuntimeError("the server is down")
        return MIXED(one)

    how: dict[str, Any] = {"log_dir": str(tmp_path / "set"), "display": "none", "ctl_server": False}
    how |= {"max_samples": 1, "retry_attempts": 0}
    one = model(answer)
    done, _ = eval_set(exam(game="sumquest", count=4), model=one, **how)
    assert not done
    before = list(asked)
    down = False
    done, logs = eval_set(exam(game="sumquest", count=4), model=one, **how)
    assert done
    again = asked[len(before) :]
    assert broken in again
    assert not set(again) & set(before[: before.index(broken)])
    whole = read_eval_log(logs[0].location)
    assert len(whole.samples or []) == 4
    at_once = run(exam(game="sumquest", count=4), lambda words, _: MIXED(WORDS[words]), tmp_path)
    assert figures(whole) == figures(at_once)
    # And a set that is done asks nobody.
    asked.clear()
    eval_set(exam(game="sumquest", count=4), model=one, **how)
    assert asked == []


def first_allowed(words: str, _: int = 0) -> str:
    allowed = re.search(r"^Allowed now: (.*)$", words, re.MULTILINE)
    assert allowed is not None
    in_brackets = re.match(r"\[([^\]]*)\]", allowed[1])
    return in_brackets[1] if in_brackets else allowed[1].split(", ")[0]


@pytest.mark.parametrize("by_tool", [False, True], ids=["text", "tools"])
def test_games_against_perfect_lose_the_value_of_the_start_and_what_was_given_away(
    by_tool: bool, tmp_path: Path
) -> None:
    task = games("mystic", "perfect", deals=3, settings="high=6 copies=1", answer="tools" if by_tool else "text")
    log = run(task, first_allowed, tmp_path, by_tool=by_tool)
    assert log.status == "success", log.error
    assert len(log.samples) == 6
    solution = nq.solve(nq.game("mystic", high=6, copies=1))
    lost = mattered = 0.0
    for sample in log.samples:
        match, seat = match_of(sample.metadata), sample.metadata["seat"] - 1
        done = sample.scores["play"]
        for move in done.answer.split():
            match.play(move)
        assert match.outcome is not None
        assert list(match.history) == done.metadata["history"]
        assert done.value["win"] == match.outcome.worth(seat)
        start = float(solution.value_for(seat, match.positions[0]))
        assert done.value["without_luck"] == pytest.approx(start - done.value["lost"])
        lost += done.value["lost"]
        mattered += done.value["mattered"]
    found = figures(log)
    assert found["regret"] == pytest.approx(lost / mattered if mattered else 0, nan_ok=True)
    assert found["win/mean"] == pytest.approx(sum(one.scores["play"].value["win"] for one in log.samples) / 6)
    assert "win/stderr" in found


def test_both_seats_of_a_deal_are_dealt_the_same_and_count_as_one(tmp_path: Path) -> None:
    log = run(games("grid", "random", deals=3, seed=7), first_allowed, tmp_path)
    by_deal: dict[str, list[Any]] = {}
    for sample in log.samples:
        by_deal.setdefault(sample.metadata["deal"], []).append(sample)
    assert [len(pair) for pair in by_deal.values()] == [2, 2, 2]
    for pair in by_deal.values():
        assert len({sample.metadata["seed"] for sample in pair}) == 1
    wins = [[one.scores["play"].value["win"] for one in pair] for pair in by_deal.values()]
    mean = sum(map(sum, wins)) / 6
    expected = (sum((sum(pair) - 2 * mean) ** 2 for pair in wins) * 3 / 2) ** 0.5 / 6
    assert figures(log)["win/stderr"] == pytest.approx(expected)


def test_who_makes_no_move_in_a_game_has_forfeited_it(tmp_path: Path) -> None:
    log = run(games("sumquest", "random", deals=1, tries=1), lambda *_: "no idea", tmp_path)
    assert [sample.scores["play"].value["win"] for sample in log.samples] == [0, 0]
    found = figures(log)
    assert (found["forfeit/mean"], found["illegal/mean"]) == (1, 1)


@pytest.mark.parametrize(
    "made",
    [
        lambda: exam(answer="song"),
        lambda: exam(game="chess"),
        lambda: exam(tries=0),
        lambda: games(opponent="cmd:rm"),
        lambda: exam(count=-1),
        lambda: exam(seed="\n"),
        lambda: games(deals=0),
        lambda: games("chess"),
        lambda: games("fifty", settings="target=none"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_asked(made: Callable[[], Any]) -> None:
    with pytest.raises(ClickException):
        made()


def test_the_eval_yaml_of_the_exam_as_a_dataset_is_a_task_that_inspect_runs(tmp_path: Path) -> None:
    """What Inspect makes of such a file by itself, for a dataset on the Hub, made here by its public parts."""
    yaml = pytest.importorskip("yaml")
    assert main(["exam", "--game", "sumquest", "--export", str(tmp_path / "exam")]) == 0
    (asked,) = yaml.safe_load((tmp_path / "exam" / "eval.yaml").read_text())["tasks"]
    rows = json_dataset(str(tmp_path / "exam" / f"{asked['config']}.jsonl"), FieldSpec(**asked["field_spec"]))
    parts = [[getattr(of, one["name"])(**one.get("args", {})) for one in asked[f"{kind}s"]]
             for kind, of in (("solver", solver), ("scorer", scorer))]  # fmt: skip
    targets = {sample.input: sample.target for sample in rows}
    where: dict[str, Any] = {"log_dir": str(tmp_path / "logs"), "display": "none", "ctl_server": False}
    for right in (True, False):

        def outputs(messages: list[Any], *_: Any, right: bool = right) -> ModelOutput:
            move = targets[messages[-1].text] if right else "castle"
            output = ModelOutput.from_content("mockllm/model", f"Not [9] but this is best.\n\n[{move}]")
            # Otherwise Inspect counts them itself, and looks on the network for how.
            output.usage = ModelUsage()
            return output

        task = Task(dataset=rows, solver=parts[0], scorer=parts[1])
        (log,) = inspect_eval(task, model=get_model("mockllm/model", custom_outputs=outputs), **where)
        assert log.status == "success", log.error
        assert log.results is not None
        assert log.results.scores[0].metrics["accuracy"].value == right
