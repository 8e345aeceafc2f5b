"""An agent sits an exam: one question after the other, each by itself."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.evaluate.asking import TRIES, ask
from numberquest.evaluate.brought import Brought
from numberquest.evaluate.trouble import ProviderError
from numberquest.loading import what_happened
from numberquest.players import Level
from numberquest.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numberquest.contract import Game
    from numberquest.evaluate.exam.question import Question
    from numberquest.players import Player

IN_VAIN: Final = 10
"""After so many questions in a row that the agent's provider did not answer, the others are not asked."""

NOT_ASKED: Final = "not asked"
"""Why a question was not answered that nobody asked."""


class Answer(NamedTuple):
    """What came of one question. `move` is None where it was lost by illegal answers, and where it was not answered."""

    question: Question
    move: str | None
    loss: float | None
    """What was given away of the chance of winning; None where it was not answered."""
    illegal: int = 0
    """How many answers were no allowed move."""
    error: str = ""
    """Why it was not answered: then it counts for nothing."""
    on_average: bool = False
    """Whether a policy told its odds: then `loss` is its mean, exactly, and `move` the one it makes most often."""


def sit(
    questions: Iterable[Question],
    player: Player,
    tell: Callable[[str], None],
    tries: int = TRIES,
) -> Iterator[Answer]:
    """The answers, one by one. A level is not made to solve anything: its best moves stand in the key."""
    # Whoever it is: an error in it is a missing answer, and what is no allowed move is asked for again.
    agent = player if isinstance(player, Level) else Brought(getattr(player, "name", repr(player)), player)
    ready: set[Game[Any]] = set()
    failed = 0
    for question in questions:
        if failed == IN_VAIN:
            yield Answer(question, None, None, error=NOT_ASKED)
            continue
        dice = Stream(question.id, "exam answer")
        if isinstance(agent, Level):
            yield _by_the_key(question, agent, dice)
            continue
        try:
            if question.game not in ready:
                ready.add(question.game)
                agent.prepare(question.game, tell)
            yield _answered(question, agent, dice, tries)
        except ProviderError as error:
            failed += 1
            yield Answer(question, None, None, error=str(error))
        else:
            failed = 0


def _by_the_key(question: Question, level: Level, dice: Stream) -> Answer:
    any_move = level.any_move == 100 or (level.any_move and dice.below(100) < level.any_move)
    move = dice.choose(question.moves if any_move else question.right)
    return Answer(question, move, question.loss(move))


def _answered(question: Question, player: Player, dice: Stream, tries: int) -> Answer:
    odds = getattr(player, "odds", None)
    if odds is not None:
        try:
            return _expected(question, odds(question.game, question.position))
        except ProviderError:
            raise
        except Exception as error:
            raise ProviderError(f"odds: {what_happened(error)}") from error
    move, illegal = ask(player, question.game, question.position, dice, question.history, tries)
    # Lost as a game is that is forfeited: all of the chance is gone.
    return Answer(question, move, question.value if move is None else question.loss(move), len(illegal))


def _expected(question: Question, odds: Mapping[str, float]) -> Answer:
    """What a policy gives away on average, exactly."""
    known = {move: float(odds.get(move, 0)) for move in question.moves}
    if min(known.values()) < 0 or not isclose(sum(known.values()), 1, abs_tol=1e-6):
        raise ProviderError("its odds are no shares of the allowed moves that add up to 1")
    lost = sum(share * question.loss(move) for move, share in known.items())
    return Answer(question, max(known, key=lambda move: known[move]), lost, on_average=True)
