"""`numberquest puzzle`: a position, the question for the one right move, and the proof."""

from __future__ import annotations

import itertools
import os
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest.dealer import BadDeal, new_seed, seed_text
from numberquest.games import GAMES
from numberquest.mistake import FAILURE, Gone, Mistake
from numberquest.puzzle import (
    GRADES,
    NoPuzzles,
    Puzzle,
    daily,
    daily_game,
    daily_steps,
    match_of,
    missed_by,
    numbered,
    puzzle_game,
    puzzles,
    read_id,
)
from numberquest.sentences import percent
from numberquest.settings import whole_in
from numberquest.stream import Stream
from numberquest.telling import puzzle as facts
from numberquest.telling.facts import in_words, loses, wins
from numberquest.terminal import scores
from numberquest.terminal.arguments import game_with
from numberquest.terminal.console import visible
from numberquest.terminal.messages import program, tell
from numberquest.terminal.new_file import check_new, write_new
from numberquest.terminal.one_question import OneQuestion, Quit, Skip
from numberquest.terminal.progress import Progress
from numberquest.terminal.puzzle_story import story
from numberquest.terminal.solving import solved
from numberquest.view import fields_of
from numberquest.wording import in_short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numberquest.contract import Game
    from numberquest.terminal.console import Console

MOST = 1000
"""How many puzzles can be had with one command."""

HELP = """\
help           this list
moves          what you can play now
show           the puzzle again
rules          the rules of the game
undo           choose again, if you have only chosen half
skip           leave this one out; it does not count
quit           stop here"""


class PuzzleOptions(NamedTuple):
    """What somebody asked for, as typed; None and empty where they said nothing."""

    game: str | None = None
    daily: bool = False
    date: str | None = None
    seed: str | None = None
    set: Sequence[str] = ()
    how_many: str | None = None
    json: bool = False
    sheet: str | None = None
    force: bool = False


def run(options: PuzzleOptions, console: Callable[[], Console]) -> None:
    """Ask the puzzles that were wished for, print them as data, or put them on a sheet."""
    day = _day(options)
    _check_sheet(options)
    try:
        if options.sheet is not None:
            _write_sheet(list(_found(options, day)), options.sheet, force=options.force)
        elif options.json:
            _print(list(_found(options, day)), day, as_list=options.how_many is not None)
        else:
            _ask_all(_found(options, day), day, console())
    except NoPuzzles as error:
        raise Mistake(f"{error}", FAILURE) from None


def as_data(puzzle: Puzzle, day: str | None) -> dict[str, object]:
    """The puzzle with exactly the fields that programs rely on."""
    return {
        "id": puzzle.id,
        "date": day,
        "game": puzzle.game.slug,
        "settings": puzzle.game.settings,
        "history": list(puzzle.history),
        "player": puzzle.player + 1,
        "position": fields_of(puzzle.position),
        "values": {move: float(value) for move, value in puzzle.values.items()},
        "answer": puzzle.answer,
        "answers": list(puzzle.answers),
        "grade": puzzle.grade,
        "difficulty": GRADES[puzzle.grade - 1],
        "missed": missed_by(puzzle),
    }


def today() -> str:
    """The date by which everybody has the same daily puzzle: that of UTC."""
    return datetime.now(UTC).date().isoformat()


def _day(options: PuzzleOptions) -> str | None:
    """The date whose puzzle is wished for, if it is a daily one."""
    if options.date is None:
        day = today() if options.daily else None
    else:
        try:
            # Written back, because Python also reads other ways to write a date.
            day = date.fromisoformat(options.date).isoformat()
        except ValueError:
            raise Mistake(f"--date wants a date such as 2026-01-31, not {options.date}") from None
    for option, value in (("--seed", options.seed), ("--count", options.how_many)):
        if day is not None and value is not None:
            raise Mistake(f"{option} does not go with the daily puzzle: there is one, and it is the same for all")
    return day


def _found(options: PuzzleOptions, day: str | None) -> Iterator[Puzzle]:
    """The puzzles that were wished for, one by one."""
    count = 1 if options.how_many is None else whole_in(options.how_many)
    if count is None or not 1 <= count <= MOST:
        raise Mistake(f"--count wants a whole number from 1 to {MOST}, not {options.how_many}")
    if options.game is not None and _is_puzzle_name(options.game):
        yield _named(options)
        return
    try:
        seed = new_seed()[:6] if options.seed is None else seed_text(options.seed)
    except BadDeal as error:
        raise Mistake(str(error)) from None
    game = _game(options, seed, day)
    if day is not None and (options.json or options.sheet is not None):
        yield daily(day, game, solved(game))
        return
    if day is not None:
        yield from daily_steps(day, game, solved(game))
        return
    left = count
    with Progress("Looking for puzzles") as progress:
        for puzzle in itertools.islice(puzzles(game, seed, solved(game)), count):
            yield puzzle
            left -= 1
            if options.json or options.sheet is not None:
                progress(count - left, count)
    if left:
        tell(f"No more puzzles than these {count - left} could be found.")


def _is_puzzle_name(text: str) -> bool:
    """Whether one certain puzzle is named; the file of a game can have a dash in its name too."""
    return "-" in text and not text.endswith(".py") and not os.path.exists(text)


def _named(options: PuzzleOptions) -> Puzzle:
    """The puzzle whose id was typed in place of a game."""
    if any(options._replace(game=None, json=False, sheet=None, force=False)):
        raise Mistake(f"{visible(options.game or '')} is one certain puzzle, so nothing else can be chosen")
    name = options.game or ""
    game, seed, number = read_id(name)
    found = numbered(solved(game), seed, number)
    if found is None:
        raise NoPuzzles(f"there is no puzzle called {name}")
    return found


