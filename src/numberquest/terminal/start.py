"""From the options of `play` to a game at the keyboard, and to its end however that comes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest import dealer
from numberquest.contract import Game, player_name
from numberquest.games import GAMES
from numberquest.games import game as make_game
from numberquest.mistake import FAILURE, Gone, Mistake, Stopped
from numberquest.players import PLAYERS, player
from numberquest.record import HUMAN, Record, bad_name
from numberquest.settings import BadSetting, whole_in
from numberquest.stream import Stream
from numberquest.terminal import saves
from numberquest.terminal.series import MOST_ROUNDS, Series, Side, round_path, standing
from numberquest.terminal.table import Leave

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numberquest.terminal.console import Console


class Wishes(NamedTuple):
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


def tell(sentence: str) -> None:
    """A message to the person, beside the data. Nobody may be there to read it."""
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        # The terminal is gone, and there is nowhere left to say it; Python must not try again at its end.
        sys.stderr = open(os.devnull, "w")


def series_for(wishes: Wishes) -> Series:
    """The series that was asked for; `Mistake` where it cannot be."""
    return _resumed_series(wishes) if wishes.resume is not None else _new_series(wishes)


def run(series: Series, console: Console) -> bool:
    """Play; False if it was left before its end. However it is left, the way to go on is told."""
    _listen_for_the_end()
    try:
        _prepare_players(series)
        series.play(console)
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
    return True


def _prepare_players(series: Series) -> None:
    """Let the computer players think about the rules before the game, and say what people should know."""
    for kind in dict.fromkeys(series.kinds):
        if kind != HUMAN:
            from numberquest.terminal.progress import Progress

            player(kind).prepare(series.game, tell, Progress("The computer is thinking about the rules"))


def play_on(record: Record, console: Console) -> bool:
    """Play a record on from where it stands, as a game of its own; False if it was left before its end."""
    return run(Series.resumed(saves.new_path(record.match.game.slug), record, warn=tell), console)


def game_with(slug: str, changes: Sequence[str]) -> Game[Any]:
    """The game with rule changes as they are typed: `target=30`."""
    settings: dict[str, str] = {}
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign:
            raise Mistake(f"--set wants name=value, such as --set target=30, not {change}")
        if name in settings:
            raise Mistake(f"--set names {name} twice")
        settings[name] = value
    try:
        return make_game(slug, **settings)
    except BadSetting as error:
        raise Mistake(str(error)) from None


def read_record(path: str) -> Record:
    """The record in a file; `Mistake` where there is none."""
    try:
        return saves.load(path)
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}", FAILURE) from None
    except ValueError as error:
        raise Mistake(f"{path} is not a record: {error}", FAILURE) from None


def check_players(path: str, record: Record) -> None:
    """`Mistake` where a computer player of the record does not exist here."""
    for kind in record.kinds:
        if kind != HUMAN and kind not in PLAYERS:
            raise Mistake(f"{path}: there is no computer player called {kind}", FAILURE)


def _new_series(wishes: Wishes) -> Series:
    if wishes.game is None:
        raise Mistake(f"which game? Name one of {', '.join(GAMES)}")
    game = game_with(wishes.game, wishes.set)
    rounds = _rounds(wishes.rounds)
    deal = _deal(wishes.deal) if wishes.deal is not None else None
    try:
        if wishes.seed is not None:
            # The last round's seed is the longest one.
            dealer.seed_text(wishes.seed if rounds == 1 else f"{wishes.seed}.{rounds}")
        if deal is not None:
            dealer.given(game, deal)
    except dealer.BadDeal as error:
        raise Mistake(str(error)) from None
    sides = _sides(wishes, rounds)
    if wishes.record is not None:
        for number in range(1, rounds + 1):
            _check_new_file(round_path(wishes.record, number, rounds))
    return Series(
        game,
        sides,
        rounds=rounds,
        seed=wishes.seed,
        deal=deal,
        coached=wishes.coach,
        record_path=wishes.record,
        warn=tell,
    )


def _resumed_series(wishes: Wishes) -> Series:
    free = {"game", "coach", "record", "resume"}
    for name, value in wishes._asdict().items():
        if name not in free and value not in (None, False, (), []):
            raise Mistake(f"--{name} does not go with --resume: the saved game has settled it")
    path = wishes.resume or ""
    record = read_record(path)
    slug = record.match.game.slug
    if wishes.game not in (None, slug):
        raise Mistake(f"{path} is a game of {slug}, not of {wishes.game}")
    check_players(path, record)
    if record.match.outcome is not None and not saves.goes_on(record):
        raise Mistake(f"the game in {path} is over: {record.match.outcome.reason}", FAILURE)
    if wishes.record is not None:
        now, rounds, _, _ = standing(record)
        for number in range(now, rounds + 1):
            copy = round_path(wishes.record, number, rounds)
            if not _is_earlier(copy, record, path):
                _check_new_file(copy)
    return Series.resumed(path, record, coached=wishes.coach, record_path=wishes.record, warn=tell)


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


def _sides(wishes: Wishes, rounds: int) -> tuple[Side, Side]:
    """Who plays Player 1 and who Player 2 in the first round."""
    kinds = (wishes.p1 or HUMAN, wishes.p2 or HUMAN)
    for option, kind in zip(("--p1", "--p2"), kinds, strict=True):
        if kind != HUMAN and kind not in PLAYERS:
            raise Mistake(f"{option} is {HUMAN} or a computer player ({', '.join(PLAYERS)}), not {kind}")
    swapped = False
    if wishes.toss:
        seed = wishes.seed if wishes.seed is not None else dealer.new_seed()
        swapped = Stream(seed, "toss").below(2) == 1
    if wishes.names is not None:
        names = _names(wishes.names)
    elif rounds > 1:
        # The two change seats each round, so that "Player 1" would be now one and now the other.
        names = ("Player A", "Player B")
    else:
        # They are called after their seats, whoever the coin puts there.
        names = (player_name(1), player_name(0)) if swapped else (player_name(0), player_name(1))
    sides = Side(names[0], kinds[0]), Side(names[1], kinds[1])
    if swapped:
        sides = sides[1], sides[0]
    if wishes.toss and wishes.names is None and rounds == 1 and kinds[0] == kinds[1]:
        tell(f"The coin shows {'tails' if swapped else 'heads'}: whoever called that is {sides[0].name}.")
    elif wishes.toss:
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
    return names[0], names[1]


def _rounds(text: str | None) -> int:
    rounds = 1 if text is None else whole_in(text)
    if rounds is None or not 1 <= rounds <= MOST_ROUNDS:
        raise Mistake(f"--rounds wants a whole number from 1 to {MOST_ROUNDS}, not {text}")
    return rounds


def _deal(text: str) -> list[int]:
    numbers = [whole_in(part) for part in text.replace(",", " ").split()]
    if None in numbers or not numbers:
        raise Mistake(f"--deal wants numbers with commas between them, such as 3,7,1, not {text}")
    return [number for number in numbers if number is not None]


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
        tell(f"Game saved. Go on with: {program()} play {series.game.slug} --resume {shlex.quote(path)}{copy}")
    elif series.untouched:
        tell("No move was made, so there is nothing to keep.")


def program() -> str:
    """How this program can be called again from here."""
    import shlex
    from shutil import which

    called = sys.argv[0]
    if os.path.basename(called) not in ("numberquest", "nq"):
        return f"{shlex.quote(sys.executable)} -m numberquest"
    found = which(os.path.basename(called))
    if found is not None and os.path.realpath(found) == os.path.realpath(called):
        return os.path.basename(called)
    return shlex.quote(os.path.relpath(called) if os.path.exists(called) else called)


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
