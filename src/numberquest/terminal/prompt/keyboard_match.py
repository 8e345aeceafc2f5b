"""One match at the keyboard: whose turn it is, what can be typed at every prompt, saved after every move."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from numberquest.core.contract import CHANCE, IllegalMove, in_words
from numberquest.core.line import Line
from numberquest.core.record import Record
from numberquest.core.rulebook import story
from numberquest.core.seen_history import known_after
from numberquest.core.sentences import told
from numberquest.core.stream import Stream
from numberquest.players.asking import TRIES, ask, choosing
from numberquest.players.levels import Player
from numberquest.players.named import is_program
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.dialogue import Refused, is_one_of, yes_no
from numberquest.terminal.prompt.question import MovePrompt, TurnAgain, Word

T = TypeVar("T")

COACH = ("Coach", "yes")
"""The tag of a game in which the coach says after each move what it gave away."""


def save(console: Console, path: str, record: Record) -> None:
    try:
        console.say(f"Saved to {saves.write_own(path, record)}")
    except saves.CannotSave as error:
        console.refuse(error)


def _owned(line: Line[Any], names: tuple[str, str]) -> str:
    """The last move of a line, and whose it is."""
    return f"{names[line.last_player or 0]}'s {line.entry}"


class KeyboardMatch(MovePrompt):
    """Plays one record to its end. `keep` is given the record whenever there is something new to keep."""

    help = """\
help           this list
moves          what you can play now
show           where the game stands
hint           help with your move, in three steps; hints are counted
rules          the rules of the game
undo           take the last move back (against the computer yours, with its answer), but nothing that was revealed
redo           make the move again that was taken back
resign         give the game up
save FILE      write the game to a file
quit           stop here; the game is kept and can be resumed"""

    def __init__(
        self, console: Console, record: Record, keep: Callable[[Record], None], players: Sequence[Player | None]
    ) -> None:
        """`players` are the computer players, None where a person sits."""
        super().__init__(console, record.match, record.names, record.people)
        self._record, self._keep_record, self._players = record, keep, players
        self._people, self._coached = record.people, COACH in record.other
        self._answered = 0
        self._pictured = console.rich or console.plain or self._dialogue.needs_picture
        self._hides = record.match.game.has_secrets and all(record.people)
        """Whether two people at one screen must not see the same."""
        self._looking: int | None = None
        """Seat of the player who looked at the screen last."""

    def play(self) -> int | None:
        """Play to the end and return the winner's seat; None for a draw."""
        self._dialogue.opening()
        while self._match.outcome is None:
            self._hand_over()
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
                self._comment(at)
        self._dialogue.ending()
        if self._pictured:
            self._console.say()
            self._dialogue.picture()
        return self._match.outcome.winner

    def _hand_over(self) -> None:
        """Hand the screen to the player to move alone, where the players must not see the same."""
        seat, history = self._match.player, self._match.history
        if not self._hides or self._looking == seat:
            return
        first, self._looking = self._looking is None, seat
        if self._console.hand_over(self._record.names[seat]):
            for line in story(self._match.game, history, seat):
                self._console.say(line)
        elif first:
            self._console.say("Nothing can be hidden in a pipe: each turn shows what only its player may know.")
            self._console.say()

    def _choice(self) -> str:
        seat = self._match.player
        self._answered = 0
        if self._people[seat]:
            return self._dialogue.choose(self.ask)
        # A stream for each move, so that a resumed game goes on as it would have.
        label = f"player {seat + 1} after {len(self._match.history)}"
        dice = Stream(self._match.dealer.seed or "", label)
        player = self._players[seat]
        if player is None:
            raise LookupError("nobody plays for this seat")
        if not is_program(player.name):
            return choosing(player, self._match.game, self._match.position, self._match.history)(dice)
        return self._asked(player, dice)

    def _asked(self, player: Player, dice: Stream) -> str:
        """Return the answer of a program, which gives up after several wrong answers."""
        from numberquest.terminal.commands.progress import waiting_for

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

    def ask(self, prompt: str, parse: Callable[[str], T]) -> T:
        """Ask until the answer can be taken, and know that a part of the move is chosen."""
        answer = super().ask(prompt, parse)
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
                self._console.refuse(refusal)

    def words(self) -> dict[str, Word]:
        more = {"hint": self._hint, "undo": self._undo, "redo": self._redo, "resign": self._resign}
        return {**super().words(), **more, "save": lambda path: save(self._console, path, self._record)}

    def _keep(self) -> None:
        self._keep_record(self._record)

    def _help(self, _: str) -> None:
        super()._help(_)
        for word in ("help", "moves", "show", "hint", "rules", "undo", "redo", "resign", "save", "quit"):
            if is_one_of(word, self._match.game.actions):
                self._console.say(f"In this game {word} is a move; for the word above type /{word}")

    def _hint(self, _: str) -> bool:
        new = super()._hint(_)
        if new:
            self._record = self._record.with_hint(self._match.player)
            self._keep()
        if self._answered:
            self._console.say("You are in the middle of a move: type undo to choose all of it again.")
        return new

    def _comment(self, at: int) -> None:
        """The coach says what the move at this place of the history has given away, if it has."""
        from numberquest.explain.hints import comment

        solution = self._solved("The coach cannot help here")
        if solution is None:
            # Once is enough.
            self._coached = False
            return
        match = self._match
        known = known_after(match.game, match.history[:at], match.game.player(match.positions[at]))
        said = comment(solution, known, match.history[at])
        if said:
            self._console.say(f"Coach: {in_words(self._match.game, said, self._record.names)}", "hint")
            if self._match.outcome is None:
                self._console.say()

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
        before, names = self._match.line, self._record.names
        if all(self._people):
            other = names[0 if before.last_player else 1]
            if not self._confirmed(f"Take back {_owned(before, names)}? {other}, do you agree? (yes/no): "):
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
        gone = before.since(self._match.line.length)
        self._console.say(f"Taken back: {', '.join(_owned(line, names) for line in gone)}.")
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
            self._console.refuse(refusal)
            return
        self._keep()
        made = zip(self._match.positions[at:], self._match.history[at:], strict=False)
        moves = [entry for position, entry in made if self._match.game.player(position) != CHANCE]
        self._console.say(f"Played again: {', '.join(moves)}.")
        self._dialogue.again()
        raise TurnAgain
