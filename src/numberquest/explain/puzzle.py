"""Positions with one right move: found by playing games, proved by the solver, graded by who misses them; and what is
told of them."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date as dates
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.dealer import BadDeal, seed_text
from numberquest.core.errors import Unable
from numberquest.core.loading import RECIPE
from numberquest.core.match import Match, led_to
from numberquest.core.play_out import drawn_by, play_out, positions_of
from numberquest.core.registry import GAMES, kind_for, name_of
from numberquest.core.registry import game as make_game
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import SENTENCES, Said, inside
from numberquest.core.settings import BadSetting, as_text, read_settings, whole_in
from numberquest.core.stream import Stream
from numberquest.explain.reasons import reason
from numberquest.solver import Solution, solve
from numberquest.solver.solution import ALIKE, Value, loses, wins

MARGIN: Final = 0.05
"""In a game with chance, the right move wins at least this much more often than the next best."""
OBVIOUS: Final = 0.4
"""A lead as large as this is no puzzle where most would play that move anyway."""
FEWEST_MOVES: Final = 3
"""With fewer moves to choose from, guessing is no puzzle; unless the game never has more."""
LOOKED_THROUGH: Final = 20
"""Never to change: how many games at random show how many moves there are to choose from."""
FRUITLESS: Final = 1000
"""After how many games in a row without a new puzzle the search is given up."""

GRADES: Final = tuple(SENTENCES[f"grade-{grade}"] for grade in range(1, 6))
"""The names of the grades 1 to 5."""
MISSED: Final = (0.4, 0.8, 0.94)
"""How often the movers of the grade must miss the right move for one grade more, and one more, and one more."""
PLAIN, FINE = 0.25, 0.1
"""With chance: a lead that is plain to see, and one that takes a fine eye."""

MOST_MOVES: Final = 300
"""How many moves of a game that need not end are played in search of a puzzle."""

DAILY_TRIES: Final = 50
"""Never to change: how many puzzles of a day's set are looked at for one that is not very easy."""
MIXED_DAYS: Final = (1, 3, 5)
"""Never to change: on Tuesdays, Thursdays and Saturdays the three steps are of three games."""
STEP_TRIES: Final = 20
"""Never to change: among how many puzzles of a day's set the easy and the hard one are looked for."""

_ID = r"([a-z][a-z0-9_]*-|recipe:[A-Za-z0-9_-]+[.])(.+)-([0-9]+)(?::(.+))?"
"""A game, a seed, a number, and rules. The letters of a recipe may hold dashes, so a dot ends them."""


class NoPuzzles(Unable, LookupError):
    """No position of the game has exactly one right move, or no puzzle has that name."""


class Puzzle(NamedTuple):
    """A position with exactly one right move, and how a game came there."""

    game: Game[Any]
    """The rules, as they are in this puzzle."""
    history: tuple[str, ...]
    """The moves and reveals that lead there."""
    position: Any
    """The position of the puzzle."""
    player: int
    """The player to move: 0 or 1."""
    answer: str
    """The right move."""
    values: Mapping[str, Value]
    """Every move with what it is worth to the player, best first: the chance of winning, and one half for a draw."""
    grade: int
    """From 1, very easy, to 5, very hard."""
    id: str
    """A short text from which `puzzle` gives the same one again."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Every move that nothing is better than: of a grid all covered cells, of a position that was asked about all
        right moves."""
        top = self.values[self.answer]
        return tuple(move for move, value in self.values.items() if value >= top - ALIKE)


def puzzles(game: Game[Any], seed: int | str, solution: Solution[Any] | None = None) -> Iterator[Puzzle]:
    """Puzzles without end, or until no new one is found, none twice; `NoPuzzles` where there is not even one."""
    solution, seed = solution or solve(game), seed_text(seed)
    seen: set[Any] = set()
    number = fruitless = 0
    while fruitless < FRUITLESS:
        number += 1
        found = numbered(solution, seed, number)
        if found is None or game.canonical(found.position) in seen:
            fruitless += 1
            continue
        fruitless = 0
        seen.add(game.canonical(found.position))
        yield found
    if not seen:
        rules = f"{game.slug} with {game.settings_text}" if game.settings else game.slug
        raise NoPuzzles(f"in {FRUITLESS} games of {rules} there was never exactly one right move, so it has no puzzles")


