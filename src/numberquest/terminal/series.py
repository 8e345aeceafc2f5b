"""One game or several: seats change each round, a win is a point, the most points make the champion."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest import dealer as dealers
from numberquest.match import Match
from numberquest.record import Record
from numberquest.settings import whole
from numberquest.terminal import saves
from numberquest.terminal.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.dealer import Dealer
    from numberquest.game import Game
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
        deal: Sequence[int] | None = None,
        record_path: str | None = None,
        warn: Callable[[str], None],
    ) -> None:
        self._game = game
        self._rounds = rounds
        self._chosen_seed = seed
        self._deal = deal
        self._record_path = record_path
        self._warn = warn
        self._warned = False
        self._sides = sides
        self._points = [0, 0]
        self._round = 1
        self._record: Record | None = None
        self._path = ""
        self._resumed = False

    @classmethod
    def resumed(cls, path: str, record: Record, *, record_path: str | None, warn: Callable[[str], None]) -> Series:
        """The series that a saved game belongs to, at that game."""
        sides = (Side(record.names[0], record.kinds[0]), Side(record.names[1], record.kinds[1]))
        dealer = record.match.dealer
        series = cls(record.match.game, sides, record_path=record_path, warn=warn)
        series._deal = dealer.deal if dealer.given else None
        series._round, series._rounds, *series._points = standing(record)
        if dealer.commitment is None and dealer.seed is not None:
            # A later round's seed is the first one's with the round's number behind it.
            series._chosen_seed = dealer.seed.removesuffix(f".{series._round}") if series._round > 1 else dealer.seed
        series._record, series._path, series._resumed = record, path, True
        return series

    def play(self, console: Console) -> None:
        """Play all rounds that are left, and name the champion if there were several."""
        while True:
            if self._record is None:
                self._begin()
            if self._rounds > 1:
                self._announce(console)
            winner = self._play_round(console)
            self._points[winner] += 1
            if self._round >= self._rounds:
                break
            self._round += 1
            self._sides = self._sides[1], self._sides[0]
            self._points.reverse()
            self._record = None
            console.say()
        if self._rounds > 1:
            self._crown(console)

    @property
    def going_on(self) -> str | None:
        """The file to resume from, if a game has been kept and is not over."""
        record = self._record
        if record is None or record.match.outcome is not None or not self._path or not os.path.exists(self._path):
            return None
        return self._path

    @property
    def game(self) -> Game[Any]:
        """The rules in play."""
        return self._game

    def _begin(self) -> None:
        match = Match(self._game, dealer=self._dealer())
        names = (self._sides[0].name, self._sides[1].name)
        kinds = (self._sides[0].kind, self._sides[1].kind)
        other: tuple[tuple[str, str], ...] = ()
        if self._rounds > 1:
            other = (
                ("Round", f"{self._round}/{self._rounds}"),
                ("Points", f"{self._points[0]}-{self._points[1]}"),
            )
        self._record = Record(match, names, kinds, time.strftime("%Y-%m-%d"), other)
        self._path = saves.new_path(self._game.slug)
        if self._round > 1:
            # The points are worth keeping even before the first move.
            self._keep()

    def _dealer(self) -> Dealer:
        chosen = self._chosen_seed
        if chosen is not None and self._round > 1:
            chosen = f"{chosen}.{self._round}"
        if self._deal is not None:
            return dealers.given(self._game, self._deal, chosen or dealers.new_seed())
        if chosen is not None:
            return dealers.seeded(self._game, chosen)
        if self._game.deck:
            return dealers.sealed(self._game)
        return dealers.seeded(self._game, dealers.new_seed())

    def _play_round(self, console: Console) -> int:
        record = self._record
        if record is None:
            raise LookupError("no round has begun")
        if console.rich:
            self._greet(console, record)
        winner = Table(console, record, self._keep).play()
        self._keep()
        if saves.is_kept_here(self._path):
            saves.remove(self._path)
        return winner

    def _greet(self, console: Console, record: Record) -> None:
        console.say(f"{self._game.title}. Type help at any prompt.", "hint")
        if record.match.dealer.commitment is not None:
            console.say(f"The deal is sealed: SHA-256 {record.match.dealer.commitment}", "hint")
        console.say()

    def _keep(self) -> None:
        record = self._record
        if record is None:
            raise LookupError("no round has begun")
        for path in (self._path, self._round_record_path()):
            if not path:
                continue
            try:
                saves.write(path, record)
            except saves.CannotSave as error:
                if not self._warned:
                    self._warn(f"{error}. The game goes on, but it is not kept.")
                self._warned = True

    def _round_record_path(self) -> str | None:
        return round_path(self._record_path, self._round, self._rounds) if self._record_path else None

    def _announce(self, console: Console) -> None:
        console.say(f"Round {self._round} of {self._rounds}. {self._sides[0].name} goes first.", "heading")
        if self._round > 1:
            console.say(f"Points so far: {self._points_text()}.")
        console.say()

    def _crown(self, console: Console) -> None:
        mine, yours = self._points
        console.say()
        console.say(f"Points: {self._points_text()}.")
        if mine == yours:
            console.say("The points are equal: there is no overall champion.", "heading")
        else:
            console.say(f"Overall champion: {self._sides[0 if mine > yours else 1].name}", "win")

    def _points_text(self) -> str:
        """Both points, in the order in which the two sat down first, whatever their seats are now."""
        texts = [f"{side.name} {points}" for side, points in zip(self._sides, self._points, strict=True)]
        return ", ".join(texts if self._round % 2 else reversed(texts))


def standing(record: Record) -> tuple[int, int, int, int]:
    """Which round of how many a record is, and the points before it, as its tags say."""
    tags = dict(record.other)
    texts = (*tags.get("Round", "").split("/"), *tags.get("Points", "").split("-"))
    counts = [count for count in map(whole, texts) if count is not None]
    if len(counts) == len(texts) == 4:
        now, rounds, mine, yours = counts
        if 1 <= now <= rounds <= MOST_ROUNDS and mine + yours == now - 1:
            return now, rounds, mine, yours
    return 1, 1, 0, 0


def round_path(path: str, number: int, rounds: int) -> str:
    """Where the record of a round goes: in a series each has its number in the name."""
    if rounds == 1:
        return path
    stem, suffix = os.path.splitext(path)
    return f"{stem}-{number}{suffix}"
