"""The same questions in disguise: another story, other names of moves, other numbers where the rules allow it.

Whoever reasons does as well in it as in the exam itself; whoever recalls these games does not. What a game is told as,
and which of its numbers may become others, stands beside its rules, in `disguise.toml`.
"""

import os
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache, cached_property
from typing import Any, Final

from numberquest.core.contract import CHANCE, Field, Game, Outcome
from numberquest.core.stream import Stream
from numberquest.study.exam.making import NoExam
from numberquest.study.exam.question import Exam, Question

FILE: Final = "disguise.toml"
GAP: Final = re.compile(r"\{(step|steps|total|card|cards|guess|letter|same|word):(\w+)\}")


class Disguised(Game[Any]):
    """A game as another one that is the same: its positions and moves are those of the other, renamed one to one."""

    slug = "disguised"
    rules = summary = title = ""
    endings = {"over": "{winner} wins", "drawn": "nobody wins"}
    game: Game[Any]
    number: int
    _shape: Mapping[str, Any]
    _story: Mapping[str, Any]

    def __init__(self, game: Game[Any], number: int) -> None:
        """`number` says which disguise of it."""
        shape = _shape(type(game))
        story = shape["stories"][number % len(shape["stories"])]
        self.__dict__.update(game=game, number=number, slug=game.slug, _shape=shape, _story=story)
        self.__dict__.update(_hash=hash((game, number)), common=())
        texts = {name: self._fill(story[name]) for name in ("title", "rules", "how_to_win")}
        self.__dict__.update(**texts, short_title=texts["title"], summary=texts["how_to_win"])
        self.__dict__["rulings"] = {f"D{at}": self._fill(text) for at, text in enumerate(story["rulings"], start=1)}
        self.__dict__["view"] = tuple(map(self._seen, game.view))

    def __getattr__(self, name: str) -> Any:
        # What views and rules speak of is a number of the game, which may be another one here.
        if name.startswith("_") or name == "game":
            raise AttributeError(name)
        value = getattr(self.game, name)
        kind = self._shape["settings"].get(name)
        return value if kind is None or type(value) is not int else self._number(kind, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Disguised) and (self.game, self.number) == (other.game, other.number)

    __hash__ = Game.__hash__

    def __repr__(self) -> str:
        return f"Disguised({self.game!r}, {self.number})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Disguised, (self.game, self.number)

    @cached_property
    def changed(self) -> Mapping[str, Any]:
        """The story tells the rules as they are."""
        return {}

    @cached_property
    def _kinds(self) -> dict[str, tuple[int, int]]:
        """For each kind of number, what it is multiplied with, and what is then added to it."""
        plain = any(getattr(self.game, name) for name in self._shape.get("only_names_with", ()))
        dice = Stream(str(self.number), f"disguise {self.game.slug}")
        scale, start, card = (1, 0, 0) if plain else (2 + dice.below(8), 1 + dice.below(400), 3 + dice.below(60))
        sums = getattr(self.game, "picks", 0) * card
        return {"same": (1, 0), "step": (scale, 0), "total": (scale, start), "card": (1, card), "guess": (1, sums)}

    def _number(self, kind: str, number: int) -> int:
        scale, more = self._kinds[kind]
        # Where 0 means that there is none, there is none in disguise either; a total of 0 is one like any other.
        return number if not number and kind != "total" else scale * number + more

    def _back(self, kind: str, number: int) -> int:
        scale, more = self._kinds[kind]
        return number if not number and kind != "total" else (number - more) // scale

    def _gap(self, kind: str, value: str) -> str:
        if kind == "word":
            return str(self._story["words"][value])
        number = int(value) if value.isdecimal() else int(getattr(self.game, value))
        if kind == "letter":
            return chr(ord("A") + number - 1)
        if kind in ("steps", "cards"):
            return ", ".join(str(self._number(kind[:-1], each)) for each in range(1, number + 1))
        return str(self._number(kind, number))

    def _fill(self, text: str) -> str:
        return self.game.told(GAP.sub(lambda gap: self._gap(gap[1], gap[2]), text))

    def _seen(self, field: Field) -> Field:
        seen = copy(field)
        seen.label = self._story["labels"][field.name]
        for bound in {"least", "most"} & vars(seen).keys():
            if isinstance(vars(seen)[bound], int):
                vars(seen)[bound] = self._number(self._shape["fields"].get(field.name, "same"), vars(seen)[bound])
        return seen

    def _named(self, move: str) -> str:
        for pattern, template in self._story["moves"]:
            found = re.fullmatch(pattern, move)
            if found:
                return self._with(template, ("", *found.groups()))
        raise NoExam(f"{self.game.slug}: no story has a name for the move {move}")

    def _with(self, template: str, parts: Sequence[str]) -> str:
        return GAP.sub(lambda gap: self._gap(gap[1], parts[int(gap[2])]), template)

    @cached_property
    def _names(self) -> dict[str, str]:
        return {move: self._named(move) for move in self.game.actions}

    @cached_property
    def _moves(self) -> dict[str, str]:
        """Every move as it is called in the game."""
        return {name: move for move, name in self._names.items()}

    def of(self, p: Any) -> Any:
        """A position of the game, as it is here."""
        return self._mapped(p, self._number)

    def _game_position(self, p: Any) -> Any:
        return self._mapped(p, self._back)

    def _mapped(self, p: Any, change: Any) -> Any:
        def each(kind: str, value: Any) -> Any:
            return tuple(change(kind, one) for one in value) if isinstance(value, tuple) else change(kind, value)

        return p._replace(**{name: each(kind, getattr(p, name)) for name, kind in self._shape["fields"].items()})

    def entry(self, p: Any, move: str) -> str:
        """A move or reveal of the game at one of its positions, as it is called here."""
        if self.game.player(p) == CHANCE:
            return str(self._number(self._shape["reveals"], int(move)))
        return self._names[move]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        return tuple(self._names.values())

    @property
    def deck(self) -> tuple[int, ...]:
        return tuple(self._number(self._shape["reveals"], card) for card in self.game.deck)

    @property
    def longest(self) -> int | None:
        return self.game.longest

    @cached_property
    def chance(self) -> Any:
        return self.game.chance

    def start(self) -> Any:
        return self.of(self.game.start())

    def player(self, p: Any) -> int:
        return self.game.player(self._game_position(p))

    def turn(self, p: Any) -> int:
        return self.game.turn(self._game_position(p))

    def moves(self, p: Any) -> tuple[str, ...]:
        here = self._game_position(p)
        return tuple(self.entry(here, move) for move in self.game.moves(here))

    def play(self, p: Any, move: str) -> Any:
        here = self._game_position(p)
        if self.game.player(here) == CHANCE:
            return self.of(self.game.play(here, str(self._back(self._shape["reveals"], int(move)))))
        return self.of(self.game.play(here, self._moves[move]))

    def outcome(self, p: Any) -> Outcome | None:
        outcome = self.game.outcome(self._game_position(p))
        return outcome and Outcome(outcome.winner, "drawn" if outcome.winner is None else "over")

    def weights(self, p: Any) -> tuple[int, ...]:
        return self.game.weights(self._game_position(p))

    def slot(self, p: Any) -> int:
        return self.game.slot(self._game_position(p))

    def canonical(self, p: Any) -> Any:
        return self.of(self.game.canonical(self._game_position(p)))


@cache
def _shape(kind: type[Game[Any]]) -> dict[str, Any]:
    path = os.path.join(os.path.dirname(sys.modules[kind.__module__].__file__ or ""), FILE)
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        raise NoExam(f"there is no disguise of {kind.slug}: nobody has written another story for it") from None


def disguised(exam: Exam, number: int) -> Exam:
    """The exam in disguise: the same questions with the same key, by the same names."""
    return Exam([_question(question, number) for question in exam.questions], exam.version, exam.seed, number)


def _question(question: Question, number: int) -> Question:
    game = Disguised(question.game, number)
    p, history = question.game.start(), list[str]()
    for move in question.history:
        history.append(game.entry(p, move))
        p = question.game.play(p, move)
    values = {game.entry(p, move): value for move, value in question.values.items()}
    return question._replace(game=game, history=tuple(history), position=game.of(p), values=values)