def puzzle(name: str, solved: Callable[[Game[Any]], Solution[Any]] = solve) -> Puzzle:
    """The puzzle of that id again."""
    game, seed, number = read_id(name)
    found = numbered(solved(game), seed, number)
    if found is None:
        raise NoPuzzles(f"there is no puzzle called {name}")
    return found


def match_of(puzzle: Puzzle) -> Match[Any]:
    """Return a match at the puzzle's position, with the unseen numbers shuffled."""
    return led_to(puzzle.game, puzzle.history)


def asked_at(game: Game[Any], history: Sequence[str], solution: Solution[Any]) -> Puzzle:
    """Return a position as a question without an id, however many right moves the position has."""
    position = positions_of(game, history)[-1]
    values = dict(solution.moves(position))
    best = _best(game.moves(position), values)
    found = Puzzle(game, tuple(history), position, game.player(position), best[0], values, grade=0, id="")
    return found._replace(grade=_grade(found))


def puzzle_game(slug: str) -> Game[Any]:
    """Return the game with the rules that its puzzles have by default."""
    return _usual(kind_for(slug))


def _usual(kind: type[Game[Any]]) -> Game[Any]:
    return kind(**kind.puzzle_settings)


def daily(date: str, game: Game[Any] | None = None, solution: Solution[Any] | None = None) -> Puzzle:
    """Return the puzzle of a date, written 2026-01-31: of `game`, or of the day's game."""
    found = islice(puzzles(game or puzzle_game(daily_game(date)), date, solution), DAILY_TRIES)
    first = next(found)
    # The first that takes some thought; some rules may have none.
    return next((each for each in chain([first], found) if each.grade > 1), first)


def daily_steps(date: str, game: Game[Any] | None = None, solution: Solution[Any] | None = None) -> list[Puzzle]:
    """Three puzzles for that date from easy to hard, the daily one and two of its set; fewer where there are fewer."""
    if game is None and len(games := daily_games(date)) > 1:
        return _mixed_steps(date, games)
    game = game or puzzle_game(daily_game(date))
    own = daily(date, game, solution)
    others = {found.id: found for found in islice(puzzles(game, date, solution), STEP_TRIES)}
    others.pop(own.id, None)
    grades = [own.grade, *(found.grade for found in others.values())]
    # The easiest, one from the middle and the hardest; the daily one is the one of them that it is most like.
    wanted = [min(grades), (min(grades) + max(grades)) / 2, max(grades)]
    wanted.remove(min(wanted, key=lambda grade: abs(grade - own.grade)))
    steps = [own]
    for grade in reversed(wanted):
        found = min(others.values(), key=lambda one: abs(one.grade - grade), default=None)
        if found is not None:
            steps.append(others.pop(found.id))
    return sorted(steps, key=lambda found: found.grade)


def _mixed_steps(date: str, games: Sequence[str]) -> list[Puzzle]:
    """The day's puzzle, and of two other games the easiest there is and a hard one of the other."""
    sets = [list(islice(puzzles(puzzle_game(slug), date), STEP_TRIES)) for slug in games[1:]]
    easy, other = sorted(sets, key=lambda found: min(one.grade for one in found))
    steps = [min(easy, key=lambda one: one.grade), daily(date), max(other, key=lambda one: one.grade)]
    return sorted(steps, key=lambda one: one.grade)


def daily_games(date: str) -> tuple[str, ...]:
    """The games that a day's steps are from: on some days of the week three, otherwise one."""
    first = daily_game(date)
    if dates.fromisoformat(date).weekday() not in MIXED_DAYS:
        return (first,)
    others = Stream(date, "daily games").shuffled(tuple(slug for slug in _placed() if slug != first))
    return (first, *others[:2])


def daily_game(date: str) -> str:
    """Return the game of a day's puzzle: a shipped one, so that everybody has the same."""
    return Stream(date, "daily game").choose(_placed())


def _placed() -> tuple[str, ...]:
    """Our games that have a place among the others: one that has none yet changes no day."""
    return tuple(slug for slug, kind in GAMES.own.items() if kind.order < Game.order)


