"""One game or several: seats change each round, a win is a point and a draw half of one, the most make the champion."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest import dealer as dealers
from numberquest.match import Match
from numberquest.record import Record
from numberquest.terminal import saves
from numberquest.terminal.keeper import Keeper
from numberquest.terminal.keyboard_match import KeyboardMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.dealer import Dealer
    from numberquest.terminal.console import Console

MOST_ROUNDS = 99


class Side(NamedTuple):
    """One who plays: the name, and `human` or a computer player's name."""

    name: str
    kind: str


class Series:
    """Rounds between two sides. The first side of `sides` is Player 1 in the first round."""

    def __init__(
        self,
        game: Game[Any],
        sides: tuple[Side, Side],
        *,
        rounds: int = 1,
        seed: str | None = None,
        deal: Sequence[int | str] | None = None,
        coached: bool = False,
        record_path: str | None = None,
        resumed: tuple[str, Record] | None = None,
        warn: Callable[[str], None],
    ) -> None:
        """`resumed` is the file and the record of a saved game to go on with, in its round and with its points."""
        self.game = game
        self._chosen_seed = seed
        self._deal = deal
        self._coached = coached
        self._record_path = record_path
        self._warn = warn
        self._sides = sides
        self._round, self._rounds, self._wins = 1, rounds, [0, 0]
        self.is_over = False
        """Whether all rounds have been played."""
        if resumed is None:
            self._begin()
        else:
            self._go_on(*resumed)

    @classmethod
    def resumed(
        cls,
        path: str,
        record: Record,
        *,
        coached: bool = False,
        record_path: str | None = None,
        warn: Callable[[str], None],
    ) -> Series:
        """The series that a saved game belongs to, at that game."""
        sides = (Side(record.names[0], record.kinds[0]), Side(record.names[1], record.kinds[1]))
        found = (path, record)
        return cls(record.match.game, sides, coached=coached, record_path=record_path, resumed=found, warn=warn)

    def play_round(self, console: Console) -> Record:
        """Play the round that is due, and return its record."""
        self._introduce(console)
        winner = KeyboardMatch(console, self._record, self._keep, coached=self._coached).play()
        played = self._record
        self._reveal_secret()
        self._settle(winner)
        return played

    def finish(self, console: Console) -> None:
        """All rounds are played: name the champion if there were several."""
        if self._rounds > 1:
            self._crown(console)
        # Only now: what has not been told yet must not be gone.
        self._keeper.forget()

    @property
    def going_on(self) -> str | None:
        """The file to resume from, if there is something to go on with and it is on disk."""
        return self._keeper.path if self._keeper.kept and not self.is_over else None

    @property
    def kinds(self) -> tuple[str, str]:
        """Who the two are: `human`, or a computer player's name."""
        return self._sides[0].kind, self._sides[1].kind

    @property
    def untouched(self) -> bool:
        """Whether nothing has happened yet that would be worth keeping."""
        match = self._record.match
        return self._round == 1 and not match.history and match.outcome is None

    @property
    def record_path(self) -> str | None:
        """Where the players want a copy of the record, if they do."""
        return self._record_path

    def _settle(self, winner: int | None) -> None:
        """Count the win, and begin the next round if there is one."""
        finished = self._keeper
        if winner is not None:
            self._wins[winner] += 1
        self.is_over = self._round >= self._rounds
        if not self.is_over:
            self._round += 1
            self._sides = self._sides[1], self._sides[0]
            self._wins.reverse()
            # The next round is on disk, with its points, before the old one goes.
            self._begin()
            finished.forget()

    def _begin(self) -> None:
        match = Match(self.game, dealer=self._dealer())
        names = (self._sides[0].name, self._sides[1].name)
        kinds = (self._sides[0].kind, self._sides[1].kind)
        other: tuple[tuple[str, str], ...] = ()
        if self._rounds > 1:
            other = (
                ("Round", f"{self._round}/{self._rounds}"),
                ("Points", f"{self._wins[0]}-{self._wins[1]}"),
            )
        self._record = Record(match, names, kinds, time.strftime("%Y-%m-%d"), other)
        self._keeper = self._new_keeper(saves.new_path(self.game.slug))
        if not self.untouched:
            self._keep(self._record)

    def _go_on(self, path: str, record: Record) -> None:
        dealer = record.match.dealer
        if dealer.seed is None:
            # A record written by hand may have none, but computer players need one.
            dealer = record.match.dealer = dealer._replace(seed=dealers.new_seed())
        self._deal = dealer.deal if dealer.given else None
        self._round, self._rounds, *self._wins = standing(record)
        if dealer.commitment is None:
            # A later round's seed is the first one's with the round's number behind it.
            seed = dealer.seed or ""
            self._chosen_seed = seed.removesuffix(f".{self._round}") if self._round > 1 else seed
        self._record = record
        self._keeper = self._new_keeper(os.path.realpath(path))
        if record.match.outcome is not None:
            # The end came between two rounds, or before the champion was named.
            self._settle(record.match.outcome.winner)
        else:
            self._keep(record)

    def _new_keeper(self, path: str) -> Keeper:
        copy = round_path(self._record_path, self._round, self._rounds) if self._record_path else None
        return Keeper(path, copy, self.game.slug, self._warn)

    def _keep(self, record: Record) -> None:
        self._record = record
        self._keeper.keep(record)

    def _dealer(self) -> Dealer:
        chosen = self._chosen_seed
        if chosen is not None and self._round > 1:
            chosen = f"{chosen}.{self._round}"
        if self._deal is not None:
            return dealers.given(self.game, self._deal, chosen or dealers.new_seed())
        if chosen is not None:
            return dealers.seeded(self.game, chosen)
        if self.game.chance:
            return dealers.sealed(self.game)
        return dealers.seeded(self.game, dealers.new_seed())

    def _introduce(self, console: Console) -> None:
        """What is said before a round: nothing in a single classic game that is not at a terminal."""
        fingerprint = self._record.match.dealer.commitment
        if fingerprint is not None:
            self._warn(f"{self._hidden()} are settled. Their fingerprint (SHA-256): {fingerprint}")
        if console.rich:
            console.say(f"{self.game.title}. Type help at any prompt.", "hint")
            console.say()
        if self._rounds > 1:
            first = "" if self._record.match.history else f" {self._sides[0].name} goes first."
            console.say(f"Round {self._round} of {self._rounds}.{first}", "heading")
            if self._round > 1:
                console.say(f"Points so far: {self._points_text()}.")
            console.say()
        if self.game.changes:
            console.say(f"Changed rules: {self.game.changes}", "hint")
            console.say()

    def _reveal_secret(self) -> None:
        dealer = self._record.match.dealer
        if dealer.commitment is not None:
            self._warn(f"{self._hidden()} came from the secret {dealer.seed}, which has that fingerprint.")

    def _hidden(self) -> str:
        return "The hidden numbers" if self.game.chance == "deck" else "All draws"

    def _crown(self, console: Console) -> None:
        mine, yours = self._wins
        console.say()
        console.say(f"Points: {self._points_text()}.")
        if mine == yours:
            console.say("The points are equal: there is no overall champion.", "heading")
        else:
            console.say(f"Overall champion: {self._sides[0 if mine > yours else 1].name}", "win")

    def _points_text(self) -> str:
        """Both points, in the order in which the two sat down first, whatever their seats are now."""
        drawn = self._round - (not self.is_over) - sum(self._wins)
        texts = [f"{side.name} {_halves(2 * wins + drawn)}" for side, wins in zip(self._sides, self._wins, strict=True)]
        return ", ".join(texts if self._round % 2 else reversed(texts))


def _halves(points: int) -> str:
    """So many half points, as people write them: `1½`."""
    whole, half = divmod(points, 2)
    return f"{whole or ''}½" if half else str(whole)


def standing(record: Record) -> tuple[int, int, int, int]:
    """Which round of how many a record is, and who had won how many before it, as its tags say."""
    tags = dict(record.other)
    now, rounds = map(int, tags.get("Round", "1/1").split("/"))
    mine, yours = map(int, tags.get("Points", "0-0").split("-"))
    return now, rounds, mine, yours


def round_path(path: str, number: int, rounds: int) -> str:
    """Where the record of a round goes: in a series each has its number in the name."""
    if rounds == 1:
        return path
    stem, suffix = os.path.splitext(path)
    return f"{stem}-{number}{suffix}"
