"""An agent sits an exam: one question after the other, each by itself. What its answers are worth is the score.

0 is what random play gets on average, and 100 is perfect. The score of some questions of one game is 100 * (1 - what
was given away / what random play gives away on average). Over several games it is the mean of theirs. An interval says,
95 % sure, where the mean score of the same agent over all exams lies that are as hard as this one: it comes from how
much the answers within each grade differ.
"""

import atexit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from numberquest.core.contract import Game
from numberquest.core.errors import UsageError
from numberquest.core.progress import silently
from numberquest.core.stream import Stream
from numberquest.players.asking import ATTEMPTS, LOSE, MOST_LEFT_OUT, RANDOM, TRIES, ProviderError, aside, ask, close
from numberquest.players.levels import Level, Player
from numberquest.players.named import CustomPlayer
from numberquest.players.named import who as named
from numberquest.study.exact import checked_odds
from numberquest.study.exam.question import Question
from numberquest.study.intervals import of_ratio

IN_VAIN: Final = 10
"""Questions in a row without an answer of the agent's provider, after which no more are asked."""

NOT_ASKED: Final = "not asked"
"""The reason of an answer that is missing because the question was not asked."""


class Answer(NamedTuple):
    """The answer to one question. `move` is None after illegal answers only, and where no answer came."""

    question: Question
    move: str | None
    loss: float | None
    """The chance of winning that was given away; None where the question is left out."""
    illegal: int = 0
    error: str = ""
    """Why it was not answered: then `loss` is what that counts as, or None where it is left out."""
    cut_off: int = 0
    heard: tuple[Mapping[str, Any], ...] = ()
    """Every prompt with the raw answer to it, as far as the player keeps them."""

    def data(self) -> dict[str, Any]:
        """Return the answer as JSON, without the raw answers."""
        said = {name: getattr(self, name) for name in ("move", "loss", "illegal", "cut_off")}
        return {"id": self.question.id, **said, "error": self.error or None}

    on_average: bool = False
    """Whether a policy told its odds: then `loss` is its mean, exactly, and `move` the one it makes most often."""


class Sitter:
    """An agent that answers questions one by one. Another sitting has other dice."""

    def __init__(self, player: Player, tries: int = TRIES, errors: str = RANDOM, sitting: int = 1) -> None:
        self.player, self._tries, self._errors = player, tries, errors
        self._label = "exam answer" if sitting == 1 else f"exam answer {sitting}"
        # Whoever it is: an error in it is a missing answer, and what is no allowed move is asked for again.
        name = getattr(player, "name", repr(player))
        self._agent = player if isinstance(player, Level) else CustomPlayer(name, player)
        self._ready: set[Game[Any]] = set()

    def answer(self, question: Question, tell: Callable[[str], None]) -> Answer:
        """The answer to one question; one that does not come, though asked for again, counts as `errors` says."""
        dice, agent = Stream(question.id, self._label), self._agent
        if isinstance(agent, Level):
            # It is not made to solve anything: its best moves stand in the key.
            return _by_the_key(question, agent, dice)
        heard: Any = getattr(self.player, "heard", [])
        heard.clear()
        try:
            if question.game not in self._ready:
                self._ready.add(question.game)
                agent.prepare(question.game, tell)
            found = _answered(question, agent, dice, self._tries, self._errors)
        except ProviderError as error:
            found = missing(question, self._errors, str(error))
        return found._replace(heard=tuple(heard))


def sit(
    questions: Iterable[Question],
    player: Player,
    tell: Callable[[str], None],
    tries: int = TRIES,
    errors: str = RANDOM,
) -> Iterator[Answer]:
    """The answers, one by one."""
    sitter, failed = Sitter(player, tries, errors), 0
    for question in questions:
        answer = missing(question, errors, NOT_ASKED) if failed == IN_VAIN else sitter.answer(question, tell)
        failed = failed if failed == IN_VAIN else failed + 1 if answer.error else 0
        yield answer


_sitters: dict[tuple[str, int, str, int], Sitter] = {}


def answered_by(who: tuple[str, int, str, int], question: Question) -> Answer:
    """Return the answer of the agent `who`: its name, tries, the policy for errors, and the number of the sitting.

    This is what runs in a worker: each makes one of that name, and closes it at its end.
    """
    if who not in _sitters:
        if not _sitters:
            atexit.register(close_all)
        _sitters[who] = Sitter(named(who[0]), *who[1:])
    with aside():
        return _sitters[who].answer(question, silently)


def close_all() -> None:
    """End what those who answered here have started."""
    while _sitters:
        close(_sitters.popitem()[1].player)


def missing(question: Question, errors: str, why: str, cut_off: int = 0) -> Answer:
    """Return the answer in place of a missing one: the mean loss of any move, a full loss, or none at all."""
    loss = {RANDOM: question.random_loss, LOSE: question.value}.get(errors)
    return Answer(question, None, loss, error=why, cut_off=cut_off)


