"""`numberquest` alone: pick a game, an opponent, and play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games import GAMES
from numberquest.mistake import Gone
from numberquest.players import PLAYERS
from numberquest.record import HUMAN
from numberquest.settings import whole
from numberquest.terminal import saves
from numberquest.terminal.console import Console, visible

if TYPE_CHECKING:
    from typing import Protocol

    from numberquest.record import Record

    class Play(Protocol):
        """Plays a game, new or resumed, and says whether it came to its end."""

        def __call__(self, *, game: str | None = None, p2: str | None = None, resume: str | None = None) -> bool:
            """Play what was asked for."""


HOW_TO_START = """\
Start a game with its name, for example:
  numberquest play sumquest                two people at one keyboard
  numberquest play sumquest --p2 random    against the computer
  numberquest rules sumquest               how it goes"""


def menu(console: Console, play: Play) -> None:
    """Offer the games until somebody quits, here or in a game."""
    while True:
        kept = next(saves.unfinished(), None)
        show_games(console, kept[1] if kept else None)
        try:
            choice = _ask_game(console, bool(kept))
            if choice is None:
                return
            if choice == "r" and kept:
                finished = play(resume=kept[0])
            else:
                finished = play(game=choice, p2=_ask_opponent(console))
        except Gone:
            console.say()
            console.say(HOW_TO_START)
            return
        if not finished:
            return
        console.say()


def show_games(console: Console, kept: Record | None = None) -> None:
    """The games, numbered, each with its sentence."""
    console.say("Number Quest: five number games for two", "heading")
    console.say()
    for number, (slug, kind) in enumerate(GAMES.items(), start=1):
        console.say(f"  {number}  {console.paint(f'{slug:<9}', 'heading')} {kind.summary}")
    if kept is not None:
        moves = len(kept.match.history)
        who = f"{kept.names[0]} against {kept.names[1]}"
        console.say(
            f"  r  {console.paint('resume', 'heading')}    your game of {kept.match.game.slug}: {who}, {moves} played"
        )
    console.say()


def _ask_game(console: Console, can_resume: bool) -> str | None:
    """The game that was chosen, `r` to resume, or None to quit."""
    resume = ", r to resume" if can_resume else ""
    extra = {"q": None, "quit": None, "exit": None, **({"r": "r"} if can_resume else {})}
    return _choice(console, f"Which game? (1 to {len(GAMES)}{resume}, q to quit): ", list(GAMES), extra)


def _ask_opponent(console: Console) -> str | None:
    """Who Player 2 is: a person, or the name of a computer player. Enter alone takes the first."""
    kinds = [HUMAN, *PLAYERS]
    console.say()
    console.say("Who is Player 2?")
    for number, kind in enumerate(kinds, start=1):
        console.say(f"  {number}  {'a friend at this keyboard' if kind == HUMAN else f'the computer ({kind})'}")
    return _choice(console, f"Your choice (1 to {len(kinds)}, Enter for 1): ", kinds, {"": HUMAN})


def _choice(console: Console, prompt: str, offers: list[str], extra: dict[str, str | None]) -> str | None:
    """One of the offers by its number or its name, or what an extra word stands for."""
    while True:
        text = console.read(prompt).lower()
        if text in extra:
            return extra[text]
        if text in offers:
            return text
        number = whole(text)
        if number is not None and 1 <= number <= len(offers):
            return offers[number - 1]
        console.refuse(f"'{visible(text, 20)}' is not one of them. Type a number from 1 to {len(offers)}.")
