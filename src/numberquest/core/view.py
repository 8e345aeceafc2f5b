"""What a player sees of a position, declared once: observations, boards, `show` and `render` come from it.

view = (Scores("scores", "Score", most="target"), Pool("pool", "Available Numbers"))

Each field of a view knows three things about itself: how it is observed (a row of numbers, seen from a player), shown
(data for a board) and said (words). A number that belongs to the rules, such as the largest there can be, is written
as it is, or as the name of a setting or property of the game.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from math import isqrt
from operator import attrgetter
from typing import Any, Final, NamedTuple

from numberquest.core.contract import Field, Game, Part, Reader
from numberquest.core.loading import BadGame
from numberquest.core.sentences import NAMES

HIDDEN: Final = "hidden"
LARGEST: Final = 2**24
"""Numbers of which nothing is declared are taken to lie within this, up or down: so far a 32-bit float is exact."""


class Aimed(Field):
    """A field of numbers that may be on their way to a target."""

    target: int | str | None

    def goal(self, game: Game[Any]) -> int:
        """Return the number to be reached; 0 where the game has none."""
        return 0 if self.target is None else number(game, self.target)

    def looks(self, game: Game[Any]) -> dict[str, Any]:
        return {"target": self.goal(game) or None}


class Scores(Aimed):
    """A number for each player, with a target or without."""

    kind = "scores"

    def __init__(
        self,
        name: str,
        label: str,
        most: int | str,
        target: int | str | None = None,
        none: str = "",
        least: int | str = 0,
        reach: int | str | None = None,
    ) -> None:
        """`most` and `least` are the bounds, `target` is what is to be reached, and `none` what 0 is called.

        `reach` is the most that the numbers allow, where the target can lie beyond.
        """
        super().__init__(name, label)
        self.reach = reach
        self.most, self.target, self.none, self.least = most, target, none, least

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        most, least = number(game, self.most), number(game, self.least)
        what, none = self.label.lower(), f"; 0 is {self.none}" if self.none else ""
        return (
            Part("mine", 1, most, f"this player's {what}{none}", least),
            Part("other", 1, most, f"the other player's {what}{none}", least),
        )

    def reader(self, game: Game[Any]) -> Reader:
        get = getter(game, self.name)
        # A player sees their own first.
        return lambda p, player: get(p)[::-1] if player else get(p)

    def shown(self, game: Game[Any], p: Any) -> Any:
        pair = getattr(p, self.name)
        return [value or None for value in pair] if self.none else pair

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        values = [value or self.none or value for value in getattr(p, self.name)]
        return f"{self.label}: {names[0]} {values[0]}, {names[1]} {values[1]}"


class Number(Aimed):
    """One number that both players share; with a target, one on its way there."""

    kind = "number"

    def __init__(
        self,
        name: str,
        label: str,
        most: int | str,
        target: int | str | None = None,
        none: str = "",
        part: str = "",
        least: int | str = 0,
    ) -> None:
        """`most` and `least` are the bounds, `target` is what is to be reached, and `none` what 0 is called."""
        super().__init__(name, label, part)
        self.most, self.target, self.none, self.least = most, target, none, least

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        none = f"; 0 is {self.none}" if self.none else ""
        most, least = number(game, self.most), number(game, self.least)
        return (Part(self.part, 1, most, f"{self.label.lower()}{none}", least),)

    def reader(self, game: Game[Any]) -> Reader:
        get = getter(game, self.name)
        return lambda p, player: (get(p),)

    def shown(self, game: Game[Any], p: Any) -> Any:
        value = getattr(p, self.name)
        return value or None if self.none else value

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        of = f" of {self.goal(game)}" if self.goal(game) else ""
        return f"{self.label}: {getattr(p, self.name) or self.none or 0}{of}"


class Pool(Field):
    """Numbers that lie open: a tuple in ascending order, each as often as it is there, such as (1, 1, 2, 5)."""

    kind = "pool"

    def __init__(self, name: str, label: str, high: int | str = "high", copies: int | str = 1) -> None:
        """The numbers are 1 to `high`, each at most `copies` times."""
        super().__init__(name, label)
        self.high, self.copies = high, copies

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        meaning = f"how many of the numbers 1, 2, 3, … are there: {self.label.lower()}"
        return (Part(self.part, number(game, self.high), number(game, self.copies), meaning),)

    def reader(self, game: Game[Any]) -> Reader:
        get, none = getter(game, self.name), [0] * number(game, self.high)

        def read(p: Any, player: int) -> list[int]:
            counts = none.copy()
            for one in get(p):
                counts[one - 1] += 1
            return counts

        return read

    def looks(self, game: Game[Any]) -> dict[str, Any]:
        return {"high": number(game, self.high)}

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        return f"{self.label}: {' '.join(map(str, getattr(p, self.name))) or 'none'}"


class Pile(Pool):
    """Covered numbers: both players know the numbers, and nobody knows their order."""

    kind = "pile"


class Cells(Field):
    """Numbers in rows; 0 is a covered or empty cell."""

    kind = "cells"

    def __init__(self, name: str, label: str, wide: int | str, most: int | str) -> None:
        """`wide` is how many cells there are in a row."""
        super().__init__(name, label)
        self.wide, self.most = wide, most

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        size = len(getattr(game.start(), self.name))
        return (Part(self.part, size, number(game, self.most), f"{self.label.lower()}, row by row; 0 is none"),)

    def reader(self, game: Game[Any]) -> Reader:
        get = getter(game, self.name)
        return lambda p, player: get(p)

    def shown(self, game: Game[Any], p: Any) -> Any:
        return [value or None for value in getattr(p, self.name)]

    def looks(self, game: Game[Any]) -> dict[str, Any]:
        return {"wide": number(game, self.wide), "marks": _marks(game, self.name)}

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        cells, wide = getattr(p, self.name), number(game, self.wide)
        # A covered cell is a dot; numbers of two digits keep the columns straight.
        width = max(len(str(number(game, self.most))), 1)
        texts = [(str(+value) if value else ".").rjust(width) for value in cells]
        if len(texts) <= wide:
            return f"{self.label}: {' '.join(texts)}"
        return "\n".join(" ".join(texts[at : at + wide]) for at in range(0, len(texts), wide))


class Flags(Field):
    """Something that is so or not, for each player."""

    kind = "flags"

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        return (Part(self.part, 2, 1, f"1 where this is so of this player, and of the other: {self.label.lower()}"),)

    def reader(self, game: Game[Any]) -> Reader:
        get = getter(game, self.name)

        def read(p: Any, player: int) -> tuple[int, int]:
            first, second = get(p)
            # As numbers: a row of one kind becomes an array in half the time.
            return (+second, +first) if player else (+first, +second)

        return read

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        so = [name for name, flag in zip(names, getattr(p, self.name), strict=True) if flag]
        return f"{self.label}: {' and '.join(so) or 'nobody'}"


class Who(Field):
    """One of the players, or nobody (any other number)."""

    kind = "who"

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        return (Part(self.part, 1, 2, f"{self.label.lower()}: 0 nobody, 1 this player, 2 the other"),)

    def reader(self, game: Game[Any]) -> Reader:
        get = getter(game, self.name)

        def read(p: Any, player: int) -> tuple[int]:
            who = get(p)
            return (1 if who == player else 2 if who == 1 - player else 0,)

        return read

    def shown(self, game: Game[Any], p: Any) -> Any:
        who = getattr(p, self.name)
        return who + 1 if who in (0, 1) else None

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        who = getattr(p, self.name)
        return f"{self.label}: {names[who] if who in (0, 1) else 'nobody'}"


class Plain(Field):
    """A field of which nothing was declared: a whole number, a truth value, or a row of them, as it is."""

    kind = "plain"

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name, name.replace("_", " ").capitalize())
        self._row = isinstance(value, tuple)
        self._size = len(value) if self._row else 1
        self._truths = all(isinstance(one, bool) for one in (value if self._row else (value,)))

    def parts(self, game: Game[Any]) -> tuple[Part, ...]:
        high, low = (1, 0) if self._truths else (LARGEST, -LARGEST)
        return (Part(self.part, self._size, high, self.label.lower(), low),) if self._size else ()

    def reader(self, game: Game[Any]) -> Reader:
        name, size = self.name, self._size
        if not self._row:
            return lambda p, player: (getattr(p, name),)

        def read(p: Any, player: int) -> Any:
            row = getattr(p, name)
            if len(row) != size:
                raise BadGame(
                    f"{game.slug}: {name} has {size} numbers at the start and {len(row)} here: declare it in view"
                )
            return row

        return read

    def said(self, game: Game[Any], p: Any, names: tuple[str, str]) -> str:
        value = getattr(p, self.name)
        shown = [
            ("yes" if one else "no") if isinstance(one, bool) else str(one)
            for one in (value if self._row else (value,))
        ]
        return f"{self.label}: {' '.join(shown) or 'none'}"


class Turn(Who):
    """Whose turn it is: shown above every board, so boards leave it out."""

    kind = "turn"


class Progress(NamedTuple):
    """A score, or a number that both share, on its way to a target."""

    value: Callable[[Any, int], int]
    """A function that returns the number at a position, for a player."""
    target: int


@lru_cache(maxsize=64)
def progress_of(game: Game[Any]) -> Progress | None:
    """The first score or shared number of a game that is on its way to a target; None where there is none."""
    for field in view_of(game):
        both, target = field.kind == "scores", field.goal(game) if isinstance(field, Aimed) else 0
        if target and (field.kind == "number" or (both and not getattr(field, "none", ""))):
            return Progress(partial(_read, attrgetter(field.name), both), target)
    return None


def _read(get: Callable[[Any], Any], both: bool, p: Any, player: int) -> int:
    return int(get(p)[player] if both else get(p))


def number(game: Game[Any], said: int | str) -> int:
    """A number of the rules: itself, or that of the setting or property of this name."""
    if isinstance(said, int):
        return said
    value = getattr(game, said, None)
    if type(value) is not int:
        raise BadGame(f"{game.slug}: view speaks of {said!r}, which is no number of the game")
    return value


def getter(game: Game[Any], name: str) -> Callable[[Any], Any]:
    """Return a function that reads a field of a position; `BadGame` where a position has no such field."""
    names = fields_of(game.start())
    if name not in names:
        raise BadGame(f"{game.slug}: view speaks of {name!r}, but a position has {', '.join(names)}")
    return attrgetter(name)


def fields_of(p: Any) -> dict[str, Any]:
    """The fields of a position by name: of a NamedTuple, or of a frozen dataclass."""
    if hasattr(p, "_asdict"):
        found: dict[str, Any] = p._asdict()
        return found
    from dataclasses import fields, is_dataclass

    if not is_dataclass(p):
        raise BadGame(f"a position is a NamedTuple or a frozen dataclass, not {type(p).__name__}")
    return {field.name: getattr(p, field.name) for field in fields(p)}


@lru_cache(maxsize=64)
def view_of(game: Game[Any]) -> tuple[Field, ...]:
    """The view that a game declares; where it does not, every field of its positions as what it seems to be."""
    if game.view:
        return game.view
    found: list[Field] = []
    for name, value in fields_of(game.start()).items():
        if not all(isinstance(one, int) for one in (value if isinstance(value, tuple) else (value,))):
            raise BadGame(
                f"{game.slug}: {name} is {type(value).__name__}; only whole numbers, truth values and tuples of them "
                "are seen by themselves, so say in view how this is seen"
            )
        found.append(_guess(game, name, value))
    return tuple(found)


@lru_cache(maxsize=64)
def _steps(game: Game[Any]) -> list[tuple[Any, Any]]:
    """Positions of a few games, always the same, each with the one that follows."""
    found: list[tuple[Any, Any]] = []
    with suppress(Exception):  # What is wrong with a game is found by the laws.
        for way in range(12):
            p = game.start()
            for step in range(60):
                if not (moves := game.moves(p)):
                    break
                found.append((p, p := game.play(p, moves[(way * step + way) % len(moves)])))
    return found


def _guess(game: Game[Any], name: str, value: Any) -> Field:
    """A field of which nothing was declared: as what it always is in a few games."""
    plain, seen = Plain(name, value), [(getattr(p, name), game.turn(p)) for p, _ in _steps(game)]
    if not isinstance(value, tuple):
        # Players are 0 and 1 only in Python: people read a name.
        turn = name == "player" or (type(value) is int and set(seen) == {(0, 0), (1, 1)})
        return Turn(name, "To move") if turn else plain
    if name in ("scores", "totals") and len(value) == 2:
        target = "target" if type(getattr(game, "target", None)) is int else 0
        return Scores(name, plain.label, LARGEST, target, least=-LARGEST)
    marks = len(value) > 2 and {len(row) for row, _ in seen} == {len(value)} and _marks(game, name)
    side = isqrt(len(value))
    wide = side if side**2 == len(value) else len(value)
    return Cells(name, plain.label, wide, 2 if marks == "players" else 1) if marks else plain


def _marks(game: Game[Any], name: str) -> str:
    """What cells hold: `players` where whoever moves marks one as theirs, `lamps` where they are 0 or 1, or neither."""
    rows = [(game.player(p), getattr(p, name, ()), getattr(after, name, ())) for p, after in _steps(game)]
    changes = [[(who, b, a) for b, a in zip(before, after, strict=False) if b != a] for who, before, after in rows]
    if {tuple(change) for change in changes} == {((0, 0, 1),), ((1, 0, 2),)}:
        return "players"
    return "lamps" if rows and all({*before, *after} <= {0, 1} for _, before, after in rows) else ""


def would_add(game: Game[Any]) -> list[str]:
    """Return lines about the fields that a game without a view seems to have."""
    if game.view:
        return []
    seem = {"scores": "scores", "cells": "cells", "turn": "whose turn it is, and left out", "plain": "plain numbers"}
    shown_as = [f"{field.name} as {seem[field.kind]}" for field in view_of(game)]
    add = "A view adds what they are called, how large they get, and what is a pool, a pile or a board."
    return ["", f"It declares no view, so its fields are shown as what they seem: {', '.join(shown_as)}.", add]


def said(game: Game[Any], p: Any, names: tuple[str, str] = NAMES) -> list[str]:
    """Return the table in words: a line for each field, several for a picture."""
    return [line for field in view_of(game) for line in field_said(game, field, p, names).split("\n")]


def field_said(game: Game[Any], field: Field, p: Any, names: tuple[str, str] = NAMES) -> str:
    """Return one field in words, with the players' names in its label; a secret that is left blank is hidden."""
    words = _words(game, field, p, names)
    if not words.startswith(field.label):
        return words
    label = re.sub("|".join(NAMES), lambda player: names[NAMES.index(player[0])], field.label)
    return label + words.removeprefix(field.label)


