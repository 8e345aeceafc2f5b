"""The certificate of a strategy for each player, worked out anew from the rules and from nothing that a solver uses.

The best answer to a strategy is found by going through the game once for each player: what they cannot tell apart is
kept together, and at each of their decisions the best move is taken for all of it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from numberquest.core.contract import CHANCE, Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.knowledge import STEP, Knowledge, in_text, learned_by_both

Strategy = Mapping[tuple[int, str], Mapping[str, Fraction]]
"""The odds of moves, by the player (0 or 1) and what they know, as text."""


class BadStrategy(UsageError):
    """A strategy that is none: what is wrong with it, in a sentence."""

    code = FAILURE


class _World(NamedTuple):
    """A course that the game may have taken: what each knows, and how likely it is but for the moves of one."""

    position: Any
    known: tuple[Knowledge, Knowledge]
    likely: Fraction


class _Answer:
    """What a player gets at best against the strategy of the other."""

    def __init__(self, game: Game[Any], strategy: Strategy, who: int) -> None:
        self.game, self.strategy, self.who = game, strategy, who
        self._start = game.start()
        at_first = [in_text((seat, game.sees(self._start, seat))) for seat in (0, 1)]
        self._rows = sorted({known for seat, known in strategy if not _goes_on_from(known, at_first[seat])})
        """What is known where play begins anew, later than at the start."""
        self._begins: dict[Any, bool] = {}
        self._known_to_all: dict[Any, Fraction] = {}
        self._texts: dict[Knowledge, str] = {}
        self._open: set[Any] = set()

    def from_position(self, p: Any) -> Fraction:
        """From a position that everybody knows: what Player 1 gets."""
        if p not in self._known_to_all:
            if p in self._open:
                raise BadStrategy(
                    f"{self.game.slug} can come back to where it was, and then this cannot be worked out once for all"
                )
            self._open.add(p)
            known = (0, self.game.sees(p, 0)), (1, self.game.sees(p, 1))
            self._known_to_all[p] = self._best([_World(p, known, Fraction(1))], {}, root=True)
        return self._known_to_all[p]

    def _begins_anew(self, p: Any) -> bool:
        """Whether the strategy looks back no farther than to this position, which has to be known to everybody."""
        if p not in self._begins:
            text = in_text((None, p))
            at = bisect_left(self._rows, text)
            begins = p == self._start or (at < len(self._rows) and _goes_on_from(self._rows[at], text))
            self._begins[p] = begins and self.game.sees(p, None) == p
        return self._begins[p]

    def _best(self, worlds: Iterable[_World], met: dict[Knowledge, Any], *, root: bool = False) -> Fraction:
        """What Player 1 gets from all these together, each as likely as it is.

        `met` has what the one with the strategy knows, and which position begins anew there, if any: they have to know.
        """
        game, who, waiting = self.game, self.who, list(worlds)
        total = Fraction(0)
        decisions: dict[Knowledge, list[_World]] = {}
        while waiting:
            world = waiting.pop()
            p, likely = world.position, world.likely
            outcome = game.outcome(p)
            if outcome is not None:
                total += likely * (Fraction(1, 2) if outcome.winner is None else 1 - outcome.winner)
                continue
            begins = not root and self._begins_anew(p)
            known = world.known[1 - who]
            if not root and met.setdefault(known, p if begins else None) != (p if begins else None):
                raise BadStrategy(f"it begins anew where Player {2 - who} may not know it, who knows {in_text(known)}")
            if begins:
                total += likely * self.from_position(p)
            elif game.player(p) == who:
                decisions.setdefault(world.known[who], []).append(world)
            elif game.player(p) == CHANCE:
                for move, odds in zip(game.moves(p), game.odds(p), strict=True):
                    waiting.append(self._after(world, move, likely * odds))
            else:
                for move, odds in self._odds(world).items():
                    waiting.append(self._after(world, move, likely * odds))
            root = False
        choose = max if who == 0 else min
        for alike in decisions.values():
            moves = game.moves(alike[0].position)
            total += choose(
                self._best((self._after(world, move, world.likely) for world in alike), met) for move in moves
            )
        return total

    def _after(self, world: _World, move: str, likely: Fraction) -> _World:
        game = self.game
        after, mover = game.play(world.position, move), game.player(world.position)
        return _World(after, learned_by_both(game, world.known, mover, move, after), likely)

    def _odds(self, world: _World) -> Mapping[str, Fraction]:
        other = 1 - self.who
        known = world.known[other]
        if known not in self._texts:
            self._texts[known] = in_text(known)
        text = self._texts[known]
        odds = self.strategy.get((other, text))
        if odds is None:
            raise BadStrategy(f"it does not say what Player {other + 1} does who knows {text}")
        allowed = self.game.moves(world.position)
        strange = [move for move in odds if move not in allowed]
        if strange:
            raise BadStrategy(f"Player {other + 1} who knows {text} cannot play {strange[0]!r}")
        if sum(odds.values()) != 1 or min(odds.values()) < 0:
            raise BadStrategy(f"the odds of Player {other + 1} who knows {text} are not 1 together")
        return odds


def _goes_on_from(known: str, text: str) -> bool:
    return known == text or known.startswith(text + STEP)


def certified(game: Game[Any], strategy: Strategy) -> tuple[Fraction, Fraction]:
    """What Player 1 gets at least with their strategy, and at most against that of Player 2, exactly."""
    low, high = (_Answer(game, strategy, who).from_position(game.start()) for who in (1, 0))
    return low, high
