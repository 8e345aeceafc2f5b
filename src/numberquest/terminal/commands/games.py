"""`numberquest games`: the games that are kept here, in progress and finished."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from json import dumps
from typing import Annotated, Any, Final

from numberquest.core.contract import ending, in_words
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.record import HUMAN, Record
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import titled
from numberquest.core.settings import whole_in
from numberquest.players.levels import PLAYERS
from numberquest.players.named import short_name
from numberquest.terminal.commands.arguments import program
from numberquest.terminal.commands.play import PlayOptions, run, series_for
from numberquest.terminal.commands.solve import solved
from numberquest.terminal.options import option, positional
from numberquest.terminal.prompt import saves, scores
from numberquest.terminal.prompt.console import Console, tell
from numberquest.terminal.prompt.lock import is_held
from numberquest.terminal.prompt.saves import KeptGame, UnreadFile

PAGE: Final = 10
"""Rows of one page of the list from which a player chooses a game."""
LAST: Final = "last"
ALL_FINISHED: Final = "finished"
ALL: Final = "all"
"""Words in place of a game: the newest one, the finished ones, to be deleted at once, and all, to be exported."""


def run_games(
    what: Annotated[
        str | None,
        positional(
            help_="what to do (list)", choices=("list", "stars", "resume", "show", "review", "export", "delete")
        ),
    ] = None,
    which: Annotated[str | None, positional("WHICH", "its number in the list, or its name; else the newest")] = None,
    file: Annotated[str | None, positional("FILE", "where to export to; otherwise it is printed")] = None,
    json: Annotated[bool, option("the list, or a review, as data")] = False,
    plain: bool = False,
) -> None:
    what = what or "list"
    if json and what not in ("list", "review"):
        raise UsageError(f"games {what} has no data to show: leave --json out")
    if file is not None and what != "export":
        raise UsageError(f"games {what} takes one game, and no file")
    if which is not None and what == "list":
        raise UsageError(
            "games list lists all games: leave the name out, or say show, resume, review, export or delete"
        )
    console = Console.standard(plain=plain)
    if what == "resume":
        kept = find(which, [one for one in saves.every() if which not in (None, LAST) or not one.finished])
        if kept.finished:
            over = f"that game is over: {standing(kept)}. {program()} games review {kept.name} shows it"
            raise UsageError(over, FAILURE)
        run(series_for(PlayOptions(resume=kept.path)), console)
    elif what == "stars":
        stars(console)
    elif what == "show":
        show(console, which)
    elif what == "review":
        review(console, find(which), as_json=json)
    elif what == "export":
        export(which, file)
    elif what == "delete":
        delete(which, console if console.rich else None)
    elif json:
        print(dumps(as_data(), indent=2))
    else:
        list_games(console)


def list_games(console: Console, shown: Sequence[KeptGame] | None = None, page: int = 0) -> None:
    """List all games, newest first; or one page of `shown`, with the newest game last, next to the prompt."""
    saves.tidy()
    games = saves.every() if shown is None else shown
    if games:
        slugs = max(len(kept.record.match.game.slug) for kept in games)
        digits = len(str(len(games)))
        rows = list(enumerate(games, start=1))
        for number, kept in rows if shown is None else reversed(rows[page : page + PAGE]):
            key = f"{number:>{digits}}  {_when(kept, '%Y-%m-%d %H:%M')} "
            name = f"{kept.record.match.game.slug:<{slugs}}"
            console.say_row(key, name, f"{opponents(kept.record)}: {standing(kept)}")
        if shown is not None:
            return
        console.say()
        name = program()
        console.say(f"{name} games resume, show, review, export or delete takes the number of a game.", "hint")
    else:
        console.say("No games are kept here yet.")
    console.say(
        f"The newest {saves.MOST_FINISHED} finished games are kept; the oldest go. They are in {saves.folder()}.",
        "hint",
    )
    tell_unread(saves.unread())


def as_data() -> list[dict[str, Any]]:
    """Return the games with the fields that docs/records.md describes; players are 1 and 2."""
    saves.tidy()
    unread = saves.unread()
    tell_unread([one for one in unread if not one.tags])
    rows: list[dict[str, Any]] = [
        {
            "number": number,
            "name": kept.name,
            "file": kept.path,
            "date": _when(kept, "%Y-%m-%dT%H:%M:%S"),
            "game": kept.record.match.game.slug,
            "settings": kept.record.match.game.settings,
            "names": list(kept.record.names),
            "players": list(kept.record.kinds),
            "moves": kept.record.moves,
            "result": kept.record.result,
            "standing": standing(kept),
            "finished": kept.finished,
            "playing": is_held(kept.path),
        }
        for number, kept in enumerate(saves.every(), start=1)
    ]
    # Of a game that is not here the tags alone are known: what they do not say is null.
    return rows + [
        {
            **dict.fromkeys(("number", "date", "settings", "moves")),
            "name": os.path.basename(path).removesuffix(saves.SUFFIX),
            "file": path,
            "game": tags["Game"],
            "names": [tags.get("Player1"), tags.get("Player2")],
            "players": [tags.get("Player1Type"), tags.get("Player2Type")],
            "result": tags.get("Result"),
            "standing": missing_games([one]),
            "finished": saves.is_finished(path),
            "playing": is_held(path),
        }
        for one in unread
        for path, tags in [one]
        if tags
    ]


def find(which: str | None, shown: Sequence[KeptGame] | None = None) -> KeptGame:
    """Return the game with this number in the list or this name; without an argument the newest game."""
    games = saves.every() if shown is None else shown
    if which in (None, LAST):
        if not games:
            raise UsageError(f"there is no game {'kept' if shown is None else 'in progress'} here", FAILURE)
        return max(games, key=lambda kept: kept.played)
    number = whole_in(which or "")
    if number is not None:
        if not 1 <= number <= len(games):
            raise UsageError(f"there is no game {number} in the list: {program()} games shows it", FAILURE)
        return games[number - 1]
    named = [kept for kept in games if kept.name == which] or [
        kept for kept in games if kept.name.startswith(which or "")
    ]
    if len(named) != 1:
        what = "several games begin" if named else "no game is called or begins"
        raise UsageError(f"{what} with {which}: {program()} games shows their numbers", FAILURE)
    return named[0]


def show(console: Console, which: str | None) -> None:
    from numberquest.terminal.prompt.dialogue import dialogue_for

    kept = find(which)
    record = kept.record
    match = record.match
    console.say(titled(match.game), "heading")
    console.say(f"{opponents(record)}, {_when(kept, '%Y-%m-%d %H:%M')}")
    console.say(f"{kept.name}: {standing(kept)}")
    console.say()
    # Without the deal: who looks at a game in progress must not see what is still hidden.
    moves = record.text(deal=False).partition("\n\n")[2].rstrip("\n")
    console.say(moves or "No move has been made yet.")
    console.say()
    dialogue_for(match.game)(match, record.names, record.people, console).standing()


def stars(console: Console) -> None:
    """Print the stars of each game, the streak of daily puzzles, and the key moments found in each month."""
    from numberquest.explain.ladder import WINS, climbed, in_facts, ladder, step
    from numberquest.terminal.commands.puzzle import today
    from numberquest.terminal.commands.review_words import reviewed

    games = [kept for kept in saves.every() if kept.finished]
    steps = [one for one in (step(kept.record) for kept in games) if one is not None]
    for slug, kind in GAMES.own.items():
        rule = ladder(solved(kind()))
        won = {level: climbed(rule, level, (one for one in steps if one.slug == slug)) for level in PLAYERS}
        told = ", ".join(f"{level} {'★' if times >= WINS else f'{times} of {WINS}'}" for level, times in won.items())
        console.say(f"{slug:<9}  {told}")
        console.say(f"  {in_words(kind(), in_facts(rule))}", "hint")
    console.say()
    puzzles = scores.load(tell)
    if puzzles is not None:
        console.say(puzzles.in_words(today()))
    months: dict[str, Counter[str]] = {}
    for kept in games:
        record, game = kept.record, kept.record.match.game
        if sum(record.people) == 1 and game.slug in GAMES.own and not game.changes:
            found, of = reviewed(record).key_moments[record.people.index(True)]
            months.setdefault(_when(kept, "%Y-%m"), Counter()).update(found=found, of=of)
    for month, sums in sorted(months.items()):
        console.say(f"Key moments of {month}, where the move mattered: {sums['found']} of {sums['of']} found.")


def export_all(folder: str) -> None:
    """Write every game, and the scores of the puzzles, to a folder that is not there yet."""
    unread = saves.unread()
    # Without its game a record is not read: its file is copied.
    others = [one.path for one in unread if one.tags]
    try:
        os.makedirs(folder)
        for path in others:
            shutil.copy(path, folder)
        with suppress(FileNotFoundError):
            shutil.copy(scores.path(), folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}", FAILURE) from None
    games = saves.every()
    for kept in games:
        saves.write_own(os.path.join(folder, f"{kept.name}{saves.SUFFIX}"), kept.record)
    total = len(games) + len(others)
    tell(f"Saved {total} {'game' if total == 1 else 'games'} to {folder}")
    tell_unread(unread)


def review(console: Console, kept: KeptGame, *, as_json: bool = False) -> None:
    from numberquest.terminal.commands import review_words as reviews

    seen = reviews.reviewed(kept.record)
    if as_json:
        print(dumps(reviews.as_data(kept.record, seen)))
    else:
        reviews.show(console, seen, kept.record)


def export(which: str | None, file: str | None) -> None:
    """Write a game to a file, never over another, or all to a new folder; without a file to standard output."""
    if which == ALL:
        export_all(file or "numberquest-games")
    elif file in (None, "-"):
        print(find(which).record.text(), end="")
    else:
        tell(f"Saved to {saves.write_own(file or '', find(which).record)}")


def delete(which: str | None, console: Console | None = None, shown: Sequence[KeptGame] | None = None) -> None:
    """Remove a game for good, or all finished games; at a terminal, ask for a yes first."""
    if which is None:
        raise UsageError("which game? Say its number in the list, its name, or finished for all finished ones")
    games = [kept for kept in saves.every() if kept.finished] if which == ALL_FINISHED else [find(which, shown)]
    finished = f"{len(games)} finished {'game' if len(games) == 1 else 'games'}"
    what = finished if which == ALL_FINISHED else f"{games[0].name}, {opponents(games[0].record)}"
    told = "Type yes and it is gone, with the star that it may have earned; anything else leaves it."
    if console and console.question(f"Delete {what} for good? (yes/no): ", told).lower() not in ("y", "yes"):
        tell("Nothing was deleted.")
        return
    for kept in games:
        lock = saves.hold(kept.path) if saves.is_kept_here(kept.path) else None
        try:
            saves.remove(kept.path)
        finally:
            if lock is not None:
                lock.release()
    tell(f"Deleted: {what}")


def opponents(record: Record) -> str:
    """Return the two players in words, with the level of a computer player."""
    one, two = (
        name if kind == HUMAN or short_name(kind) in name else f"{name} ({short_name(kind)})"
        for name, kind in zip(record.names, record.kinds, strict=True)
    )
    return f"{one} against {two}"


def in_short(record: Record) -> str:
    """A game in progress on one line: who plays, how far it has come, what is special in it, and from when it is."""
    return ", ".join([opponents(record), _played(record), *_special(record), *filter(None, [record.date])])


def _played(record: Record) -> str:
    return "1 move played" if record.moves == 1 else f"{record.moves} moves played"


def _special(record: Record) -> list[str]:
    """Which round of how many it is, and the rules that are changed."""
    now, _, rounds = dict(record.other).get("Round", "").partition("/")
    changes = record.match.game.changes
    return [*([f"round {now} of {rounds}"] if rounds else []), *([changes] if changes else [])]


def standing(kept: KeptGame) -> str:
    record, match, outcome = kept.record, kept.record.match, kept.record.match.outcome
    if outcome is None:
        words = f"{_played(record)}, {record.names[match.player]} to move"
    else:
        won = "drawn" if outcome.winner is None else f"{record.names[outcome.winner]} won"
        words = f"{won}, {ending(match.game, outcome, record.names)}"
    words = "; ".join([words, *_special(record)])
    return f"{words}; being played in another window" if is_held(kept.path) else words


def tell_unread(files: Sequence[UnreadFile]) -> None:
    """Say of the files that are left out of a list why, and which of them can be read with the file of their game."""
    missing = missing_games(files)
    if missing:
        tell(missing)
    for one in files:
        if not one.tags:
            tell(f"{one.path} cannot be read as a game, and is left as it is.")


def missing_games(files: Sequence[UnreadFile]) -> str | None:
    missing = sorted({one.tags["Game"] for one in files if one.tags})
    if not missing:
        return None
    return (
        f"There are saved games of {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not here: "
        f"bring the file of the game with {program()} --with FILE"
    )


def _when(kept: KeptGame, how: str) -> str:
    return time.strftime(how, time.localtime(kept.played))
