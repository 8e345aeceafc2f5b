"""Makes an exam: positions that come up in play, sorted by how hard they are, and taken evenly from easy to hard.

Games are played out, half of the moves best and half any, and of each one position is kept in which the choice
matters. The same seed makes the same exam; another seed makes another one, with as many questions of each rule set
and grade, that is just as hard."""

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import seed_text
from numberquest.core.errors import Unable
from numberquest.core.files import write_whole
from numberquest.core.play_out import drawn_by, play_out
from numberquest.core.progress import Progress, part_of, silently
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import titled
from numberquest.core.stream import Stream
from numberquest.core.view import view_of
from numberquest.explain.puzzle import MOST_MOVES, any_move
from numberquest.solver import Solution, solve
from numberquest.solver.budget import TooLarge
from numberquest.solver.solution import ALIKE
from numberquest.study.exam.question import GRADES, Exam, Question, hash_of, line, mean_loss, read, rounded
from numberquest.study.levels import Kept

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


class NoExam(Unable, LookupError):
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
        found += _kept_questions(kind, seed, version, part_of(progress, at, len(chosen)))
    return Exam(found, version, seed)


def _kept_questions(kind: type[Game[Any]], seed: str, version: int, progress: Progress) -> list[Question]:
    """The questions of one game, kept on disk after the first time."""
    file = Kept(rule_sets(kind)[0], f"exam-{hash_of([seed])[:16]}-", version)
    found = file.read(lambda said: [read(text, kind) for text in said["lines"]], list[Question]())
    if not found:
        found = questions_of(kind, seed, version, progress)
        file.write({"lines": list(map(line, found))})
    return found


def rule_sets(kind: type[Game[Any]]) -> list[Game[Any]]:
    """The rules of a game that are asked: those it names, or those of its puzzles."""
    return [kind(**settings) for settings in kind.exam_settings or (kind.puzzle_settings,)]


