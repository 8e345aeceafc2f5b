"""The view of a game that is made of a recipe."""

from typing import Any

from numberquest.core.contract import Field
from numberquest.core.recipe.keys import Recipe
from numberquest.core.view import Cells, Flags, Number, Pile, Pool, Scores


def view_for(recipe: Recipe) -> tuple[Field, ...]:
    """Return the fields of the view: one for each thing that the recipe speaks of."""
    if recipe.says("cells.line"):
        return (Cells("cells", "Board", wide="row_width", most=2),)
    at: Any = lambda key: recipe.at(key, {})  # noqa: E731
    total, numbers = at("words.total"), at("words.numbers")
    whose, kind = at("totals.whose"), at("numbers.kind")
    found: list[Field] = []
    if whose == "each":
        found.append(Scores("totals", total or "Total", most="highest_total", target="goal_total"))
    elif whose == "heaps":
        found.append(Cells("totals", total or "Heaps", wide="how_many_heaps", most="highest_total"))
    else:
        found.append(Number("total", total or "Total", most="highest_total", target="goal_total"))
    if at("totals.secret"):
        found.append(Cells("secrets", "Secret numbers", wide="how_many_players", most="largest_number"))
    if at("turn.at_once"):
        found.append(Number("choice", "Choice of Player 1", most="largest_number", none="none"))
    if True in recipe.ever("turn.bank"):
        found.append(Number("bank", "This turn", most="highest_bank"))
    if "last" in recipe.ever("turn.barred"):
        found.append(Number("barred", "Barred now", most="largest_number", none="no number"))
    if True in recipe.ever("turn.stand"):
        found.append(Flags("stood", "Who stands", part="stands"))
    if max(recipe.ever("turn.rolls")):
        found.append(Number("rolls", "Throws left", most="most_rolls"))
    if max(recipe.ever("end.turns")):
        found.append(Number("turns", "Turns left of both", most="most_turns"))
    if recipe.has("cells"):
        found.append(Cells("cells", numbers or "The open numbers", wide="row_width", most="largest_number"))
    ways = max(map(len, recipe.ever("turn.operations"))) + (True in recipe.ever("turn.pass_on"))
    if kind in ("pile", "die") and ways > 1:
        found.append(Number("drawn", "Drawn" if kind == "pile" else "Thrown", most="largest_number", none="nothing"))
    if kind == "pool":
        found.append(Pool("left", numbers or "Available Numbers", high="largest_number", copies="most_copies"))
    elif kind == "pile" and not recipe.has("cells"):
        found.append(Pile("left", numbers or "Still in the pile", high="largest_number", copies="most_copies"))
    return tuple(found)
