"""From the options of `play` to a game at the keyboard, and to its end however that comes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest import dealer
from numberquest.game import Game, player_name
from numberquest.games import game as make_game
from numberquest.mistake import FAILURE, Gone, Mistake, Stopped
from numberquest.players import PLAYERS
from numberquest.record import HUMAN, Record, bad_name
from numberquest.settings import BadSetting, whole
from numberquest.stream import Stream
from numberquest.terminal import saves
from numberquest.terminal.series import MOST_ROUNDS, Series, Side, round_path
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


def game_with(slug: str, changes: Sequence[str]) -> Game[Any]:
    """The game with rule changes as they are typed: `target=30`."""
    settings: dict[str, str] = {}
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign:
            raise Mistake(f"--set wants name=value, such as --set target=30, not {change}")
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


def _new_series(wishes: Wishes) -> Series:
    if wishes.game is None:
        raise Mistake("which game? Name one: numberquest play sumquest (numberquest list shows them)")
    game = game_with(wishes.game, wishes.set)
    rounds = _rounds(wishes.rounds)
    deal = _deal(wishes.deal) if wishes.deal is not None else None
    try:
        if wishes.seed is not None:
            dealer.seed_text(wishes.seed)
        if deal is not None:
            dealer.given(game, deal)
    except dealer.BadDeal as error:
        raise Mistake(str(error)) from None
    sides = _sides(wishes, rounds)
    if wishes.record is not None:
        for number in range(1, rounds + 1):
            _check_new_file(round_path(wishes.record, number, rounds))
    return Series(game, sides, rounds=rounds, seed=wishes.seed, deal=deal, record_path=wishes.record, warn=tell)


def _resumed_series(wishes: Wishes) -> Series:
    settled = wishes._replace(game=None, record=None, resume=None)
    for name, value in settled._asdict().items():
        if value:
            raise Mistake(f"--{name} does not go with --resume: the saved game has settled it")
    path = wishes.resume or ""
    record = read_record(path)
    slug = record.match.game.slug
    if wishes.game not in (None, slug):
        raise Mistake(f"{path} is a game of {slug}, not of {wishes.game}")
    for kind in record.kinds:
        if kind != HUMAN and kind not in PLAYERS:
            raise Mistake(f"{path}: there is no computer player called {kind}", FAILURE)
    if record.match.outcome is not None:
        raise Mistake(f"the game in {path} is over: {record.match.outcome.reason}", FAILURE)
    series = Series.resumed(path, record, record_path=wishes.record, warn=tell)
    if wishes.record is not None and os.path.abspath(wishes.record) != os.path.abspath(path):
        _check_new_file(wishes.record)
    return series


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
    if wishes.toss:
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
    rounds = 1 if text is None else whole(text)
    if rounds is None or not 1 <= rounds <= MOST_ROUNDS:
        raise Mistake(f"--rounds wants a whole number from 1 to {MOST_ROUNDS}, not {text}")
    return rounds


def _deal(text: str) -> list[int]:
    numbers = [whole(part) for part in text.replace(",", " ").split()]
    if None in numbers or not numbers:
        raise Mistake(f"--deal wants numbers with commas between them, such as 3,7,1, not {text}")
    return [number for number in numbers if number is not None]


def _check_new_file(path: str) -> None:
    if os.path.lexists(path):
        raise Mistake(f"{path} exists already; choose another name for the record")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise Mistake(f"{path} cannot be written: {folder} is not a folder that can be written to", FAILURE)


def _tell_how_to_go_on(series: Series) -> None:
    path = series.going_on
    if path is not None:
        import shlex

        tell(f"Game saved. Go on with: numberquest play {series.game.slug} --resume {shlex.quote(path)}")


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
