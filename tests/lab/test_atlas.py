"""The atlas: every rule set is in it, what it says is what the solver says, and it can be made again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.games import GAMES, kind_in
from numberquest.lab import sweep as sweeping
from numberquest.lab.atlas import Atlas, BadAtlas, atlas, making
from numberquest.lab.atlas.__main__ import main
from numberquest.lab.atlas.packed import path_of, read
from numberquest.lab.atlas.places import all_settings, how_many, place_of
from numberquest.lab.measures import measure
from numberquest.lab.ranges import combinations
from numberquest.lab.sweep import Task, sweep
from numberquest.settings import BadSetting
from numberquest.solver import in_passing, solve
from numberquest.solver.device import Start
from tests.conftest import in_ci
from tests.one_file import LAST

MANY = {
    "fifty": 199 * 8 * 4 * 8,
    "grid": 98 * 3 * 2,
    "mystic": 59 * 8 * 4,
    "showdown": sum(range(2, 14)),
    "sumquest": 998 * 8,
}
"""How many rule sets the ranges of the settings make."""
SMALL = 60_000
"""Rule sets of so many positions are solved in a moment."""


def known(slug: str) -> Atlas:
    found = atlas(slug)
    assert found is not None
    return found


@pytest.mark.parametrize("slug", GAMES.own)
def test_every_rule_set_is_in_it_and_nothing_is_unknown(slug: str) -> None:
    found = known(slug)
    assert len(found) == len(found.rows) == MANY[slug] == how_many(found.kind)
    assert all(row.value is not None and 0 <= row.value <= 1 and row.positions for row in found.rows)


def test_together_they_are_so_many() -> None:
    assert sum(len(known(slug)) for slug in GAMES.own) == 61_494


@pytest.mark.parametrize("slug", GAMES.own)
def test_rows_stand_in_the_order_of_the_settings(slug: str) -> None:
    kind = GAMES[slug]
    every = list(all_settings(kind))
    for place in random.Random(slug).sample(range(len(every)), min(len(every), 80)):
        assert place_of(kind, every[place]) == place
    if len(every) < 1000:
        assert every == [game.settings for game in combinations(kind, dict.fromkeys(kind.fields))]


def chosen(slug: str, many: int, most: int) -> list[dict[str, Any]]:
    """Some rule sets of at most so many positions, always the same ones."""
    small = [row.settings for row in known(slug) if (row.positions or 0) <= most]
    return random.Random(f"atlas {slug}").sample(small, many)


def agrees(slug: str, settings: dict[str, Any]) -> None:
    """What the solver of this very machine says of a rule set is what stands in the atlas, to the last digit."""
    game, row = nq.game(slug, **settings), known(slug).row(**settings)
    with in_passing(game):
        solution = solve(game)
        start = game.start()
        assert row.value == float(solution.value_for(0, start))
        assert row.first == tuple(solution.best(start))
        assert row.positions == solution.positions


@pytest.mark.parametrize("slug", GAMES.own)
def test_a_few_rule_sets_worked_out_anew_are_the_same(slug: str) -> None:
    for settings in chosen(slug, 8, SMALL):
        agrees(slug, settings)


@in_ci
@pytest.mark.parametrize("slug", GAMES.own)
def test_many_rule_sets_worked_out_anew_are_the_same(slug: str) -> None:
    for settings in chosen(slug, 40, 10 * SMALL):
        agrees(slug, settings)


@pytest.mark.parametrize("slug", GAMES.own)
def test_the_measures_are_those_between_two_who_err_at_times(slug: str) -> None:
    found = known(slug)
    assert found.players == ("medium", "medium")
    for settings in chosen(slug, 2, 5000):
        now = measure(nq.game(slug, **settings), found.players, only=found.measures)
        row = found.row(**settings)
        for name in found.measures:
            assert row.measures[name] == pytest.approx(getattr(now, name), rel=1e-6, abs=1e-6), (settings, name)


def test_its_rows_are_those_of_a_sweep() -> None:
    swept = sweep("sumquest", {"target": range(10, 30), "high": [4, 5]})
    for row in swept:
        same = known("sumquest").row(**row.settings)
        assert row == same._replace(measures={})
        assert type(row.value) is type(same.value)


def test_a_setting_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadSetting, match="target must be a whole number from 2 to 999"):
        known("sumquest").row(target=1000)


def test_the_hash_is_of_what_it_says_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    kind = GAMES["grid"]
    path = path_of(kind)
    assert path is not None
    whole = Path(path).read_bytes()
    changed = tmp_path / "atlas.bin"
    changed.write_bytes(whole)
    assert read(kind, str(changed)).hash == known("grid").hash
    # When and on what it was made is no part of what it says.
    first, _, packed = whole.partition(b"\n")
    head = json.loads(first)
    changed.write_bytes(json.dumps({**head, "made": []}).encode() + b"\n" + packed)
    assert read(kind, str(changed)).hash == known("grid").hash
    for broken in (whole[:-20], whole[:-9] + b"?" + whole[-8:], whole.replace(b'"sha256": "', b'"sha256": "0'), b""):
        changed.write_bytes(broken)
        with pytest.raises(BadAtlas, match="is not as it was made"):
            read(kind, str(changed))
    with pytest.raises(BadAtlas, match="is of other rules than mystic has now"):
        read(GAMES["mystic"], path)


def test_all_of_it_is_small() -> None:
    paths = [path_of(kind) for kind in GAMES.own.values()]
    assert sum(Path(path).stat().st_size for path in paths if path) < 200_000


def test_looking_something_up_needs_no_numpy() -> None:
    program = (
        "import sys; from numberquest.lab.atlas import atlas; "
        "print(atlas('fifty').row(target=30).value, 'numpy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "1 False\n"


@pytest.fixture
def last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in one file, of 99 rule sets, of which every fourth is lost."""
    # What is brought in here is not there for the tests that come after it in the same process.
    monkeypatch.setattr(GAMES, "_brought", {})
    monkeypatch.setattr(GAMES, "_complete", False)
    path = tmp_path / "last.py"
    path.write_text(LAST)
    return str(path)


