"""The notebooks run as they are, and show what is kept in them."""

import importlib.util
import os
from pathlib import Path

import pytest

from tests.docs.notebooks import NOTEBOOKS, run, shown

if importlib.util.find_spec("nbclient") is None:
    message = "SKIPPED: nbclient is not installed here: make docs runs this"
    if "NUMBERQUEST_DOCS" in os.environ:
        pytest.fail(message, pytrace=False)
    pytest.skip(message, allow_module_level=True)


def test_there_is_one_for_each_kind_of_people() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["a-lost-game", "an-agent-of-your-own", "is-it-fair"]


@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_running_it_shows(path: Path, tmp_path: Path) -> None:
    import nbformat

    kept = shown(nbformat.read(path, as_version=4))
    assert any(kept), "nothing is kept in it: make notebooks"
    assert shown(nbformat.from_dict(run(path, tmp_path))) == kept, "it shows something else now: make notebooks"
