"""A match in which one seat is the caller's, and the other a computer player's, which answers at once."""

import secrets
from typing import Any

from numberquest.core.contract import Game
from numberquest.core.match import Match
from numberquest.core.stream import Stream
from numberquest.envs.arguments import asked_move
from numberquest.players.levels import Player


class SeatedMatch:
    """The same seed deals the same, and gives the opponent the same dice."""

    def __init__(self, game: Game[Any], opponent: Player, seat: int | None, seed: int | str | None) -> None:
        """`seat` is 0 or 1, or None: drawn by lot."""
        self.match: Match[Any] = Match(game, seed=seed)
        # The opponent's dice are nobody's business: from the deal's own seed they could be worked out.
        self._dice = Stream(secrets.token_hex(16) if seed is None else str(seed), "opponent")
        self.opponent, self.seat = opponent, self._dice.below(2) if seat is None else seat
        self.reply()

    def reply(self) -> None:
        """Let the opponent move for as long as it is its turn."""
        match = self.match
        while match.outcome is None and match.player != self.seat:
            match.play(asked_move(self.opponent, match.game, match.position, self._dice, match.history))
