"""`numberquest` alone: pick a game, an opponent, how to play, and play."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from numberquest.core.contract import player_name
from numberquest.core.errors import Gone, UsageError
from numberquest.core.names import bad_name, near, one_way
from numberquest.core.record import HUMAN, Record
from numberquest.core.registry import GAMES
from numberquest.core.rulebook import house_rules, rulebook
from numberquest.core.settings import whole_in
from numberquest.players.levels import PLAYERS
from numberquest.terminal.commands import games as kept_games
from numberquest.terminal.commands.arguments import game_with, program
from numberquest.terminal.commands.play import PlayOptions, run, series_for
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import RULES, Console, visible
from numberquest.terminal.prompt.keyboard_match import save
from numberquest.terminal.prompt.series import MOST_ROUNDS, Series

NAMES: Final = "Names are for the game and its record: type one, or two with a comma between them, such as Ann,Bo."
CHANGES: Final = (
    "Each rule is typed as above, name=value; several are kept apart by blanks or commas. Type rules to see them."
)
SEATS: Final = {"first": "you go first", "second": "you go second", "coin": "a coin decides who goes first"}


class Choices(NamedTuple):
    """What somebody wants, until they want something else. House rules are those of one game."""

    seat: str = "first"
    names: tuple[str, ...] = ()
    coach: bool = False
    rounds: int = 1
    rules: tuple[str, ...] = ()

    def options(self, game: str, opponent: str) -> PlayOptions:
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
        mine, other = (*self.names, player_name(0 if second else 1, self.rounds))[:2]
        return f"{other},{mine}" if second else f"{mine},{other}"

    def in_words(self) -> str:
        """What is not as usual, on one line; nothing where everything is."""
        parts = [SEATS[self.seat]] if self.seat != "first" else []
        parts += [" and ".join(self.names)] if self.names else []
        parts += ["with the coach"] if self.coach else []
        parts += [f"{self.rounds} rounds"] if self.rounds > 1 else []
        parts += [" ".join(self.rules)] if self.rules else []
        return ", ".join(parts)


def pick(
    console: Console,
    prompt: str,
    offers: Sequence[str],
    others: Mapping[str, str | None],
    last: Record | None = None,
    rules: Callable[[str], str] = lambda _: RULES,
) -> str | None:
    """One of the offers by its number or its name, or what another word stands for; `last` can still be saved."""
    words = [*offers, *filter(None, others), "help", "rules", "hint"]
    told = f"Type a number from 1 to {len(offers)}, or one of these words: {', '.join(words)}."
    while True:
        typed = console.question(prompt, told, rules)
        text = typed.lower()
        if text in others:
            return others[text]
        if text in offers:
            return text
        word, _, rest = typed.partition(" ")
        if word.lower() == "save" and last is not None:
            save(console, rest.strip(), last)
            continue
        number = whole_in(text)
        if number is not None and 1 <= number <= len(offers):
            return offers[number - 1]
        better = near(text, words)
        console.refuse(f"'{visible(text, 20)}' is not one of them. Type a number from 1 to {len(offers)}.{better}")


def change_choices(console: Console, game: str, choices: Choices) -> Choices:
    seats = list(SEATS)
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
        done: dict[str, None] = dict.fromkeys(("", "b", "back", "q", "done"))
        match pick(console, f"Change which? (1 to {len(shown)}, Enter when done): ", list(shown), done):
            case "seat":
                # The next of the three; it is shown at once, and comes round.
                choices = choices._replace(seat=seats[(seats.index(choices.seat) + 1) % len(seats)])
            case "names":
                choices = choices._replace(names=_names(console))
            case "coach":
                choices = choices._replace(coach=not choices.coach)
            case "rounds":
                choices = choices._replace(rounds=_rounds(console))
            case "house rules":
                choices = choices._replace(rules=_house_rules(console, game, choices.rules))
            case _:
                return choices


def _names(console: Console) -> tuple[str, ...]:
    while True:
        text = console.question("Your name, and your friend's behind a comma (Enter for none): ", NAMES)
        names = tuple(one_way(name.strip()) for name in text.split(",")) if text else ()
        wrong = next(filter(None, map(bad_name, names)), None)
        if len(names) > 2 or len({name.casefold() for name in names}) < len(names):
            wrong = "type one name, or two different ones with a comma between them: Ann,Bo"
        if wrong is None:
            return names
        console.refuse(wrong)


def _rounds(console: Console) -> int:
    while True:
        prompt = f"How many rounds? Seats change after each. (1 to {MOST_ROUNDS}, Enter for 1): "
        text = console.question(prompt, "A win is a point, a draw half of one; the most points make the champion.")
        rounds = whole_in(text or "1")
        if rounds is not None and 1 <= rounds <= MOST_ROUNDS:
            return rounds
        console.refuse(f"Type a whole number from 1 to {MOST_ROUNDS}.")


def _house_rules(console: Console, game: str, before: tuple[str, ...]) -> tuple[str, ...]:
    if not GAMES[game].fields:
        console.refuse("This game has no rules that can be changed.")
        return before
    told = "\n".join(house_rules(game_with(game), console.width))
    console.say(told)
    example = " ".join(game_with(game).settings_text.split()[:1])
    while True:
        prompt = f"Type the changes, such as {example} (Enter for the rules as written): "
        text = console.question(prompt, CHANGES, lambda _: told)
        try:
            # As they are understood, without those that change nothing.
            changed = game_with(game, [text] if text else [])
        except UsageError as why:
            console.refuse(why)
            continue
        classic = game_with(game).settings_text.split()
        return tuple(one for one in changed.settings_text.split() if one not in classic)


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
        while True:
            self._kept = dict(zip(RESUME_KEYS, saves.unfinished(), strict=False))
            choice = self._ask_game()
            if choice is None:
                return
            try:
                series = self._chosen(choice)
                if series is not None:
                    if not run(series, self._console):
                        return
                    self._last = series if series.is_over else self._last
            except UsageError as why:
                self._console.refuse(why)
            self._console.say()

    def _chosen(self, choice: str) -> Series | None:
        """What is to be played; None where something else was chosen, which is done by then."""
        if choice == PUZZLE_KEY:
            from numberquest.terminal.commands.puzzle import PuzzleOptions, run_puzzle

            run_puzzle(PuzzleOptions(daily=True), self._console)
            return None
        if choice == GAMES_KEY:
            return self._kept_game()
        if choice == REMATCH_KEY and self._last is not None:
            again = self._last.rematch()
            self._console.say(f"Seats are changed: {again.record.names[0]} goes first.")
            return again
        if choice in self._kept:
            return series_for(PlayOptions(resume=self._kept[choice][0]))
        # House rules are those of one game.
        self._choices = self._choices._replace(rules=())
        opponent = self._ask_opponent(choice)
        return None if opponent is None else series_for(self._choices.options(choice, opponent))

    def _ask_game(self) -> str | None:
        """Show the games, each with its sentence, and what there is besides them; and ask."""
        console, others = self._console, self._others()
        console.say(f"Number Quest: {len(GAMES)} number games for two", "heading")
        console.say()
        rows = [(str(number), slug, kind().summary) for number, (slug, kind) in enumerate(GAMES.items(), start=1)]
        rows += [(key, name, text) for key, (name, text, _) in others.items()]
        for key, name, text in rows:
            console.say_row(f"  {key:<2}", f"{name:<{max(map(len, GAMES))}}", text)
        missing = kept_games.missing_games(saves.unread(saves.folder()))
        if missing:
            console.say(missing, "hint")
        console.say()
        offers = ", ".join(offer for _, _, offer in others.values() if offer)
        words: dict[str, str | None] = {"q": None, "quit": None, "exit": None, **{key: key for key in others}}
        prompt = f"Which game? (1 to {len(GAMES)}, {offers}, q to quit): "
        return pick(console, prompt, list(GAMES), words, self._played, self._rules)

    def _rules(self, which: str) -> str:
        number, slugs = whole_in(which), list(GAMES)
        slug = slugs[number - 1] if number is not None and 1 <= number <= len(slugs) else which
        return rulebook(GAMES[slug](), self._console.width) if slug in GAMES else RULES

    def _others(self) -> dict[str, tuple[str, str, str]]:
        """What there is besides the games, by its key: its name, a sentence, and how the question offers it."""
        found = {PUZZLE_KEY: ("puzzle", "Find the one right move: three puzzles for today.", PUZZLE_KEY)}
        if self._last is not None:
            first, second = self._last.record.names
            again = f"{self._last.game.slug} with seats changed: {second} against {first}"
            found[REMATCH_KEY] = ("rematch", again, f"{REMATCH_KEY} for a rematch")
        for key, (_, record) in self._kept.items():
            text = f"{record.match.game.slug}: {kept_games.in_short(record)}"
            found[key] = ("resume", text, "r to resume" if key == RESUME_KEYS[0] else "")
        if saves.any_kept():
            found[GAMES_KEY] = ("games", "All your games, in progress and finished.", f"{GAMES_KEY} for all games")
        return found

    @property
    def _played(self) -> Record | None:
        return None if self._last is None else self._last.record

    def _ask_opponent(self, game: str) -> str | None:
        """Who the opponent is: a person, or a computer player's name. Enter alone takes the first; None goes back."""
        console, kinds = self._console, [HUMAN, *PLAYERS]

        def rules(_: str) -> str:
            return rulebook(game_with(game, self._choices.rules), console.width)

        while True:
            console.say()
            console.say("Who is Player 2?" if self._choices.seat == "first" else "Who is your opponent?")
            for number, kind in enumerate(kinds, start=1):
                friend = kind == HUMAN
                who = "a friend at this keyboard" if friend else f"the computer, {kind}: {PLAYERS[kind].words}"
                console.say(f"  {number}  {who}")
            chosen = self._choices.in_words()
            console.say(
                f"  o  {f'chosen: {chosen}; o changes it' if chosen else 'seat, names, coach, rounds, house rules'}"
            )
            console.say("  l  a lesson first, of half a minute")
            back: dict[str, str | None] = dict.fromkeys(("q", "b", "back", "quit", "exit"))
            others = {**back, "": HUMAN, "o": "o", "l": "l", "lesson": "l"}
            prompt = f"Your choice (1 to {len(kinds)}, Enter for 1, o, l, b to go back): "
            choice = pick(console, prompt, kinds, others, self._played, rules)
            if choice == "o":
                self._choices = change_choices(console, game, self._choices)
            elif choice == "l":
                from numberquest.terminal.prompt.lesson import give_lesson

                give_lesson(console, GAMES[game]())
            else:
                return choice

    def _kept_game(self) -> Series | None:
        """Among all games that are kept: one to go on with, or None where they were only looked at."""
        console, shown, at = self._console, saves.every(), 0
        console.say()
        kept_games.list_games(console, shown, at)
        while True:
            older = ", m for older ones" if at + kept_games.PAGE < len(shown) else ""
            prompt = f"Its number to go on with it or to review it, d NUMBER to delete it{older}, Enter to go back: "
            word, _, rest = (
                console.question(prompt, f"Type {prompt[0].lower()}{prompt[1:].rstrip(': ')}.").lower().partition(" ")
            )
            if word in ("", "b", "back", "q", "quit", "exit"):
                return None
            try:
                if word == "m" and not older:
                    raise UsageError("there are no older ones")
                if word == "m":
                    at += kept_games.PAGE
                    kept_games.list_games(console, shown, at)
                elif word in ("d", "delete"):
                    kept_games.delete(rest.strip() or None, console, shown)
                else:
                    # Numbers are those that were shown, whatever has come or gone since.
                    kept = kept_games.find(" ".join(filter(None, [word, rest])), shown)
                    if not kept.finished:
                        return series_for(PlayOptions(resume=kept.path))
                    console.say()
                    kept_games.review(console, kept)
            except UsageError as why:
                console.refuse(why)
