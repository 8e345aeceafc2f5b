"""The measures that come with the games: those of the classic rules and the exam's, as they are worked out anew."""

from pathlib import Path

import pytest

from numberquest.core.registry import GAMES, kind_in
from numberquest.study import classics
from numberquest.study.atlas import place_for
from numberquest.study.measures import SHIPPED, Study, measure
from tests.conftest import ALL
from tests.own.files import LAST

SMALL = 20_000
"""Rule sets of so many positions are measured in a moment."""


@pytest.mark.parametrize("slug", GAMES.own)
def test_all_of_them_are_there_and_those_that_are_soon_measured_are_the_same_anew(slug: str) -> None:
    for game in classics.rule_sets(GAMES[slug]):
        for pair in classics.PAIRS:
            known = measure(game, pair)
            # What has millions of positions that must be looked at one by one has its value from the atlas alone.
            assert (known.value is None) == (game.settings.get("side") == 4)
            # To see that millions are too many takes long, and says little: `.ci/run` does it.
            if known.positions <= SMALL and (known.positions or ALL):
                now = Study(game, shipped=False).measures(pair).data()
                for name, figure in known.data().items():
                    assert figure == (now[name] if name == "why" else pytest.approx(now[name], abs=1e-12)), name


def test_the_large_ones_are_told_without_looking_at_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Study, "walked", lambda *_: pytest.fail("it is worked out again"))
    fifty = GAMES["fifty"]()
    known = measure(fifty, ("medium", "medium"))
    assert known.value == pytest.approx(0.682910225288822)
    assert known.positions == 49_207_500
    some = measure(fifty, ("medium", "medium"), only=["length", "head_start"])
    assert (some.length, some.value, some.gain) == (known.length, None, None)


def test_they_are_small() -> None:
    sizes = [Path(place_for(kind, SHIPPED)).stat().st_size for kind in GAMES.own.values()]
    assert sum(sizes) < 16_000


def test_they_are_made_for_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "last.py"
    path.write_text(LAST)
    kind = kind_in(str(path))
    fresh = measure(kind(), ("medium", "medium"))
    classics.make(kind)
    assert (tmp_path / f"last.{SHIPPED}.bin").exists()
    # Rules that lie in somebody's file may have been changed since: what is beside them is not believed.
    monkeypatch.setattr(classics, "PAIRS", (("easy", "easy"),))
    classics.make(kind)
    assert measure(kind(), ("medium", "medium")) == fresh
