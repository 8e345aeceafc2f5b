"""Makes an exam: positions that come up in play, sorted by how hard they are, and taken evenly from easy to hard.

Games are played out, half of the moves best and half any, and of each one position is kept in which the choice
matters. The same seed makes the same exam; another seed makes another one, with as many questions of each rule set
and grade, that is just as hard.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.contract import CHANCE
from numberquest.dealer import seed_text
from numberquest.evaluate.exam.hardness import Hardness, distinct
from numberquest.evaluate.exam.question import GRADES, Exam, Question, mean_loss, rounded
from numberquest.games import GAMES
from numberquest.puzzle import MOST_MOVES, any_move
from numberquest.rulebook import titled
from numberquest.solver import solve
from numberquest.solver.budget import silently
from numberquest.solver.solution import ALIKE
from numberquest.stream import Stream, weighted
from numberquest.view import view_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.solver import Solution
    from numberquest.solver.budget import Progress

VERSION: Final = 1
"""Goes up when anything changes that an exam is made by: then the same seed makes another exam."""
OF_EACH_GAME: Final = 100
"""So many questions; fewer where a game has fewer positions that matter."""
STAKE: Final = 0.05
"""Where any move loses less of the winning chance than this, on average, the choice matters too little to ask."""
MOST_RIGHT: Final = 0.5
"""Where more of the different moves than this share are right, hardly anybody could go wrong."""
OFTEN: Final = 0.25
"""A move that is right in so many of the positions is right very often."""
CHOICE: Final = 5
"""Of so many positions that are about as hard, one becomes a question."""
FRUITLESS: Final = 200
"""After so many games in a row without a new position, there are taken to be no more."""


class NoExam(LookupError):
    """A game, or a version, that there is no exam of: one sentence."""


def make_exam(
    seed: int | str,
    version: int = VERSION,
    kinds: Collection[type[Game[Any]]] | None = None,
    progress: Progress = silently,
) -> Exam:
    """The exam of that seed: 100 questions of each of the games that come with Number Quest, or of those named."""
    if version != VERSION:
        raise NoExam(f"there is no version {version} of the exam; there is {VERSION}")
    seed = seed_text(seed)
    chosen = tuple(GAMES.own.values()) if kinds is None else tuple(kinds)
    found: list[Question] = []
    for at, kind in enumerate(chosen):
        found += questions_of(kind, seed, version, _part_of(progress, at, len(chosen)))
    return Exam(found, version, seed)


def _part_of(progress: Progress, at: int, parts: int) -> Progress:
    """Progress for one part of the work."""
    return lambda done, total: progress(at * total + done, parts * total)


def rule_sets(kind: type[Game[Any]]) -> list[Game[Any]]:
    """The rules of a game that are asked: those it names, or those of its puzzles."""
    return [kind(**settings) for settings in kind.exam_settings or (kind.puzzle_settings,)]


def questions_of(
    kind: type[Game[Any]], seed: str, version: int = VERSION, progress: Progress = silently
) -> list[Question]:
    """The questions of one game, rule set by rule set, from easy to hard."""
    games = rule_sets(kind)
    found: list[Question] = []
    for at, game in enumerate(games):
        found += asked(game, seed, OF_EACH_GAME // len(games), version, _part_of(progress, at, len(games)))
    if not found:
        raise NoExam(f"{titled(games[0])}: too few positions were found in which the choice matters, so it has no exam")
    return [question._replace(id=f"{kind.slug}-{number:03}") for number, question in enumerate(found, start=1)]


class Candidate(NamedTuple):
    """A position that may become a question."""

    history: tuple[str, ...]
    position: Any
    values: tuple[float, ...]
    stake: float
    """What any of the different moves loses on average."""
    kind: str
    """The right move where there is one alone; otherwise empty."""


def asked(
    game: Game[Any], seed: str, count: int, version: int = VERSION, progress: Progress = silently
) -> list[Question]:
    """So many questions of one rule set, or as many fives as there are, from easy to hard; not numbered yet."""
    solution = solve(game, progress=progress)
    hardness = Hardness(solution, progress)
    label = f"exam {version} {game.slug} {game.settings_text}"
    sized: dict[str, list[tuple[float, float, int, Question]]] = {}
    for number, found in enumerate(candidates(solution, seed, label, CHOICE * count)):
        progress(number, CHOICE * count)
        values = dict(zip(game.moves(found.position), found.values, strict=True))
        question = Question("", game, found.history, found.position, values, 0, 0.0)
        missed = hardness.missed(found.position, question.right)
        # Of those that are missed as often, the one where less is at stake is harder to see through.
        entry = (missed, -found.stake, number, question._replace(missed=missed))
        sized.setdefault(found.kind, []).append(entry)
    ranked = _from_easy_to_hard(sized)
    count = min(count, len(ranked)) // GRADES * GRADES
    dice = Stream(seed, label)
    chosen = [dice.choose(part) for part in _parts(ranked, count)]
    return [question._replace(grade=1 + at * GRADES // count) for at, question in enumerate(chosen)]


def _from_easy_to_hard(sized: Mapping[str, Sequence[tuple[float, float, int, Question]]]) -> list[Question]:
    """The questions in order, of which those with a move that is right very often are compared with each other alone.

    Otherwise whoever always played that move would do well in some grade.
    """
    all_of_them = sum(map(len, sized.values()))
    often = [own for own in sized.values() if len(own) >= OFTEN * all_of_them]
    others = [one for own in sized.values() if len(own) < OFTEN * all_of_them for one in own]
    ranked = []
    for own in [*often, others]:
        for rank, (missed, stake, number, question) in enumerate(sorted(own), start=1):
            ranked.append((rank / (len(own) + 1), missed, stake, number, question))
    return [question for *_, question in sorted(ranked)]


def _parts(things: Sequence[Question], count: int) -> list[Sequence[Question]]:
    """The things in so many parts, one after the other, as even as can be."""
    ends = [len(things) * at // count for at in range(count + 1)] if count else [0]
    return [things[start:end] for start, end in pairwise(ends)]


def candidates(solution: Solution[Any], seed: str, label: str, most: int) -> Iterator[Candidate]:
    """Up to so many positions in which the choice matters, no two of which look the same to the player to move."""
    seen: set[Any] = set()
    number = fruitless = found = 0
    while found < most and fruitless < FRUITLESS:
        number += 1
        dice = Stream(seed, f"{label} {number}")
        met = {one: one.kind for one in _met(solution, dice) if _look(solution.game, one.position) not in seen}
        if not met:
            fruitless += 1
            continue
        fruitless = 0
        found += 1
        # First which move, then where: so that a move that is often right does not crowd out the others.
        kind = dice.choose(tuple(dict.fromkeys(met.values())))
        chosen = dice.choose([one for one in met if one.kind == kind])
        seen.add(_look(solution.game, chosen.position))
        yield chosen


def _look(game: Game[Any], position: Any) -> tuple[object, ...]:
    """What the player to move sees, in canonical form."""
    p, player = game.canonical(position), game.player(position)
    return tuple(number for field in view_of(game) for number in field.reader(game)(p, player))


def _met(solution: Solution[Any], dice: Stream) -> Iterator[Candidate]:
    """Play a game, half the moves best and half any, and give every position in which the choice matters."""
    game = solution.game
    p = game.start()
    history: list[str] = []
    while (moves := game.moves(p)) and (game.longest is not None or len(history) < MOST_MOVES):
        if game.player(p) == CHANCE:
            weights = game.weights(p)
            move = weighted(moves, weights, dice.below(sum(weights)))
        elif solution.value(p) <= ALIKE:
            # All is lost: no choice matters any more.
            move = any_move(game, p, moves, dice)
        else:
            worth = solution.moves(p)
            values = {move: rounded(worth[move]) for move in moves}
            top = max(values.values())
            best = [move for move in moves if values[move] >= top - ALIKE]
            different = distinct(game, p)
            right = [move for move in best if move in different]
            stake = round(mean_loss([values[move] for move in different]), 9)
            if stake >= STAKE and len(right) <= MOST_RIGHT * len(different):
                kind = best[0] if len(best) == 1 else ""
                yield Candidate(tuple(history), p, tuple(values.values()), stake, kind)
            move = dice.choose(best) if dice.below(2) else any_move(game, p, moves, dice)
        history.append(move)
        p = game.play(p, move)
