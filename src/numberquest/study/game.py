"""One game of an evaluation: a pure function of who plays, the rules, the deal and the seat; and its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

from numberquest.core import dealer as dealers
from numberquest.core.contract import Game
from numberquest.core.dealer import Dealer
from numberquest.core.errors import FAILURE, Unable, UsageError
from numberquest.core.loading import what_happened
from numberquest.core.play_out import play_out
from numberquest.core.stream import Dice, Stream
from numberquest.players.asking import ATTEMPTS, LEAVE, RANDOM, Illegal, ProviderError, Reply, aside, asked, choosing
from numberquest.players.levels import Level, Player, perfect_moves
from numberquest.study.row import certain

Chooser = Callable[[Any, Dice], str]

MOST_REMEMBERED: Final = 200_000
"""Positions whose best moves are cached, at most: a limit on memory."""


class Contest(NamedTuple):
    """The rules, the seed and the limits that all games of an evaluation share."""

    game: Game[Any]
    seed: str
    tries: int = 3
    """How often a player is asked who answers with what is no allowed move, before the game is lost."""
    errors: str = RANDOM
    """How a missing answer counts: `random`, `lose` or `leave`."""


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
    """The agent's seat, 0 or 1."""
    result: float | None
    """1 where the agent won, 0 where it lost, one half for a draw; None: it is missing, because a provider failed."""
    history: tuple[str, ...]
    illegal: tuple[int, int] = (0, 0)
    """How many answers of each player, Player 1 first, were no allowed moves."""
    forfeit: int | None = None
    """The player who lost by such answers, 0 or 1."""
    errors: int = 0
    """How often a provider failed, but for answers that were cut off."""
    error: str = ""
    """The provider's reason for the last missing answer."""
    unanswered: tuple[int, int] = (0, 0)
    """How many answers of each player, Player 1 first, were missing."""
    cut_off: tuple[int, int] = (0, 0)
    """How many answers of each player were cut off."""
    silent: bool = False
    """Whether a player whose answers were missing gave none at all."""
    heard: tuple[Mapping[str, Any], ...] = ()
    """Each prompt to a language model with the raw answer to it, and whose answer it was (`player`: 1 or 2)."""

    @property
    def job(self) -> Job:
        """Which game this is."""
        return Job(*self[:4])

    @property
    def players(self) -> tuple[str, str]:
        """The names, Player 1 first."""
        return self.job.players

    def data(self) -> dict[str, object]:
        """Return the row as JSON: seats are 1 and 2 there, and default values are left out."""
        said: dict[str, object] = {**self._asdict(), "seat": self.seat + 1}
        said["result"] = None if self.result is None else certain(self.result)
        said["forfeit"] = None if self.forfeit is None else self.forfeit + 1
        usual = self._field_defaults
        return {name: value for name, value in said.items() if name not in usual or value != usual[name]}

    @classmethod
    def of(cls, said: dict[str, Any]) -> Row:
        """From JSON; any error where it is none of ours."""
        result, forfeit = said["result"], said.get("forfeit")
        if not (result is None or result in (0, 0.5, 1)) or said["seat"] not in (1, 2):
            raise ValueError
        proper: dict[str, Any] = {
            **said,
            "deal": int(said["deal"]),
            "seat": said["seat"] - 1,
            "result": None if result is None else float(result),
            "history": tuple(map(str, said["history"])),
            "forfeit": None if forfeit is None else int(forfeit) - 1,
            "heard": tuple(said.get("heard", ())),
        }
        proper |= {name: _pair(*said[name]) for name in ("illegal", "unanswered", "cut_off") if name in said}
        return cls(**proper)


def _pair(first: int, second: int) -> tuple[int, int]:
    return int(first), int(second)


def dealer_for(contest: Contest, deal: int) -> Dealer:
    """Return the dealer of one deal: the same for both seats, and for all opponents."""
    return dealers.seeded(contest.game, f"{contest.seed}/{deal}")


