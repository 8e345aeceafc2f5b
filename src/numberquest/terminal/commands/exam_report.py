"""The report of a sitting: words of `exam --who` at the terminal, and a page that needs nothing else."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from numberquest.core.rulebook import story, titled
from numberquest.core.sentences import either, per_cent, percent
from numberquest.core.view import said
from numberquest.players.asking import MOST_LEFT_OUT, tokens_in
from numberquest.players.levels import PLAYERS
from numberquest.report import charts
from numberquest.report.board import position_command
from numberquest.report.html import element
from numberquest.report.report import (
    PAGE,
    WORDS,
    Block,
    Box,
    Column,
    Drawing,
    Heading,
    Markup,
    Paragraph,
    Part,
    Rating,
    Report,
    Table,
    TableRow,
)
from numberquest.study.evaluation_report import cut_off_sentence, token_sentence
from numberquest.study.exam.question import GRADES, Exam, Question
from numberquest.study.exam.sitting import NOT_ASKED, Answer, ExamScores, Score

WORST: Final = 10
WORST_IN_WORDS: Final = 3


def exam_report(
    exam: Exam, name: str, answers: Sequence[Answer], found: ExamScores, width: int | None = None
) -> Report:
    """The score, a line or a bar for each game and grade, and the worst answers; for a terminal that is so wide."""
    head: Block = [Paragraph("No question was answered.", only=PAGE)]
    if found.total.score is not None:
        scale = "0 is what random play gets on average, and 100 is perfect."
        head = [Paragraph(f"{found.total.score:.1f}", "score", PAGE), Paragraph(scale, "faint", PAGE)]
    head = [*head, *_answered(found.total, answers)]
    return Report(
        f"Number Quest Exam, version {exam.version}: {name}",
        [
            [Paragraph(f"{exam_name(exam)}: {name}", only=WORDS)],
            head,
            _table(found, width),
            _remarks(found.total, answers),
            _charts(found),
            *_worst(answers),
            _foot(exam, found.total),
        ],
        result_data(exam, name, answers, found),
    )


def exam_name(exam: Exam) -> str:
    seed = "" if exam.seed is None else f", seed {exam.seed}"
    disguise = "" if exam.disguise is None else f", disguise {exam.disguise}"
    return f"Number Quest Exam, version {exam.version}{seed}{disguise}"


def result_data(exam: Exam, name: str, answers: Sequence[Answer], found: ExamScores) -> dict[str, object]:
    return {
        "version": exam.version,
        "seed": exam.seed,
        **({} if exam.disguise is None else {"disguise": exam.disguise}),
        "hash": exam.hash,
        "who": name,
        **found.total._asdict(),
        "levels": level_scores(),
        "by_game": {
            slug: {**score._asdict(), "by_grade": {grade: one._asdict() for grade, one in found.by_both[slug].items()}}
            for slug, score in found.by_game.items()
        },
        "by_grade": {grade: score._asdict() for grade, score in found.by_grade.items()},
        "tokens": _tokens(answers) or None,
        "answers": [answer.data() for answer in answers],
    }


def _table(found: ExamScores, width: int | None) -> Block:
    wide = max(8, *map(len, found.by_game))
    grades = sorted(found.by_grade)
    narrow = width is not None and width < wide + 31 + 6 * len(grades)
    sure = "95 % sure" if _has_intervals(found) else " " * 9
    head = f"{'':<{wide}}    score  {sure}"
    lines = [head.rstrip() if narrow else f"{head}        grade{''.join(f'{grade:>6}' for grade in grades)}"]
    for what, score, own in [*_every(found), ("all", found.total, found.by_grade)]:
        cells = ["" if grade not in own else _short(own[grade].score) for grade in grades]
        between = "" if score.low is None else f"{_short(score.low, 1)} to {_short(score.high, 1)}"
        row = f"{what:<{wide}}  {_short(score.score, 1):>7}  {between:<20}"
        if narrow:
            # What does not fit beside it stands under it.
            lines += [row.rstrip(), f"  grades: {' '.join(filter(None, cells))}"]
        else:
            lines.append(f"{row}{''.join(f'{cell:>6}' for cell in cells)}".rstrip())
    return [Paragraph(line, only=WORDS) for line in lines]


def _has_intervals(found: ExamScores) -> bool:
    return any(score.low is not None for score in (found.total, *found.by_game.values(), *found.by_grade.values()))


def _every(found: ExamScores) -> list[tuple[str, Score, Mapping[int, Score]]]:
    return [(slug, score, found.by_both[slug]) for slug, score in found.by_game.items()]


def _short(score: float | None, digits: int = 0) -> str:
    # Not -0, which rounding makes of a little below 0.
    return "-" if score is None else f"{round(score, digits) + 0:.{digits}f}"


def _charts(found: ExamScores) -> Block:
    """Scores with their intervals, also below 0, and all of them as a table."""
    every = [("All games", found.total, found.by_grade), *_every(found)]
    by_grade = [(f"grade {grade}", score) for grade, score in found.by_grade.items()]
    parts: list[Part] = [Heading("Scores")]
    for caption, scores in (("By game", [(name, score) for name, score, _ in every]), ("By grade", by_grade)):
        estimates = {name: ExamEstimate(one.score, one.low, one.high) for name, one in scores}
        low = min([0.0, *(end for one in estimates.values() for end in one if end is not None)])
        dots = [charts.Dot(name, "both", str(one), *one) for name, one in estimates.items()]
        title = f"Scores {caption.lower()}{', with 95 % intervals' if _has_intervals(found) else ''}"
        parts.append(Drawing(charts.Dots(title, dots, low, 100.0, percent=False), caption))
    rows = [
        TableRow([name, ExamEstimate(score.score, score.low, score.high), *(_short(one.score) for one in own.values())])
        for name, score, own in every
    ]
    heads = [Column("questions of", left=True), Column("score"), *(Column(f"grade {one}") for one in found.by_grade)]
    return [*parts, Table(heads, [rows], only=PAGE)]


class ExamEstimate(Rating):
    """A score and its interval; None where nothing is known."""

    def told(self) -> tuple[str, str]:
        return _short(self.mean, 1), "" if self.low is None else f"({_short(self.low)} to {_short(self.high)})"


def _remarks(total: Score, answers: Sequence[Answer]) -> Block:
    lines = []
    if total.score is not None and total.answered:
        lines.append(f"{total.right} of {total.questions - total.missing} answers were right. {place(total)}")
    if total.low is not None:
        lines.append("95 % sure: there lies the mean score over all exams that are as hard as this one.")
    if total.illegal:
        lost = sum(answer.move is None and not answer.error for answer in answers)
        lines.append(
            f"Answers that were no allowed move: {total.illegal}. "
            f"Questions lost by them, with all that was to win: {lost}."
        )
    return [*map(Paragraph, lines), *token_sentence(_tokens(answers)), *cut_off_sentence(total.cut_off)]


def _tokens(answers: Sequence[Answer]) -> dict[str, int]:
    return tokens_in(one for answer in answers for one in answer.heard)


def _answered(total: Score, answers: Sequence[Answer]) -> list[Part]:
    """The share answered, which stands beside the score, and what the others count as."""
    if not total.missing:
        return [Paragraph("Answered: 100 % of the questions.")]
    why = next((answer.error for answer in answers if answer.error and answer.error != NOT_ASKED), "")
    told = f"Not answered: {total.missing} of {total.questions}{f' (the first: {why})' if why else ''}."
    sentences = [f"Answered: {per_cent(total.answered or 0)} of the questions. {told}"]
    if total.left_out < total.missing:
        lost = any(answer.error and answer.loss == answer.question.value for answer in answers)
        sentences.append("They count as lost." if lost else "They count as random moves.")
    else:
        sentences.append("They count for nothing: the score is over the others.")
        if total.left_out > MOST_LEFT_OUT * total.questions:
            sentences.append("That is more than 2 %, so nobody can be 95 % sure of anything: no interval is told.")
    return [Paragraph(" ".join(sentences))]


def _worst(answers: Sequence[Answer]) -> list[Block]:
    bad = worst(answers)
    if not bad:
        return []
    lines = [f"  {answer.question.id}  {answer_in_words(answer)}" for answer in bad[:WORST_IN_WORDS]]
    in_words = [Paragraph(line, only=WORDS) for line in ("The worst answers:", *lines)]
    return [in_words, [Heading("The worst answers"), *map(_card, bad)]]


def _card(answer: Answer) -> Part:
    question = answer.question
    lines = [
        *story(question.game, question.history, question.player),
        "\n".join(said(question.game, question.position)),
    ]
    lines.append(f"Player {question.player + 1} was to move. The answer: {answer_in_words(answer)}.")
    command = Markup(f"<p>{element('code', position_command(question.game, question.history))}</p>")
    title = Heading(f"{question.id}: {titled(question.game)}, grade {question.grade}", 3)
    return Box([title, *map(Paragraph, lines), command], "answer", "article")


def _foot(exam: Exam, total: Score) -> Block:
    levels = ", ".join(f"{name} {score:.0f}" for name, score in level_scores().items())
    seed = "the published one" if exam.seed is None else f"made from the seed {exam.seed}"
    what = (
        f"{total.questions} of the {len(exam.questions)} questions of this exam, {seed}. Each is a position in "
        "which the choice matters, with what every move is worth, exactly. The score of a game is 100 * (1 - what "
        "the answers gave away of the chance of winning / what random play gives away on average); the score of "
        f"several games is the mean of theirs. Grades go from 1, the easiest fifth, to {GRADES}. What the computer "
        f"players get on average: {levels}."
    )
    proof = f"SHA-256 of its questions and answers: {exam.hash}"
    return [Heading("What this is"), Paragraph(what, only=PAGE), Paragraph(proof, "faint small", PAGE)]


def level_scores() -> dict[str, float]:
    """The score that each level gets on average in any exam: its random moves lose what random play loses."""
    return {name: float(100 - level.any_move) for name, level in PLAYERS.items()}


def place(total: Score) -> str:
    """Return a sentence that compares the score in `total` with the mean scores of the levels."""
    score, levels = total.score or 0.0, level_scores()
    below = [name for name, one in levels.items() if one <= score]
    above = [name for name, one in levels.items() if one > score]
    if not below:
        is_worse = total.high is not None and total.high < 0
        return "That is worse than random play." if is_worse else "It may be luck: random play gets 0 on average."
    if not above:
        return "That is perfect."
    (one, other) = below[-1], above[0]
    return f"On average {one} gets {levels[one]:.0f} and {other} {levels[other]:.0f}."


def worst(answers: Sequence[Answer]) -> list[Answer]:
    """The answers that gave most away, game by game in turn; of equals that to the easier question is the worse."""
    bad = [answer for answer in answers if answer.loss]
    bad.sort(key=lambda answer: (-round(answer.loss or 0, 9), answer.question.missed))
    turns: Counter[str] = Counter()
    in_turn = []
    for answer in bad:
        turns[answer.question.game.slug] += 1
        in_turn.append((turns[answer.question.game.slug], answer))
    return [answer for _, answer in sorted(in_turn, key=lambda pair: pair[0])][:WORST]


def answer_in_words(answer: Answer) -> str:
    question = answer.question
    right = f"right was {either(question.right)} ({worth_in_words(question, question.right[0])})"
    if answer.move is None:
        return f"{'no answer' if answer.error else 'no allowed move'}; {right}"
    if answer.on_average:
        return f"mostly {answer.move}, and on average {percent(answer.loss or 0)} given away; {right}"
    return f"{answer.move} ({worth_in_words(question, answer.move)}); {right}"


def worth_in_words(question: Question, move: str) -> str:
    value = question.values[move]
    if question.game.chance:
        return percent(value)
    return "wins" if value == 1 else "loses" if value == 0 else "draws"
