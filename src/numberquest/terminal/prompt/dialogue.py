"""A game at the prompt: what every game's dialogue has, and the one of games that have no words of their own."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from numberquest.core.contract import CHANCE, Field, Game, P, ending
from numberquest.core.loading import BadGame
from numberquest.core.match import Match
from numberquest.core.registry import part
from numberquest.core.seen_history import told_history
from numberquest.core.sentences import LONGEST_LIST, either, in_short, sentence
from numberquest.core.settings import as_typed, whole_in
from numberquest.terminal.prompt.console import Console, visible

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
        self.match, self.game = match, cast("G", match.game)
        self.names, self._people = names, people
        self.console, self.say = console, console.say

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
        return f"{in_short(self.match.moves)}."

    @property
    def viewer(self) -> int | None:
        """Who looks at the screen: of two people the one to move; None where only computers play."""
        if all(self._people):
            return self.match.player
        return self._people.index(True) if any(self._people) else None

    @property
    def position(self) -> P:
        """Where the game stands, as far as whoever looks may know it."""
        match = self.match
        return match.position if match.outcome is not None else self.game.sees(match.position, self.viewer)

    def told(self, at: int) -> str | None:
        """A move or reveal in this place of the history, as all who look now can tell it; None where one cannot."""
        everybody = (0, 1) if all(self._people) else (self.viewer,)
        match = self.match
        if match.outcome is not None:
            return match.history[at]
        told = [told_history(self.game, match.history, who)[at] for who in everybody]
        return None if None in told else told[0]

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

    def tracks(self, scores: tuple[int, int], target: int) -> None:
        """How far each player is on the way to the target."""
        rows = zip(self.names, scores, strict=True)
        self.console.tracks([(f"{name}: {score} of {target}", score) for name, score in rows], target)

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
    answer = text.lower()
    if answer not in ("yes", "y", "no", "n"):
        raise Refused("Please answer yes or no.")
    return answer.startswith("y")


def quoted(text: str) -> str:
    return f"'{visible(text, 20)}'" if text else "An empty line"


def dialogue_for(game: Game[Any]) -> type[Dialogue[Any, Any]]:
    """The dialogue that lies beside the rules of a game; where there is none, the general one."""
    own = part(type(game), "dialogue")
    if own is None:
        return GeneralDialogue
    found: type[Dialogue[Any, Any]] | None = getattr(own, "DIALOGUE", None)
    if found is None:
        raise BadGame(f"{own.__file__}: it has no DIALOGUE, the class of the game's dialogue")
    return found


class GeneralDialogue(Dialogue[Game[Any], Any]):
    """What is on the table comes from the game's view, what can be typed from its moves."""

    needs_picture = True

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self._secret: list[int] = []
        """The places in the history of secret moves that have not been uncovered."""

    @property
    def answers(self) -> str:
        example = (self.match.moves or self.game.actions)[0]
        number = ", or its number in the list of moves" if self._are_numbered() else ""
        return f"a move, such as {example} (its beginning is enough, where only one begins so){number}"

    def opening(self) -> None:
        if not self.console.rich:
            # At a terminal the title has been said.
            self.say(self.game.title, "heading")
        self.say(sentence(self.game.summary))
        if self.game.longest is None:
            self.say(f"If nobody has won after {self.game.bound} moves, the game is drawn.")
        self.say()
        if self._tell_reveals():
            self.say()

    def turn(self) -> None:
        self.say(f"{self.name}'s turn", self.seat_style(self.match.player))

    def choose(self, ask: Ask) -> str:
        allowed = in_short(self.match.moves)
        if len(allowed) > LONGEST_LIST:
            allowed = f"{either(self.match.moves)}; moves lists all"
        return ask(f"{self.name}, your move ({allowed}): ", self._move)

    def after_move(self, move: str) -> None:
        at = self._decided_at()
        seat = self.game.player(self.match.positions[at])
        secret = self.game.has_secrets and self.told(at) is None
        self.say(f"{self.names[seat]} has chosen in secret." if secret else f"{self.names[seat]} plays {move}.")
        if self.game.has_secrets:
            self._tell_uncovered(at, secret)
        self._tell_reveals()
        if self.match.outcome is None:
            self.say()

    def ending(self) -> None:
        self.say(self.why())
        winner = self.match.outcome and self.match.outcome.winner
        if winner is None:
            self.say("The game is drawn.", "heading")
        else:
            self.say(f"{self.names[winner]} wins the game!", "win")

    def picture(self) -> None:
        from numberquest.core.view import fields_shown

        for field in fields_shown(self.game):
            self._show(field)

    def moves(self) -> str:
        moves = self.match.moves
        if self._are_numbered() and len(moves) > 1:
            return "these:\n" + "\n".join(f"  {number}. {move}" for number, move in enumerate(moves, start=1))
        return super().moves()

    def _show(self, field: Field) -> None:
        """One thing on the table: on a track where it is on its way to a target."""
        from numberquest.core.view import HIDDEN, Aimed, Scores, field_said, filled

        p = self.position
        words = field_said(self.game, field, p, self.names)
        value = getattr(filled(self.game, p) if self.game.has_secrets else p, field.name)
        target = field.goal(self.game) if isinstance(field, Aimed) else 0
        if not target:
            self.say(words)
        elif not isinstance(field, Scores):
            self.console.tracks([(words, value)], target)
        elif self.console.rich and f": {HIDDEN}" not in words:
            rows = zip(self.names, value, strict=True)
            tracks = [(f"{name}: {field.label} {one or field.none or 0} of {target}", one) for name, one in rows]
            self.console.tracks(tracks, target)
        else:
            self.say(words)

    def _tell_uncovered(self, at: int, secret: bool) -> None:
        """Say which of the secret moves before can be told now."""
        found = [before for before in self._secret if self.told(before) is not None]
        for before in found:
            seat = self.game.player(self.match.positions[before])
            self.say(f"{self.names[seat]} had chosen {self.match.history[before]}.")
        self._secret = [before for before in self._secret if before not in found] + [at] * secret

    def _decided_at(self) -> int:
        """Where the last move of a player stands in the history; -1 where there is none."""
        positions = self.match.positions[:-1]
        decided = (at for at in reversed(range(len(positions))) if self.game.player(positions[at]) != CHANCE)
        return next(decided, -1)

    def _tell_reveals(self) -> bool:
        """Say what chance has brought since the last move; False where it brought nothing."""
        first, history = self._decided_at() + 1, self.match.history
        if self.game.has_secrets:
            seen = [entry for at in range(first, len(history)) if (entry := self.told(at)) is not None]
        else:
            seen = list(history[first:])
        if seen:
            self.say(f"{'Drawn' if self.game.chance == 'draws' else 'Revealed'}: {', '.join(seen)}")
        return bool(seen)

    def _are_numbered(self) -> bool:
        """Whether a number can only mean a place in the list of moves."""
        return not any(action[0].isdigit() for action in self.game.actions)

    def _move(self, text: str) -> str:
        """The move that was meant, however it was typed."""
        moves, typed = self.match.moves, _bare(text)
        if text in moves:
            return text
        found = [move for move in moves if _bare(move) == typed]
        if not found and typed:
            found = [move for move in moves if _bare(move).startswith(typed)]
        place = whole_in(typed)
        if not found and place is not None and self._are_numbered() and 1 <= place <= len(moves):
            found = [moves[place - 1]]
        if len(found) == 1:
            return found[0]
        if found:
            raise Refused(f"{quoted(text)} can mean {either(found)}. Type a little more of it")
        known = any(_bare(action) == typed for action in self.game.actions)
        what = "cannot be played now" if known else "is not a move here"
        raise Refused(f"{quoted(text)} {what}. You can play {in_short(moves)}")


def _bare(text: str) -> str:
    """A move as it is compared: signs as they are typed, in small letters, without blanks."""
    return "".join(as_typed(text).lower().split())
