"""How somebody did in an exam, as a page: what `exam --report FILE` writes. It needs nothing else, and prints."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from numberquest.evaluate.exam.question import GRADES
from numberquest.evaluate.report.command import position_command
from numberquest.paper import element, page
from numberquest.paper.style import STYLE
from numberquest.rulebook import titled
from numberquest.terminal.exam_words import answer_in_words, level_scores, place, worst
from numberquest.terminal.puzzle_story import story
from numberquest.view import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.evaluate.exam.question import Exam
    from numberquest.evaluate.exam.score import Score, Scores
    from numberquest.evaluate.exam.sitting import Answer


def report(exam: Exam, name: str, answers: Sequence[Answer], found: Scores) -> str:
    """The page: the score, a bar for each game and grade, and the worst answers with their positions."""
    total = found.total
    which = f"Number Quest Exam, version {exam.version}"
    parts = [element("h1", f"{which}: {name}"), *_head(total), '<table class="bars">', "<tbody>"]
    parts.append(_bar("All games", total))
    parts += [_bar(f"grade {grade}", score, "grade") for grade, score in found.by_grade.items()]
    parts.append("</tbody>")
    for slug, score in found.by_game.items():
        parts.append("<tbody>")
        parts.append(_bar(slug, score))
        parts += [_bar(f"grade {grade}", one, "grade") for grade, one in found.by_both[slug].items()]
        parts.append("</tbody>")
    parts += ["</table>", *_worst(answers), *_foot(exam, total)]
    return page(f"{which}: {name}", "\n".join(parts), STYLE)


def _head(total: Score) -> list[str]:
    if total.score is None:
        return [element("p", "No question was answered.")]
    between = ""
    if total.low is not None:
        where = f"between {total.low:.1f} and {total.high:.1f}, 95 % sure"
        between = f". Over all exams as hard as this one the mean score lies {where}"
    lines = [
        element("p", f"{total.score:.1f}", class_="score"),
        element("p", f"0 is what random play gets on average, and 100 is perfect{between}.", class_="faint"),
        element("p", f"{total.right} of {total.answered} answers were right. {place(total.score)}"),
    ]
    if total.illegal:
        lines.append(element("p", f"Answers that were no allowed move: {total.illegal}."))
    if total.missing:
        missing = f"Not answered: {total.missing} of {total.questions} questions. The score is over the others."
        lines.append(element("p", missing))
    return lines


def _bar(name: str, score: Score, kind: str = "") -> str:
    """A row with a bar; the line across its end is the interval."""
    parts = []
    if score.score is not None:
        parts.append(f'<i style="width:{_place(score.score):.1f}%"></i>')
    if score.low is not None and score.high is not None:
        low, high = _place(score.low), _place(score.high)
        parts.append(f'<b style="left:{low:.1f}%;width:{high - low:.1f}%"></b>')
    number = "not answered" if score.score is None else f"{round(score.score, 1) + 0:.1f}"
    between = "" if score.low is None else f" ({score.low:.0f} to {score.high:.0f})"
    return (
        f'<tr class="{kind}">{element("th", name, scope="row")}<td><div class="track">{"".join(parts)}</div></td>'
        f'<td class="number">{escape(number)}{element("span", between)}</td></tr>'
    )


def _place(score: float) -> float:
    """Where a score stands on a bar, which begins at 0."""
    return min(max(score, 0.0), 100.0)


def _worst(answers: Sequence[Answer]) -> list[str]:
    bad = worst(answers)
    if not bad:
        return []
    parts = [element("h2", "The worst answers")]
    for answer in bad:
        question = answer.question
        parts += [
            '<article class="answer">',
            element("h3", f"{question.id}: {titled(question.game)}, grade {question.grade}"),
            *(element("p", line) for line in story(question)),
            element("p", "\n".join(said(question.game, question.position))),
            element("p", f"Player {question.player + 1} was to move. The answer: {answer_in_words(answer)}."),
            f"<p>{element('code', position_command(question.game, question.history))}</p>",
            "</article>",
        ]
    return parts


def _foot(exam: Exam, total: Score) -> list[str]:
    levels = ", ".join(f"{name} {score:.0f}" for name, score in level_scores().items())
    seed = "the published one" if exam.seed is None else f"made from the seed {exam.seed}"
    return [
        element("h2", "What this is"),
        element(
            "p",
            f"{total.questions} of the {len(exam.questions)} questions of this exam, {seed}. Each is a position in "
            "which the choice matters, with what every move is worth, exactly. The score of a game is 100 * (1 - what "
            "the answers gave away of the chance of winning / what random play gives away on average); the score of "
            f"several games is the mean of theirs. Grades go from 1, the easiest fifth, to {GRADES}. What the computer "
            f"players get on average: {levels}.",
        ),
        element("p", f"SHA-256 of its questions and answers: {exam.hash}", class_="faint small"),
    ]
