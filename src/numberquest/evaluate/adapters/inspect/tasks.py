"""The tasks: `numberquest/exam`, one question each, and `numberquest/games`, whole games against a computer player."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from click import ClickException
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset

from numberquest.dealer import BadDeal
from numberquest.evaluate.adapters.inspect.samples import exam_sample, game_sample
from numberquest.evaluate.adapters.inspect.scorers import lost_value, play
from numberquest.evaluate.adapters.inspect.solvers import text, tools
from numberquest.evaluate.asking import TRIES
from numberquest.evaluate.exam.making import VERSION, NoExam, make_exam
from numberquest.evaluate.exam.published import published
from numberquest.games import GAMES
from numberquest.games import game as make_game
from numberquest.mistake import Mistake
from numberquest.players import PLAYERS
from numberquest.settings import BadSetting, quoted, read_settings
from numberquest.solver import TooLarge, solve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspect_ai.solver import Solver

    from numberquest.evaluate.exam.question import Question

SOLVERS: Final = {"text": text, "tools": tools}
MOST_DEALS: Final = 100_000


@task
def exam(
    game: str | list[str] = "",
    count: int = 0,
    seed: str | int = "",
    answer: str = "text",
    list_moves: bool = True,
    tries: int = TRIES,
) -> Task:
    """Number Quest Exam: all of it, or the questions of some games (`a,b`), or only so many of each game.

    `seed` makes another exam that is as hard; `answer` is `text` or `tools`; `list_moves` tells the allowed moves.
    """
    with _in_one_sentence():
        sat = make_exam(seed) if seed != "" else published()
        chosen = _of_games(sat.questions, game)
        if type(count) is not int or count < 0:
            raise Mistake("count is a whole number; 0 is all questions")
        if count:
            chosen = _spread(chosen, count)
        answering = _solver(answer, tries)
    return Task(
        dataset=MemoryDataset(
            [exam_sample(question, list_moves=list_moves) for question in chosen],
            name=f"exam {sat.version}" if sat.seed is None else f"exam {sat.version}, seed {sat.seed}",
        ),
        solver=answering,
        scorer=lost_value(),
        version=VERSION,
        metadata={"hash": sat.hash, "seed": sat.seed, "answer": answer, "list_moves": list_moves, "tries": tries},
    )


@task
def games(
    game: str | list[str] = "",
    opponent: str = "hard",
    deals: int = 10,
    seed: str | int = 1,
    settings: str | list[str] = "",
    answer: str = "text",
    list_moves: bool = True,
    tries: int = TRIES,
) -> Task:
    """Whole games against a level, both seats of each deal; `settings` are written `target=30 copies=1`."""
    with _in_one_sentence():
        if opponent not in PLAYERS:
            raise Mistake(f"there is no opponent called {quoted(opponent)}; there is {', '.join(PLAYERS)}")
        if type(deals) is not int or not 1 <= deals <= MOST_DEALS:
            raise Mistake(f"deals is a whole number from 1 to {MOST_DEALS}")
        changes: dict[str, Any] = dict(read_settings(_parts(settings, " ")))
        kinds = [make_game(slug, **changes) for slug in _named(game)]
        for kind in kinds:
            # Now, and not while the first answer is waited for; and `TooLarge` before anything was paid for.
            solve(kind)
        answering = _solver(answer, tries)
    return Task(
        dataset=MemoryDataset(
            [
                game_sample(kind, opponent, deal, seat, str(seed), list_moves=list_moves)
                for kind in kinds
                for deal in range(1, deals + 1)
                for seat in (0, 1)
            ],
            name=f"games against {opponent}",
        ),
        solver=answering,
        scorer=play(),
        metadata={"answer": answer, "list_moves": list_moves, "tries": tries, "opponent": opponent, "seed": str(seed)},
    )


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """Say what was asked for and cannot be as Inspect's command line shows it: without a traceback."""
    try:
        yield
    except (Mistake, BadSetting, BadDeal, NoExam, TooLarge) as error:
        raise ClickException(str(error)) from None


def _solver(answer: str, tries: int) -> Solver:
    if answer not in SOLVERS:
        raise Mistake(f"answer is {' or '.join(SOLVERS)}, not {quoted(answer)}")
    if type(tries) is not int or tries < 1:
        raise Mistake("tries is a whole number from 1 on")
    return SOLVERS[answer](tries)


def _named(names: str | Sequence[str]) -> list[str]:
    """The games of a list such as `a,b`; all that come with Number Quest where it is empty."""
    return _parts(names, ",") or list(GAMES.own)


def _parts(words: str | Sequence[str], sign: str) -> list[str]:
    """What stands between the signs; Inspect's command line may have taken it apart already, at commas."""
    parts = words.split(sign) if isinstance(words, str) else list(words)
    return [str(part).strip() for part in parts if str(part).strip()]


def _of_games(questions: Sequence[Question], names: str | Sequence[str]) -> list[Question]:
    chosen = _named(names)
    for name in chosen:
        if not any(question.game.slug == name for question in questions):
            raise Mistake(f"the exam has no questions of {quoted(name)}")
    return [question for question in questions if question.game.slug in chosen]


def _spread(questions: Sequence[Question], count: int) -> list[Question]:
    """So many of each game, from easy to hard."""
    found: list[Question] = []
    for slug in dict.fromkeys(question.game.slug for question in questions):
        own = sorted((one for one in questions if one.game.slug == slug), key=lambda one: one.grade)
        few = min(count, len(own))
        found += [own[at * len(own) // few] for at in range(few)]
    return found
