"""Checks of a whole recipe: whether its keys make a game together."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from numberquest.core.contract import IF
from numberquest.core.recipe.game import RecipeGame, Unplayable
from numberquest.core.recipe.keys import KEYS, By, Recipe, When
from numberquest.core.recipe.rules import NumbersGame
from numberquest.core.settings import SHORT_NAME, Whole

MOST_NUMBERS: Final = 100
"""No pool or pile holds more."""
MOST_ACTIONS: Final = 600


def check(kind: type[RecipeGame[Any]]) -> None:
    """Raise `BadGame` where the keys do not go together."""
    recipe = kind.recipe
    _check_slug(kind)
    _check_together(recipe)
    used = set(recipe.settings_in_keys())
    for name in recipe.settings:
        if name not in used:
            recipe.wrong(f"settings.{name}", f'changes nothing: no key says "{name}" in place of a value')
    for game in _games(kind):
        _check_size(game)
        if game.is_classic and isinstance(game, NumbersGame) and not (game.can_reach or game.only_past):
            recipe.wrong("end.target", "cannot be reached: nothing in numbers and turn.operations brings a total there")
        if (
            game.is_classic
            and recipe.says("cells.line")
            and game.at("cells.line") > max(game.at("cells.rows"), game.row_width)
        ):
            recipe.wrong("cells.line", "is longer than the board is wide or high")
    for name in ("summary", "words.rules", "words.goal"):
        text = recipe.values.get(name, "")
        told = kind().told(re.sub(IF, r"\2", text))
        if re.search(r"[{}]", told):
            recipe.wrong(name, "has a gap in braces, and there is no setting of that name")


def _check_slug(kind: type[RecipeGame[Any]]) -> None:
    if re.fullmatch(SHORT_NAME, kind.slug) is None:
        kind.recipe.wrong("slug", "is a short name of small letters, digits and _, such as race")


def _games(kind: type[RecipeGame[Any]]) -> Iterator[RecipeGame[Any]]:
    """Yield the usual game, the games with one setting at an end of its range, and with all settings there."""
    ends = {
        name: (field.low, field.high) if isinstance(field, Whole) else (field.every({})[0], field.every({})[-1])
        for name, field in kind.fields.items()
    }
    rule_sets: list[dict[str, Any]] = [{}, *({name: end} for name, both in ends.items() for end in both)]
    for settings in (*rule_sets, *({name: both[at] for name, both in ends.items()} for at in (0, 1))):
        try:
            yield kind(**settings)
        except Unplayable as error:
            kind.recipe.wrong(error.key, error.what)


def _check_size(game: RecipeGame[Any]) -> None:
    recipe, pool = game.recipe, getattr(game, "_pool", ())
    with_these = f" with {game.settings_text}" if game.settings_text else ""
    if len(pool) > MOST_NUMBERS:
        recipe.wrong("numbers", f"come to {len(pool)}{with_these}, and there can be at most {MOST_NUMBERS}")
    if len(game.actions) > MOST_ACTIONS:
        recipe.wrong("turn", f"has {len(game.actions)} moves{with_these}, and there can be at most {MOST_ACTIONS}")
    words = game.typed_words if isinstance(game, NumbersGame) else ()
    if len(set(words)) < len(words):
        recipe.wrong("words", "has one word for two moves")


BY_TOTALS: Final = ("closer", "higher", "lower")


class Facts:
    """The facts of a recipe that conditions on several keys speak of."""

    def __init__(self, recipe: Recipe) -> None:
        self.says, ever = recipe.says, recipe.ever
        self.marks, self.cells = recipe.says("cells.line"), recipe.has("cells")
        self.kind, whose = recipe.at("numbers.kind", {}), recipe.at("totals.whose", {})
        self.each, self.heaps, self.chosen = whose == "each", whose == "heaps", self.kind in ("any", "pool")
        self.rolls, self.at_once = recipe.at("turn.roll_or_stop", {}), recipe.at("turn.at_once", {})
        self.operations = {*"".join(ever("turn.operations"))}
        self.target, self.turns = None not in ever("end.target"), 0 not in ever("end.turns")
        self.throws = 0 not in ever("turn.rolls")
        self.totals_decide = self.each and {None, *BY_TOTALS} >= {*ever("end.nothing_left")}
        begin = recipe.values.get("totals.begin")
        several = [begin.so, begin.otherwise] if isinstance(begin, When) else [begin]
        self.begins = any(isinstance(one, tuple) and not isinstance(one, By) for one in several)

    @property
    def ends(self) -> bool:
        """Return whether something ends the game for certain."""
        shrinks = self.operations == {"-"} and not self.each
        return self.target or self.turns or not (self.kind == "die" or (self.kind == "any" and not shrinks))


class Rule(NamedTuple):
    """A condition on several keys: a check of every recipe, and a line of the table in `docs/recipes.md`."""

    keys: str
    """The keys on which a recipe is refused; a section stands for every recipe."""
    holds: Callable[[Facts], bool]
    refusal: str
    """The words behind the key where the condition does not hold."""
    values: tuple[Any, ...] = ()
    """The values of the key that have the condition; empty: all values."""


NOT_OF_MARKS: Final = " ".join(
    f"{section}.{key}"
    for section in ("numbers", "totals", "turn", "end")
    for key in KEYS[section]
    if (section, key) not in (("end", "exactly"), ("end", "nothing_left"))
)
TOGETHER: Final = (
    Rule(NOT_OF_MARKS, lambda r: not r.marks, "has no place in a game of marks: leave it out, or cells.line"),
    Rule("end.nothing_left", lambda r: not r.marks, "compares totals, and marks have none", BY_TOTALS),
    Rule("numbers", lambda r: r.marks or r.says("numbers.kind"), "must say kind"),
    Rule("totals", lambda r: r.marks or r.says("totals.whose"), "must say whose"),
    Rule("numbers.kind", lambda r: not r.cells, "is pile where numbers lie covered in cells", ("any", "pool", "die")),
    Rule("cells.falling", lambda r: r.marks, "goes with cells.line only"),
    Rule("numbers.to numbers.list", lambda r: not r.cells, "does not go with cells, whose number says it"),
    Rule(
        "numbers",
        lambda r: r.cells or r.heaps or r.says("numbers.to") or r.says("numbers.list"),
        "must say to, the largest number, or list: only heaps and cells need neither",
    ),
    Rule(
        "numbers.list", lambda r: not (r.says("numbers.to") or r.says("numbers.from")), "stands instead of from and to"
    ),
    Rule("numbers.copies", lambda r: r.kind in ("pool", "pile"), "goes with a pool or a pile only"),
    Rule("totals.whose", lambda r: r.chosen, "is heaps only with numbers that are chosen", ("heaps",)),
    Rule("totals.heaps totals.step", lambda r: r.heaps, 'goes with whose = "heaps" only'),
    Rule("totals.begin", lambda r: r.heaps or not r.begins, 'is one number, except with whose = "heaps"'),
    Rule("totals", lambda r: not r.heaps or r.says("totals.begin"), "must say where heaps begin: begin = [3, 4]"),
    Rule("end.nothing_left", lambda r: r.each, 'compares totals, and needs whose = "each"', BY_TOTALS),
    Rule("end.nothing_left", lambda r: r.target, "is closer to a target, and needs one", ("closer",)),
    Rule(
        "totals.secret",
        lambda r: r.totals_decide and r.kind != "pile",
        "goes with one total for each, which decides in the end, and without a pile",
        (True,),
    ),
    Rule("turn.clash", lambda r: r.at_once, "goes with at_once only"),
    Rule(
        "turn.at_once",
        lambda r: r.totals_decide and r.kind == "any",
        'goes with kind = "any" and one total for each, which decides in the end',
        (True,),
    ),
    Rule("turn.at_once", lambda r: r.turns, "needs end.turns, at least 1", (True,)),
    Rule("turn.operations", lambda r: not r.at_once or r.operations == {"+"}, "is + with turn.at_once"),
    Rule("turn.barred", lambda r: not r.at_once, "does not go with turn.at_once", ("last",)),
    Rule("turn.stand", lambda r: not r.at_once, "does not go with turn.at_once", (True,)),
    Rule("end.target", lambda r: not r.at_once, "does not go with turn.at_once"),
    Rule(
        "end.tie",
        lambda r: not r.at_once,
        "does not go with turn.at_once: a tie is a draw",
        ("last wins", "last loses"),
    ),
    Rule("turn.roll_or_stop", lambda r: r.kind == "die", "goes with a die only"),
    Rule(
        "turn.pass_on",
        lambda r: r.each and r.kind in ("pile", "die") and not r.rolls,
        "goes with a pile or a die, one total for each, and no roll_or_stop",
    ),
    Rule("turn.bank turn.bust turn.rolls", lambda r: r.rolls, "goes with roll_or_stop only"),
    Rule("turn.operations turn.stand", lambda r: not r.rolls, "does not go with roll_or_stop, which adds"),
    Rule("turn.barred", lambda r: r.chosen, "goes with numbers that are chosen only"),
    Rule("end.turns", lambda r: not r.says("turn.stand"), "does not go with stand"),
    Rule("end", lambda r: r.marks or r.ends, "must say target or turns: otherwise this never ends"),
    Rule(
        "turn",
        lambda r: r.kind != "die" or r.target or not r.rolls or r.throws,
        "must say rolls where no target limits a turn",
    ),
)
"""All conditions, in the order in which they are checked."""


def _check_together(recipe: Recipe) -> None:
    facts = Facts(recipe)
    for keys, holds, refusal, values in TOGETHER:
        for key in keys.split():
            concerned = key in KEYS or recipe.says(key)
            if concerned and not (values and set(values).isdisjoint(recipe.ever(key))) and not holds(facts):
                recipe.wrong(key, refusal)
