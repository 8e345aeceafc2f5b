"""What answers and games are worth, by the exact value of every position; and the figures over all of them."""

from __future__ import annotations

from math import nan
from typing import Any

# Inspect reads the annotations of metrics and scorers, so that their types are needed here.
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import TaskState  # noqa: TC002

from numberquest.evaluate.adapters.inspect.asking import answers
from numberquest.evaluate.adapters.inspect.samples import match_of, question_of
from numberquest.evaluate.adapters.inspect.solvers import DONE
from numberquest.evaluate.exam.score import score as exam_scored
from numberquest.evaluate.exam.sitting import Answer
from numberquest.verdicts import RESIGNS, review

UNFINISHED = "broken off before there was an answer: counts for nothing"


@metric
def exam_score() -> Metric:
    """The score of the exam, 0 for random play and 100 for perfect, with its interval and that of each game."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        sat: dict[str, list[Answer]] = {}
        for one in scores:
            asked = question_of(one.sample_metadata or {})
            value: Any = one.score.value
            sat.setdefault(asked.game.slug, []).append(Answer(asked, None, float(value["loss"])))
        total = exam_scored([answer for own in sat.values() for answer in own])
        figures = {"score": total.score, "low": total.low, "high": total.high}
        figures |= {slug: exam_scored(own).score for slug, own in sat.items()}
        return {name: nan if figure is None else figure for name, figure in figures.items()}

    return measured


@metric
def given_away() -> Metric:
    """Over the positions in which the choice mattered: the mean loss of winning chance, and the share of best moves."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        values: list[Any] = [one.score.value for one in scores]
        mattered = sum(value["mattered"] for value in values)
        return {
            "regret": sum(value["lost"] for value in values) / mattered if mattered else nan,
            "best": sum(value["best"] for value in values) / mattered if mattered else nan,
            "mattered": mattered,
        }

    return measured


@scorer(
    metrics=[
        exam_score(),
        {
            "loss": [mean(), stderr(cluster="rules")],
            "best": [mean(), stderr(cluster="rules")],
            "illegal": [mean()],
        },
    ]
)
def lost_value() -> Scorer:
    """What an answer gives away of the chance of winning, exactly; whoever makes no move has lost all of it."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        done = state.store.get(DONE)
        if done is None:
            return Score.unscored(explanation=UNFINISHED)
        asked, move = question_of(state.metadata), done["move"]
        loss = asked.value if move is None else asked.loss(move)
        best = move in asked.right
        return Score(
            value={"loss": loss, "best": int(best), "illegal": done["illegal"]},
            answer=move,
            explanation=f"best is {', '.join(asked.right)}; this gives away {loss:.4f}",
            metadata={"answers": list(answers(state)), "values": dict(asked.values)},
        )

    return score


@scorer(
    metrics=[
        given_away(),
        {
            "win": [mean(), stderr(cluster="deal")],
            "without_luck": [mean(), stderr(cluster="deal")],
            "lost": [mean(), stderr(cluster="deal")],
            "illegal": [mean()],
            "forfeit": [mean()],
        },
    ]
)
def play() -> Scorer:
    """How a game came out, and what its moves were worth exactly."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        done = state.store.get(DONE)
        if done is None:
            return Score.unscored(explanation=UNFINISHED)
        match, seat = match_of(state.metadata), state.metadata["seat"] - 1
        for move in done["moves"]:
            match.play(move)
        if done["forfeit"]:
            match.resign(seat)
        found = review(match)
        own = [verdict for verdict in found if verdict.player == seat]
        mattered = [verdict for verdict in own if verdict.mattered and verdict.move != RESIGNS]
        outcome = match.outcome
        worth = 0.0 if outcome is None else float(outcome.worth(seat))
        luck = float(found.luck) * (1 if seat == 0 else -1)
        return Score(
            value={
                "win": worth,
                "without_luck": worth - luck,
                "lost": sum(float(verdict.loss) for verdict in mattered),
                "mattered": len(mattered),
                "best": sum(verdict.move in verdict.best for verdict in mattered),
                "illegal": done["illegal"],
                "forfeit": int(done["forfeit"]),
            },
            answer=" ".join(done["moves"]),
            explanation="; ".join(f"{verdict.move}: {verdict.verdict}" for verdict in own),
            metadata={"answers": list(answers(state)), "history": done["history"], "luck": luck},
        )

    return score
