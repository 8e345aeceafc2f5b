"""What every game's dialogue has: the questions of one game, in the words of its document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, cast

from numberquest.contract import Game, P, ending
from numberquest.settings import whole_in
from numberquest.terminal.console import Console, visible
from numberquest.wording import in_short, sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numberquest.match import Match

T = TypeVar("T")
G = TypeVar("G", bound=Game[Any])


class Refused(Exception):
    """An answer that cannot be taken; the message says why, and what is allowed."""


class Ask(Protocol):
    """Asks until the answer can be taken; help, undo, quit and the like are dealt with on the way."""

    def __call__(self, prompt: str, parse: Callable[[str], T]) -> T:
        """Ask with the prompt; `parse` turns the answer into what is wanted, or raises `Refused`."""


class Dialogue(ABC, Generic[G, P]):
    """One game at the prompt: `Dialogue[Fifty, Position]`. It speaks in the words of the game's document."""

    needs_picture: ClassVar[bool] = False
    """Whether the words alone do not tell where the game stands."""

    def __init__(self, match: Match[P], names: tuple[str, str], people: tuple[bool, bool], console: Console) -> None:
        self.match = match
        self.game = cast("G", match.game)
        self.names = names
        self._people = people
        self.console = console
        self.say = console.say

    @property
    @abstractmethod
    def answers(self) -> str:
        """What can be typed as a move, for the help."""

    @abstractmethod
    def opening(self) -> None:
        """What is said before the first turn."""

    @abstractmethod
    def turn(self) -> None:
        """What the player to move is told before the question."""

    @abstractmethod
    def choose(self, ask: Ask) -> str:
        """Ask the player to move for a move that is allowed."""

    @abstractmethod
    def after_move(self, move: str) -> None:
        """What is said after the move that has just been made."""

    @abstractmethod
    def ending(self) -> None:
        """What is said when the game is over."""

    def picture(self) -> None:
        """What a terminal shows besides the words, and anybody who asks for it."""

    def standing(self) -> None:
        """Everything that both players may know of where the game stands, for somebody who asks."""
        self.picture()

    def again(self) -> None:
        """What is said when a move has been taken back, before the turn is played again."""
        self.say()

    def moves(self) -> str:
        """The moves allowed now, for somebody who asks."""
        return in_short(self.match.moves)

    @property
    def position(self) -> P:
        """Where the game stands."""
        return self.match.position

    @property
    def name(self) -> str:
        """Who is to move."""
        return self.names[self.match.player]

    def seat_style(self, seat: int) -> str:
        """How a line that belongs to a player is shown."""
        return f"player{seat + 1}"

    def voice(self, seat: int, to_them: str, about_them: str) -> str:
        """People are spoken to, in the document's words; of a computer player it is told."""
        return to_them if self._people[seat] else about_them

    def winner(self) -> int:
        """Who won; for use in `ending`, in games that are never drawn."""
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            raise LookupError("nobody has won")
        return outcome.winner

    def why(self) -> str:
        """The reason why the game ended, as a sentence with the players' names."""
        outcome = self.match.outcome
        if outcome is None:
            raise LookupError("the game goes on")
        return sentence(ending(self.game, outcome, self.names))


def is_one_of(text: str, moves: Iterable[str]) -> bool:
    """Whether somebody typed one of these moves, in large or small letters."""
    return text.lower() in (move.lower() for move in moves)


def number_in(text: str) -> str:
    """The whole number that was typed, as a move; the text itself where it is none."""
    number = whole_in(text)
    return text if number is None else str(number)


def yes_no(text: str) -> bool:
    """A yes or a no, however short."""
    answer = text.lower()
    if answer not in ("yes", "y", "no", "n"):
        raise Refused("Please answer yes or no.")
    return answer.startswith("y")


def quoted(text: str) -> str:
    """A typed answer as an error message shows it."""
    return f"'{visible(text, 20)}'" if text else "An empty line"