def questions_of(
    kind: type[Game[Any]], seed: str, version: int = VERSION, progress: Progress = silently
) -> list[Question]:
    """The questions of one game, rule set by rule set, from easy to hard."""
    games = rule_sets(kind)
    if any(game.has_secrets for game in games):
        raise NoExam(
            f"{titled(games[0])}: in a game with secrets most questions have no one right answer, so it has no exam"
        )
    found: list[Question] = []
    for at, game in enumerate(games):
        found += asked(game, seed, OF_EACH_GAME // len(games), version, part_of(progress, at, len(games)))
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
    others = () if seed == SEED else published().questions
    barred = {_look(game, question.position) for question in others if question.game == game}
    for number, found in enumerate(candidates(solution, seed, label, CHOICE * count, barred)):
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


def candidates(
    solution: Solution[Any], seed: str, label: str, most: int, barred: Collection[Any] = ()
) -> Iterator[Candidate]:
    """Up to so many positions in which the choice matters, no two of which look the same to the player to move.

    What looks as one that is barred, because the published exam asks it, is left out.
    """
    seen: set[Any] = set(barred)
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


def _met(solution: Solution[Any], dice: Stream) -> list[Candidate]:
    """Play a game, half the moves best and half any, and give every position in which the choice matters."""
    game, found = solution.game, list[Candidate]()

    def choose(p: Any, _: int, history: Sequence[str]) -> str:
        moves = game.moves(p)
        if solution.value(p) <= ALIKE:
            # All is lost: no choice matters any more.
            return any_move(game, p, moves, dice)
        worth = solution.moves(p)
        values = {move: rounded(worth[move]) for move in moves}
        top = max(values.values())
        best = [move for move in moves if values[move] >= top - ALIKE]
        different = distinct(game, p)
        right = [move for move in best if move in different]
        stake = round(mean_loss([values[move] for move in different]), 9)
        if stake >= STAKE and len(right) <= MOST_RIGHT * len(different):
            kind = best[0] if len(best) == 1 else ""
            found.append(Candidate(tuple(history), p, tuple(values.values()), stake, kind))
        return dice.choose(best) if dice.below(2) else any_move(game, p, moves, dice)

    play_out(game, choose, drawn_by(game, dice), MOST_MOVES if game.longest is None else None)
    return found


AHEAD: Final = (0, 1, 2, 3)
"""How many moves ahead those look who try a question."""
MOST_SEEN: Final = 50_000
"""So many positions are looked at for one question; who would have to look at more sees no further than before."""
UNSEEN: Final = 0.5


class Hardness:
    """How hard the questions of one game are: how often those who do not look far miss them.

    Four try it, who look 0, 1, 2 and 3 moves ahead. What they have not seen the end of is worth one half to them, what
    chance may bring they weigh as it comes, and between moves that look alike to them they choose any; moves that come
    to the same, such as opening one covered cell or another, count once.
    """

    def __init__(self, solution: Solution[Any], progress: Progress | None = None) -> None:
        self._solution = solution
        self._distances = None
        if not solution.game.chance:
            from numberquest.solver.distance import distances

            # Where that is too large they have to be looked at one by one, as where there is chance.
            with suppress(TooLarge):
                self._distances = distances(solution.game, progress=progress)

    def missed(self, position: Any, right: Collection[str]) -> float:
        """How often the four miss the right moves, on average: from 0 to 1."""
        game = self._solution.game
        after = distinct(game, position)
        shares = [_missed(dict.fromkeys(after, UNSEEN), right)]
        look = self._known if self._distances is not None else _Look(game).value
        player = game.player(position)
        for ahead in AHEAD[1:]:
            try:
                seen = {move: look(p, ahead - 1, player) for move, p in after.items()}
            except _TooMany:
                shares.append(shares[-1])
                continue
            shares.append(_missed(seen, right))
        return round(sum(shares) / len(shares), 4)

    def _known(self, p: Any, ahead: int, player: int) -> float:
        """What a position looks worth to a player: what it is, where its end comes so soon."""
        if self._distances is None or self._distances.plies(p) > ahead:
            return UNSEEN
        return float(self._solution.value_for(player, p))


def distinct(game: Game[Any], position: Any) -> dict[str, Any]:
    """The moves there with the positions they lead to; of moves that come to the same, such as any cell, the first."""
    after = {move: game.play(position, move) for move in game.moves(position)}
    first: dict[Any, str] = {}
    for move, p in after.items():
        # Under best play: the published exam was made so.
        first.setdefault(game.canonical(p), move)
    return {move: after[move] for move in first.values()}


def _missed(seen: Mapping[str, float], right: Collection[str]) -> float:
    top = max(seen.values())
    chosen = [move for move, value in seen.items() if value >= top - ALIKE]
    return sum(move not in right for move in chosen) / len(chosen)


class _TooMany(Exception):
    """More positions than anybody can look at."""


class _Look:
    """Looks ahead move by move; positions that are alike are looked at once."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._seen: dict[tuple[Any, int], float] = {}

    def value(self, p: Any, ahead: int, player: int) -> float:
        first = self._first(p, ahead)
        return first if player == 0 else 1 - first

    def _first(self, p: Any, ahead: int) -> float:
        """The same to Player 1."""
        game = self._game
        p = game.alike(p)
        known = self._seen.get((p, ahead))
        if known is not None:
            return known
        outcome = game.outcome(p)
        mover = game.player(p)
        if outcome is not None:
            value = outcome.worth(0)
        elif ahead == 0 and mover != CHANCE:
            return UNSEEN
        else:
            if len(self._seen) >= MOST_SEEN:
                raise _TooMany
            further = ahead if mover == CHANCE else ahead - 1
            values = [self._first(game.play(p, move), further) for move in game.moves(p)]
            if mover == CHANCE:
                weights = game.weights(p)
                value = sum(weight * one for weight, one in zip(weights, values, strict=True)) / sum(weights)
            else:
                value = min(values) if mover else max(values)
        self._seen[p, ahead] = value
        return value


SEED: Final = "1"
"""What the published exam was made from."""
HASHES: Final = {1: "fc6058d798875d0af8c596d7660f927255ecde790c78a5218d1f7867bd6bfc27"}
"""The SHA-256 of each version that was published: it never changes."""


def path_of(kind: type[Game[Any]], version: int = VERSION) -> str:
    """The file with the questions of a game, beside its rules."""
    folder = os.path.dirname(sys.modules[kind.__module__].__file__ or "")
    return os.path.join(folder, f"exam-{version}.jsonl")


@cache
def published(version: int = VERSION) -> Exam:
    """The published exam of that version, the newest where none is named; `NoExam` where a file is not as it was."""
    if version not in HASHES:
        raise NoExam(f"there is no version {version} of the exam; there is {', '.join(map(str, HASHES))}")
    found, lines = [], []
    for kind in GAMES.own.values():
        try:
            with open(path_of(kind, version), encoding="utf-8") as file:
                own = file.readlines()
        except FileNotFoundError:
            # A game that came later than that version.
            continue
        lines += own
        found += [read(text, kind) for text in own]
    if hash_of(lines) != HASHES[version]:
        raise NoExam(f"the questions of version {version} are not those that were published: install numberquest anew")
    return Exam(found, version, None)


def publish(kind: type[Game[Any]]) -> None:
    """Write the questions of a game into its folder: once for each version, by hand."""
    write_whole(path_of(kind), ["".join(map(line, questions_of(kind, SEED))).encode()])
