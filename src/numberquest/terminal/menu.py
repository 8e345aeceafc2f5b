"""`numberquest` alone: pick a game, an opponent, and play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberquest.games import GAMES
from numberquest.mistake import Gone, Mistake
from numberquest.players import PLAYERS
from numberquest.record import HUMAN
from numberquest.settings import whole_in
from numberquest.terminal import kept_games, saves
from numberquest.terminal.choices import Choices, ask
from numberquest.terminal.console import Console, visible
from numberquest.terminal.keyboard_match import save
from numberquest.terminal.messages import program
from numberquest.terminal.play import PlayOptions, run, series_for
from numberquest.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numberquest.record import Record
    from numberquest.terminal.series import Series

MOST_OFFERED = 5
"""How many games in progress are listed, the newest first."""
PUZZLE_KEY, GAMES_KEY, REMATCH_KEY = "p", "g", "a"
RESUME_KEYS = ["r", *(f"r{number}" for number in range(2, MOST_OFFERED + 1))]


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


def menu(console: Console) -> None:
    """Offer the games and the puzzle of the day until somebody quits, here or in a game."""
    try:
        _Menu(console).run()
    except Gone:
        console.say()
        console.say(how_to_start())


class _Menu:
    """What is on offer, and what was chosen before."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._choices = Choices()
        self._last: Series | None = None
        self._kept: dict[str, tuple[str, Record]] = {}

    def run(self) -> None:
        """Until somebody quits."""
        while True:
            self._kept = dict(zip(RESUME_KEYS, saves.unfinished(), strict=False))
            self._show()
            choice = self._ask_game()
            if choice is None:
                return
            try:
                series = self._chosen(choice)
                if series is not None and not run(series, self._console):
                    return
                self._last = series or self._last
            except Mistake as why:
                self._console.refuse(sentence(str(why)))
            self._console.say()

    def _chosen(self, choice: str) -> Series | None:
        """What is to be played; None where something else was chosen, which is done by then."""
        if choice == PUZZLE_KEY:
            from numberquest.terminal import puzzle

            puzzle.run(puzzle.PuzzleOptions(daily=True), lambda: self._console)
            return None
        if choice == GAMES_KEY:
            return self._kept_game()
        if choice == REMATCH_KEY and self._last is not None:
            return self._last.rematch()
        if choice in self._kept:
            return series_for(PlayOptions(resume=self._kept[choice][0]))
        # House rules are those of one game.
        self._choices = self._choices._replace(rules=())
        opponent = self._ask_opponent(choice)
        return None if opponent is None else series_for(self._choices.options(choice, opponent))

    def _show(self) -> None:
        """The games, numbered, each with its sentence; then what was played last, and the games in progress."""
        console = self._console
        console.say(f"Number Quest: {len(GAMES)} number games for two", "heading")
        console.say()
        for number, (slug, kind) in enumerate(GAMES.items(), start=1):
            self._row(str(number), slug, kind.summary)
        self._row(PUZZLE_KEY, "puzzle", "Find the one right move: three puzzles for today.")
        if self._last is not None:
            first, second = self._last.seats_changed
            again = f"{self._last.game.slug} with seats changed: {first.name} against {second.name}"
            self._row(REMATCH_KEY, "rematch", again)
        for key, (_, record) in self._kept.items():
            self._row(key, "resume", f"{record.match.game.slug}: {kept_games.in_short(record)}")
        if saves.any_kept():
            self._row(GAMES_KEY, "games", "All your games, in progress and finished.")
        missing = kept_games.missing_games()
        if missing:
            console.say(missing, "hint")
        console.say()

    def _row(self, key: str, name: str, text: str) -> None:
        self._console.say_row(f"  {key:<2}", f"{name:<{max(map(len, GAMES))}}", text)

    def _ask_game(self) -> str | None:
        """The game that was chosen, a key, or None to quit."""
        extra: dict[str, str | None] = {"q": None, "quit": None, "exit": None, PUZZLE_KEY: PUZZLE_KEY}
        extra |= {key: key for key in self._kept}
        offers = [PUZZLE_KEY]
        if self._last is not None:
            extra[REMATCH_KEY] = REMATCH_KEY
            offers.append(f"{REMATCH_KEY} for a rematch")
        if self._kept:
            offers.append("r to resume")
        if saves.any_kept():
            extra[GAMES_KEY] = GAMES_KEY
            offers.append(f"{GAMES_KEY} for all games")
        return self._choice(f"Which game? (1 to {len(GAMES)}, {', '.join(offers)}, q to quit): ", list(GAMES), extra)

    def _ask_opponent(self, game: str) -> str | None:
        """Who the opponent is: a person, or a computer player's name. Enter alone takes the first; None goes back."""
        console, kinds = self._console, [HUMAN, *PLAYERS]
        while True:
            console.say()
            console.say("Who is Player 2?" if self._choices.seat == "first" else "Who is your opponent?")
            for number, kind in enumerate(kinds, start=1):
                console.say(f"  {number}  {_who(kind)}")
            chosen = self._choices.in_words()
            console.say(
                f"  o  {f'chosen: {chosen}; o changes it' if chosen else 'seat, names, coach, rounds, house rules'}"
            )
            console.say("  l  a lesson first, of half a minute")
            extra = {"": HUMAN, "q": None, "b": None, "back": None, "o": "o", "l": "l", "lesson": "l"}
            prompt = f"Your choice (1 to {len(kinds)}, Enter for 1, o, l, b to go back): "
            choice = self._choice(prompt, kinds, extra)
            if choice == "o":
                self._choices = ask(console, game, self._choices)
            elif choice == "l":
                from numberquest.terminal.lesson import Lesson

                Lesson(console, GAMES[game]()).give()
            else:
                return choice

    def _kept_game(self) -> Series | None:
        """Among all games that are kept: one to go on with, or None where they were only looked at."""
        console = self._console
        while True:
            console.say()
            kept_games.listed(console)
            text = console.read(
                "Its number to go on with it or to review it, d NUMBER to delete it, Enter to go back: "
            )
            word, _, rest = text.lower().partition(" ")
            if word in ("", "b", "back", "q", "quit"):
                return None
            try:
                if word in ("d", "delete"):
                    kept_games.delete(rest.strip() or None)
                    continue
                kept = kept_games.found(text)
                if not kept.finished:
                    return series_for(PlayOptions(resume=kept.path))
                console.say()
                kept_games.review(console, kept.name)
            except Mistake as why:
                console.refuse(sentence(str(why)))

    def _choice(self, prompt: str, offers: list[str], extra: Mapping[str, str | None]) -> str | None:
        """One of the offers by its number or its name, or what an extra word stands for."""
        while True:
            typed = self._console.read(prompt)
            text = typed.lower()
            if text in extra:
                return extra[text]
            if text in offers:
                return text
            word, _, rest = typed.partition(" ")
            if word.lower() == "save" and self._last is not None:
                save(self._console, rest.strip(), self._last.record)
                continue
            number = whole_in(text)
            if number is not None and 1 <= number <= len(offers):
                return offers[number - 1]
            self._console.refuse(f"'{visible(text, 20)}' is not one of them. Type a number from 1 to {len(offers)}.")


def _who(kind: str) -> str:
    return "a friend at this keyboard" if kind == HUMAN else f"the computer, {kind}: {PLAYERS[kind].words}"