def _game(options: PuzzleOptions, seed: str, day: str | None) -> Game[Any]:
    if options.game is None:
        if options.set:
            raise Mistake("--set changes a rule of a game, so name the game too")
        picked = Stream(seed, "puzzle game").choose(tuple(GAMES.own))
        return puzzle_game(picked if day is None else daily_game(day))
    game = game_with(options.game, options.set)
    return game if options.set else puzzle_game(game.slug)


def _print(found: Sequence[Puzzle], day: str | None, *, as_list: bool) -> None:
    import json

    data = [as_data(puzzle, day) for puzzle in found]
    print(json.dumps(data if as_list else data[0]))


def _check_sheet(options: PuzzleOptions) -> None:
    if options.sheet is None:
        if options.force:
            raise Mistake("--force writes over a sheet, so say which: --sheet FILE")
        return
    if options.json:
        raise Mistake("--json is for programs and --sheet for paper: choose one")
    check_new(options.sheet, "sheet", force=options.force)


def _write_sheet(found: list[Puzzle], path: str, *, force: bool) -> None:
    from numberquest.terminal.worksheet import worksheet

    write_new(path, worksheet(found, solved(found[0].game)), "sheet", force=force)
    tell(
        f"{'1 puzzle' if len(found) == 1 else f'{len(found)} puzzles'}, with the answers on a page of their own: {path}"
    )


def _ask_all(found: Iterable[Puzzle], day: str | None, console: Console) -> None:
    # Those of a day are few, and belong together; of others there may be many to look for.
    found = found if day is None else list(found)
    steps = [puzzle.id for puzzle in found] if isinstance(found, list) else []
    for number, puzzle in enumerate(found):
        if number:
            console.say()
        asked = KeyboardPuzzle(puzzle, day, console, steps)
        again = f"The same puzzle again: {program(puzzle.game)} puzzle {puzzle.id}"
        try:
            asked.ask()
        except Skip:
            tell(again)
        except Quit:
            tell(again)
            return
        except Gone as gone:
            if gone.__cause__ is not None:
                raise
            tell(again)
            return
        except KeyboardInterrupt:
            tell(f"\n{again}")
            raise


class KeyboardPuzzle(OneQuestion):
    """One puzzle in front of somebody."""

    help = HELP

    def __init__(self, puzzle: Puzzle, day: str | None, console: Console, steps: Sequence[str] = ()) -> None:
        """`steps` are the puzzles of that day, from easy to hard."""
        super().__init__(match_of(puzzle), puzzle.values, console)
        self._puzzle, self._day, self._steps = puzzle, day, steps

    def ask(self) -> None:
        """Show the puzzle, take one answer, tell what it is worth, and count it."""
        self._show()
        move = self._chosen()
        right = move in self._puzzle.answers
        self._console.say()
        self._verdict(move, right)
        self._proof(move)
        self._count(right)

    def _show(self) -> None:
        puzzle, say = self._puzzle, self._console.say
        of_the_day = f"Puzzle of {self._day}" if self._day else "Puzzle"
        if len(self._steps) > 1:
            of_the_day += f", step {self._steps.index(puzzle.id) + 1} of {len(self._steps)}"
        say(f"{of_the_day}: {puzzle.game.title}, {GRADES[puzzle.grade - 1]} ({puzzle.id})", "heading")
        note = facts.note(puzzle)
        if note is not None:
            say(in_words(puzzle.game, note))
        if scores.counts_already(puzzle.id):
            what = "today's puzzle" if self._counting_day() else "this puzzle"
            say(f"You have tried {what} before: only the first try counts.", "hint")
        for line in story(puzzle):
            say(line)
        self._dialogue.again()
        self._dialogue.turn()
        self._dialogue.picture()
        say(f"{in_words(puzzle.game, facts.question(puzzle))} (help shows what you can type)", "heading")

    def _verdict(self, move: str, right: bool) -> None:
        self._console.say(in_words(self._puzzle.game, facts.verdict(self._puzzle, move)), "win" if right else "refusal")

    def _proof(self, move: str) -> None:
        say = self._console.say
        say()
        say("Every move, best first:")
        by_value: dict[Any, list[str]] = {}
        for each, value in self._puzzle.values.items():
            by_value.setdefault(value, []).append(each)
        game = self._puzzle.game
        width = len(percent(1) if game.chance else "loses")
        for value, moves in by_value.items():
            shown = percent(value) if game.chance else "wins" if wins(value) else "loses" if loses(value) else "draws"
            say(f"  {shown:>{width}}  {in_short(moves)}")
        say(in_words(game, facts.why(self._puzzle, move, solved(game))))
        missed = ", ".join(f"{name} {100 * share:.0f}" for name, share in missed_by(self._puzzle).items())
        say(f"How often the computer players miss it, of 100 times: {missed}.")

    def _count(self, right: bool) -> None:
        # Read again right before it is written, so that two puzzles at once are both counted.
        before = scores.load(tell)
        if before is None:
            return
        so_far = before.with_answer(self._puzzle.id, self._puzzle.grade, right, self._counting_day(), self._steps)
        scores.keep(so_far, tell)
        self._console.say(so_far.in_words(today()), "hint")

    def _counting_day(self) -> str | None:
        """The day that an answer counts for: a daily puzzle counts on its own day alone."""
        return self._day if self._day == today() else None
