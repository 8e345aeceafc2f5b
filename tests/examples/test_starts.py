"""What one starts from in the workshop is what lies in the gallery, and games in Python that keep the laws."""

from pathlib import Path

import pytest

from numberquest.core import laws
from numberquest.core.registry import kind_in
from tests.examples.starts import STARTS, starts


def test_the_page_brings_the_gallery_as_it_is() -> None:
    kept = {path.name: path.read_text() for path in STARTS.iterdir() if path.suffix != ".txt"}
    assert kept == starts(), "python -m tests.examples.starts writes it anew"
    assert len(starts()["truths.json"].splitlines()) == 12


@pytest.mark.parametrize("name", ["last", "dice"])
def test_a_game_in_python_to_start_from_keeps_the_laws(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text((STARTS / f"{name}.txt").read_text())
    seen = laws.look(kind_in(str(file)), name)
    assert (dict(seen.wrong), seen.ended) == ({}, True)
