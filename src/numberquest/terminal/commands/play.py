"""`numberquest play`: from its options to a game at the keyboard, and to its end however that comes."""

import os
import time
from typing import Annotated, Any, NamedTuple

from numberquest.core import dealer
from numberquest.core.contract import Game, ending, player_name
from numberquest.core.errors import FAILURE, Gone, Stopped, UsageError
from numberquest.core.match import led_to
from numberquest.core.names import bad_name, one_way
from numberquest.core.play_out import BEGINS
from numberquest.core.record import HUMAN, PRACTICE, Record, read_deal
from numberquest.core.registry import GAMES, is_path
from numberquest.core.stream import Stream
from numberquest.players.levels import PLAYERS, computer_name
from numberquest.players.named import FORMS, is_level, is_program, short_name
from numberquest.terminal.commands.arguments import (
    check_players,
    check_who,
    game_with,
    position_after,
    program,
    read_record,
    whole_number,
)
from numberquest.terminal.options import Begins, Set, option, positional
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import Console, Keyboard, tell
from numberquest.terminal.prompt.question import Leave
from numberquest.terminal.prompt.series import MOST_ROUNDS, SavedGame, Series, Side, round_path, standing


class PlayOptions(NamedTuple):
    """What can be said to `play`."""

    game: Annotated[str | None, positional("GAME", "its short name, or its file")] = None
    p1: Annotated[str | None, option("Player 1: human, a level, FILE.py:NAME, cmd:PROGRAM or llm:MODEL", "WHO")] = None
    p2: Annotated[str | None, option("Player 2, in the same way", "WHO")] = None
    names: Annotated[str | None, option("the names of Player 1 and Player 2", "A,B")] = None
    toss: Annotated[bool, option("a coin decides who is Player 1")] = False
    rounds: Annotated[str | None, option("so many rounds, with points; --begins says who begins the next", "N")] = None
    begins: Begins = None
    seed: Annotated[str | None, option("the same number gives the same game again", "N")] = None
    deal: Annotated[str | None, option("fixes every reveal, or the first draws", "3,7,1,...")] = None
    set: Set = ()
    coach: Annotated[bool, option("say after a move of yours what it gave away")] = False
    record: Annotated[str | None, option("write the game to this file", "FILE")] = None
    resume: Annotated[str | None, option("go on with a saved game", "FILE")] = None
    after: Annotated[str | None, option("start after these moves and reveals, with blanks between", "MOVES")] = None
    start: Annotated[str | None, option("start where the game in this file stands", "FILE", name="--from")] = None
    plain: bool = False


def run_play(options: PlayOptions) -> None:
    run(series_for(options), Console.standard(plain=options.plain))


def series_for(options: PlayOptions) -> Series:
    """The series that was asked for; `UsageError` where it cannot be."""
    if options.after or options.start is not None:
        return _series_from_position(options)
    return _resumed_series(options) if options.resume is not None else _new_series(options)


def run(series: Series, console: Console) -> bool:
    """Play; False where nobody is there any more. However it is left, the way to go on is told."""
    _listen_for_the_end()
    try:
        if set(series.kinds) == {HUMAN}:
            _play_all(series, console)
        else:
            _play_computers(series, console)
    except (Exception, KeyboardInterrupt, Stopped) as end:
        # Also where somebody's game or player, or a given draw that cannot come there, has broken it off.
        if isinstance(end, KeyboardInterrupt | Stopped):
            tell("")
        _tell_how_to_go_on(series)
        if not isinstance(end, Leave | Gone) or end.__cause__ is not None:
            raise
        gone = isinstance(end, Gone)
    else:
        gone = False
    finally:
        series.leave()
    if series.lost:
        raise UsageError(f"not everything is kept: {'; '.join(series.lost)}", FAILURE)
    return not gone


def _named_game(options: PlayOptions) -> Game[Any]:
    if options.game is None:
        raise UsageError(f"which game? Name one of {', '.join(GAMES)}")
    return game_with(options.game, options.set)