def test_it_is_made_for_any_game_and_an_interrupted_one_goes_on(
    last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[Any] = []
    row = Task.row

    def interrupted(self: Task, game: Any) -> Any:
        solved.append((game.settings["heap"], self.measures != ()))
        if len(solved) == 60:
            raise KeyboardInterrupt
        return row(self, game)

    monkeypatch.setattr(Task, "row", interrupted)
    command = [last, "--folder", str(tmp_path / "work"), "--device", "cpu", "--jobs", "1"]
    assert main(command) == 130
    assert main(command) == 0
    # What is worked out to see how long it takes is worked out once more at most.
    assert len(solved) < 60 + 2 * 99
    found = read(nq.games.kind_for(last), str(tmp_path / "last.atlas-1.bin"))
    assert [one.value for one in found.rows] == [int(heap % 4 > 0) for heap in range(1, 100)]
    assert found.row(heap=7).first == ("3",)
    assert found.row(heap=7).measures["luck"] == 0
    assert [one["what"] for one in found.made] == ["values", "measures"]
    assert all(one["seconds"] >= 0 and one["on"].startswith("1 core of ") for one in found.made)


@in_ci
def test_made_on_a_card_it_says_the_same(last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = kind_in(last)

    def starts(games: Iterable[Any], _: str) -> Iterator[Start]:
        for game in reversed(list(games)):
            solution = solve(game)
            best = tuple(solution.best(game.start()))
            yield Start(game, float(solution.value_for(0, game.start())), best, solution.positions)

    monkeypatch.setattr(sweeping, "starts", starts)
    monkeypatch.setattr(making, "part", lambda _, name: name == making.CARD)
    monkeypatch.setattr(making, "card", lambda: type("Card", (), {"name": "a card"}))
    hashes = set()
    for card in (False, True):
        path = str(tmp_path / f"{card}.bin")
        (tmp_path / f"work-{card}").mkdir()
        making.make(kind, making.Making(str(tmp_path / f"work-{card}"), card=card, partly=True), path)
        hashes.add(read(kind, path).hash)
        assert (read(kind, path).made[0]["on"] == "a card") == card
    assert len(hashes) == 1


def test_what_takes_a_card_is_not_left_out_unasked(
    last: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(making, "part", lambda _, name: name == making.CARD)
    monkeypatch.setattr("numberquest.lab.atlas.__main__._card", lambda _: False)
    assert main([last, "--folder", str(tmp_path / "work")]) == 1
    assert "only a CUDA card solves" in capsys.readouterr().err
    assert not (tmp_path / "last.atlas-1.bin").exists()


def test_a_game_without_one_has_none_and_a_mistake_is_a_sentence(last: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert atlas(last) is None
    assert main(["nothing"]) == 1
    assert "there is no game called 'nothing'" in capsys.readouterr().err
