"""Any game at the prompt: for those that have no words of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.contract import CHANCE, Game
from numberquest.games import part
from numberquest.loading import BadGame
from numberquest.settings import as_typed, whole_in
from numberquest.terminal.dialogue import Ask, Dialogue, Refused, quoted
from numberquest.wording import either, in_short, sentence

if TYPE_CHECKING:
    from numberquest.contract import Field

LONGEST_LIST = 60
"""A question that lists more characters of moves than this is hard to read."""
SAID_ANYWAY = ("player", "turn")
"""Fields that say whose turn it is, where a game declares no view: the question says it better."""


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
        allowed = self._allowed()
        if len(allowed) > LONGEST_LIST:
            allowed = f"{either(self.match.moves)}; moves lists all"
        return ask(f"{self.name}, your move ({allowed}): ", self._move)

    def after_move(self, move: str) -> None:
        seat = self.game.player(self.match.positions[self._decided_at()])
        self.say(f"{self.names[seat]} plays {move}.")
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
        from numberquest.view import view_of

        declared = bool(self.game.view)
        for field in view_of(self.game):
            if declared or field.name not in SAID_ANYWAY:
                self._show(field)

    def moves(self) -> str:
        moves = self.match.moves
        if self._are_numbered() and len(moves) > 1:
            return "these:\n" + "\n".join(f"  {number}. {move}" for number, move in enumerate(moves, start=1))
        return in_short(moves)

    def _show(self, field: Field) -> None:
        """One thing on the table: on a track where it is on its way to a target."""
        from numberquest.view import Number, Scores, number

        value, words = getattr(self.position, field.name), field.said(self.game, self.position, self.names)
        if self.console.colour and isinstance(field, Scores):
            target = number(self.game, field.target)
            for seat in (0, 1):
                shown = value[seat] or field.none or 0
                self.console.track(f"{self.names[seat]}: {field.label} {shown} of {target}", value[seat], target, seat)
        elif isinstance(field, Number) and field.target is not None:
            self.console.track(words, value, number(self.game, field.target))
        else:
            self.say(words)

    def _decided_at(self) -> int:
        """Where the last move of a player stands in the history; -1 where there is none."""
        at = len(self.match.history) - 1
        while at >= 0 and self.game.player(self.match.positions[at]) == CHANCE:
            at -= 1
        return at

    def _tell_reveals(self) -> bool:
        """Say what chance has brought since the last move; False where it brought nothing."""
        seen = self.match.history[self._decided_at() + 1 :]
        if seen:
            self.say(f"{'Drawn' if self.game.chance == 'draws' else 'Revealed'}: {', '.join(seen)}")
        return bool(seen)

    def _allowed(self) -> str:
        return in_short(self.match.moves)

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
        raise Refused(f"{quoted(text)} {what}. You can play {self._allowed()}")


def _bare(text: str) -> str:
    """A move as it is compared: signs as they are typed, in small letters, without blanks."""
    return "".join(as_typed(text).lower().split())