def _play_all(series: Series, console: Console) -> None:
    while not series.is_over:
        played = series.play_round(console)
        if console.rich and HUMAN in played.kinds:
            # Where a person has played and looks at a terminal. In a pipe nothing is asked.
            from numberquest.explain.ladder import earned
            from numberquest.terminal.commands.review_words import offer

            star = earned(played, (kept.record for kept in saves.every() if kept.finished))
            if star is not None:
                console.say(f"★ That earns the star of {star}. All of them: {program()} games stars", "win")
            again = offer(console, played, kept=not series.unkept)
            if again is not None:
                play_on(again, console)
        if not series.is_over:
            console.say()
    series.finish(console)


def _play_computers(series: Series, console: Console) -> None:
    """Let the computer players think about the rules before the game, and say what people should know."""
    from numberquest.solver.budget import patient_for
    from numberquest.terminal.commands.progress import PATIENCE, Progress

    with patient_for(PATIENCE):
        for one in series.players:
            with Progress("The computer is thinking about the rules") as progress:
                one.prepare(series.game, progress.tell, progress)
        _play_all(series, console)


def play_on(record: Record, console: Console) -> bool:
    """Play a record on from where it stands, as a game of its own; False where nobody is there any more."""
    found = SavedGame(saves.new_path(record.match.game.slug), record)
    return run(Series.resumed(found), console)


def _new_series(options: PlayOptions) -> Series:
    game = _named_game(options)
    rounds = 1 if options.rounds is None else whole_number("--rounds", options.rounds, 1, MOST_ROUNDS)
    deal = read_deal(game, options.deal) if options.deal is not None else None
    if options.seed is not None:
        # The last round's seed is the longest one.
        dealer.seed_text(options.seed if rounds == 1 else f"{options.seed}.{rounds}")
    if deal is not None:
        dealer.given(game, deal)
    if options.begins is not None and rounds == 1:
        raise UsageError("--begins says who begins the next round: say --rounds too")
    sides = _sides(options, rounds)
    if options.record is not None:
        for number in range(1, rounds + 1):
            _check_new_file(round_path(options.record, number, rounds))
        _tell_files(options.record, 1, rounds)
    return Series(
        game,
        sides,
        rounds=rounds,
        begins=options.begins or BEGINS[0],
        seed=options.seed,
        deal=deal,
        coached=options.coach,
        record_path=options.record,
    )


def _series_from_position(options: PlayOptions) -> Series:
    """A game of its own that starts where some moves lead, or where the record in a file stands."""
    option = "--after" if options.start is None else "--from"
    settled = ("rounds", "deal", "resume") + (() if options.start is None else ("after", "set", "seed", "toss"))
    for name in settled:
        if getattr(options, name):
            raise UsageError(f"--{name} does not go with {option}, which says where the game starts")
    record = _led_to(options) if options.start is None else _taken_up(options, options.start)
    match = record.match
    if match.outcome is not None:
        why = ending(match.game, match.outcome, record.names)
        raise UsageError(f"{option}: the game is over there: {why}. Choose an earlier place", FAILURE)
    if options.record is not None:
        _check_new_file(options.record)
    practice = record if record.practice else record._replace(other=(*record.other, PRACTICE))
    practice = practice.begun_here()
    path = saves.new_path(match.game.slug)
    return Series.resumed(SavedGame(path, practice), coached=options.coach, record_path=options.record)


def _led_to(options: PlayOptions) -> Record:
    game = _named_game(options)
    entries, _ = position_after(game, options.after or "")
    first, second = _sides(options, 1)
    match = led_to(game, entries, options.seed)
    return Record(match, (first.name, second.name), (first.kind, second.kind), time.strftime("%Y-%m-%d"))


