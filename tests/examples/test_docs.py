"""The page 'Make your own game' shows the examples as they are, and every member and part that there is."""

import re
from pathlib import Path
from textwrap import indent

import pytest

import numberquest as nq
from numberquest.core.contract import Field, Game
from numberquest.core.registry import kind_in
from tests.strategies import EXAMPLES
from tests.test_arrows import PARTS

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "your-own-game.md").read_text()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_shown_as_it_is(path: Path) -> None:
    assert f"```python\n{path.read_text()}```" in PAGE


def test_every_member_part_field_and_setting_that_a_game_may_have_is_told() -> None:
    derived = {
        "has_secrets",
        "uncertain",
        "settings",
        "settings_text",
        "changed",
        "is_classic",
        "changes",
        "bound",
        "full_name",
        "chance",
        "odds",
        "fields",
    }
    members = {name for name in vars(Game) if not name.startswith("_")} - derived
    assert {name for name in members if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", PAGE)} == set()
    assert {name for name in PARTS if f"`{name}.py`" not in PAGE} == set()
    for name in nq.__all__:
        value = getattr(nq, name)
        if isinstance(value, type) and issubclass(value, Field):
            assert f"`nq.{name}(" in PAGE
    for name in ("whole", "yes_no", "signs", "up_to"):
        assert f"= nq.{name}(" in PAGE


def test_the_settings_that_are_shown_are_settings(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```python\n(heap: int.*?)```", PAGE, re.DOTALL)
    (tmp_path / "shown.py").write_text(f"import numberquest as nq\n\n\nclass Shown(nq.Game):\n{indent(shown, '    ')}")
    assert list(kind_in(str(tmp_path / "shown.py")).fields) == ["heap", "misere", "ops", "picks"]
