"""What no key can say alone: whether the keys of a recipe make a game together."""

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
    """`BadGame` where the keys do not go together."""
    recipe = kind.recipe
    _check_slug(kind)
    _check_together(recipe)
    used = set(recipe.settings_in_keys())
    for name in recipe.settings:
        if name not in used:
            recipe.wrong(f"settings.{name}", f'changes nothing: no key says "{name}" in place of a value')
    for game in _games(kind):
        _check_size(game)
        if game.is_classic and isinstance(game, NumbersGame) and game.target_is_idle:
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
    """The usual game, each setting at the ends of its range, and all of them there."""
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


def _kind(recipe: Recipe, kinds: str) -> bool:
    return recipe.at("numbers.kind", {}) in kinds.split()


def _heaps(recipe: Recipe) -> bool:
    return bool(recipe.at("totals.whose", {}) == "heaps")


def _each(recipe: Recipe) -> bool:
    return bool(recipe.at("totals.whose", {}) == "each")


def _marks(recipe: Recipe) -> bool:
    return recipe.says("cells.line")


def _rolls(recipe: Recipe) -> bool:
    return bool(recipe.at("turn.roll_or_stop", {}))


def _one_by_one(recipe: Recipe) -> bool:
    return not recipe.at("turn.at_once", {})


def _says(recipe: Recipe, keys: str) -> bool:
    return any(map(recipe.says, keys.split()))


def _has_target(recipe: Recipe) -> bool:
    return None not in recipe.ever("end.target")


def _has_turns(recipe: Recipe) -> bool:
    return 0 not in recipe.ever("end.turns")


def _totals_decide(recipe: Recipe) -> bool:
    return _each(recipe) and {None, *BY_TOTALS} >= set(recipe.ever("end.nothing_left"))


def _begins_once(recipe: Recipe) -> bool:
    begin = recipe.values.get("totals.begin")
    several = [begin.so, begin.otherwise] if isinstance(begin, When) else [begin]
    return not any(isinstance(one, tuple) and not isinstance(one, By) for one in several)


def _ends(recipe: Recipe) -> bool:
    downwards = set("".join(recipe.ever("turn.operations"))) == {"-"} and not _each(recipe)
    endless = _kind(recipe, "die") or (_kind(recipe, "any") and not downwards)
    return _has_target(recipe) or _has_turns(recipe) or not endless


def _turns_end(recipe: Recipe) -> bool:
    return _has_target(recipe) or not _rolls(recipe) or 0 not in recipe.ever("turn.rolls")


class Together(NamedTuple):
    """A condition on several keys: a check of every recipe, and a line of the table in `docs/recipes.md`."""

    keys: str
    """The keys on which a recipe is refused; a section stands for every recipe."""
    holds: Callable[[Recipe], bool]
    refusal: str
    """The words behind the key where the condition does not hold."""
    values: tuple[Any, ...] = ()
    """The values of the key that have the condition; empty: all values."""


BY_TOTALS: Final = ("closer", "higher", "lower")
NOT_OF_MARKS: Final = " ".join(
    f"{section}.{key}"
    for section in ("numbers", "totals", "turn", "end")
    for key in KEYS[section]
    if (section, key) not in (("end", "exactly"), ("end", "nothing_left"))
)
TOGETHER: Final = (
    Together(NOT_OF_MARKS, lambda r: not _marks(r), "has no place in a game of marks: leave it out, or cells.line"),
    Together("end.nothing_left", lambda r: not _marks(r), "compares totals, and marks have none", BY_TOTALS),
    Together("numbers", lambda r: _marks(r) or r.says("numbers.kind"), "must say kind"),
    Together("totals", lambda r: _marks(r) or r.says("totals.whose"), "must say whose"),
    Together(
        "numbers.kind",
        lambda r: not r.has("cells"),
        "is pile where numbers lie covered in cells",
        ("any", "pool", "die"),
    ),
    Together("cells.falling", _marks, "goes with cells.line only"),
    Together("numbers.to numbers.list", lambda r: not r.has("cells"), "does not go with cells, whose number says it"),
    Together(
        "numbers",
        lambda r: r.has("cells") or _heaps(r) or _says(r, "numbers.to numbers.list"),
        "must say to, the largest number, or list: only heaps and cells need neither",
    ),
    Together("numbers.list", lambda r: not _says(r, "numbers.to numbers.from"), "stands instead of from and to"),
    Together("numbers.copies", lambda r: _kind(r, "pool pile"), "goes with a pool or a pile only"),
    Together("totals.whose", lambda r: _kind(r, "any pool"), "is heaps only with numbers that are chosen", ("heaps",)),
    Together("totals.heaps totals.step", _heaps, 'goes with whose = "heaps" only'),
    Together("totals.begin", lambda r: _heaps(r) or _begins_once(r), 'is one number, except with whose = "heaps"'),
    Together("totals", lambda r: not _heaps(r) or r.says("totals.begin"), "must say where heaps begin: begin = [3, 4]"),
    Together("end.nothing_left", _each, 'compares totals, and needs whose = "each"', BY_TOTALS),
    Together("end.nothing_left", _has_target, "is closer to a target, and needs one", ("closer",)),
    Together(
        "totals.secret",
        lambda r: _totals_decide(r) and not _kind(r, "pile"),
        "goes with one total for each, which decides in the end, and without a pile",
        (True,),
    ),
    Together("turn.clash", lambda r: not _one_by_one(r), "goes with at_once only"),
    Together(
        "turn.at_once",
        lambda r: _totals_decide(r) and _kind(r, "any"),
        'goes with kind = "any" and one total for each, which decides in the end',
        (True,),
    ),
    Together("turn.at_once", _has_turns, "needs end.turns, at least 1", (True,)),
    Together(
        "turn.operations", lambda r: _one_by_one(r) or r.ever("turn.operations") == ("+",), "is + with turn.at_once"
    ),
    Together("turn.barred", _one_by_one, "does not go with turn.at_once", ("last",)),
    Together("turn.stand", _one_by_one, "does not go with turn.at_once", (True,)),
    Together("end.target", _one_by_one, "does not go with turn.at_once"),
    Together("end.tie", _one_by_one, "does not go with turn.at_once: a tie is a draw", ("last wins", "last loses")),
    Together("turn.roll_or_stop", lambda r: _kind(r, "die"), "goes with a die only"),
    Together(
        "turn.pass_on",
        lambda r: _each(r) and _kind(r, "pile die") and not _rolls(r),
        "goes with a pile or a die, one total for each, and no roll_or_stop",
    ),
    Together("turn.bank turn.bust turn.rolls", _rolls, "goes with roll_or_stop only"),
    Together("turn.operations turn.stand", lambda r: not _rolls(r), "does not go with roll_or_stop, which adds"),
    Together("turn.barred", lambda r: _kind(r, "any pool"), "goes with numbers that are chosen only"),
    Together("end.turns", lambda r: not r.says("turn.stand"), "does not go with stand"),
    Together("end", lambda r: _marks(r) or _ends(r), "must say target or turns: otherwise this never ends"),
    Together("turn", lambda r: not _kind(r, "die") or _turns_end(r), "must say rolls where no target limits a turn"),
)
"""All conditions, in the order in which they are checked."""


def _check_together(recipe: Recipe) -> None:
    for keys, holds, refusal, values in TOGETHER:
        for key in keys.split():
            concerned = key in KEYS or recipe.says(key)
            if concerned and not (values and set(values).isdisjoint(recipe.ever(key))) and not holds(recipe):
                recipe.wrong(key, refusal)