def _taken_up(options: PlayOptions, path: str) -> Record:
    """The game in a file, to be played on by whoever is named; where nobody is, by those who played it."""
    record = _record_of(options, path)
    again = record.cut_back(len(record.match.history))
    asked = (options.p1, options.p2)
    p1, p2 = (who or kind for who, kind in zip(asked, record.kinds, strict=True))
    check_players(path, record, named=asked)
    first, second = _sides(options._replace(p1=p1, p2=p2), 1)
    names = record.names if options.names is None else (first.name, second.name)
    return again._replace(names=names, kinds=(first.kind, second.kind), date=time.strftime("%Y-%m-%d"))


def _record_of(options: PlayOptions, path: str) -> Record:
    """The record in a file; `UsageError` where it is not of the game that was named."""
    # A game that is named by its file must be known before the record speaks of it.
    named = game_with(options.game).slug if options.game is not None and is_path(options.game) else options.game
    record = read_record(path)
    if named not in (None, record.match.game.slug):
        raise UsageError(f"{path} is a game of {record.match.game.slug}, not of {options.game}")
    return record


def _resumed_series(options: PlayOptions) -> Series:
    free = {"game", "coach", "record", "resume", "p1", "p2", "plain"}
    for name, value in options._asdict().items():
        if name not in free and value not in (None, False, (), []):
            raise UsageError(f"--{name} does not go with --resume: the saved game has settled it")
    path = options.resume or ""
    # Before it is read: what another window plays on must not be taken for where the game stands.
    lock = saves.hold(os.path.realpath(path)) if saves.is_kept_here(path) else None
    try:
        record = _programs_named(options, _record_of(options, path))
        match = record.match
        check_players(path, record, named=(options.p1, options.p2), how="--resume")
        if match.outcome is not None and (saves.is_finished(path) or not saves.goes_on(record)):
            raise UsageError(f"the game in {path} is over: {ending(match.game, match.outcome)}", FAILURE)
        if options.record is not None:
            now, rounds, _, _ = standing(record)
            for number in range(now, rounds + 1):
                copy = round_path(options.record, number, rounds)
                if not _is_earlier(copy, record, path):
                    _check_new_file(copy)
            _tell_files(options.record, now, rounds)
        found = SavedGame(path, record, lock)
        return Series.resumed(found, coached=options.coach, record_path=options.record)
    except BaseException:
        if lock is not None:
            lock.release()
        raise


def _programs_named(options: PlayOptions, record: Record) -> Record:
    """The record with its programs as they are named now: they may be somewhere else than they were."""
    kinds = list(record.kinds)
    for seat, (seat_option, asked) in enumerate((("--p1", options.p1), ("--p2", options.p2))):
        if asked is None:
            continue
        if not (is_program(kinds[seat]) and is_program(asked)):
            raise UsageError(f"{seat_option} does not go with --resume: the saved game has settled it")
        check_who(seat_option, asked)
        kinds[seat] = asked
    return record._replace(kinds=(kinds[0], kinds[1]))


def _is_earlier(copy: str, record: Record, path: str) -> bool:
    """Whether a file is the saved game itself, or a copy of it from before: then it may be written over."""
    if os.path.realpath(copy) == os.path.realpath(path):
        return True
    try:
        before = saves.load(copy).match
    except (OSError, ValueError):
        return False
    match = record.match
    same_deal = (before.game, before.dealer.deal) == (match.game, match.dealer.deal)
    return same_deal and match.history[: len(before.history)] == before.history


