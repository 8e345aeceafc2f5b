"""One game of an evaluation: a pure function of who plays, the rules, the deal and the seat; and its row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from numberquest.core import dealer as dealers
from numberquest.core.contract import Game
from numberquest.core.dealer import Dealer
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.loading import what_happened
from numberquest.core.play_out import play_out
from numberquest.core.stream import Dice, Stream
from numberquest.players.asking import Illegal, ProviderError, aside
from numberquest.players.levels import Level, Player, perfect_moves

Chooser = Callable[[Any, Dice], str]

ATTEMPTS: Final = 3
"""A game in which a provider fails is played anew, so often in all; then it is missing."""
MOST_REMEMBERED: Final = 200_000
"""Of so many positions the best moves are remembered, so that the memory never fills up."""


class Contest(NamedTuple):
    """What all games of an evaluation have in common."""

    game: Game[Any]
    seed: str
    tries: int = 3
    """How often a player is asked who answers with what is no allowed move, before the game is lost."""


class Job(NamedTuple):
    """One game: who is measured and in which seat, 0 or 1; against whom, and with which deal."""

    agent: str
    opponent: str
    deal: int
    seat: int

    @property
    def players(self) -> tuple[str, str]:
        """The names, Player 1 first."""
        return (self.opponent, self.agent) if self.seat else (self.agent, self.opponent)


class Row(NamedTuple):
    """How one game went."""

    agent: str
    opponent: str
    deal: int
    seat: int
    """Where the agent sat, 0 or 1."""
    result: float | None
    """1 where the agent won, 0 where it lost, one half for a draw; None: it is missing, because a provider failed."""
    history: tuple[str, ...]
    """All moves and reveals."""
    illegal: tuple[int, int] = (0, 0)
    """How many answers of each player, Player 1 first, were no allowed moves."""
    forfeit: int | None = None
    """Who lost by such answers, 0 or 1."""
    errors: int = 0
    """How often a provider failed."""
    error: str = ""
    """What it said the last time, where the game is missing."""

    @property
    def job(self) -> Job:
        """Which game this is."""
        return Job(*self[:4])

    @property
    def players(self) -> tuple[str, str]:
        """The names, Player 1 first."""
        return self.job.players

    def data(self) -> dict[str, object]:
        """As JSON: seats are 1 and 2 there, and what is as usual is left out."""
        said: dict[str, object] = {
            "agent": self.agent,
            "opponent": self.opponent,
            "deal": self.deal,
            "seat": self.seat + 1,
            "result": int(self.result) if self.result in (0, 1) else self.result,
            "history": list(self.history),
        }
        if any(self.illegal):
            said["illegal"] = list(self.illegal)
        unusual = {
            "forfeit": 0 if self.forfeit is None else self.forfeit + 1,
            "errors": self.errors,
            "error": self.error,
        }
        return said | {name: value for name, value in unusual.items() if value}

    @classmethod
    def of(cls, said: dict[str, Any]) -> Row:
        """From JSON; any error where it is none of ours."""
        first, second = said.get("illegal", (0, 0))
        result, forfeit = said["result"], said.get("forfeit")
        if not (result is None or result in (0, 0.5, 1)) or said["seat"] not in (1, 2):
            raise ValueError
        return cls(
            str(said["agent"]),
            str(said["opponent"]),
            int(said["deal"]),
            said["seat"] - 1,
            None if result is None else float(result),
            tuple(map(str, said["history"])),
            (int(first), int(second)),
            None if forfeit is None else int(forfeit) - 1,
            int(said.get("errors", 0)),
            str(said.get("error", "")),
        )


def dealer_for(contest: Contest, deal: int) -> Dealer:
    """Who deals: the same for both seats, and for all opponents."""
    return dealers.seeded(contest.game, f"{contest.seed}/{deal}")


class ContestRunner:
    """Where the games of a contest are played, with players that are ready."""

    def __init__(self, contest: Contest, players: dict[str, Player]) -> None:
        self._contest = contest
        self._choosers = {name: chooser(contest.game, player) for name, player in players.items()}
        # Some want to know how the game has gone so far.
        self._followers: dict[str, Callable[[Sequence[str]], None] | None] = {
            name: getattr(player, "follow", None) for name, player in players.items()
        }

    def play(self, job: Job) -> Row:
        """Play one game, anew where a provider fails."""
        said = ""
        for errors in range(ATTEMPTS):
            try:
                with aside():
                    return self._played(job)._replace(errors=errors)
            except ProviderError as error:
                said = " ".join(str(error).split())[:200] or type(error).__name__
        return Row(*job, None, (), errors=ATTEMPTS, error=said)

    def _played(self, job: Job) -> Row:
        game, seed = self._contest.game, f"{self._contest.seed}/{job.deal}/{job.seat + 1}/{job.opponent}"
        dealer = dealer_for(self._contest, job.deal)
        seats = job.players
        dice = [Stream(seed, "agent" if seat == job.seat else "opponent") for seat in (0, 1)]
        choosers = [self._choosers[name] for name in seats]
        followers = [self._followers[name] for name in seats]
        illegal, tries = [0, 0], self._contest.tries

        def choose(p: Any, player: int, history: Sequence[str]) -> str | None:
            follow, ask, rolls = followers[player], choosers[player], dice[player]
            if follow is not None:
                follow(history)
            moves = game.moves(p)
            for _ in range(tries):
                try:
                    move: object = ask(p, rolls)
                except Illegal:
                    illegal[player] += 1
                    continue
                except UsageError:
                    raise
                except Exception as error:
                    raise UsageError(f"{seats[player]} has failed: {what_happened(error)}", FAILURE) from error
                if isinstance(move, str) and move in moves:
                    return str(move)
                illegal[player] += 1
            return None

        played = play_out(game, choose, lambda p, before: dealer.reveal(game, p, before))
        winner = played.winner
        result = 0.5 if winner is None else float(winner == job.seat)
        return Row(*job, result, played.history, (illegal[0], illegal[1]), played.forfeit)


def chooser(game: Game[Any], player: Player) -> Chooser:
    """How a player chooses; a level as it always does, but what is best in a position is looked up only once."""
    if not isinstance(player, Level):
        return lambda p, dice: player.choose(game, p, dice)
    slips = player.any_move
    if slips == 100:
        return lambda p, dice: dice.choose(game.moves(p))
    from numberquest.solver import TooLarge, solve

    try:
        solve(game)
    except TooLarge:
        return lambda p, dice: player.choose(game, p, dice)
    best = lru_cache(MOST_REMEMBERED)(partial(perfect_moves, game))

    def choose(p: Any, dice: Dice) -> str:
        any_move = slips and dice.below(100) < slips
        return dice.choose(game.moves(p) if any_move else best(p))

    return choose
