"""`numberquest exam`: what it is, its questions, and how somebody or something did in it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.dealer import BadDeal
from numberquest.evaluate.asking import TRIES, aside, closing
from numberquest.evaluate.exam.making import NoExam, make_exam
from numberquest.evaluate.exam.published import published
from numberquest.evaluate.exam.question import GRADES
from numberquest.evaluate.exam.score import scores
from numberquest.evaluate.exam.sitting import NOT_ASKED, Answer, sit
from numberquest.evaluate.who import who
from numberquest.games import GAMES, kind_for
from numberquest.mistake import FAILURE, INTERRUPTED, Mistake
from numberquest.record import HUMAN
from numberquest.rulebook import rules_in_force
from numberquest.settings import BadSetting, whole_in
from numberquest.solver import TooLarge
from numberquest.terminal.exam_words import answer_in_words, level_scores, place, worst, worth_in_words
from numberquest.terminal.folding import columns
from numberquest.terminal.messages import tell
from numberquest.terminal.progress import Progress
from numberquest.terminal.report import check_report, write_report
from numberquest.wording import either

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.exam.question import Exam, Question
    from numberquest.evaluate.exam.score import Score, Scores
    from numberquest.players import Player
    from numberquest.terminal.console import Console

FOR_OTHERS: Final = "1"
"""The seed of the exam of a game that is not among the published, where nobody names one."""


class ExamOptions(NamedTuple):
    """What somebody asked for, as typed; None and empty where they said nothing."""

    list: bool = False
    key: bool = False
    who: str | None = None
    game: str | None = None
    only: str | None = None
    how_many: str | None = None
    seed: str | None = None
    tries: str | None = None
    report: str | None = None
    force: bool = False
    json: bool = False


def run(options: ExamOptions, console: Callable[[], Console], show: Callable[[str], None]) -> int:
    """List the exam, or let somebody sit it; `show` prints words for people."""
    _check(options)
    if options.report is not None:
        check_report(options.report, force=options.force)
    exam = _exam(options)
    questions = _chosen(exam, options)
    if options.list:
        _list(questions, options, show)
        return 0
    if options.who is None:
        _print(about_data(exam)) if options.json else show(about(exam))
        return 0
    answers, code = _sat(questions, options, console)
    found = scores(answers)
    data = result_data(exam, options.who, answers, found)
    if options.report is not None:
        from numberquest.terminal.exam_report import report

        write_report(options.report, report(exam, options.who, answers, found), data, force=options.force)
    if options.json:
        _print(data)
    else:
        show(result_in_words(exam, options.who, answers, found, columns(sys.stdout)))
    # Where not one answer came nothing was measured, and whoever runs this in a script has to know.
    return code if options.who == HUMAN or found.total.answered else code or FAILURE


def _check(options: ExamOptions) -> None:
    """`Mistake` where what was asked for does not go together."""
    if options.key and not options.list:
        raise Mistake("--key shows what every move is worth, so say --list too")
    if options.list and options.who is not None:
        raise Mistake("--list shows the questions and --who answers them: choose one")
    if options.who is None and (options.report is not None or options.tries is not None):
        raise Mistake("who is to sit the exam? --who human, or an agent")
    if options.force and options.report is None:
        raise Mistake("--force writes over a report, so say which: --report FILE")
    if options.who == HUMAN and options.json:
        raise Mistake("a person is asked at the keyboard: leave --json out")


def _exam(options: ExamOptions) -> Exam:
    """The published exam, or one that is made for a seed or for a game that is not in it."""
    try:
        kind = None if options.game is None else kind_for(options.game)
        if options.seed is None and (kind is None or kind.slug in GAMES.own):
            return published()
        seed = FOR_OTHERS if options.seed is None else options.seed
        with Progress("Making the exam") as progress:
            return make_exam(seed, kinds=None if kind is None else [kind], progress=progress)
    except (BadSetting, BadDeal) as error:
        raise Mistake(str(error)) from None
    except (NoExam, TooLarge) as error:
        raise Mistake(str(error), FAILURE) from None


def _chosen(exam: Exam, options: ExamOptions) -> list[Question]:
    """The questions that were asked for."""
    found = list(exam.questions)
    if options.game is not None:
        slug = kind_for(options.game).slug
        found = [question for question in found if question.game.slug == slug]
    if options.only is not None:
        known = {question.id: question for question in found}
        names = list(dict.fromkeys(options.only.replace(",", " ").split()))
        for name in names:
            if name not in known:
                raise Mistake(f"--only: there is no question called {name}; exam --list shows their names")
        found = [known[name] for name in names]
    if options.how_many is not None:
        count = whole_in(options.how_many)
        if not count:
            raise Mistake(f"--count wants a whole number of questions, not {options.how_many}")
        found = [question for own in _by_game(found).values() for question in _spread(own, count)]
    if not found:
        raise Mistake("no question is left to be asked")
    return found


def _by_game(questions: Sequence[Question]) -> dict[str, list[Question]]:
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.game.slug, []).append(question)
    return found


def _spread(questions: Sequence[Question], count: int) -> list[Question]:
    """So many of them, spread over rule sets and grades."""
    if count >= len(questions):
        return list(questions)
    return [questions[at * len(questions) // count] for at in range(count)]


def _sat(
    questions: Sequence[Question], options: ExamOptions, console: Callable[[], Console]
) -> tuple[list[Answer], int]:
    """The answers, all of them or as far as it went, and the exit code."""
    answers: list[Answer] = []
    try:
        # One by one: what has been answered is there, whatever happens next.
        answers.extend(_answers(questions, options, console))
    except KeyboardInterrupt:
        if not answers:
            raise
        tell(f"\nStopped after {len(answers)} of {len(questions)} questions.")
        left = [Answer(question, None, None, error=NOT_ASKED) for question in questions[len(answers) :]]
        return answers + left, INTERRUPTED
    return answers, 0


def _answers(questions: Sequence[Question], options: ExamOptions, console: Callable[[], Console]) -> Iterator[Answer]:
    if options.who == HUMAN:
        from numberquest.terminal.exam_keyboard import asked

        yield from asked(questions, console())
        return
    tries = TRIES if options.tries is None else whole_in(options.tries)
    if not tries:
        raise Mistake(f"--tries wants a whole number from 1, not {options.tries}")
    player = _player(options.who or "")
    with aside(), closing(player), Progress("Sitting the exam") as progress:
        for done, answer in enumerate(sit(questions, player, progress.tell, tries), start=1):
            yield answer
            progress(done, len(questions))


def _player(spec: str) -> Player:
    try:
        return who(spec)
    except BadSetting as error:
        raise Mistake(str(error)) from None


def _print(data: object) -> None:
    import json

    print(json.dumps(data))


def question_data(question: Question, *, key: bool) -> dict[str, object]:
    """A question with exactly the fields that programs rely on."""
    data: dict[str, object] = {
        "id": question.id,
        "game": question.game.slug,
        "settings": question.game.settings,
        "after": list(question.history),
        "player": question.player + 1,
        "moves": list(question.moves),
        "grade": question.grade,
    }
    return {**data, "values": dict(question.values)} if key else data


def _list(questions: Sequence[Question], options: ExamOptions, show: Callable[[str], None]) -> None:
    if options.json:
        _print([question_data(question, key=options.key) for question in questions])
        return
    game: Game[Any] | None = None
    for question in questions:
        if question.game != game:
            game = question.game
            show(f"{game.title}, {rules_in_force(game)}")
        after = " ".join(question.history) or "the start"
        right = (
            f"; right: {either(question.right)} ({worth_in_words(question, question.right[0])})" if options.key else ""
        )
        show(f"  {question.id}  grade {question.grade}, after {after}: Player {question.player + 1} to move{right}")


def about_data(exam: Exam) -> dict[str, object]:
    """What an exam is, as data."""
    games = {slug: len(own) for slug, own in _by_game(exam.questions).items()}
    return {
        "version": exam.version,
        "seed": exam.seed,
        "hash": exam.hash,
        "questions": len(exam.questions),
        "games": games,
        "levels": level_scores(),
    }


def about(exam: Exam) -> str:
    """What it is, and how to sit it."""
    games = _by_game(exam.questions)
    slug = next(iter(games))
    levels = ", ".join(f"{name} {score:.0f}" for name, score in level_scores().items())
    return "\n".join(
        [
            f"{_named(exam)}: {len(exam.questions)} positions in which the choice matters, "
            f"{_counts(games)}, in {GRADES} grades from easy to hard.",
            "Each is one question: what would you play? A score of 0 is what random play gets on average, 100 is "
            "perfect.",
            f"What our computer players get on average, worked out exactly: {levels}.",
            "",
            "  numberquest exam --who human --count 2       sit it yourself, 2 questions of each game",
            f"  numberquest exam --who human --game {slug:<8} the questions of one game",
            "  numberquest exam --who ./agent.py:Agent      let an agent sit it (--report FILE, --json)",
            "  numberquest exam --list                      the questions (--key: with the answers)",
            "  numberquest exam --seed 7                    another exam, as hard, that nobody has seen",
            "",
            f"SHA-256 of its questions and answers: {exam.hash}",
        ]
    )


def _named(exam: Exam) -> str:
    seed = "" if exam.seed is None else f", seed {exam.seed}"
    return f"Number Quest Exam, version {exam.version}{seed}"


def _counts(games: Mapping[str, Sequence[Question]]) -> str:
    sizes = {len(own) for own in games.values()}
    if len(games) > 1 and len(sizes) == 1:
        return f"{sizes.pop()} of each of {len(games)} games"
    return ", ".join(f"{len(own)} of {slug}" for slug, own in games.items())


def result_data(exam: Exam, name: str, answers: Sequence[Answer], found: Scores) -> dict[str, object]:
    """How somebody did, with exactly the fields that programs rely on."""
    return {
        "version": exam.version,
        "seed": exam.seed,
        "hash": exam.hash,
        "who": name,
        **found.total._asdict(),
        "levels": level_scores(),
        "by_game": {
            slug: {**score._asdict(), "by_grade": {grade: one._asdict() for grade, one in found.by_both[slug].items()}}
            for slug, score in found.by_game.items()
        },
        "by_grade": {grade: score._asdict() for grade, score in found.by_grade.items()},
        "answers": [
            {
                "id": answer.question.id,
                "move": answer.move,
                "loss": answer.loss,
                "illegal": answer.illegal,
                "error": answer.error or None,
            }
            for answer in answers
        ],
    }


def result_in_words(exam: Exam, name: str, answers: Sequence[Answer], found: Scores, width: int | None = None) -> str:
    """How somebody did, for a person at a terminal that is so wide."""
    wide = max(8, *map(len, found.by_game))
    grades = sorted(found.by_grade)
    narrow = width is not None and width < wide + 31 + 6 * len(grades)
    head = f"{'':<{wide}}    score  95 % sure"
    lines = [f"{_named(exam)}: {name}", ""]
    lines.append(head if narrow else f"{head}        grade{''.join(f'{grade:>6}' for grade in grades)}")
    every = [(slug, score, found.by_both[slug]) for slug, score in found.by_game.items()]
    for what, score, own in [*every, ("all", found.total, found.by_grade)]:
        cells = ["" if grade not in own else _short(own[grade].score) for grade in grades]
        between = "" if score.low is None else f"{_short(score.low, 1)} to {_short(score.high, 1)}"
        row = f"{what:<{wide}}  {_short(score.score, 1):>7}  {between:<20}"
        if narrow:
            # What does not fit beside it stands under it.
            lines += [row.rstrip(), f"  grades: {' '.join(filter(None, cells))}"]
        else:
            lines.append(f"{row}{''.join(f'{cell:>6}' for cell in cells)}".rstrip())
    lines += ["", *_remarks(found.total, answers)]
    bad = worst(answers)
    if bad:
        lines += ["", "The worst answers:"]
        lines += [f"  {answer.question.id}  {answer_in_words(answer)}" for answer in bad[:3]]
    return "\n".join(lines)


def _short(score: float | None, digits: int = 0) -> str:
    # Not -0, which rounding makes of a little below 0.
    return "-" if score is None else f"{round(score, digits) + 0:.{digits}f}"


def _remarks(total: Score, answers: Sequence[Answer]) -> list[str]:
    """What the figures mean, and what they leave out."""
    lines = []
    if total.score is not None:
        lines.append(f"{total.right} of {total.answered} answers were right. {place(total.score)}")
    if total.low is not None:
        lines.append("95 % sure: there lies the mean score over all exams that are as hard as this one.")
    if total.illegal:
        lost = sum(answer.move is None and answer.loss is not None for answer in answers)
        lines.append(
            f"Answers that were no allowed move: {total.illegal}. "
            f"Questions lost by them, with all that was to win: {lost}."
        )
    if total.missing:
        why = next((answer.error for answer in answers if answer.error and answer.error != NOT_ASKED), "")
        lines.append(
            f"Not answered: {total.missing} of {total.questions}{f' (the first: {why})' if why else ''}. "
            "They count for nothing: the score is over the others."
        )
    return lines