class ContestRunner:
    """Plays the games of a contest with players that are ready."""

    def __init__(self, contest: Contest, players: dict[str, Player]) -> None:
        self._contest, self._players = contest, players
        self._choosers = {name: chooser(contest.game, player) for name, player in players.items()}
        # Some want to know how the game has gone so far.
        self._followers: dict[str, Callable[[Sequence[str]], None] | None] = {
            name: getattr(player, "follow", None) for name, player in players.items()
        }

    def play(self, job: Job) -> Row:
        """Play one game. An answer that is missing, asked for again and again, counts as the contest says."""
        game, seed = self._contest.game, f"{self._contest.seed}/{job.deal}/{job.seat + 1}/{job.opponent}"
        dealer, names = dealer_for(self._contest, job.deal), job.players
        dice = [Stream(seed, "agent" if seat == job.seat else "opponent") for seat in (0, 1)]
        replies: tuple[list[Reply], list[Reply]] = ([], [])
        heard: list[Mapping[str, Any]] = []

        def choose(p: Any, player: int, history: Sequence[str]) -> str | None:
            if game.has_secrets:
                answer = choosing(self._players[names[player]], game, p, tuple(history))
            else:
                follow = self._followers[names[player]]
                if follow is not None:
                    follow(history)
                answer = partial(self._choosers[names[player]], p)
            chosen = partial(self._allowed, names[player], answer, game.moves(p))
            reply = asked(chosen, dice[player], self._contest.tries, ATTEMPTS)
            replies[player].append(reply)
            model: Any = self._players[names[player]]
            if getattr(model, "is_language_model", False):
                heard.extend({"player": player + 1, **one} for one in model.heard)
                model.heard.clear()
            if reply.is_missing and self._contest.errors == RANDOM:
                return Stream(seed, f"missing answer {len(history)}").choose(game.moves(p))
            return reply.move

        with aside():
            played = play_out(game, choose, lambda p, before: dealer.reveal(game, p, before))
        illegal, errors, unanswered, cut_off = zip(*map(_counted, replies), strict=True)
        failed = [failure for own in replies for reply in own if reply.is_missing for failure in reply.failures[-1:]]
        row = Row(
            *job,
            0.5 if played.winner is None else float(played.winner == job.seat),
            played.history,
            illegal,
            played.forfeit,
            sum(errors),
            (" ".join(str(failed[-1]).split())[:200] or type(failed[-1]).__name__) if failed else "",
            unanswered,
            cut_off,
            any(own and all(reply.is_missing for reply in own) for own in replies),
            tuple(heard),
        )
        left_out = self._contest.errors == LEAVE and failed
        return row._replace(result=None, history=(), forfeit=None) if left_out else row

    def _allowed(self, name: str, answer: Callable[[Dice], str], moves: Sequence[str], dice: Dice) -> str:
        """Return a player's move; `Illegal` where the answer is no allowed move."""
        try:
            move: object = answer(dice)
        except (Illegal, ProviderError, UsageError):
            raise
        except Exception as error:
            raise UsageError(f"{name} has failed: {what_happened(error)}", FAILURE) from error
        if isinstance(move, str) and move in moves:
            return str(move)
        raise Illegal(str(move))


def _counted(replies: Sequence[Reply]) -> tuple[int, int, int, int]:
    """How many answers were no allowed moves, how often the provider failed, and how many were missing, or cut off."""
    cut_off = sum(reply.cut_off for reply in replies)
    return (
        sum(len(reply.illegal) for reply in replies),
        sum(len(reply.failures) for reply in replies) - cut_off,
        sum(reply.is_missing for reply in replies),
        cut_off,
    )


def chooser(game: Game[Any], player: Player) -> Chooser:
    """How a player chooses; a level as it always does, but what is best in a position is looked up only once."""
    if not isinstance(player, Level):
        return lambda p, dice: player.choose(game, p, dice)
    slips = player.any_move
    if slips == 100:
        return lambda p, dice: dice.choose(game.moves(p))
    from numberquest.solver import solve

    try:
        solve(game)
    except Unable:
        return lambda p, dice: player.choose(game, p, dice)
    best = lru_cache(MOST_REMEMBERED)(partial(perfect_moves, game))

    def choose(p: Any, dice: Dice) -> str:
        any_move = slips and dice.below(100) < slips
        return dice.choose(game.moves(p) if any_move else best(p))

    return choose
