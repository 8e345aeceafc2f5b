"""`numberquest puzzle`: a position, the question for the one right move, and the proof."""

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, NamedTuple

from numberquest.core.contract import Game, in_words
from numberquest.core.dealer import new_seed, seed_text
from numberquest.core.errors import Gone, UsageError
from numberquest.core.loading import RECIPE, RECIPE_FILE
from numberquest.core.registry import GAMES, name_of
from numberquest.core.sentences import in_short, percent
from numberquest.core.stream import Stream
from numberquest.core.view import fields_of
from numberquest.explain import puzzle as facts
from numberquest.explain.puzzle import GRADES, Puzzle, match_of, missed_by, puzzle_game
from numberquest.solver.solution import loses, wins
from numberquest.terminal.commands.arguments import game_with, program, whole_number
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.commands.report import check_new, write_new
from numberquest.terminal.commands.solve import solved
from numberquest.terminal.options import Force, Set, option, positional
from numberquest.terminal.prompt import scores
from numberquest.terminal.prompt.console import Console, tell, visible
from numberquest.terminal.prompt.question import Leave, OneQuestion, Skip, help_of

MOST = 1000
"""How many puzzles can be had with one command."""


class PuzzleOptions(NamedTuple):
    """What can be said to `puzzle`."""

    game: Annotated[str | None, positional("GAME", "a game, or the name of one certain puzzle")] = None
    daily: Annotated[bool, option("the puzzle of the day (UTC), the same for everybody")] = False
    date: Annotated[str | None, option("the daily puzzle of another day", "YYYY-MM-DD")] = None
    seed: Annotated[str | None, option("the same number gives the same puzzles again", "N")] = None
    how_many: Annotated[str | None, option("so many puzzles", "N", name="--count")] = None
    set: Set = ()
    sheet: Annotated[str | None, option("write them to this file of HTML, to print, with the answers", "FILE")] = None
    force: Force = False
    json: Annotated[bool, option("as data, with the answer")] = False
    plain: bool = False


def run_puzzle(options: PuzzleOptions, console: Console | None = None) -> None:
    day = _day(options)
    if options.force and options.sheet is None:
        raise UsageError("--force writes over a sheet, so say which: --sheet FILE")
    if options.json and options.sheet is not None:
        raise UsageError("--json is for programs and --sheet for paper: choose one")
    if options.sheet is not None:
        check_new(options.sheet, "sheet", force=options.force)
    found = _found(options, day)
    if options.sheet is not None:
        from numberquest.report.worksheet import worksheet

        sheet = list(found)
        write_new(options.sheet, worksheet(sheet, solved(sheet[0].game)), "sheet", force=options.force)
        count = "1 puzzle" if len(sheet) == 1 else f"{len(sheet)} puzzles"
        tell(f"{count}, with the answers on a page of their own: {options.sheet}")
    elif options.json:
        data = [as_data(puzzle, day) for puzzle in found]
        print(json.dumps(data if options.how_many is not None else data[0]))
    else:
        _ask_all(found, day, console or Console.standard(plain=options.plain))


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
            raise UsageError(f"--date wants a date such as 2026-01-31, not {options.date}") from None
    for name, value in (("--seed", options.seed), ("--count", options.how_many)):
        if day is not None and value is not None:
            raise UsageError(f"{name} does not go with the daily puzzle: there is one, and it is the same for all")
    return day


def _found(options: PuzzleOptions, day: str | None) -> Iterator[Puzzle]:
    count = 1 if options.how_many is None else whole_number("--count", options.how_many, 1, MOST)
    name = options.game or ""
    if _is_id(name):
        if any(options._replace(game=None, json=False, sheet=None, force=False, plain=False)):
            raise UsageError(f"{visible(name)} is one certain puzzle, so nothing else can be chosen")
        yield facts.puzzle(name, solved)
        return
    seed = new_seed()[:6] if options.seed is None else seed_text(options.seed)
    game = _game(options, seed, day)
    if day is not None:
        alone = options.json or options.sheet is not None
        named = None if options.game is None else game
        yield from [facts.daily(day, game, solved(game))] if alone else facts.daily_steps(day, named, solved(game))
        return
    left = count
    with Progress("Looking for puzzles") as progress:
        for puzzle in itertools.islice(facts.puzzles(game, seed, solved(game)), count):
            yield puzzle
            left -= 1
            if options.json or options.sheet is not None:
                progress(count - left, count)
    if left:
        tell(f"No more puzzles than these {count - left} could be found.")


