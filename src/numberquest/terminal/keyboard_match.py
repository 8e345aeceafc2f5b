"""One match at the keyboard: whose turn it is, what can be typed at every prompt, saved after every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numberquest.contract import CHANCE, IllegalMove
from numberquest.evaluate.asking import TRIES, ask
from numberquest.evaluate.who import is_program
from numberquest.sentences import told
from numberquest.stream import Stream
from numberquest.terminal import saves
from numberquest.terminal.coach import Coach
from numberquest.terminal.dialogue import Dialogue, Refused, is_one_of, yes_no
from numberquest.terminal.general_dialogue import dialogue_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.players import Player
    from numberquest.record import Record
    from numberquest.terminal.console import Console

T = TypeVar("T")

HELP = """\
help           this list
moves          what you can play now
show           where the game stands
hint           help with your move, in three steps; hints are counted
rules          the rules of the game
undo           take the last move back, but nothing that was revealed
redo           make the move again that was taken back
resign         give the game up
save FILE      write the game to a file
quit           stop here; the game is kept and can be resumed"""


def save(console: Console, path: str, record: Record) -> None:
    """Do what `save FILE` asks for."""
    try:
        console.say(f"Saved to {saves.write_own(path, record)}")
    except saves.CannotSave as error:
        console.refuse(str(error))


class Leave(Exception):
    """Somebody wants to stop; the game is kept."""


class TurnAgain(Exception):
    """The position has changed under the question: it must be asked anew."""


class KeyboardMatch:
    """Plays one record to its end. `keep` is given the record whenever there is something new to keep."""

    def __init__(
        self,
        console: Console,
        record: Record,
        keep: Callable[[Record], None],
        players: Sequence[Player | None],
        *,
        coached: bool = False,
    ) -> None:
        """`players` are the computer players, None where a person sits."""
        self._console = console
        self._record = record
        self._match = record.match
        self._keep_record = keep
        self._answered = 0
        self._coached = coached
        self._people = record.people
        self._players = players
        self._dialogue: Dialogue[Any, Any] = dialogue_for(record.match.game)(
            record.match, record.names, self._people, console
        )
        self._pictured = console.rich or console.plain or self._dialogue.needs_picture
        self._coach = Coach(console, record.match)

    def play(self) -> int | None:
        """Play to the end and return the winner's seat; None for a draw."""
        self._dialogue.opening()
        while self._match.outcome is None:
            self._dialogue.turn()
            if self._pictured and (self._people[self._match.player] or not any(self._people)):
                self._dialogue.picture()
            try:
                move = self._choice()
            except TurnAgain:
                continue
            at = len(self._match.history)
            by_person = self._people[self._match.player]
            self._match.play(move)
            # Kept first, told after: what a player has read is on disk.
            self._keep()
            self._dialogue.after_move(move)
            if self._coached and by_person:
                self._coach.comment(at)
        self._dialogue.ending()
        if self._pictured:
            self._console.say()
            self._dialogue.picture()
        return self._match.outcome.winner

    def _choice(self) -> str:
        seat = self._match.player
        self._answered = 0
        if self._people[seat]:
            return self._dialogue.choose(self._ask)
        # A stream for each move, so that a resumed game goes on as it would have.
        label = f"player {seat + 1} after {len(self._match.history)}"
        dice = Stream(self._match.dealer.seed or "", label)
        player = self._players[seat]
        if player is None:
            raise LookupError("nobody plays for this seat")
        if not is_program(player.name):
            return player.choose(self._match.game, self._match.position, dice)
        return self._asked(player, dice)

    def _asked(self, player: Player, dice: Stream) -> str:
        """What a program answers; where that is wrong again and again, it gives up."""
        from numberquest.terminal.progress import waiting_for

        match, name = self._match, self._record.names[self._match.player]
        with waiting_for(f"{name} is thinking"):
            asked = ask(player, match.game, match.position, dice, match.history)
        if asked.move is None:
            why = asked.illegal[-1]
            self._console.say(f"{name} was asked {TRIES} times and gave no allowed move, so it gives up: {why}.")
            match.resign(match.player)
            self._keep()
            raise TurnAgain
        return asked.move

    def _ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        while True:
            text = self._console.read(prompt)
            if self._command(text):
                continue
            try:
                answer = parse(text)
            except Refused as refusal:
                self._console.refuse(str(refusal))
            else:
                self._answered += 1
                return answer

    def _confirmed(self, question: str) -> bool:
        """A yes or a no, between the moves; no other question can be opened inside this one."""
        while True:
            text = self._console.read(question)
            if text.lower() in ("undo", "redo", "resign"):
                self._console.refuse("One question at a time: please answer yes or no.")
                continue
            if self._command(text):
                continue
            try:
                return yes_no(text)
            except Refused as refusal:
                self._console.refuse(str(refusal))

    def _command(self, text: str) -> bool:
        """Do what was asked besides a move; False where the text is for the game."""
        if is_one_of(text, self._match.moves):
            return False
        # A slash makes a command of a word that is also a move of the game.
        word, _, rest = text.removeprefix("/").partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "?": self._help,
            "moves": self._moves,
            "show": self._show,
            "hint": self._hint,
            "rules": self._rules,
            "undo": self._undo,
            "redo": self._redo,
            "resign": self._resign,
            "save": self._save,
            "quit": self._quit,
            "q": self._quit,
            "exit": self._quit,
        }
        command = commands.get(word.lower())
        if command is None or (rest and command != self._save):
            return False
        command(rest.strip())
        return True

    def _keep(self) -> None:
        self._keep_record(self._record)

    def _help(self, _: str) -> None:
        self._console.say(f"Type {self._dialogue.answers}. Or one of these words:\n{HELP}")
        for word in ("help", "moves", "show", "hint", "rules", "undo", "redo", "resign", "save", "quit"):
            if is_one_of(word, self._match.game.actions):
                self._console.say(f"In this game {word} is a move; for the word above type /{word}")

    def _moves(self, _: str) -> None:
        self._console.say(f"You can play {self._dialogue.moves()}")

    def _show(self, _: str) -> None:
        self._dialogue.standing()

    def _hint(self, _: str) -> None:
        if self._coach.hint():
            self._record = self._record.with_hint(self._match.player)
            self._keep()
        if self._answered:
            self._console.say("You are in the middle of a move: type undo to choose all of it again.")

    def _rules(self, _: str) -> None:
        from numberquest.rulebook import rulebook

        self._console.say(rulebook(self._match.game, self._console.width))

    def _quit(self, _: str) -> None:
        raise Leave

    def _save(self, path: str) -> None:
        save(self._console, path, self._record)

    def _resign(self, _: str) -> None:
        name = self._record.names[self._match.player]
        if self._confirmed(f"{name}, do you really resign? (yes/no): "):
            self._match.resign()
            self._keep()
            raise TurnAgain

    def _undo(self, _: str) -> None:
        if self._answered:
            # Half a move is made; nobody has to agree to its being chosen again.
            self._console.say("Choose again.")
            self._dialogue.again()
            raise TurnAgain
        refusal = self._match.undo_refusal
        if refusal is not None:
            self._console.refuse(told(refusal))
            return
        if all(self._people):
            move, mover = self._match.history[-1], self._match.last_player
            other = self._record.names[0 if mover else 1]
            taken = f"{self._record.names[1 if mover else 0]}'s {move}"
            if not self._confirmed(f"Take back {taken}? {other}, do you agree? (yes/no): "):
                self._console.say("The move stands.")
                return
            self._match.undo()
        elif self._match.take_back_refusal(self._match.player) is not None:
            self._console.refuse("There is no move of yours that can be taken back.")
            return
        else:
            self._match.take_back(self._match.player)
        if self._record.moves < (self._record.given or 0):
            # What is played in place of a move that was set up is played.
            self._record = self._record.begun_here()
        self._keep()
        self._console.say("Taken back.")
        self._dialogue.again()
        raise TurnAgain

    def _redo(self, _: str) -> None:
        if self._answered:
            self._console.refuse("You are in the middle of a move: type undo to choose all of it again.")
            return
        at = len(self._match.history)
        try:
            self._match.redo()
            # Against the computer its answer was taken back as well.
            while self._match.outcome is None and not self._people[self._match.player]:
                self._match.redo()
        except IllegalMove as refusal:
            self._console.refuse(str(refusal))
            return
        self._keep()
        made = zip(self._match.positions[at:], self._match.history[at:], strict=False)
        moves = [entry for position, entry in made if self._match.game.player(position) != CHANCE]
        self._console.say(f"Played again: {', '.join(moves)}.")
        self._dialogue.again()
        raise TurnAgain
