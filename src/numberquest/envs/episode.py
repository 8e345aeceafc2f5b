"""One game after the other, played by action ids. What is left to chance comes from a generator of one's own."""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import CHANCE, Game, Outcome, P, ending, player_name
from numberquest.core.rulebook import titled
from numberquest.core.seen_history import known_after
from numberquest.core.stream import weighted
from numberquest.core.view import said
from numberquest.envs.observation import action_ids
from numberquest.solver import solve
from numberquest.solver.solution import ALIKE

MASKS_KEPT: Final = 4096
"""So many masks are kept; some games have far more, and they would fill the memory for nothing."""


class Episode(Generic[P]):
    """A game being played as fast as its rules allow: legality is for the caller to see to, by the mask.

    A game that has no longest length is truncated after `game.bound` moves and reveals.
    """

    def __init__(self, game: Game[P]) -> None:
        self.game = game
        self.actions = game.actions
        self._ids = action_ids(game)
        self._masks: dict[tuple[str, ...], NDArray[np.int8]] = {}
        self._none = np.zeros(len(game.actions), np.int8)
        self._deal = [str(number) for number in game.deck]
        self._bound = game.bound if game.longest is None else None
        self._steps = 0
        self.history: list[str] | None = [] if game.has_secrets else None
        """All moves and reveals, where somebody has to know what was seen of them."""
        self.position = game.start()
        self.moves: tuple[str, ...] = ()
        self.player = 0
        self.over = False
        """Whether the game has ended, or was truncated."""
        self.outcome: Outcome | None = None
        """Who won and why; None while the game goes on, and where it was truncated."""

    def start(self, dice: np.random.Generator) -> None:
        """A new game; `dice` deals what is hidden, and draws what is drawn on the way."""
        self._dice = dice
        if self._deal:
            # Put in order first: a seed gives the same deal whatever was dealt before.
            self._deal.sort()
            dice.shuffle(self._deal)
        self._steps, self.over, self.outcome = 0, False, None
        if self.history is not None:
            self.history.clear()
        self._arrive(self.game.start())

    def play(self, move: str) -> None:
        """Make this move."""
        self._steps += 1
        if self.history is not None:
            self.history.append(move)
        self._arrive(self.game.play(self.position, move))

    def _arrive(self, position: P) -> None:
        """Take in where a move has led, after what chance makes of it."""
        game, deal, bound = self.game, self._deal, self._bound
        player = game.player(position)
        # Asked for the end and not for the moves: a list of all reveals would be made for nothing.
        while player == CHANCE and self._steps != bound and game.outcome(position) is None:
            revealed = deal[game.slot(position)] if deal else self._drawn(position)
            if self.history is not None:
                self.history.append(revealed)
            position = game.play(position, revealed)
            player = game.player(position)
            self._steps += 1
        moves = game.moves(position)
        if moves and (bound is None or self._steps < bound):
            self.position, self.moves, self.player = position, moves, player
        else:
            self.position, self.moves, self.player = position, (), game.turn(position)
            self.over, self.outcome = True, game.outcome(position)

    def _drawn(self, position: P) -> str:
        """One of the faces, each as often as its weight says."""
        weights = self.game.weights(position)
        return weighted(self.game.moves(position), weights, int(self._dice.random() * sum(weights)))

    def known(self, player: int) -> Any:
        """What this player knows: in a game without secrets the position itself."""
        return self.position if self.history is None else known_after(self.game, self.history, player)

    def seen(self, player: int | None) -> P:
        """The position as somebody sees it: all of it, when the game is over."""
        return self.position if self.over else self.game.sees(self.position, player)

    def reward(self, player: int) -> int:
        """What this player has won in the end: 1, -1, or 0 in a draw and in a game that was truncated."""
        return 0 if self.outcome is None else self.outcome.reward(player)

    def allows(self, action: int) -> bool:
        """Whether the move of this action id is allowed now."""
        return bool(self._mask()[action])

    @property
    def legal(self) -> list[int]:
        """The action ids allowed now."""
        return [self._ids[move] for move in self.moves]

    @property
    def mask(self) -> NDArray[np.int8]:
        """1 for every action id that is allowed now. The caller's own, to keep or to write to."""
        return self._mask().copy()

    @property
    def no_mask(self) -> NDArray[np.int8]:
        """All zeros: for whoever is not to move."""
        return self._none.copy()

    def _mask(self) -> NDArray[np.int8]:
        mask = self._masks.get(self.moves)
        if mask is None:
            if len(self._masks) >= MASKS_KEPT:
                self._masks.clear()
            mask = self._masks[self.moves] = np.zeros(len(self.actions), np.int8)
            mask[self.legal] = 1
        return mask


class Judged(NamedTuple):
    """What is true of one decision, or an array of them; the names are those in `info`."""

    regret: Any
    """What the move has lost of the chance of winning."""
    value: Any
    """The chance of winning before it, with a best move."""
    mattered: Any
    """Whether the moves differed in what they were worth."""


class Regret:
    """Asks the solver. `TooLarge` where the game cannot be solved."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        # Now, because it may take a while; kept by the solver, so that a copy of an environment need not carry it.
        solve(game)

    def of(self, position: Any, player: int, move: str | None) -> Judged:
        """What this player, who is to move, loses by the move; without one that is allowed, all.

        In a game with secrets it is asked about what the player knows, and means against the best play of the other.
        """
        game, solution = self._game, solve(self._game)
        if game.has_secrets:
            values = solution.moves(position)
            top = max(values.values())
            loss = float(top if move is None else top - values[move])
            spread = top - min(values.values())
            return Judged(loss if loss > ALIKE else 0.0, float(top), spread > max(ALIKE, 2 * solution.error))
        best = solution.value_for(player, position)

        def lost(move: str) -> float:
            return float(best - solution.value_for(player, game.play(position, move)))

        regret = float(best) if move is None else lost(move)
        # In a lost position nothing can be lost, and elsewhere the first move that loses something will do.
        known = move is not None and regret > ALIKE
        mattered = known or (best > ALIKE and any(lost(other) > ALIKE for other in game.moves(position)))
        return Judged(regret if regret > ALIKE else 0.0, float(best), mattered)


def picture(game: Game[Any], position: Any, who: int | None = None) -> str:
    """What lies on the table, and whose turn it is or who has won; of a game with secrets what `who` sees of it."""
    seen = position if game.outcome(position) else game.sees(position, who)
    return "\n".join([titled(game), *said(game, seen), standing(game, position)])


def standing(game: Game[Any], position: Any) -> str:
    """Whose turn it is, or who has won, as a sentence."""
    outcome = game.outcome(position)
    return result(game, outcome) if outcome else f"{player_name(game.turn(position))} is to move."


def rendered(mode: str | None, text: Callable[[], str]) -> str | None:
    """What render() gives: the text itself (`ansi`), or nothing, after it was printed (`human`)."""
    if mode == "ansi":
        return text()
    if mode is None:
        import gymnasium

        gymnasium.logger.warn("You are calling render method without specifying any render mode.")
    else:
        print(text())
    return None


def result(game: Game[Any], outcome: Outcome) -> str:
    """How a game has ended, as a sentence."""
    who = "It is a draw" if outcome.winner is None else f"{player_name(outcome.winner)} wins"
    return f"{who}: {ending(game, outcome)}."
