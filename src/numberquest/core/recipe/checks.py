"""What no key can say alone: whether the keys of a recipe make a game together."""

import re
from collections.abc import Iterator
from typing import Any, Final

from numberquest.core.contract import IF
from numberquest.core.loading import BadGame
from numberquest.core.recipe.game import RecipeGame
from numberquest.core.recipe.keys import By, Recipe, When
from numberquest.core.recipe.rules import NumbersGame
from numberquest.core.settings import SHORT_NAME, BadSetting, Whole

MOST_NUMBERS: Final = 100
"""No pool or pile holds more."""
MOST_ACTIONS: Final = 600


def check(kind: type[RecipeGame[Any]]) -> None:
    """`BadGame` where the keys do not go together."""
    recipe = kind.recipe
    _check_slug(kind)
    if recipe.says("cells.line"):
        _check_line(recipe)
    else:
        _check_numbers(recipe)
    for game in _games(kind):
        _check_size(game)
        if game.is_classic and isinstance(game, NumbersGame) and not game.can_reach:
            recipe.wrong("end.target", "cannot be reached: nothing in turn.operations brings a total there")
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
        except BadSetting as error:
            raise BadGame(str(error)) from None


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


def _check_line(recipe: Recipe) -> None:
    for section in ("numbers", "totals", "turn"):
        if recipe.has(section):
            recipe.wrong(section, "has no place in a game of marks: leave it out, or cells.line")
    for name in recipe.values:
        if name.startswith("end.") and name not in ("end.exactly", "end.nothing_left"):
            recipe.wrong(name, "has no place in a game of marks, which ends by a line or a full board")
    if not {"draw", "last wins", "last loses", None} >= set(recipe.ever("end.nothing_left")):
        recipe.wrong("end.nothing_left", "is last wins, last loses or draw in a game of marks: it has no totals")


def _check_numbers(recipe: Recipe) -> None:
    def may(name: str, value: object) -> bool:
        return value in recipe.ever(name)

    for name in ("numbers.kind", "totals.whose"):
        if not recipe.says(name):
            recipe.wrong(name.partition(".")[0], f"must say {name.partition('.')[2]}")
    kind, whose = recipe.ever("numbers.kind")[0], recipe.ever("totals.whose")[0]
    cells, target = recipe.has("cells"), not may("end.target", None)
    if cells and kind != "pile":
        recipe.wrong("numbers.kind", "is pile where numbers lie covered in cells")
    if recipe.says("cells.falling"):
        recipe.wrong("cells.falling", "goes with cells.line only")
    if cells and (recipe.says("numbers.to") or recipe.says("numbers.list")):
        recipe.wrong("numbers.to" if recipe.says("numbers.to") else "numbers.list", "follows from the number of cells")
    if not cells and not (recipe.says("numbers.to") or recipe.says("numbers.list") or whose == "heaps"):
        recipe.wrong("numbers", "must say to, the largest number, or list")
    if recipe.says("numbers.list") and (recipe.says("numbers.to") or recipe.says("numbers.from")):
        recipe.wrong("numbers.list", "stands instead of from and to")
    _check_totals(recipe, whose, target=target)
    _check_secrets(recipe, kind, whose)
    _check_turn(recipe, kind, whose, may)
    turns = not may("end.turns", 0)
    downwards = set("".join(recipe.ever("turn.operations"))) == {"-"} and whose != "each"
    if not target and not turns and (kind == "die" or (kind == "any" and not downwards)):
        recipe.wrong("end", "must say target or turns: otherwise this never ends")
    if not target and kind == "die" and not may("turn.roll_or_stop", False) and may("turn.rolls", 0):
        recipe.wrong("turn", "must say rolls where no target limits a turn")


def _check_totals(recipe: Recipe, whose: str, *, target: bool) -> None:
    if whose != "heaps":
        for name in ("totals.heaps", "totals.step"):
            if recipe.says(name):
                recipe.wrong(name, 'goes with whose = "heaps" only')
        begin = recipe.values.get("totals.begin")
        several = [begin.so, begin.otherwise] if isinstance(begin, When) else [begin]
        if any(isinstance(one, tuple) and not isinstance(one, By) for one in several):
            recipe.wrong("totals.begin", 'is one number, except with whose = "heaps"')
    elif not recipe.says("totals.begin"):
        recipe.wrong("totals", "must say where heaps begin: begin = [3, 4, 5]")
    by_totals = {"closer", "higher", "lower"} & set(recipe.ever("end.nothing_left"))
    if by_totals and whose != "each":
        recipe.wrong("end.nothing_left", 'compares totals, and needs whose = "each"')
    if "closer" in by_totals and not target:
        recipe.wrong("end.nothing_left", "is closer to a target, and needs one")


def _check_secrets(recipe: Recipe, kind: str, whose: str) -> None:
    by_totals = {None, "closer", "higher", "lower"} >= set(recipe.ever("end.nothing_left"))
    if recipe.at("totals.secret", {}) and not (whose == "each" and kind != "pile" and by_totals):
        recipe.wrong("totals.secret", "goes with one total for each, which decides in the end, and without a pile")
    if not recipe.at("turn.at_once", {}):
        if recipe.says("turn.clash"):
            recipe.wrong("turn.clash", "goes with at_once only")
        return
    if kind != "any" or whose != "each" or not by_totals:
        recipe.wrong("turn.at_once", 'goes with kind = "any" and one total for each, which decides in the end')
    if 0 in recipe.ever("end.turns") or not recipe.says("end.turns"):
        recipe.wrong("turn.at_once", "needs end.turns, at least 1")
    usual = {"turn.operations": "+", "turn.barred": "none", "turn.stand": False, "end.target": None}
    for name, value in {**usual, "end.tie": "draw"}.items():
        if recipe.says(name) and recipe.ever(name) != (value,):
            recipe.wrong(name, "does not go with turn.at_once")


def _check_turn(recipe: Recipe, kind: str, whose: str, may: Any) -> None:
    def only(name: str, needed: bool, what: str) -> None:
        if recipe.says(name) and not needed:
            recipe.wrong(name, f"goes with {what} only")

    rolls = not may("turn.roll_or_stop", False)
    hidden = kind in ("pile", "die")
    only("turn.roll_or_stop", kind == "die", "a die")
    only(
        "turn.pass_on",
        hidden and whose == "each" and not rolls,
        "a pile or a die, one total for each, and no roll_or_stop",
    )
    for name in ("turn.bank", "turn.bust", "turn.rolls"):
        only(name, rolls, "roll_or_stop")
    only("turn.operations", not rolls, "games without roll_or_stop, which adds")
    only("turn.barred", not hidden, "numbers that are chosen")
    only("turn.stand", not rolls, "games without roll_or_stop")
    only("numbers.copies", kind in ("pool", "pile"), "a pool or a pile")
    if recipe.says("end.turns") and recipe.says("turn.stand"):
        recipe.wrong("end.turns", "does not go with stand")
    if whose == "heaps" and hidden:
        recipe.wrong("totals.whose", "is heaps only with numbers that are chosen")