def read_id(name: str) -> tuple[Game[Any], str, int]:
    """The game, the seed and the number that an id is made of."""
    found = re.fullmatch(_ID, name)
    number = whole_in(found[3]) if found else None
    if found is None or number is None:
        raise NoPuzzles(f"{name[:60]!r} is not the name of a puzzle, such as {next(iter(GAMES.own))}-7-3")
    named, seed, _, rules = found.groups()
    slug = named[:-1]
    try:
        seed_text(seed)
        if rules is None:
            return puzzle_game(slug), seed, number
        return make_game(slug, **read_settings(rules.split(","))), seed, number
    except (BadSetting, BadDeal) as error:
        raise NoPuzzles(f"{name[:60]!r} is not the name of a puzzle: {error}") from None


def numbered(solution: Solution[Any], seed: str, number: int) -> Puzzle | None:
    """The puzzle that comes up in game number so-and-so of a seed, if one does."""
    dice = Stream(seed, f"puzzle {number}")
    game = solution.game
    found = _met(solution, dice)
    # A win that is there at once makes a dull puzzle, so it comes only where nothing else does.
    if not game.has_secrets:
        found = [met for met in found if not _wins_at_once(game, met.position, met.answer)] or found
    if not found:
        return None
    # First which move, then where: so that a move that is often right does not crowd out the others.
    kind = dice.choose(list(dict.fromkeys(map(_kind, found))))
    met = dice.choose([met for met in found if _kind(met) == kind])
    return met._replace(grade=_grade(met), id=f"{_id_of_game(game)}{seed}-{number}{_rules_in_id(game)}")


def _kind(puzzle: Puzzle) -> str:
    return puzzle.answer if len(puzzle.answers) == 1 else ""


def _met(solution: Solution[Any], dice: Stream) -> list[Puzzle]:
    """Play a game, half the moves best and half at random, and give every position with one right move."""
    game, found = solution.game, list[Puzzle]()

    def choose(p: Any, _: int, history: Sequence[str]) -> str:
        moves = game.moves(p)
        known = known_after(game, history, game.player(p)) if game.has_secrets else p
        # Where all is lost every move is as bad as any other, and looking at each would take most of the time.
        if solution.value(known) <= ALIKE:
            return any_move(game, p, moves, dice)
        values = solution.moves(known)
        met = _with_one_right_move(game, p, tuple(history), values)
        if met is not None:
            found.append(met)
        return dice.choose(_best(moves, values)) if dice.below(2) else any_move(game, p, moves, dice)

    play_out(game, choose, drawn_by(game, dice), MOST_MOVES if game.longest is None else None)
    return found


def any_move(game: Game[Any], p: Any, moves: Sequence[str], dice: Stream) -> str:
    """Return a move of a player who does not think far."""
    # A prediction is one decision among others, though there are 99 of them.
    binding = tuple(move for move in moves if game.binding(move))
    if 0 < len(binding) < len(moves):
        moves = dice.choose((binding, tuple(move for move in moves if not game.binding(move))))
    # What comes to the same is one move: otherwise a score of 0 would mostly be multiplied, divided and lessened.
    first: dict[Any, str] = {}
    for move in moves:
        first.setdefault(game.play(p, move), move)
    order = dice.shuffled(tuple(first.values()))
    return next((move for move in order if game.outcome(game.play(p, move)) is None), order[0])


def _best(moves: Sequence[str], values: Mapping[str, Value]) -> tuple[str, ...]:
    """The moves that nothing is better than, in the game's own order, which no rounding can change."""
    top = max(values.values())
    return tuple(move for move in moves if values[move] >= top - ALIKE)


def _with_one_right_move(game: Game[Any], p: Any, history: tuple[str, ...], values: dict[str, Value]) -> Puzzle | None:
    """The puzzle that a position is, neither graded nor named yet."""
    best = _best(game.moves(p), values)
    if len(best) == len(values) or len(values) < _fewest_moves(game):
        return None
    if len(best) > 1 and not (game.chance and len({game.alike(game.play(p, move)) for move in best}) == 1):
        # Where numbers are hidden, moves can differ in nothing but the place; elsewhere one must be the only one.
        return None
    margin = _margin(values, best)
    if margin < MARGIN or (margin >= OBVIOUS and missed(values, best) < 0.5):
        # Too close to call; or what most would play anyway, and plainly the best. (Without chance the margin is large.)
        return None
    return Puzzle(game, history, p, game.player(p), best[0], values, grade=0, id="")


