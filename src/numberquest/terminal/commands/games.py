"""`numberquest games`: the games that are kept here, in progress and finished."""

import time
from json import dumps
from typing import Annotated, Any, Final

from numberquest.core.contract import ending
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.record import HUMAN, Record
from numberquest.core.rulebook import titled
from numberquest.core.settings import whole_in
from numberquest.players.named import short_name
from numberquest.terminal.commands.arguments import program
from numberquest.terminal.commands.play import PlayOptions, run, series_for
from numberquest.terminal.options import option, positional
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import Console, tell
from numberquest.terminal.prompt.lock import is_held
from numberquest.terminal.prompt.saves import KeptGame

LAST: Final = "last"
ALL_FINISHED: Final = "finished"
"""Words in place of a game: the one at the top of the list, and all finished ones, which can be deleted at once."""


def run_games(
    what: Annotated[
        str | None,
        positional(help_="what to do (list)", choices=("list", "resume", "show", "review", "export", "delete")),
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
        kept = find(which, in_progress=True)
        if kept.finished:
            over = f"that game is over: {standing(kept)}. {program()} games review {kept.name} shows it"
            raise UsageError(over, FAILURE)
        run(series_for(PlayOptions(resume=kept.path)), console)
    elif what == "show":
        show(console, which)
    elif what == "review":
        review(console, which, as_json=json)
    elif what == "export":
        export(which, file)
    elif what == "delete":
        delete(which)
    elif json:
        print(dumps(as_data(), indent=2))
    else:
        list_games(console)


def list_games(console: Console) -> None:
    saves.tidy()
    games = saves.every()
    if games:
        slugs = max(len(kept.record.match.game.slug) for kept in games)
        digits = len(str(len(games)))
        for number, kept in enumerate(games, start=1):
            key = f"{number:>{digits}}  {_when(kept, '%Y-%m-%d %H:%M')} "
            name = f"{kept.record.match.game.slug:<{slugs}}"
            console.say_row(key, name, f"{opponents(kept.record)}: {standing(kept)}")
        console.say()
        name = program()
        console.say(f"{name} games resume, show, review, export or delete takes the number of a game.", "hint")
    else:
        console.say("No games are kept here yet.")
    console.say(
        f"The newest {saves.MOST_FINISHED} finished games are kept; the oldest go. They are in {saves.folder()}.",
        "hint",
    )
    missing = missing_games()
    if missing:
        tell(missing)
    for path in saves.unreadable():
        tell(f"{path} cannot be read as a game, and is left as it is.")


def as_data() -> list[dict[str, Any]]:
    """The games with the fields that docs/records.md describes; players are 1 and 2."""
    saves.tidy()
    return [
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


def find(which: str | None, *, in_progress: bool = False) -> KeptGame:
    """The game that somebody names, by its number in the list or its name; without a word the newest."""
    games = saves.every()
    if which in (None, LAST):
        games = [kept for kept in games if not (in_progress and kept.finished)]
        if not games:
            what = "no game in progress here" if in_progress else "no game kept here"
            raise UsageError(f"there is {what}", FAILURE)
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


def review(console: Console, which: str | None, *, as_json: bool = False) -> None:
    from numberquest.terminal.commands import review_words as reviews

    kept = find(which)
    seen = reviews.reviewed(kept.record)
    if as_json:
        print(dumps(reviews.as_data(kept.record, seen)))
    else:
        reviews.show(console, seen, kept.record)


def export(which: str | None, file: str | None) -> None:
    """Write a game to a file, never over another; without a file to standard output."""
    kept = find(which)
    if file in (None, "-"):
        print(kept.record.text(), end="")
        return
    tell(f"Saved to {saves.write_own(file or '', kept.record)}")


def delete(which: str | None) -> None:
    """Remove a game for good, or all finished ones; one that is being played stays."""
    if which is None:
        raise UsageError("which game? Say its number in the list, its name, or finished for all finished ones")
    games = [kept for kept in saves.every() if kept.finished] if which == ALL_FINISHED else [find(which)]
    for kept in games:
        lock = saves.hold(kept.path) if saves.is_kept_here(kept.path) else None
        try:
            saves.remove(kept.path)
        finally:
            if lock is not None:
                lock.release()
    if which == ALL_FINISHED:
        tell(f"Deleted: {len(games)} finished {'game' if len(games) == 1 else 'games'}")
    else:
        tell(f"Deleted: {games[0].name}, {opponents(games[0].record)}")


def opponents(record: Record) -> str:
    """Who plays whom, with the level of a computer player."""
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


def missing_games() -> str | None:
    missing = saves.of_missing_games()
    if not missing:
        return None
    return (
        f"There are saved games of {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not here: "
        f"bring the file of the game with {program()} --with FILE"
    )


def _when(kept: KeptGame, how: str) -> str:
    return time.strftime(how, time.localtime(kept.played))