def _words(game: Game[Any], field: Field, p: Any, names: tuple[str, str]) -> str:
    if not game.has_secrets:
        return field.said(game, p, names)
    value = getattr(p, field.name, None)
    if value is None:
        return f"{field.label}: {HIDDEN}"
    if type(value) is tuple and None in value and field.kind in ("scores", "plain"):
        told = [HIDDEN if one is None else str(one) for one in value]
        both = len(told) == 2 and field.kind == "scores"
        return f"{field.label}: {f'{names[0]} {told[0]}, {names[1]} {told[1]}' if both else ' '.join(told)}"
    return field.said(game, filled(game, p), names)


def filled(game: Game[Any], seen: Any) -> Any:
    """Return a seen position with 0 for each blank, and as many numbers as at the start."""
    changed: dict[str, Any] = {}
    value: Any
    for field in view_of(game):
        value, first = getattr(seen, field.name, 0), getattr(game.start(), field.name, 0)
        if type(first) is not tuple:
            if value is None:
                changed[field.name] = 0
        elif isinstance(field, Pool):
            if not value or not all(value):
                changed[field.name] = tuple(one for one in value or () if one)
        elif not value and first:
            changed[field.name] = (0,) * len(first)
        elif None in value:
            changed[field.name] = tuple(one or 0 for one in value)
    if not changed:
        return seen
    if hasattr(seen, "_replace"):
        return seen._replace(**changed)
    from dataclasses import replace

    return replace(seen, **changed)


def shown(game: Game[Any], p: Any) -> dict[str, Any]:
    """Return the table as data for a board, by the names of the fields."""
    p = filled(game, p) if game.has_secrets else p
    return {field.name: field.shown(game, p) for field in view_of(game)}


def looks(game: Game[Any]) -> list[dict[str, Any]]:
    """Return name, label, kind and details of each field, for a board that knows nothing of the game."""
    return [
        {"name": field.name, "label": field.label, "kind": field.kind, **field.looks(game)} for field in view_of(game)
    ]


def fields_shown(game: Game[Any]) -> list[Field]:
    """The fields of a view; where none is declared, not whose turn it is: the question says it better."""
    return [one for one in view_of(game) if game.view or (one.kind != "turn" and one.name not in ("player", "turn"))]