def _sides(options: PlayOptions, rounds: int) -> tuple[Side, Side]:
    one, two = (who if is_program(who) else who.lower() for who in (options.p1 or HUMAN, options.p2 or HUMAN))
    kinds = one, two
    for seat_option, kind in zip(("--p1", "--p2"), kinds, strict=True):
        if kind != HUMAN and not is_level(kind) and ":" not in kind and not is_path(kind):
            levels = ", ".join(PLAYERS)
            raise UsageError(f"{seat_option} is {HUMAN} or a computer player ({levels}), not {kind}; or {FORMS}")
        check_who(seat_option, kind)
    swapped = False
    if options.toss:
        seed = options.seed if options.seed is not None else dealer.new_seed()
        swapped = Stream(seed, "toss").below(2) == 1
    if options.names is not None:
        names = _names(options.names, kinds)
    else:
        names = _usual_names(kinds, rounds, swapped)
    sides = Side(names[0], kinds[0]), Side(names[1], kinds[1])
    if swapped:
        sides = sides[1], sides[0]
    if options.toss and options.names is None and rounds == 1 and kinds[0] == kinds[1]:
        tell(f"The coin shows {'tails' if swapped else 'heads'}: whoever called that is {sides[0].name}.")
    elif options.toss:
        told = kinds[0] == kinds[1] or short_name(sides[0].kind) in sides[0].name
        kind = "" if told else f" ({short_name(sides[0].kind)})"
        tell(f"The coin is tossed: {sides[0].name}{kind} goes first.")
    return sides


def _usual_names(kinds: tuple[str, str], rounds: int, swapped: bool) -> tuple[str, str]:
    people = player_name(0, rounds), player_name(1, rounds)
    if swapped and rounds == 1:
        # They are called after their seats, whoever the coin puts there.
        people = people[::-1]
    alike = kinds[0] == kinds[1]
    one, two = (
        people[side] if kind == HUMAN else computer_name(short_name(kind), side + 1 if alike else None)
        for side, kind in enumerate(kinds)
    )
    return one, two


def _names(text: str, kinds: tuple[str, str]) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) == 1 and kinds.count(HUMAN) == 1:
        # The computer has a name of its own.
        person = kinds.index(HUMAN)
        names.insert(1 - person, computer_name(short_name(kinds[1 - person])))
    if len(names) != 2 or names[0].casefold() == names[1].casefold():
        raise UsageError("--names wants two different names with a comma between them: --names Ann,Bo")
    for name, kind in zip(names, kinds, strict=True):
        why = None if kind != HUMAN and name == computer_name(short_name(kind)) else bad_name(name)
        if why:
            raise UsageError(f"--names: {why}")
    return one_way(names[0]), one_way(names[1])


def _tell_files(path: str, first: int, rounds: int) -> None:
    """In a series each round has a file of its own, and none is called as was typed: say how they are called."""
    if rounds > 1:
        names = [round_path(path, number, rounds) for number in range(first, rounds + 1)]
        shown = f"{names[0]} to {names[-1]}" if len(names) > 2 else " and ".join(names)
        tell(f"Each round is written to a file of its own: {shown}")


def _check_new_file(path: str) -> None:
    if not path:
        raise UsageError("--record wants the name of a file")
    if os.path.lexists(path):
        raise UsageError(f"{path} exists already; choose another name for the record")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise UsageError(f"{path} cannot be written: {folder} is not a folder that can be written to", FAILURE)


def _tell_how_to_go_on(series: Series) -> None:
    path = series.going_on
    if path is not None:
        import shlex

        copy = f" --record {shlex.quote(series.record_path)}" if series.record_path else ""
        if not saves.is_kept_here(path):
            # A program that a file of somebody's own names is run only where it is named again.
            copy += "".join(
                f" --p{seat} {shlex.quote(kind)}" for seat, kind in enumerate(series.kinds, start=1) if is_program(kind)
            )
        again = f"{program(series.game)} play {series.game.slug} --resume {shlex.quote(path)}{copy}"
        tell(f"Game saved. Go on with: {again}")
    elif series.untouched:
        tell("No move was made, so there is nothing to keep.")


def _listen_for_the_end() -> None:
    """Let `kill` and a terminal that goes away end the game in good order."""
    import signal

    def stop(number: int, _: object) -> None:
        # First of all: a stopped program that is killed is also told to go on.
        Keyboard.leaving = True
        # Once is enough: a second signal must not break into the goodbye.
        signal.signal(number, signal.SIG_IGN)
        raise Stopped(number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
