"""Computer players. `PLAYERS` holds them by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from numberquest.core.contract import Game
from numberquest.core.progress import Progress
from numberquest.core.sentences import Said, told
from numberquest.core.settings import BadSetting
from numberquest.core.stream import Dice

if TYPE_CHECKING:
    from fractions import Fraction


class Player(Protocol):
    """Somebody who chooses moves."""

    @property
    def name(self) -> str:
        """What the player is called on the command line."""

    @property
    def words(self) -> str:
        """How the player plays, in a few words for people."""

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Do beforehand what takes long, and tell what people should know."""

    def choose(self, game: Game[Any], position: Any, dice: Dice) -> str:
        """One of the moves allowed there."""


class Choice(NamedTuple):
    """A move, and how it was found: `solved`, by looking `ahead`, or `any` move, as weaker levels make at times."""

    move: str
    how: Literal["solved", "ahead", "any"]


class Level(NamedTuple):
    """Plays as well as possible, except that so many of 100 moves are any of those allowed, each alike."""

    name: str
    any_move: int

    @property
    def words(self) -> str:
        return told(Said(f"level-{self.name}"))

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Solve the game; where it is too large for that, say so."""
        if self.any_move == 100:
            return
        from numberquest.core.errors import Unable
        from numberquest.solver import TooLarge, solve

        try:
            solve(game, progress=progress, warn=tell)
        except Unable:
            tell(
                f"These rules are too large to work out completely, so {self.name} looks ahead as far as it can "
                "and may miss the best move."
            )
            return
        if not game.uncertain:
            from numberquest.solver.distance import distances

            try:
                distances(game, progress=progress, warn=tell)
            except TooLarge:
                tell(f"With these rules {self.name} never errs when it plays its best, but may take longer to win.")

    def choose(self, game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None = None) -> str:
        return self.choice(game, position, dice, history).move

    def odds(self, game: Game[Any], position: Any) -> dict[str, Fraction]:
        """How likely each of the moves there is; `TooLarge` where a best one is not known.

        In a game with secrets it is asked about what a player knows, as `match.known(who)` has it.
        """
        from fractions import Fraction

        slips = Fraction(self.any_move, 100)
        if game.has_secrets:
            from numberquest.solver import solve

            solution: Any = solve(game)
            allowed, mixed = solution.moves(position), solution.odds(position)
            return {move: slips / len(allowed) + (1 - slips) * Fraction(mixed.get(move, 0)) for move in allowed}
        moves = game.moves(position)
        odds = dict.fromkeys(moves, slips / len(moves))
        if slips < 1:
            best = perfect_moves(game, position)
            for move in best:
                odds[move] += (1 - slips) / len(best)
        return odds

    def choice(
        self,
        game: Game[Any],
        position: Any,
        dice: Dice,
        history: Sequence[str] | None = None,
        *,
        only_solved: bool = False,
    ) -> Choice:
        """The same, with how it was found; `only_solved`: `TooLarge` rather than anything less.

        `history` is all that has happened; of a game with secrets only what the one to move has seen of it counts.
        """
        if self.any_move == 100 or (self.any_move and dice.below(100) < self.any_move):
            return Choice(dice.choose(game.moves(position)), "any")
        if game.has_secrets:
            from numberquest.players.in_secret import chosen_in_secret

            return Choice(*chosen_in_secret(game, position, dice, history, only_solved=only_solved))
        from numberquest.solver import TooLarge

        try:
            best = perfect_moves(game, position, only_solved=only_solved)
        except TooLarge:
            if only_solved:
                raise
            from numberquest.players.look_ahead import thought_best

            return Choice(thought_best(game, position, dice), "ahead")
        return Choice(dice.choose(best), "solved")


PLAYERS: Final[dict[str, Level]] = {
    name: Level(name, any_move)
    for name, any_move in {"random": 100, "easy": 50, "medium": 25, "hard": 10, "perfect": 0}.items()
}
"""Every computer player by name, weakest first. The numbers are how many of 100 moves are any move."""


def computer_name(level: str, number: int | None = None) -> str:
    """What people call a computer player: `Computer (hard)`; with a number where two of a kind play each other."""
    return f"Computer ({level})" if number is None else f"Computer {number} ({level})"


def player(name: str) -> Level:
    """The computer player of that name."""
    if name not in PLAYERS:
        raise BadSetting(f"there is no computer player called {name!r}; there is {', '.join(PLAYERS)}")
    return PLAYERS[name]


def perfect_moves(game: Game[Any], position: Any, *, only_solved: bool = False) -> list[str]:
    """The moves between which `perfect` varies: none is better, and of those none wins sooner or loses later.

    Where chance decides how long a game takes, this means: a win at once comes first, and a lost game is
    not ended by one's own move while another goes on. The same holds, with one more move of looking ahead,
    where there are too many positions to count the moves to the end. `TooLarge` where it cannot be solved, and
    with `only_solved` also where the moves to the end cannot be counted.
    """
    from numberquest.solver import TooLarge, solve
    from numberquest.solver.solution import ALIKE

    solution = solve(game)
    best = solution.best(position)
    if len(best) < 2:
        return best
    after = {move: game.play(position, move) for move in best}
    value = solution.value(position)
    if not game.chance:
        if value not in (0, 1):
            # Nobody can force a win: how long that takes makes no difference.
            return best
        from numberquest.solver.distance import distances

        try:
            known = distances(game)
        except TooLarge:
            if only_solved:
                raise
        else:
            plies = {move: known.plies(p) for move, p in after.items()}
            right = (min if value else max)(plies.values())
            return [move for move in best if plies[move] == right]
    from numberquest.players.look_ahead import won_at_once, won_next

    if value <= ALIKE:
        return [move for move in best if game.outcome(after[move]) is None] or best
    at_once = won_at_once(game, position, best)
    if at_once or game.chance:
        return at_once or best
    return won_next(game, position, best) or best
