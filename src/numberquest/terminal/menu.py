"""`numberquest` alone: pick a game, an opponent, and play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.contract import CHANCE
from numberquest.games import GAMES
from numberquest.mistake import Gone
from numberquest.players import PLAYERS
from numberquest.record import HUMAN
from numberquest.settings import whole_in
from numberquest.terminal import saves
from numberquest.terminal.console import Console, visible
from numberquest.terminal.messages import program

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from numberquest.record import Record

    class Play(Protocol):
        """Plays a game, new or resumed, and says whether it came to its end."""

        def __call__(self, *, game: str | None = None, p2: str | None = None, resume: str | None = None) -> bool:
            """Play what was asked for."""


MOST_OFFERED = 5
"""How many games in progress are listed, the newest first."""


def how_to_start() -> str:
    """What somebody without a keyboard can do."""
    name, slug = program(), next(iter(GAMES))
    examples = {
        f"play {slug}": "two people at one keyboard",
        f"play {slug} --p2 medium": "against the computer",
        f"rules {slug}": "how it goes",
    }
    width = max(map(len, examples)) + 4
    lines = [f"  {name} {command:<{width}}{what}" for command, what in examples.items()]
    return "\n".join(["Start a game with its name, for example:", *lines])


def menu(console: Console, play: Play, puzzle: Callable[[], None]) -> None:
    """Offer the games and the puzzle of the day until somebody quits, here or in a game."""
    while True:
        kept = dict(zip(RESUME_KEYS, saves.unfinished(), strict=False))
        show_games(console, {key: record for key, (_, record) in kept.items()})
        try:
            choice = _ask_game(console, list(kept))
            if choice is None:
                return
            if choice == PUZZLE_KEY:
                puzzle()
                console.say()
                continue
            if choice in kept:
                finished = play(resume=kept[choice][0])
            else:
                opponent = _ask_opponent(console)
                if opponent is None:
                    console.say()
                    continue
                finished = play(game=choice, p2=opponent)
        except Gone:
            console.say()
            console.say(how_to_start())
            return
        if not finished:
            return
        console.say()


PUZZLE_KEY = "p"
RESUME_KEYS = ["r", *(f"r{number}" for number in range(2, MOST_OFFERED + 1))]


def show_games(console: Console, kept: dict[str, Record]) -> None:
    """The games, numbered, each with its sentence; then the games in progress."""
    console.say(f"Number Quest: {len(GAMES)} number games for two", "heading")
    console.say()
    for number, (slug, kind) in enumerate(GAMES.items(), start=1):
        _row(console, str(number), slug, kind.summary)
    _row(console, PUZZLE_KEY, "puzzle", "Find the one right move: the puzzle of the day.")
    for key, record in kept.items():
        match = record.match
        moves = sum(match.game.player(p) != CHANCE for p in match.positions[:-1])
        played = "1 move" if moves == 1 else f"{moves} moves"
        _row(console, key, "resume", f"{match.game.slug}: {record.names[0]} against {record.names[1]}, {played} played")
    missing = saves.of_missing_games()
    if missing:
        console.say(
            f"There are saved games of {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not here: "
            f"bring the file of the game with {program()} --with FILE",
            "hint",
        )
    console.say()


def _row(console: Console, key: str, name: str, text: str) -> None:
    """One offer; on a narrow terminal its text goes on below itself."""
    from textwrap import wrap

    wide = max(map(len, GAMES)) + 1
    first, *rest = wrap(text, max(20, console.width - wide - 7)) if console.rich else [text]
    console.say(f"  {key:<2} {console.paint(f'{name:<{wide}}', 'heading')} {first}")
    for line in rest:
        console.say(f"{'':<{wide + 6}}{line}")


def _ask_game(console: Console, resumable: list[str]) -> str | None:
    """The game that was chosen, a key to resume one, or None to quit."""
    resume = ", r to resume" if resumable else ""
    extra = {"q": None, "quit": None, "exit": None, PUZZLE_KEY: PUZZLE_KEY, **{key: key for key in resumable}}
    return _choice(console, f"Which game? (1 to {len(GAMES)}, p{resume}, q to quit): ", list(GAMES), extra)


def _ask_opponent(console: Console) -> str | None:
    """Who Player 2 is: a person, or a computer player's name. Enter alone takes the first; None goes back."""
    kinds = [HUMAN, *PLAYERS]
    console.say()
    console.say("Who is Player 2?")
    for number, kind in enumerate(kinds, start=1):
        console.say(f"  {number}  {_who(kind)}")
    back = {"": HUMAN, "q": None, "b": None, "back": None}
    return _choice(console, f"Your choice (1 to {len(kinds)}, Enter for 1, b to go back): ", kinds, back)


def _who(kind: str) -> str:
    return "a friend at this keyboard" if kind == HUMAN else f"the computer, {kind}: {PLAYERS[kind].words}"


def _choice(console: Console, prompt: str, offers: list[str], extra: dict[str, str | None]) -> str | None:
    """One of the offers by its number or its name, or what an extra word stands for."""
    while True:
        text = console.read(prompt).lower()
        if text in extra:
            return extra[text]
        if text in offers:
            return text
        number = whole_in(text)
        if number is not None and 1 <= number <= len(offers):
            return offers[number - 1]
        console.refuse(f"'{visible(text, 20)}' is not one of them. Type a number from 1 to {len(offers)}.")