def _by_the_key(question: Question, level: Level, dice: Stream) -> Answer:
    any_move = level.any_move == 100 or (level.any_move and dice.below(100) < level.any_move)
    move = dice.choose(question.moves if any_move else question.right)
    return Answer(question, move, question.loss(move))


def _answered(question: Question, player: Player, dice: Stream, tries: int, errors: str) -> Answer:
    odds = getattr(player, "odds", None)
    if odds is not None:
        try:
            return _expected(question, checked_odds(odds, question.game, question.position))
        except UsageError as error:
            raise ProviderError(str(error)) from error
    move, illegal, failures, is_missing = reply = ask(
        player, question.game, question.position, dice, question.history, tries, ATTEMPTS
    )
    if is_missing:
        return missing(question, errors, str(failures[-1]), reply.cut_off)._replace(illegal=len(illegal))
    # Lost as a game is that is forfeited: all of the chance is gone.
    loss = question.value if move is None else question.loss(move)
    return Answer(question, move, loss, len(illegal), cut_off=reply.cut_off)


def _expected(question: Question, odds: Mapping[str, float]) -> Answer:
    """Return the answer of a policy, with its exact mean loss."""
    lost = sum(share * question.loss(move) for move, share in odds.items())
    return Answer(question, max(odds, key=lambda move: odds[move]), lost, on_average=True)


K = TypeVar("K")
T = TypeVar("T")

DIGITS: Final = 4


class Score(NamedTuple):
    """The score of some questions; None where none was answered, or too few for an interval."""

    score: float | None
    low: float | None
    high: float | None
    questions: int
    answered: float | None
    """Which share of the questions was answered."""
    right: int
    """How many answers were moves that nothing is better than."""
    illegal: int
    missing: int
    left_out: int
    """How many of these count for nothing."""
    cut_off: int


class ExamScores(NamedTuple):
    """The scores of a sitting: in all, of each game, of each grade, and of each grade of a game."""

    total: Score
    by_game: dict[str, Score]
    by_grade: dict[int, Score]
    by_both: dict[str, dict[int, Score]]


def scores(answers: Sequence[Answer]) -> ExamScores:
    """All scores of a sitting."""
    by_game = apart(answers, lambda answer: answer.question.game.slug)
    by_grade = apart(answers, lambda answer: answer.question.grade)
    return ExamScores(
        score(answers),
        {slug: score(own) for slug, own in by_game.items()},
        {grade: score(by_grade[grade]) for grade in sorted(by_grade)},
        {
            slug: {grade: score(few) for grade, few in sorted(apart(own, lambda one: one.question.grade).items())}
            for slug, own in by_game.items()
        },
    )


def score(answers: Sequence[Answer]) -> Score:
    """The score of some answers: the mean over the games they are of."""
    known = [answer for answer in answers if answer.loss is not None]
    right = sum(answer.move in answer.question.right for answer in answers)
    missing = sum(bool(answer.error) for answer in answers)
    share = 1 - missing / len(answers) if answers else None
    illegal, cut_off = sum(answer.illegal for answer in answers), sum(answer.cut_off for answer in answers)
    left_out = len(answers) - len(known)
    counts = (len(answers), share, right, illegal, missing, left_out, cut_off)
    if not known:
        return Score(None, None, None, *counts)
    by_game = apart(known, lambda answer: answer.question.game.slug)
    at_random = {slug: sum(one.question.random_loss for one in own) for slug, own in by_game.items()}
    lost = sum(sum(one.loss or 0.0 for one in own) / at_random[slug] for slug, own in by_game.items())
    mean = 100 * (1 - lost / len(by_game))
    # Of what was left out nobody knows which way that draws the score.
    if len(known) < 2 or missing == len(answers) or left_out > MOST_LEFT_OUT * len(answers):
        return Score(round(mean, DIGITS), None, None, *counts)
    strata, slip = [], 0.0
    for (slug, _), own in apart(known, lambda answer: (answer.question.game.slug, answer.question.grade)).items():
        # Each game counts the same.
        size = at_random[slug] * len(by_game)
        strata.append([((one.loss or 0.0) / size, one.question.random_loss / size) for one in own])
        slip += sum(one.question.random_square for one in own) / size**2
    low, high = (100 * (1 - end) for end in reversed(of_ratio(strata, slip)))
    return Score(round(mean, DIGITS), round(min(low, mean), DIGITS), round(min(max(high, mean), 100), DIGITS), *counts)


def apart(things: Iterable[T], of: Callable[[T], K]) -> dict[K, list[T]]:
    """Things in groups, each by what `of` says of them."""
    found: dict[K, list[T]] = {}
    for one in things:
        found.setdefault(of(one), []).append(one)
    return found
