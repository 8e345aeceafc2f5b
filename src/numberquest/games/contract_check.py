"""Whether a class keeps the contract of a game, as far as a short look tells: each breach is one sentence.

This is done whenever somebody's game is loaded, so it is quick: a few games played at random. `numberquest check` looks
much further.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any, Final

from numberquest.contract import CHANCE, Game, Outcome, ending
from numberquest.loading import BadGame, what_happened
from numberquest.settings import shown
from numberquest.view import fields_of, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS: Final = ("slug", "title", "summary", "rules")
SLUG: Final = "[a-z][a-z0-9_]{0,19}"
LONGEST_MOVE: Final = 20
"""How many characters a move may have: people type it."""
WALKS: Final = 12
LONGEST_WALK: Final = 300


def check_kind(kind: type[Game[Any]], where: str) -> None:
    """`BadGame` with one sentence where the class breaks the contract."""
    for name in TEXTS:
        value = getattr(kind, name, None)
        if value is None:
            raise BadGame(f"{where}: {kind.__name__} has no {name}")
        if not isinstance(value, str) or not value.strip():
            raise BadGame(f"{where}: {name} of {kind.__name__} is a text, not {shown(value)}")
    if re.fullmatch(SLUG, kind.slug) is None:
        raise BadGame(
            f"{where}: the slug is a short name of small letters, digits and _, such as nim, not {shown(kind.slug)}"
        )
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        raise BadGame(f"{where}: {kind.__name__} has no {' and no '.join(missing)}")
    game = _asked(where, "making the game", kind)
    _Look(game, where).all()


def _asked(where: str, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """What somebody's code answers; an error of it is a sentence with the place."""
    try:
        return call(*arguments)
    except BadGame:
        raise
    except Exception as error:
        raise BadGame(f"{where}: {what} failed: {what_happened(error)}") from None


