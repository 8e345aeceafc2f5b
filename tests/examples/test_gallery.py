"""The games of the gallery are what their page says of them; the page on recipes has every key and condition."""

from itertools import product

import pytest

from numberquest.core import laws
from numberquest.core.loading import BadGame
from numberquest.core.recipe import load, load_file
from numberquest.core.recipe.checks import TOGETHER, Rule
from numberquest.core.recipe.keys import KEYS
from tests.examples.gallery import GALLERY, RECIPES, ROOT, table_of_conditions, table_of_games, table_of_keys
from tests.recipes.written import SHAPES, as_toml

PAGE = (ROOT / "docs" / "recipes.md").read_text()


def test_the_page_has_every_key_as_it_is() -> None:
    assert table_of_keys() in PAGE, "python -m tests.examples.gallery prints it anew"


def test_the_page_has_every_condition_that_recipes_are_checked_by() -> None:
    assert table_of_conditions() in PAGE, "python -m tests.examples.gallery prints it anew"


@pytest.mark.parametrize("line", TOGETHER, ids=lambda line: line.refusal)
def test_each_condition_refuses_some_recipe_by_its_key_and_lets_others_pass(line: Rule) -> None:
    for key in line.keys.split():
        section, _, name = key.rpartition(".")
        of = KEYS[section].get(name)
        usual = {"yes": (True,), "signs": ("-",), "wholes": ([3, 4], 3)}
        says = line.values or (of and (of.choices or usual.get(of.kind, (max(of.low, 3),))))
        told = set()
        # Every shape with the key, whole or without one other key.
        for shape, value in product(reversed(SHAPES), says or [None]):
            for left_out in ("", *shape):
                kept = {**shape, **({key: value} if says else {})}
                if left_out != key:
                    kept.pop(left_out, None)
                try:
                    load('title = "Any"\n' + "".join(f"{one} = {as_toml(kept[one])}\n" for one in kept))
                    told.add("")
                except BadGame as refusal:
                    told.add(str(refusal))
            if "" in told and any(one.endswith(f"{key} {line.refusal}") for one in told):
                break
        else:
            pytest.fail(f"{key} {line.refusal}: never, or always")


def test_the_first_recipe_of_the_page_is_a_game_and_takes_the_settings_of_the_page() -> None:
    first, settings = PAGE.split("```toml\n")[1:3]
    race = load(first.split("```")[0])()
    assert (race.title, race.start().left.count(6)) == ("Race to 31", 4)
    changed = load(first.split("[end]")[0] + settings.split("```")[0])(target=40, stand=True, ops="+-")
    assert {"stand", "6-"} <= set(changed.actions)
    assert "exactly 40" in changed.rules


def test_what_the_gallery_says_of_its_ten_games_is_true() -> None:
    assert len(RECIPES) == 10
    assert table_of_games() in (GALLERY / "README.md").read_text(), "python -m tests.examples.gallery prints it anew"


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_game_of_the_gallery_keeps_the_laws(path: object) -> None:
    laws.check(load_file(str(path)), str(path))
