"""What can be chosen in the menu besides the game and the opponent: seat, names, coach, rounds, house rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from numberquest.contract import player_name
from numberquest.games import GAMES
from numberquest.mistake import Mistake
from numberquest.names import bad_name, one_way
from numberquest.record import HUMAN
from numberquest.rulebook import house_rules
from numberquest.settings import whole_in
from numberquest.terminal.arguments import game_with
from numberquest.terminal.console import visible
from numberquest.terminal.play import PlayOptions
from numberquest.terminal.series import MOST_ROUNDS
from numberquest.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numberquest.terminal.console import Console

SEATS: Final = {"first": "you go first", "second": "you go second", "coin": "a coin decides who goes first"}


class Choices(NamedTuple):
    """What somebody wants, until they want something else. House rules are those of one game."""

    seat: str = "first"
    names: tuple[str, ...] = ()
    coach: bool = False
    rounds: int = 1
    rules: tuple[str, ...] = ()

    def options(self, game: str, opponent: str) -> PlayOptions:
        """The game that is to be played."""
        second = self.seat == "second"
        return PlayOptions(
            game=game,
            p1=opponent if second else HUMAN,
            p2=HUMAN if second else opponent,
            names=self._names(opponent),
            toss=self.seat == "coin",
            rounds=str(self.rounds),
            set=self.rules,
            coach=self.coach,
        )

    def _names(self, opponent: str) -> str | None:
        """Both names, Player 1's first; against the computer one's own alone."""
        if not self.names or opponent != HUMAN:
            return self.names[0] if self.names else None
        second = self.seat == "second"
        mine, other = self.names[0], self.names[1] if len(self.names) > 1 else player_name(0 if second else 1)
        return f"{other},{mine}" if second else f"{mine},{other}"

    def in_words(self) -> str:
        """What is not as usual, on one line; nothing where everything is."""
        parts = [SEATS[self.seat]] if self.seat != "first" else []
        parts += [" and ".join(self.names)] if self.names else []
        parts += ["with the coach"] if self.coach else []
        parts += [f"{self.rounds} rounds"] if self.rounds > 1 else []
        parts += [" ".join(self.rules)] if self.rules else []
        return ", ".join(parts)


def ask(console: Console, game: str, choices: Choices) -> Choices:
    """Let somebody change what they like, one thing after the other, until Enter."""
    changes: dict[str, Callable[[Console, str, Choices], Choices]] = {
        "seat": _seat,
        "names": _names,
        "coach": _coach,
        "rounds": _rounds,
        "house rules": _house_rules,
    }
    while True:
        console.say()
        shown = {
            "seat": SEATS[choices.seat],
            "names": " and ".join(choices.names) or "as usual",
            "coach": "says after each of your moves what it gave away" if choices.coach else "silent",
            "rounds": str(choices.rounds),
            "house rules": " ".join(choices.rules) or "none: the rules as written",
        }
        for number, (what, value) in enumerate(shown.items(), start=1):
            console.say(f"  {number}  {console.paint(f'{what:<12}', 'heading')} {value}")
        text = console.read(f"Change which? (1 to {len(changes)}, Enter when done): ").lower()
        if text in ("", "b", "back", "q", "done"):
            return choices
        place = whole_in(text)
        what = list(changes)[place - 1] if place is not None and 1 <= place <= len(changes) else text
        if what not in changes:
            console.refuse(f"'{visible(text, 20)}' is not one of them. Type a number from 1 to {len(changes)}.")
            continue
        choices = changes[what](console, game, choices)


def _seat(_: Console, __: str, choices: Choices) -> Choices:
    """The next of the three; it is shown at once, and comes round."""
    seats = list(SEATS)
    return choices._replace(seat=seats[(seats.index(choices.seat) + 1) % len(seats)])


def _coach(_: Console, __: str, choices: Choices) -> Choices:
    return choices._replace(coach=not choices.coach)


def _names(console: Console, _: str, choices: Choices) -> Choices:
    while True:
        text = console.read("Your name, and your friend's behind a comma (Enter for none): ")
        names = tuple(one_way(name.strip()) for name in text.split(",")) if text else ()
        wrong = next(filter(None, map(bad_name, names)), None)
        if len(names) > 2 or len({name.casefold() for name in names}) < len(names):
            wrong = "type one name, or two different ones with a comma between them: Ann,Bo"
        if wrong is None:
            return choices._replace(names=names)
        console.refuse(sentence(wrong))


def _rounds(console: Console, _: str, choices: Choices) -> Choices:
    while True:
        text = console.read(f"How many rounds? Seats change after each. (1 to {MOST_ROUNDS}, Enter for 1): ")
        rounds = whole_in(text or "1")
        if rounds is not None and 1 <= rounds <= MOST_ROUNDS:
            return choices._replace(rounds=rounds)
        console.refuse(f"Type a whole number from 1 to {MOST_ROUNDS}.")


def _house_rules(console: Console, game: str, choices: Choices) -> Choices:
    if not GAMES[game].fields:
        console.refuse("This game has no rules that can be changed.")
        return choices
    console.say("\n".join(house_rules(game_with(game), console.width)))
    example = " ".join(game_with(game).settings_text.split()[:1])
    while True:
        text = console.read(f"Type the changes, such as {example} (Enter for the rules as written): ")
        try:
            # As they are understood, without those that change nothing.
            changed = game_with(game, text.split())
        except Mistake as why:
            console.refuse(sentence(str(why)))
            continue
        classic = game_with(game).settings_text.split()
        return choices._replace(rules=tuple(one for one in changed.settings_text.split() if one not in classic))