class _Look:
    """A short look at a game."""

    def __init__(self, game: Game[Any], where: str) -> None:
        self._game = game
        self._where = where
        self._history: list[str] = []

    def all(self) -> None:
        actions = self._ask("actions", lambda: self._game.actions)
        self._check_actions(actions)
        self._check_deck()
        self._known = set(actions)
        self._order = {action: at for at, action in enumerate(actions)}
        start = self._ask("start", self._game.start)
        self._check_position(start)
        _asked(self._where, "view", view_of, self._game)
        for field in view_of(self._game):
            _asked(self._where, f"view, {field.name}", field.reader, self._game)
            _asked(self._where, f"view, {field.name}", field.parts, self._game)
        random = Random(0)  # noqa: S311  # the same look every time
        for _ in range(WALKS):
            self._walk(start, random)

    def _wrong(self, what: str) -> BadGame:
        after = f" after {' '.join(self._history[-12:])}" if self._history else " at the start"
        return BadGame(f"{self._where}: {what}{after}")

    def _ask(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        after = f" after {' '.join(self._history[-12:])}" if self._history else ""
        return _asked(self._where, f"{what}{after}", call, *arguments)

    def _check_actions(self, actions: object) -> None:
        if not isinstance(actions, tuple) or not actions or not all(isinstance(action, str) for action in actions):
            raise BadGame(f"{self._where}: actions is a tuple of texts, one for each move there can be")
        if len(set(actions)) < len(actions):
            twice = next(action for action in actions if actions.count(action) > 1)
            raise BadGame(f"{self._where}: actions has {shown(twice)} twice")
        for action in actions:
            if not 1 <= len(action) <= LONGEST_MOVE or action != " ".join(action.split()) or not action.isprintable():
                raise BadGame(
                    f"{self._where}: an action is a short text of 1 to {LONGEST_MOVE} visible characters, "
                    f"not {shown(action)}"
                )

    def _check_deck(self) -> None:
        deck = self._ask("deck", lambda: self._game.deck)
        if not isinstance(deck, tuple) or not all(type(number) is int and number >= 0 for number in deck):
            raise BadGame(f"{self._where}: deck is a tuple of whole numbers, not {shown(deck)}")
        longest = self._ask("longest", lambda: self._game.longest)
        if longest is not None and (type(longest) is not int or longest < 1):
            raise BadGame(f"{self._where}: longest is a whole number, or None, not {shown(longest)}")

    def _check_position(self, p: object) -> None:
        self._ask("the position", fields_of, p)
        try:
            hash(p)
        except TypeError:
            inside = [name for name, value in fields_of(p).items() if _is_mutable(value)]
            what = f": {inside[0]} is one that can be changed, make it a tuple" if inside else ""
            raise self._wrong(f"a position must never change, so that it can be remembered{what};") from None
        if not isinstance(p, tuple) and not getattr(type(p), "__dataclass_params__").frozen:  # noqa: B009
            raise self._wrong(f"a position must never change: write @dataclass(frozen=True) above {type(p).__name__};")

    def _walk(self, start: Any, random: Random) -> None:
        game, p = self._game, start
        self._history = []
        while len(self._history) < LONGEST_WALK:
            moves = self._ask("moves", game.moves, p)
            outcome = self._ask("outcome", game.outcome, p)
            self._check_end(p, moves, outcome)
            if not moves:
                return
            player = self._ask("player", game.player, p)
            if player == CHANCE:
                self._check_chance(p, moves)
            else:
                self._check_moves(player, moves)
            move = random.choice(moves)
            before = hash(p)
            after = self._ask(f"play {move}", game.play, p, move)
            if hash(p) != before:
                raise self._wrong(f"playing {move} has changed the position that it was played from")
            self._history.append(move)
            self._check_position(after)
            if type(after) is not type(start):
                raise self._wrong(f"play gives {type(after).__name__}, but start gives {type(start).__name__};")
            p = after

    def _check_end(self, p: Any, moves: object, outcome: object) -> None:
        if not isinstance(moves, tuple) or not all(isinstance(move, str) for move in moves):
            raise self._wrong(f"moves is a tuple of texts, not {shown(moves)},")
        if outcome is None:
            if not moves:
                raise self._wrong("nobody can move, but there is no outcome")
            return
        if not isinstance(outcome, Outcome):
            raise self._wrong(f"outcome is an Outcome or None, not {shown(outcome)},")
        if outcome.winner is not None and (type(outcome.winner) is not int or outcome.winner not in (0, 1)):
            raise self._wrong(f"the winner of an outcome is 0 or 1, or None in a draw, not {shown(outcome.winner)},")
        if not isinstance(outcome.reason, str) or not outcome.reason:
            raise self._wrong("an outcome has no reason")
        if moves:
            raise self._wrong("there is an outcome, but moves are still allowed")
        self._ask("the words of the ending", ending, self._game, outcome)

    def _check_moves(self, player: object, moves: tuple[str, ...]) -> None:
        if type(player) is not int or player not in (0, 1):
            raise self._wrong(f"player is 0, 1 or CHANCE, not {shown(player)},")
        strange = [move for move in moves if move not in self._known]
        if strange:
            raise self._wrong(f"the move {shown(strange[0])} is allowed, which actions does not have,")
        ids = [self._order[move] for move in moves]
        if ids != sorted(set(ids)):
            raise self._wrong("the moves are not in the order of actions, each once,")

    def _check_chance(self, p: Any, moves: tuple[str, ...]) -> None:
        game = self._game
        if not game.chance:
            raise self._wrong("chance moves, but the game has no weights")
        weights = self._ask("weights", game.weights, p)
        if not isinstance(weights, tuple) or not all(type(weight) is int and weight > 0 for weight in weights):
            raise self._wrong(f"weights is a tuple of whole numbers above 0, not {shown(weights)},")
        if len(weights) != len(moves):
            raise self._wrong(f"there are {len(weights)} weights for {len(moves)} reveals")
        if len(set(moves)) < len(moves):
            raise self._wrong("the same reveal is listed twice")
        turn = self._ask("turn", game.turn, p)
        if type(turn) is not int or turn not in (0, 1):
            raise self._wrong(f"turn says whose turn it is while chance moves, 0 or 1, not {shown(turn)},")
        if game.deck:
            slot = self._ask("slot", game.slot, p)
            if type(slot) is not int or not 0 <= slot < len(game.deck):
                raise self._wrong(f"slot is a place of the deck, 0 to {len(game.deck) - 1}, not {shown(slot)},")
            strange = sorted(set(moves) - set(map(str, game.deck)))
            if strange:
                raise self._wrong(f"{shown(strange[0])} can be revealed, which the deck does not have,")


def _is_mutable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return True
    return False