@lru_cache(maxsize=64)
def _fewest_moves(game: Game[Any]) -> int:
    """With fewer moves to choose from, a position of this game is no puzzle: what games at random have at once."""
    dice, most = Stream("0", "how many moves"), 0

    def choose(p: Any, *_: object) -> str:
        nonlocal most
        most = max(most, len(game.moves(p)))
        return dice.choose(game.moves(p))

    for _ in range(LOOKED_THROUGH):
        if most < FEWEST_MOVES:
            play_out(game, choose, drawn_by(game, dice), MOST_MOVES if game.longest is None else None)
    return min(FEWEST_MOVES, most)


def _margin(values: Mapping[str, Value], answers: Sequence[str]) -> float:
    """How much more the right move is worth than the next best."""
    lead = values[answers[0]] - max(value for move, value in values.items() if move not in answers)
    # Rounded, so that a lead of exactly 5 of 100 is one whatever the values are kept as.
    return round(float(lead), 9)


def _wins_at_once(game: Game[Any], p: Any, move: str) -> bool:
    outcome = game.outcome(game.play(p, move))
    return outcome is not None and outcome.winner == game.player(p)


def _grade(puzzle: Puzzle) -> int:
    """From 1 to 5, as docs/puzzles.md says."""
    game, p = puzzle.game, puzzle.position
    if len(puzzle.answers) == len(puzzle.values):
        return 1
    if game.has_secrets:
        # What comes of a move nobody sees: only how many would miss it counts, and by how much.
        margin, missing = _margin(puzzle.values, puzzle.answers), missed(puzzle.values, puzzle.answers)
        return max(
            1, min(1 + sum(missing >= limit for limit in MISSED) + (margin < FINE) - (margin >= PLAIN), len(GRADES))
        )
    if _wins_at_once(game, p, puzzle.answer):
        return 1
    beginner = [move for move in puzzle.values if not _loses_soon(game, p, move)] or puzzle.values
    missing = (missed(puzzle.values, puzzle.answers) + missed(beginner, puzzle.answers)) / 2
    grade = 1 + sum(missing >= limit for limit in MISSED)
    if game.chance:
        margin = _margin(puzzle.values, puzzle.answers)
        grade += (margin < FINE) - (margin >= PLAIN)
    elif not _wins_next(puzzle):
        grade += 1
    return max(1, min(grade, len(GRADES)))


def missed(moves: Collection[str], answers: Collection[str]) -> float:
    """Return how often a player who takes any of `moves` misses the right one."""
    return sum(move not in answers for move in moves) / len(moves)


def missed_by(puzzle: Puzzle) -> dict[str, float]:
    """How often each computer player misses the right move: only its random moves can."""
    from numberquest.players.levels import PLAYERS

    share = missed(puzzle.values, puzzle.answers)
    return {name: level.any_move / 100 * share for name, level in PLAYERS.items()}


def _loses_soon(game: Game[Any], p: Any, move: str) -> bool:
    """Whether a careful beginner sees that a move is bad: it loses at once, or lets the other win at once."""
    after, player = game.play(p, move), game.player(p)
    outcome = game.outcome(after)
    if outcome is not None:
        return not outcome.worth(player)
    return game.player(after) == 1 - player and any(_wins_at_once(game, after, reply) for reply in game.moves(after))


def _wins_next(puzzle: Puzzle) -> bool:
    """Whether the right move wins with one more, whatever the answer."""
    game, player = puzzle.game, puzzle.player
    after = game.play(puzzle.position, puzzle.answer)
    if game.player(after) == player:
        return False
    for reply in game.moves(after):
        p = game.play(after, reply)
        outcome = game.outcome(p)
        if outcome is not None:
            if outcome.winner != player:
                return False
        elif game.player(p) != player or not any(_wins_at_once(game, p, move) for move in game.moves(p)):
            return False
    return True


def _id_of_game(game: Game[Any]) -> str:
    """Return the name of a game in an id; a recipe without a short name stands there whole."""
    name = name_of(game)
    return f"{name}." if name.startswith(RECIPE) else f"{name}-"


