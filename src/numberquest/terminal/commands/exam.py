"""`numberquest exam`: what it is, its questions, and how somebody or something did in it."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import Annotated, Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, INTERRUPTED, Gone, UsageError
from numberquest.core.match import led_to
from numberquest.core.record import HUMAN
from numberquest.core.registry import GAMES, kind_for
from numberquest.core.rulebook import how_changed, rules_in_force, titled
from numberquest.core.sentences import either
from numberquest.core.settings import whole_in
from numberquest.players.asking import ERRORS, LEAVE, RANDOM, TRIES
from numberquest.players.named import maker
from numberquest.report.report import Report, in_lines
from numberquest.study.exam.dataset import dataset
from numberquest.study.exam.disguise import disguised
from numberquest.study.exam.making import SEED, make_exam, published
from numberquest.study.exam.question import GRADES, Exam, Question
from numberquest.study.exam.sitting import IN_VAIN, NOT_ASKED, Answer, answered_by, apart, close_all, missing, scores
from numberquest.study.journal import Journal
from numberquest.study.provenance import keep as keep_made
from numberquest.study.provenance import provenance
from numberquest.study.workers import do_all, workers_for
from numberquest.terminal.commands.arguments import jobs_in, whole_number
from numberquest.terminal.commands.exam_report import exam_name, exam_report, level_scores, worth_in_words
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.commands.report import DATASET, answer, check_new, check_report, signed, write_new, written
from numberquest.terminal.options import Anyway, FiguresFolder, Force, Json, option
from numberquest.terminal.prompt.console import Console, columns, tell
from numberquest.terminal.prompt.question import Leave, OneQuestion, Skip, help_of

MOST: Final = 1_000_000


def ask_questions(questions: Sequence[Question], console: Console) -> Iterator[Answer]:
    """The answers of whoever sits there; those to questions after they have stopped are missing."""
    many = "1 question" if len(questions) == 1 else f"{len(questions)} questions"
    console.say(f"Number Quest Exam: {many}. What would you play? (help shows what you can type)", "heading")
    game: Game[Any] | None = None
    there = True
    for number, question in enumerate(questions, start=1):
        answer = Answer(question, None, None, error=NOT_ASKED)
        if there:
            console.say()
            if question.game != game:
                game = question.game
                console.say(titled(game), "heading")
                console.say(game.told(game.how_to_win or game.summary))
                if not game.is_classic:
                    console.say(f"{how_changed(game)} (rules shows all)", "hint")
                console.say()
            try:
                posed = _KeyboardQuestion(question, f"Question {number} of {len(questions)}", console)
                posed.show()
                move = posed.answer()
                answer = Answer(question, move, question.loss(move))
                _tell(answer, console)
            except Skip:
                answer = Answer(question, None, None, error="left out")
                console.say("Left out.", "hint")
            except (Leave, Gone) as gone:
                if gone.__cause__ is not None:
                    raise
                there = False
        yield answer
    console.say()


def _tell(answer: Answer, console: Console) -> None:
    question, move, right = answer.question, answer.move or "", answer.question.right
    wins = "wins " if question.game.chance else ""
    worth = f"{wins}{worth_in_words(question, move)}"
    if not answer.loss:
        others = f" {len(right) - 1} more were as good." if len(right) > 1 else ""
        console.say(f"Right: {worth}.{others}", "win")
    else:
        best = f"{wins}{worth_in_words(question, right[0])}"
        console.say(f"{move} {worth}; better was {either(right)}, which {best}.", "refusal")


class _KeyboardQuestion(OneQuestion):
    """One question in front of somebody."""

    help = help_of("question", "it counts for nothing", ", and see the score so far")

    def __init__(self, question: Question, number: str, console: Console) -> None:
        super().__init__(led_to(question.game, question.history), console)
        self._question, self._number = question, number

    def show(self) -> None:
        self._console.say(f"{self._number}, grade {self._question.grade} ({self._question.id})", "heading")
        self._show_position()


class ExamOptions(NamedTuple):
    """What can be said to `exam`."""

    list: Annotated[bool, option("the questions")] = False
    key: Annotated[bool, option("with what every move is worth")] = False
    who: Annotated[str | None, option("who sits it: human, a computer player, an agent", "WHO")] = None
    game: Annotated[str | None, option("the questions of this game alone", "GAME")] = None
    only: Annotated[str | None, option("these questions alone, with commas between", "IDS")] = None
    how_many: Annotated[str | None, option("so many questions of each game, easy and hard", "N", name="--count")] = None
    seed: Annotated[str | None, option("another exam, as hard: the same number gives the same one again", "N")] = None
    disguise: Annotated[
        str | None, option("the same questions told as other games, with other names and numbers", "N")
    ] = None
    tries: Annotated[
        str | None, option("an answer that is no allowed move is asked for again, N times in all", "N")
    ] = None
    errors: Annotated[
        str, option("what a missing answer counts as: any move, a lost question, or left out (random)", choices=ERRORS)
    ] = RANDOM
    sitting: Annotated[str, option("which sitting this is: the same questions with other dice (1)", "N")] = "1"
    jobs: Annotated[str, option("so many questions at a time (1)", "N")] = "1"
    out: Annotated[
        str | None, option("keep every prompt and raw answer there; the same command goes on where it was", "DIR")
    ] = None
    anyway: Anyway = False
    figures: FiguresFolder = None
    report: Annotated[str | None, option("write how it went to this file of HTML", "FILE")] = None
    export: Annotated[
        str | None,
        option("write the questions with their key to this folder, as a dataset of JSON lines", "DIR"),
    ] = None
    force: Force = False
    json: Json = False
    plain: bool = False


def run_exam(options: ExamOptions) -> int:
    _check(options)
    if options.export is None:
        check_report(options.report, options.figures, force=options.force)
    exam = _exam(options)
    questions = _chosen(exam, options)
    if options.export is not None:
        _export(exam, questions, options.export, force=options.force)
        return 0
    if options.list or options.who is None:
        answer(_listed(questions, key=options.key) if options.list else about(exam), json=options.json)
        return 0
    answers, code = _sat(exam, questions, options)
    found = scores(answers)
    made = provenance(exam.seed, [options.who])
    report = exam_report(exam, options.who, answers, found, columns(sys.stdout))
    report = signed(report, made)._replace(
        figures=report.figures | {"sitting": int(options.sitting), "provenance": made}
    )
    written(report, options.report, options.figures, force=options.force)
    answer(report, json=options.json)
    # Where not one answer came nothing was measured, and whoever runs this in a script has to know.
    return code if options.who == HUMAN or found.total.answered else code or FAILURE


def _check(options: ExamOptions) -> None:
    """`UsageError` where what was asked for does not go together."""
    if options.key and not options.list:
        raise UsageError("--key shows what every move is worth, so say --list too")
    if options.list and options.who is not None:
        raise UsageError("--list shows the questions and --who answers them: choose one")
    if options.export is not None and (options.list or options.who is not None or options.json):
        raise UsageError("--export writes the questions to a folder: leave --list, --who and --json out")
    if options.who is None and (options.report is not None or options.tries is not None or options.out is not None):
        raise UsageError("who is to sit the exam? --who human, or an agent")
    if options.who == HUMAN and options.json:
        raise UsageError("a person is asked at the keyboard: leave --json out")


def _exam(options: ExamOptions) -> Exam:
    """The published exam, or one that is made for a seed or for a game that is not in it; in disguise, if wished."""
    if options.disguise is not None:
        number = whole_number("--disguise", options.disguise, 0, 1_000_000)
        return disguised(_exam(options._replace(disguise=None)), number)
    kind = None if options.game is None else kind_for(options.game)
    published_too = kind is None or kind.slug in GAMES.own
    if options.seed == SEED and published_too:
        raise UsageError(f"the published exam was made from the seed {SEED}: choose another")
    if options.seed is None and published_too:
        return published()
    seed = "1" if options.seed is None else options.seed
    with Progress("Making the exam") as progress:
        return make_exam(seed, kinds=None if kind is None else [kind], progress=progress)


def _export(exam: Exam, questions: Sequence[Question], folder: str, *, force: bool) -> None:
    files = dataset(exam, questions, exam_name(exam))
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}", FAILURE) from None
    paths = {os.path.join(folder, name): data for name, data in files.items()}
    for path in paths:
        check_new(path, DATASET, force=force)
    for path, data in paths.items():
        write_new(path, data, DATASET, force=force)
        tell(f"The dataset: {path}")


def _chosen(exam: Exam, options: ExamOptions) -> list[Question]:
    found = list(exam.questions)
    if options.game is not None:
        slug = kind_for(options.game).slug
        found = [question for question in found if question.game.slug == slug]
    if options.only is not None:
        known = {question.id: question for question in found}
        names = list(dict.fromkeys(options.only.replace(",", " ").split()))
        for name in names:
            if name not in known:
                raise UsageError(f"--only: there is no question called {name}; exam --list shows their names")
        found = [known[name] for name in names]
    if options.how_many is not None:
        count = whole_in(options.how_many)
        if not count:
            raise UsageError(f"--count wants a whole number of questions, not {options.how_many}")
        # So many of each game, spread over its rule sets and grades.
        found = [
            own[at * len(own) // count] if count < len(own) else own[at]
            for own in _by_game(found).values()
            for at in range(min(count, len(own)))
        ]
    if not found:
        raise UsageError("no question is left to be asked")
    return found


def _by_game(questions: Sequence[Question]) -> dict[str, list[Question]]:
    return apart(questions, lambda question: question.game.slug)


def _sat(exam: Exam, questions: Sequence[Question], options: ExamOptions) -> tuple[list[Answer], int]:
    """The answers, all of them or as far as it went, and the exit code."""
    if options.who == HUMAN:
        return list(ask_questions(questions, Console.standard(plain=options.plain))), 0
    found: dict[str, Answer] = {}
    errors, code = options.errors, 0
    try:
        # One by one: what has been answered is there, whatever happens next.
        _ask_all(exam, questions, options, found)
    except KeyboardInterrupt:
        if not found:
            raise
        tell(f"\nStopped after {len(found)} of {len(questions)} questions.")
        errors, code = LEAVE, INTERRUPTED
    return [found.get(one.id) or missing(one, errors, NOT_ASKED) for one in questions], code


class _InVain(Exception):
    """Nobody answers any more."""


def _ask_all(exam: Exam, questions: Sequence[Question], options: ExamOptions, found: dict[str, Answer]) -> None:
    tries = whole_number("--tries", options.tries or str(TRIES), 1, MOST)
    sitting = whole_number("--sitting", options.sitting, 1, MOST)
    jobs = jobs_in(options.jobs)
    agent = options.who or "", tries, options.errors, sitting
    maker(agent[0])
    failed = 0
    with (
        _journal(exam, options.out, agent) as kept,
        Progress("Sitting the exam") as progress,
        workers_for(jobs) as workers,
        ExitStack() as at_the_end,
    ):
        at_the_end.callback(close_all)
        keep_made(options.out, provenance(exam.seed, [agent[0]]), anyway=options.anyway)
        found.update((name, answer) for name, answer in kept.known.items() if not answer.error)
        waiting = [question for question in questions if question.id not in found]
        before = len(questions) - len(waiting)
        if before:
            tell(f"{before} of {len(questions)} answers are in {kept.path} already.")

        def keep(answers: Sequence[Answer]) -> None:
            nonlocal failed
            kept.add(answers)
            for answer in answers:
                found[answer.question.id] = answer
                failed = failed + 1 if answer.error else 0
                if failed == IN_VAIN:
                    raise _InVain

        with suppress(_InVain):
            ask = partial(answered_by, agent)
            do_all(ask, waiting, keep, workers, lambda done: progress(before + done, len(questions)), "questions")


def _journal(exam: Exam, folder: str | None, agent: tuple[str, int, str, int]) -> Journal[str, Answer]:
    """The answers of a sitting, each with every prompt and what was answered to it; in a folder where one is named."""
    by_name = {question.id: question for question in exam.questions}
    head = {"kind": "numberquest answers", "version": 1, "hash": exam.hash}
    head |= dict(zip(("who", "tries", "errors", "sitting"), agent, strict=True))

    def row(said: dict[str, Any]) -> Answer:
        question, error = by_name[said.pop("id")], said.pop("error") or ""
        return Answer(question, error=error, **{**said, "heard": tuple(said["heard"])})

    def data(answer: Answer) -> dict[str, Any]:
        return {**answer.data(), "on_average": answer.on_average, "heard": list(answer.heard)}

    path = None if folder is None else os.path.join(folder, "answers.jsonl")
    return Journal(path, head, ("answers", "name another folder"), lambda answer: answer.question.id, data, row)


def _listed(questions: Sequence[Question], *, key: bool) -> Report:
    lines, figures, game = [], [], None
    for question in questions:
        if question.game != game:
            game = question.game
            lines.append(f"{game.title}, {rules_in_force(game)}")
        after, player = " ".join(question.history) or "the start", question.player + 1
        right = f"; right: {either(question.right)} ({worth_in_words(question, question.right[0])})" if key else ""
        lines.append(f"  {question.id}  grade {question.grade}, after {after}: Player {player} to move{right}")
        figures.append(
            {
                "id": question.id,
                "game": question.game.slug,
                "settings": question.game.settings,
                "after": list(question.history),
                "player": player,
                "moves": list(question.moves),
                "grade": question.grade,
                **({"values": dict(question.values)} if key else {}),
            }
        )
    return in_lines("The questions", [lines], figures)


def about(exam: Exam) -> Report:
    games, levels = _by_game(exam.questions), level_scores()
    slug, sizes = next(iter(games)), {len(own) for own in games.values()}
    counts = ", ".join(f"{len(own)} of {slug}" for slug, own in games.items())
    if len(games) > 1 and len(sizes) == 1:
        counts = f"{sizes.pop()} of each of {len(games)} games"
    scored = ", ".join(f"{name} {score:.0f}" for name, score in levels.items())
    lines = [
        f"{exam_name(exam)}: {len(exam.questions)} positions in which the choice matters, "
        f"{counts}, in {GRADES} grades from easy to hard.",
        "Each is one question: what would you play? A score of 0 is what random play gets on average, 100 is perfect.",
        f"What our computer players get on average, worked out exactly: {scored}.",
    ]
    examples = [
        "  numberquest exam --who human --count 2       sit it yourself, 2 questions of each game",
        f"  numberquest exam --who human --game {slug:<8} the questions of one game",
        "  numberquest exam --who ./agent.py:Agent      let an agent sit it (--report FILE, --json)",
        "  numberquest exam --list                      the questions (--key: with the answers)",
        "  numberquest exam --seed 7                    another exam, as hard, that nobody has seen",
    ]
    figures = {
        "version": exam.version,
        "seed": exam.seed,
        "hash": exam.hash,
        "questions": len(exam.questions),
        "games": {slug: len(own) for slug, own in games.items()},
        "levels": levels,
    }
    proof = f"SHA-256 of its questions and answers: {exam.hash}"
    return in_lines(exam_name(exam), [lines, examples, [proof]], figures)
