"""The ten games of the gallery are what their page says of them, and the page on recipes has every key."""

import pytest

from numberquest.core import laws
from numberquest.core.recipe import load, load_file
from tests.examples.gallery import GALLERY, RECIPES, ROOT, table_of_games, table_of_keys

PAGE = (ROOT / "docs" / "recipes.md").read_text()


def test_the_page_has_every_key_as_it_is() -> None:
    assert table_of_keys() in PAGE, "python -m tests.examples.gallery prints it anew"


def test_the_first_recipe_of_the_page_is_a_game() -> None:
    race = load(PAGE.split("```toml\n")[1].split("```")[0])()
    assert (race.title, race.start().left.count(6)) == ("Race to 31", 4)


def test_what_the_gallery_says_of_its_ten_games_is_true() -> None:
    assert len(RECIPES) == 10
    assert table_of_games() in (GALLERY / "README.md").read_text(), "python -m tests.examples.gallery prints it anew"


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_game_of_the_gallery_keeps_the_laws(path: object) -> None:
    laws.check(load_file(str(path)), str(path))
