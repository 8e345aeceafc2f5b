"""One game or several: seats change each round, a win is a point and a draw half of one, the most make the champion."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.dealer import is_sealed, new_seed
from numberquest.core.match import Match
from numberquest.core.play_out import BEGINS, changes_seats
from numberquest.core.record import HUMAN, Record
from numberquest.players.asking import close
from numberquest.players.levels import Player
from numberquest.players.named import who
from numberquest.terminal.prompt import saves
from numberquest.terminal.prompt.console import Console, tell
from numberquest.terminal.prompt.keyboard_match import COACH, KeyboardMatch
from numberquest.terminal.prompt.lock import Lock
from numberquest.terminal.prompt.saves import Keeper

MOST_ROUNDS = 99
CHANGED = ", seats changed"
SETTLED = {
    "deck": "The hidden numbers are settled; their",
    "draws": "All draws are settled; their",
    "": "Secret choices are sealed as they are made, with a secret of this",
}
SHOWN_SIGNS = 16
"""So many signs of a fingerprint are shown: nobody finds another secret that begins so. Records have all of it."""


class Side(NamedTuple):
    """One who plays: the name, and who that is: `human`, a level, or a program."""

    name: str
    kind: str


class SavedGame(NamedTuple):
    """A saved game to go on with: its file, what is in it, and the lock that keeps other windows out of it."""

    path: str
    record: Record
    lock: Lock | None = None


class Series:
    """Rounds between two sides. The first side of `sides` is Player 1 in the first round."""

    def __init__(
        self,
        game: Game[Any],
        sides: tuple[Side, Side],
        *,
        rounds: int = 1,
        begins: str = BEGINS[0],
        seed: str | None = None,
        deal: Sequence[int | str] | None = None,
        coached: bool = False,
        record_path: str | None = None,
        resumed: SavedGame | None = None,
    ) -> None:
        """`resumed` is a saved game to go on with, in its round and with its points."""
        self.game, self._sides = game, sides
        self._chosen_seed, self._deal = seed, deal
        self._coached, self.record_path = coached, record_path
        """Where the players want a copy of the record, if they do."""
        self._round, self._rounds, self._wins = 1, rounds, [0, 0]
        self._begins, self._changed = begins, False
        """Who begins the next round; and whether the seats are now others than in the first."""
        self._players: dict[Side, Player] = {}
        self._keepers: list[Keeper] = []
        self._own_file: str | None = None
        self.is_over = False
        """Whether all rounds have been played."""
        if resumed is None:
            self._begin()
        else:
            self._go_on(resumed)

    @classmethod
    def resumed(cls, found: SavedGame, *, coached: bool = False, record_path: str | None = None) -> Series:
        record = found.record
        sides = (Side(record.names[0], record.kinds[0]), Side(record.names[1], record.kinds[1]))
        coached = coached or COACH in record.other
        return cls(record.match.game, sides, coached=coached, record_path=record_path, resumed=found)

    def play_round(self, console: Console) -> Record:
        self._introduce(console)
        players = [self._player(side) for side in self._sides]
        winner = KeyboardMatch(console, self.record, self._keep, players).play()
        played, dealer = self.record, self.record.match.dealer
        if dealer.commitment is not None:
            tell(f"The secret was {dealer.seed}, which has that fingerprint.")
        self._settle(winner)
        return played

    def finish(self, console: Console) -> None:
        """All rounds are played: name the champion if there were several."""
        if self._rounds == 1:
            return
        mine, yours = self._wins
        console.say()
        console.say(f"Points: {self._points_text()}.")
        if mine == yours:
            console.say("The points are equal: there is no overall champion.", "heading")
        else:
            console.say(f"Overall champion: {self._sides[0 if mine > yours else 1].name}", "win")
        # Only now: what has not been told yet must not be over.
        self._keeper.finish(self.record)

    def rematch(self) -> Series:
        """Another one with seats changed. Names stay with people, also where they were called after their seats."""
        return Series(self.game, self._sides[::-1], rounds=self._rounds, begins=self._begins, coached=self._coached)

    def leave(self) -> None:
        """Nobody plays on here: another window may."""
        try:
            for player in self._players.values():
                close(player)
        finally:
            self._players.clear()
            self._keeper.release()

    @property
    def going_on(self) -> str | None:
        """The file to resume from, if there is something to go on with and it is on disk."""
        if self.is_over and not self._keeper.kept:
            return None
        return self._keeper.path if self._keeper.kept else self._own_file

    @property
    def unkept(self) -> bool:
        """Whether a game of it could not be written where games are kept."""
        return any(keeper.path in keeper.lost for keeper in self._keepers)

    @property
    def lost(self) -> list[str]:
        """Why a copy of the record could not be written, or a game that is not over."""
        lost = ((path == keeper.copy, why) for keeper in self._keepers for path, why in keeper.lost.items())
        return [why for copy, why in lost if copy or not self.is_over]

    @property
    def kinds(self) -> tuple[str, str]:
        return self._sides[0].kind, self._sides[1].kind

    @property
    def players(self) -> list[Player]:
        """The computer players of the two, each made once for all rounds."""
        return [player for side in self._sides if (player := self._player(side)) is not None]

    def _player(self, side: Side) -> Player | None:
        """Who plays for a side; None is a person."""
        if side.kind == HUMAN:
            return None
        if side not in self._players:
            self._players[side] = who(side.kind)
        return self._players[side]

    @property
    def untouched(self) -> bool:
        """Whether nothing has happened yet that would be worth keeping."""
        record = self.record
        return self._round == 1 and record.moves <= (record.given or 0) and record.match.outcome is None

    def _settle(self, winner: int | None) -> None:
        finished, over = self._keeper, self.record
        if winner is not None:
            self._wins[winner] += 1
        self.is_over = self._round >= self._rounds
        if not self.is_over:
            self._round += 1
            if changes_seats(self._begins, winner):
                self._sides = self._sides[1], self._sides[0]
                self._wins.reverse()
                self._changed = not self._changed
            # The next round is on disk, with its points, before the old one goes to the finished games.
            self._begin()
            finished.finish(over)
        elif self._rounds == 1:
            finished.finish(over)

    def _begin(self) -> None:
        match = Match(self.game, seed=self._seed(), deal=self._deal)
        names = (self._sides[0].name, self._sides[1].name)
        self.record = Record(match, names, self.kinds, time.strftime("%Y-%m-%d"))
        if self._rounds > 1:
            self.record = self.record.with_tag("Round", f"{self._round}/{self._rounds}")
            self.record = self.record.with_tag("Points", f"{self._wins[0]}-{self._wins[1]}")
        if self._begins != BEGINS[0]:
            self.record = self.record.with_tag("Begins", f"{self._begins}{CHANGED if self._changed else ''}")
        if self._coached:
            self.record = self.record.with_tag(*COACH)
        self._own_file = None
        self._keeper = Keeper(saves.new_path(self.game.slug), self._copy())
        self._keepers.append(self._keeper)
        self._keep(self.record)

    def _go_on(self, found: SavedGame) -> None:
        path, record = os.path.realpath(found.path), found.record
        dealer = record.match.dealer
        if dealer.seed is None:
            # A record written by hand may have none, but computer players need one.
            dealer = record.match.dealer = dealer._replace(seed=new_seed())
        self._deal = dealer.deal if dealer.given else None
        self._round, self._rounds, *self._wins = standing(record)
        begins = dict(record.other).get("Begins", f"{BEGINS[0]}{'' if self._round % 2 else CHANGED}")
        self._begins, self._changed = begins.removesuffix(CHANGED), begins.endswith(CHANGED)
        if dealer.commitment is None:
            # A later round's seed is the first one's with the round's number behind it.
            seed = dealer.seed or ""
            self._chosen_seed = seed.removesuffix(f".{self._round}") if self._round > 1 else seed
        coached_now = self._coached and COACH not in record.other
        self.record = record.with_tag(*COACH) if coached_now else record
        if not saves.is_kept_here(path):
            # A file of the players' own is never written to: what is played on from it is kept here.
            self._own_file, path = path, saves.new_path(self.game.slug)
        on_disk = os.path.exists(path)
        self._keeper = Keeper(path, self._copy(), lock=found.lock, kept=on_disk)
        self._keepers.append(self._keeper)
        if record.match.outcome is not None:
            # The end came between two rounds, or before the champion was named.
            self._settle(record.match.outcome.winner)
        elif self._own_file is None and (coached_now or not on_disk) and not self.untouched:
            self._keep(self.record)
        elif self._own_file is None or os.path.realpath(self._copy() or "") != self._own_file:
            self._keeper.keep_copy(self.record)

    def _copy(self) -> str | None:
        return round_path(self.record_path, self._round, self._rounds) if self.record_path else None

    def _keep(self, record: Record) -> None:
        self.record = record
        # Before the first move there is nothing to go on with.
        if self._keeper.kept or not self.untouched:
            self._keeper.keep(record)

    def _seed(self) -> str | None:
        """The seed of this round; None where the deal is to be sealed. Computer players need one in any game."""
        chosen = self._chosen_seed
        if chosen is None:
            return None if is_sealed(self.game) and self._deal is None else new_seed()
        return chosen if self._round == 1 else f"{chosen}.{self._round}"

    def _introduce(self, console: Console) -> None:
        """What is said before a round: nothing in a single classic game that is not at a terminal."""
        fingerprint = self.record.match.dealer.commitment
        if fingerprint is not None:
            tell(f"{SETTLED[self.game.chance]} fingerprint: {fingerprint[:SHOWN_SIGNS]}")
        if console.rich:
            console.say(f"{self.game.title}. Type help at any prompt.", "hint")
            console.say()
        if self._rounds > 1:
            first = "" if self.record.match.history else f" {self._sides[0].name} goes first."
            console.say(f"Round {self._round} of {self._rounds}.{first}", "heading")
            if self._round > 1:
                console.say(f"Points so far: {self._points_text()}.")
            console.say()
        if self.game.changes:
            console.say(f"Changed rules: {self.game.changes}", "hint")
            console.say()

    def _points_text(self) -> str:
        """Both points, in the order in which the two sat down first, whatever their seats are now."""
        drawn = self._round - (not self.is_over) - sum(self._wins)
        texts = []
        for side, wins in zip(self._sides, self._wins, strict=True):
            whole, half = divmod(2 * wins + drawn, 2)
            # As people write them: `1½`.
            points = f"{whole or ''}½" if half else str(whole)
            texts.append(f"{side.name} {points}")
        return ", ".join(reversed(texts) if self._changed else texts)


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