def _rules_in_id(game: Game[Any]) -> str:
    if game == _usual(type(game)):
        return ""
    changed = game.changed or game.settings
    return ":" + ",".join(f"{name}={as_text(value)}" for name, value in changed.items())


# ---- what is told: what is asked, whether an answer is right, and why


def note(puzzle: Puzzle) -> Said | None:
    """Return why the rules are not the classic ones; None where they are."""
    game = puzzle.game
    if game.is_classic:
        return None
    if game.puzzle_note and game == _usual(type(game)):
        return Said("puzzle-note", {"note": game.puzzle_note})
    return Said("puzzle-rules", {"settings": game.settings})


def question(puzzle: Puzzle) -> list[Said]:
    """Return the question, with the player to move."""
    return [Said("puzzle-you", {"player": puzzle.player + 1}), _task(puzzle)]


def _task(puzzle: Puzzle) -> Said:
    """Return the question, which is true of every position: also where several moves are right, or all of them are."""
    right = right_moves(puzzle)
    worse = [value for move, value in puzzle.values.items() if move not in puzzle.answers]
    if not worse:
        return Said("puzzle-all")
    if not puzzle.game.uncertain:
        wins_alone = "puzzle-win" if all(map(loses, worse)) else "puzzle-win-not-draw"
        code = wins_alone if wins(puzzle.values[puzzle.answer]) else "puzzle-draw"
        return Said(f"{code}-several" if len(right) > 1 else code)
    alike = puzzle.game.interchangeable
    names = {named(puzzle, move) for move in puzzle.values}
    if len(right) == 1 and alike in names:
        # They are all alike: what is to be found is whether to choose any of them.
        return Said("puzzle-alike", {"alike": alike, "others": sorted(names - {alike})})
    return Said("puzzle-best-several" if len(right) > 1 else "puzzle-best")


def right_moves(puzzle: Puzzle) -> list[str]:
    """Return every right move as people say it, the moves that are alike as one."""
    return list(dict.fromkeys(named(puzzle, move) for move in puzzle.answers))


def verdict(puzzle: Puzzle, move: str) -> Said:
    """Return whether a move is the right one, and which move is."""
    only = "the-only-win" if wins(puzzle.values[puzzle.answer]) else "the-only-draw"
    best = inside("the-best" if puzzle.game.uncertain else only)
    answer = named(puzzle, puzzle.answer)
    if move in puzzle.answers:
        return Said("puzzle-right", {"answer": answer, "best": best})
    return Said("puzzle-wrong", {"answer": answer, "best": best, "move": named(puzzle, move)})


def why(puzzle: Puzzle, move: str, solution: Solution[Any]) -> list[Said]:
    """Return why the right move is right, and why `move` is not where it is another one.

    Where no short reason is known, tell what the move leads to, and no reason.
    """
    game = puzzle.game
    if len(puzzle.answers) == len(puzzle.values):
        return [Said("puzzle-all")]
    said = [_chances(puzzle)] if game.uncertain else []
    for each in () if game.has_secrets else (puzzle.answer, *([] if move in puzzle.answers else [move])):
        because = reason(solution, puzzle.position, each)
        if because:
            said.append(Said("puzzle-because", {"move": named(puzzle, each), "why": because}))
        elif not game.chance:
            draws = not wins(puzzle.values[each]) and not loses(puzzle.values[each])
            right, wrong = ("goes-on-draw", "only-draws") if draws else ("goes-on", "goes-wrong")
            said.append(Said(f"puzzle-{right if each in puzzle.answers else wrong}", {"move": each}))
    return said


def _chances(puzzle: Puzzle) -> Said:
    values = puzzle.values
    following = next(move for move in values if move not in puzzle.answers)
    return Said(
        "puzzle-chances",
        {
            "answer": named(puzzle, puzzle.answer),
            "chance": float(values[puzzle.answer]),
            "other": named(puzzle, following),
            "other_chance": float(values[following]),
        },
    )


def named(puzzle: Puzzle, move: str) -> str:
    """Return a move as people say it: moves that are all alike have one name."""
    game: Game[Any] = puzzle.game
    if game.has_secrets:
        return move
    led_to = {other: game.alike(game.play(puzzle.position, other)) for other in puzzle.values}
    several = list(led_to.values()).count(led_to[move]) > 1
    return game.interchangeable if game.interchangeable and several else move