def _is_id(name: str) -> bool:
    """Whether that is one certain puzzle. The file of a game can have a dash in its name too, and so can a recipe."""
    if name.startswith(RECIPE):
        return "." in name
    return "-" in name and not name.endswith((".py", RECIPE_FILE)) and not os.path.exists(name)


def _game(options: PuzzleOptions, seed: str, day: str | None) -> Game[Any]:
    if options.game is None:
        if options.set:
            raise UsageError("--set changes a rule of a game, so name the game too")
        picked = Stream(seed, "puzzle game").choose(tuple(GAMES.own))
        return puzzle_game(picked if day is None else facts.daily_game(day))
    game = game_with(options.game, options.set)
    return game if options.set else puzzle_game(name_of(game))


def _ask_all(found: Iterable[Puzzle], day: str | None, console: Console) -> None:
    # Those of a day are few, and belong together; of others there may be many to look for.
    found = found if day is None else list(found)
    steps = [puzzle.id for puzzle in found] if isinstance(found, list) else []
    for number, puzzle in enumerate(found):
        if number:
            console.say()
        again = f"The same puzzle again: {program(puzzle.game)} puzzle {puzzle.id}"
        try:
            KeyboardPuzzle(puzzle, day, console, steps).pose()
        except Skip:
            tell(again)
        except (Leave, Gone) as gone:
            if gone.__cause__ is not None:
                raise
            tell(again)
            return
        except KeyboardInterrupt:
            tell(f"\n{again}")
            raise


class KeyboardPuzzle(OneQuestion):
    """One puzzle in front of somebody."""

    help = help_of("puzzle", "it does not count", "")

    def __init__(self, puzzle: Puzzle, day: str | None, console: Console, steps: Sequence[str] = ()) -> None:
        """`steps` are the puzzles of that day, from easy to hard."""
        super().__init__(match_of(puzzle), console)
        self._puzzle, self._day, self._steps = puzzle, day, steps

    def pose(self) -> None:
        self.show()
        move = self.answer()
        right = move in self._puzzle.answers
        self._console.say()
        verdict = in_words(self._puzzle.game, facts.verdict(self._puzzle, move))
        self._console.say(verdict, "win" if right else "refusal")
        self._proof(move)
        self._count(right)

    def show(self) -> None:
        puzzle, say = self._puzzle, self._console.say
        of_the_day = f"Puzzle of {self._day}" if self._day else "Puzzle"
        if len(self._steps) > 1:
            of_the_day += f", step {self._steps.index(puzzle.id) + 1} of {len(self._steps)}"
        # A name that carries a whole recipe is for a line of its own, at the end.
        name = "" if puzzle.id.startswith(RECIPE) else f" ({puzzle.id})"
        say(f"{of_the_day}: {puzzle.game.title}, {GRADES[puzzle.grade - 1]}{name}", "heading")
        note = facts.note(puzzle)
        if note is not None:
            say(in_words(puzzle.game, note))
        if scores.counts_already(puzzle.id):
            what = "today's puzzle" if self._counting_day() else "this puzzle"
            say(f"You have tried {what} before: only the first try counts.", "hint")
        self._show_position()
        say(f"{in_words(puzzle.game, facts.question(puzzle))} (help shows what you can type)", "heading")

    def _proof(self, move: str) -> None:
        say = self._console.say
        say()
        say("Every move, best first:")
        by_value: dict[Any, list[str]] = {}
        for each, value in self._puzzle.values.items():
            by_value.setdefault(value, []).append(each)
        game = self._puzzle.game
        width = len(percent(1) if game.uncertain else "loses")
        for value, moves in by_value.items():
            shown = (
                percent(value) if game.uncertain else "wins" if wins(value) else "loses" if loses(value) else "draws"
            )
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
        day = self._counting_day()
        if day is not None and self._steps and all(step in so_far.answers for step in self._steps):
            self._console.say(f"To share: {so_far.to_share(day, self._steps)}")

    def _counting_day(self) -> str | None:
        """The day that an answer counts for: a daily puzzle counts on its own day alone."""
        return self._day if self._day == today() else None
