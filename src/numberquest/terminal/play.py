"""`numberquest play`: from its options to a game at the keyboard, and to its end however that comes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from numberquest import dealer
from numberquest.contract import ending, player_name
from numberquest.games import GAMES, is_path
from numberquest.mistake import FAILURE, Gone, Mistake, Stopped
from numberquest.names import bad_name, one_way
from numberquest.players import PLAYERS, player
from numberquest.record import HUMAN, Record, read_deal
from numberquest.settings import whole_in
from numberquest.stream import Stream
from numberquest.terminal import saves
from numberquest.terminal.arguments import check_players, game_with, read_record
from numberquest.terminal.keyboard_match import Leave
from numberquest.terminal.messages import program, tell
from numberquest.terminal.series import MOST_ROUNDS, Series, Side, round_path, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.terminal.console import Console


class PlayOptions(NamedTuple):
    """What somebody asked for, as typed; None and empty where they said nothing."""

    game: str | None = None
    p1: str | None = None
    p2: str | None = None
    names: str | None = None
    toss: bool = False
    rounds: str | None = None
    seed: str | None = None
    deal: str | None = None
    set: Sequence[str] = ()
    coach: bool = False
    record: str | None = None
    resume: str | None = None


def series_for(options: PlayOptions) -> Series:
    """The series that was asked for; `Mistake` where it cannot be."""
    try:
        return _resumed_series(options) if options.resume is not None else _new_series(options)
    except dealer.BadDeal as error:
        raise Mistake(str(error)) from None


def run(series: Series, console: Console) -> bool:
    """Play; False if it was left before its end. However it is left, the way to go on is told."""
    _listen_for_the_end()
    try:
        if set(series.kinds) == {HUMAN}:
            _play_all(series, console)
        else:
            _play_computers(series, console)
    except Leave:
        _tell_how_to_go_on(series)
        return False
    except Gone as gone:
        _tell_how_to_go_on(series)
        if gone.__cause__ is not None:
            raise
        return False
    except (KeyboardInterrupt, Stopped):
        tell("")
        _tell_how_to_go_on(series)
        raise
    except Exception as error:
        # Somebody's game, or a given draw that cannot come there, has broken it off; what was played before is kept.
        _tell_how_to_go_on(series)
        if isinstance(error, dealer.BadDeal):
            raise Mistake(str(error)) from None
        raise
    return True


def _play_all(series: Series, console: Console) -> None:
    while not series.is_over:
        played = series.play_round(console)
        if console.rich and HUMAN in played.kinds:
            # Where a person has played and looks at a terminal. In a pipe nothing is asked.
            from numberquest.terminal.review import offer

            again = offer(console, played)
            if again is not None:
                play_on(again, console)
        if not series.is_over:
            console.say()
    series.finish(console)


def _play_computers(series: Series, console: Console) -> None:
    """Let the computer players think about the rules before the game, and say what people should know."""
    from numberquest.terminal.progress import PATIENCE, Progress, patient_for

    with patient_for(PATIENCE):
        for kind in dict.fromkeys(series.kinds):
            if kind != HUMAN:
                player(kind).prepare(series.game, tell, Progress("The computer is thinking about the rules"))
        _play_all(series, console)


def play_on(record: Record, console: Console) -> bool:
    """Play a record on from where it stands, as a game of its own; False if it was left before its end."""
    return run(Series.resumed(saves.new_path(record.match.game.slug), record, warn=tell), console)


def _new_series(options: PlayOptions) -> Series:
    if options.game is None:
        raise Mistake(f"which game? Name one of {', '.join(GAMES)}")
    game = game_with(options.game, options.set)
    rounds = _rounds(options.rounds)
    deal = read_deal(game, options.deal) if options.deal is not None else None
    if options.seed is not None:
        # The last round's seed is the longest one.
        dealer.seed_text(options.seed if rounds == 1 else f"{options.seed}.{rounds}")
    if deal is not None:
        dealer.given(game, deal)
    sides = _sides(options, rounds)
    if options.record is not None:
        for number in range(1, rounds + 1):
            _check_new_file(round_path(options.record, number, rounds))
    return Series(
        game,
        sides,
        rounds=rounds,
        seed=options.seed,
        deal=deal,
        coached=options.coach,
        record_path=options.record,
        warn=tell,
    )


def _resumed_series(options: PlayOptions) -> Series:
    free = {"game", "coach", "record", "resume"}
    for name, value in options._asdict().items():
        if name not in free and value not in (None, False, (), []):
            raise Mistake(f"--{name} does not go with --resume: the saved game has settled it")
    path = options.resume or ""
    # A game that is named by its file must be known before the record speaks of it.
    named = game_with(options.game).slug if options.game is not None and is_path(options.game) else options.game
    record = read_record(path)
    match = record.match
    if named not in (None, match.game.slug):
        raise Mistake(f"{path} is a game of {match.game.slug}, not of {options.game}")
    check_players(path, record)
    if match.outcome is not None and not saves.goes_on(record):
        raise Mistake(f"the game in {path} is over: {ending(match.game, match.outcome)}", FAILURE)
    if options.record is not None:
        now, rounds, _, _ = standing(record)
        for number in range(now, rounds + 1):
            copy = round_path(options.record, number, rounds)
            if not _is_earlier(copy, record, path):
                _check_new_file(copy)
    return Series.resumed(path, record, coached=options.coach, record_path=options.record, warn=tell)


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
    """Who plays Player 1 and who Player 2 in the first round."""
    kinds = (options.p1 or HUMAN, options.p2 or HUMAN)
    for option, kind in zip(("--p1", "--p2"), kinds, strict=True):
        if kind != HUMAN and kind not in PLAYERS:
            raise Mistake(f"{option} is {HUMAN} or a computer player ({', '.join(PLAYERS)}), not {kind}")
    swapped = False
    if options.toss:
        seed = options.seed if options.seed is not None else dealer.new_seed()
        swapped = Stream(seed, "toss").below(2) == 1
    if options.names is not None:
        names = _names(options.names)
    elif rounds > 1:
        # The two change seats each round, so that "Player 1" would be now one and now the other.
        names = ("Player A", "Player B")
    else:
        # They are called after their seats, whoever the coin puts there.
        names = (player_name(1), player_name(0)) if swapped else (player_name(0), player_name(1))
    sides = Side(names[0], kinds[0]), Side(names[1], kinds[1])
    if swapped:
        sides = sides[1], sides[0]
    if options.toss and options.names is None and rounds == 1 and kinds[0] == kinds[1]:
        tell(f"The coin shows {'tails' if swapped else 'heads'}: whoever called that is {sides[0].name}.")
    elif options.toss:
        kind = "" if kinds[0] == kinds[1] else f" ({sides[0].kind})"
        tell(f"The coin is tossed: {sides[0].name}{kind} goes first.")
    return sides


def _names(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or names[0].casefold() == names[1].casefold():
        raise Mistake("--names wants two different names with a comma between them: --names Ann,Bo")
    for name in names:
        why = bad_name(name)
        if why:
            raise Mistake(f"--names: {why}")
    return one_way(names[0]), one_way(names[1])


def _rounds(text: str | None) -> int:
    rounds = 1 if text is None else whole_in(text)
    if rounds is None or not 1 <= rounds <= MOST_ROUNDS:
        raise Mistake(f"--rounds wants a whole number from 1 to {MOST_ROUNDS}, not {text}")
    return rounds


def _check_new_file(path: str) -> None:
    if not path:
        raise Mistake("--record wants the name of a file")
    if os.path.lexists(path):
        raise Mistake(f"{path} exists already; choose another name for the record")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise Mistake(f"{path} cannot be written: {folder} is not a folder that can be written to", FAILURE)


def _tell_how_to_go_on(series: Series) -> None:
    path = series.going_on
    if path is not None:
        import shlex

        copy = f" --record {shlex.quote(series.record_path)}" if series.record_path else ""
        again = f"{program(series.game)} play {series.game.slug} --resume {shlex.quote(path)}{copy}"
        tell(f"Game saved. Go on with: {again}")
    elif series.untouched:
        tell("No move was made, so there is nothing to keep.")


def _listen_for_the_end() -> None:
    """Let `kill` and a terminal that goes away end the game in good order."""
    import signal

    def stop(number: int, _: object) -> None:
        # Once is enough: a second signal must not break into the goodbye.
        signal.signal(number, signal.SIG_IGN)
        raise Stopped(number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
