"""The atlas: every rule set is in it, it says what the solver says, can be made again, and its document is right."""

import doctest
import importlib.util
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
import numberquest.study.atlas
import numberquest.study.atlas.__main__ as making
from numberquest.core.registry import GAMES, kind_in
from numberquest.core.settings import BadSetting
from numberquest.solver import in_passing, solve
from numberquest.solver.device import Start
from numberquest.study import sweep as sweeping
from numberquest.study.atlas import Atlas, BadAtlas, all_settings, atlas, how_many, path_of, place_of, read
from numberquest.study.atlas.__main__ import main
from numberquest.study.measures import measure
from numberquest.study.row import SweepRow
from numberquest.study.rule_sets import combinations
from numberquest.study.sweep import Sweep, Task
from tests.conftest import in_ci
from tests.own.files import LAST
from tests.parts import having
from tests.solver.reference import Search

MANY = {
    "fifty": 199 * 8 * 4 * 8,
    "grid": 98 * 3 * 2,
    "mystic": 59 * 8 * 4,
    "showdown": sum(range(2, 14)),
    "sumquest": 998 * 8,
}
"""How many rule sets the ranges of the settings make."""
SMALL = 20_000
"""Rule sets of so many positions are solved in a moment."""


def known(slug: str) -> Atlas:
    found = atlas(slug)
    assert found is not None
    return found


@pytest.mark.parametrize("slug", having("atlas-1.bin"))
def test_every_rule_set_is_in_it_and_nothing_is_unknown(slug: str) -> None:
    found = known(slug)
    assert len(found) == len(found.rows) == MANY[slug] == how_many(found.kind)
    assert all(row.value is not None and 0 <= row.value <= 1 and row.positions for row in found.rows)


def test_together_they_are_so_many() -> None:
    assert sum(len(known(slug)) for slug in having("atlas-1.bin")) == 61_494


@pytest.mark.parametrize("slug", having("atlas-1.bin"))
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


@pytest.mark.parametrize("slug", having("atlas-1.bin"))
def test_a_few_rule_sets_worked_out_anew_are_the_same(slug: str) -> None:
    for settings in chosen(slug, 8, SMALL):
        agrees(slug, settings)


@in_ci
@pytest.mark.parametrize("slug", having("atlas-1.bin"))
def test_many_rule_sets_worked_out_anew_are_the_same(slug: str) -> None:
    for settings in chosen(slug, 40, 30 * SMALL):
        agrees(slug, settings)


@pytest.mark.parametrize("slug", having("atlas-1.bin"))
def test_the_measures_are_those_between_two_who_err_at_times(slug: str) -> None:
    found = known(slug)
    assert found.players == ("medium", "medium")
    for settings in chosen(slug, 2, 5000):
        now = measure(nq.game(slug, **settings), found.players, only=found.measures)
        row = found.row(**settings)
        for name in found.measures:
            assert row.measures[name] == pytest.approx(getattr(now, name), rel=1e-6, abs=1e-6), (settings, name)


def test_its_rows_are_those_of_a_sweep() -> None:
    kind = GAMES["sumquest"]
    fresh = Sweep(kind, combinations(kind, {"target": range(10, 30), "high": [4, 5]}))
    with fresh.swept() as kept:
        swept = fresh.run(kept)
    for row in swept:
        same = known("sumquest").row(**row.settings)
        assert row == same._replace(measures={})
        assert type(row.value) is type(same.value)


def test_the_fairest_are_games_of_their_own_that_can_be_won_as_they_say() -> None:
    """Of a pile that sums to 21 nobody comes to 22, and whether one wins at 21 or by having more is all the same."""
    mystic = known("mystic")
    pile_of_21 = [(target, 6, 1) for target in range(20, 61)]
    assert mystic.each_once(pile_of_21) == ({(20, 6, 1), (21, 6, 1)}, {"out_of_reach": 39})
    column, fairest = mystic.fairest
    assert column == "value"
    assert [(row.value, row.key) for row in fairest[:2]] == [(0.5, (3, 2, 1)), (0.5, (4, 3, 1))]
    for row in fairest[:20]:
        target, high, copies = (int(one) for one in row.key)
        assert target <= copies * high * (high + 1) // 2
    # As near, the shorter one; what nobody has measured comes after what is known.
    assert [row.measures["length"] for row in fairest[:5]] == sorted(
        row.measures["length"] or 99 for row in fairest[:5]
    )
    column, fairest = known("sumquest").fairest
    assert (column, known("sumquest").each_once(row.key for row in known("sumquest").rows)[1]) == ("advantage", {})
    assert all(abs(row.measures["advantage"] or 1) < 0.01 for row in fairest[:5])


@pytest.mark.parametrize(
    ("slug", "keys"),
    [
        ("grid", [(target, 4, False) for target in range(66, 81)]),
        ("mystic", [(target, 6, 3) for target in range(47, 61)]),
        ("mystic", [(target, 4, 3) for target in range(24, 31)]),
        ("mystic", [(60, 6, 1)]),
    ],
)
def test_rule_sets_are_not_one_game_because_their_values_are_equal(slug: str, keys: list[tuple[Any, ...]]) -> None:
    """Every target here is reached, or no other rule set is asked about."""
    assert known(slug).each_once(keys) == (set(keys), {})


def test_every_rule_set_that_is_left_out_has_a_target_out_of_reach_or_the_measures_of_one_that_is_kept() -> None:
    for slug in having("atlas-1.bin"):
        found = known(slug)
        once, left_out = found.each_once(row.key for row in found.rows)
        assert len(once) + left_out.total() == len(found)
        kept = {(row.value, row.first, *row.measures.values()) for row in found.rows if row.key in once}
        for row in found.rows:
            if row.key not in once and row.measures["length"] is None:
                assert int(row.settings["target"]) > sum(found.kind(**row.settings).deck), (
                    "in mystic and grid nobody can hold more than there is"
                )
            elif row.key not in once:
                assert (row.value, row.first, *row.measures.values()) in kept


@pytest.mark.parametrize("slug", ["mystic", "grid", "fifty"])
def test_what_is_said_to_be_the_same_game_is_the_same_position_by_position(slug: str) -> None:
    """From start to end: the same moves, and whoever wins one wins the other."""
    found = known(slug)
    small = [row.settings for row in found.rows if (row.positions or 0) < 3000]
    pairs = [(one, {**one, "target": int(one["target"]) + 1}) for one in small]
    same = [pair for pair in pairs if len(found.each_once(tuple(one.values()) for one in pair)[0]) == 1]
    for settings, above in random.Random(slug).sample(same, 6):
        one, other = found.kind(**settings), found.kind(**above)
        seen, waiting = set(), [(one.start(), other.start())]
        while waiting:
            p, q = waiting.pop()
            if (p, q) in seen:
                continue
            seen.add((p, q))
            assert one.moves(p) == other.moves(q)
            first, second = one.outcome(p), other.outcome(q)
            assert (first and first.winner) == (second and second.winner)
            waiting += [(one.play(p, move), other.play(q, move)) for move in one.moves(p)]


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
        "import sys; from numberquest.study.atlas import atlas; "
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
    found = read(kind_in(last), str(tmp_path / "last.atlas-1.bin"))
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
    monkeypatch.setattr("numberquest.study.atlas.__main__._card", lambda _: False)
    assert main([last, "--folder", str(tmp_path / "work")]) == 1
    assert "only a CUDA card solves" in capsys.readouterr().err
    assert not (tmp_path / "last.atlas-1.bin").exists()


def test_a_game_without_one_has_none_and_a_mistake_is_a_sentence(last: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert atlas(last) is None
    assert main(["nothing"]) == 1
    assert "there is no game called 'nothing'" in capsys.readouterr().err


DOCS = Path(__file__).parents[2] / "docs"
TEXT = " ".join((DOCS / "atlas.md").read_text().split())


def rows(slug: str, **settings: object) -> list[SweepRow]:
    """The rule sets that have these settings."""
    found = atlas(slug)
    assert found is not None
    return [row for row in found.rows if settings.items() <= row.settings.items()]


def value(slug: str, **settings: object) -> float:
    found = atlas(slug)
    assert found is not None
    known = found.row(**settings).value
    assert known is not None
    return known


def said(words: str) -> bool:
    return words in TEXT


def test_player_2_wins_only_119_of_the_settings_of_fifty() -> None:
    lost = [row.settings for row in rows("fifty") if row.value == 0]
    assert (len(lost), len(rows("fifty"))) == (119, 50_944)
    assert said("Player 2 wins only 119 of the 50,944 settings")
    even = rows("fifty", copies=2) + rows("fifty", copies=4)
    assert {row.value for row in even} == {1}
    assert said(f"all {len(even):,} are Player 1's")
    odd = [one for one in lost if int(one["high"]) % 2 and int(one["copies"]) % 2]
    assert len(odd) == 118
    assert [one for one in lost if one not in odd] == [{"target": 16, "high": 8, "copies": 1, "ops": "+"}]
    assert sum("-" in str(one["ops"]) for one in lost) == 16
    assert sum("-" in str(row.settings["ops"]) for row in rows("fifty")) == 50_944 // 2
    assert [tuple(one.values()) for one in lost if int(one["target"]) > 71] == [(131, 9, 1, "+*/"), (199, 5, 3, "+*")]
    assert sum(one["copies"] != 1 for one in lost) == 1


def test_of_the_first_moves_of_fifty_only_adding_4_loses() -> None:
    adding = {f"{number}+" for number in range(1, 10)}
    (classic,) = rows("fifty", target=50, high=9, copies=2, ops="+-*/")
    (lower,) = rows("fifty", target=45, high=9, copies=2, ops="+-*/")
    assert adding - {*classic.first} == {"4+"}
    assert adding & {*lower.first} == {"5+", "9+"}


def test_twice_one_begins_best_by_multiplying_nothing() -> None:
    found = [row for row in rows("fifty") if row.value == 1 and all(move.endswith("*") for move in row.first)]
    assert [tuple(row.settings.values()) for row in found] == [(11, 8, 1, "+*"), (13, 8, 1, "+*")]


def test_player_1_wins_390_of_472_settings_of_sumquest_and_6585_of_all() -> None:
    every = rows("sumquest")
    low = [row for row in every if int(row.settings["target"]) <= 60]
    assert (sum(row.value == 1 for row in every), len(every)) == (6585, 7984)
    assert (sum(row.value == 1 for row in low), len(low)) == (390, 472)


@pytest.mark.parametrize(("high", "period"), [(2, 3), (3, 4), (4, 5), (5, 13), (6, 7), (7, 25), (8, 9), (9, 32)])
def test_lost_targets_of_sumquest_come_back_like_a_clock(high: int, period: int) -> None:
    known = {int(row.settings["target"]): row.value for row in rows("sumquest", high=high)}
    lost = [target for target, worth in known.items() if worth == 0]
    repeats = [every for every in range(1, 100) if all(known[at] == known[at + every] for at in range(2, 1000 - every))]
    assert repeats[0] == period
    if high % 2 == 0 or high == 3:
        assert lost == list(range(high + 1, 1000, high + 1))
    if high == 5:
        assert {(b - a, c - b) for a, b, c in zip(lost, lost[1:], lost[2:], strict=False)} == {(6, 7), (7, 6)}
    if high == 9:
        assert lost[:6] == [11, 22, 32, 43, 54, 64]


def test_parity_decides_showdown() -> None:
    for row in rows("showdown"):
        high, picks = int(row.settings["high"]), int(row.settings["picks"])
        assert row.value == int(picks % 2 == 1 or picks == high)
        if picks == high:
            assert row.first == (f"predict {high * (high + 1) // 2}",)
    assert len(rows("showdown")) == 90


def test_grid_is_exactly_fair_in_six_settings_and_standing_makes_it_fairer() -> None:
    fair = [row.settings for row in rows("grid") if row.value == 0.5]
    assert len(fair) == 6
    assert {"target": 18, "side": 3, "stand": True} in fair
    assert [one for one in fair if not one["stand"]] == [{"target": 27, "side": 3, "stand": False}]
    # Not only to the last digit: as a fraction.
    game = nq.game("grid", target=18, stand=True)
    assert Search(game).value_for(0, game.start()) == Fraction(1, 2)
    without = {tuple(row.key[:2]): row.value for row in rows("grid", stand=False)}
    fairer = less = 0
    for row in rows("grid", stand=True):
        now, before = row.value, without[tuple(row.key[:2])]
        assert now is not None
        assert before is not None
        fairer += abs(now - 0.5) < abs(before - 0.5) - 1e-12
        less += abs(now - 0.5) > abs(before - 0.5) + 1e-12
    assert said(f"fairer {fairer} times and less fair {less} times")
    for target in range(8, 22):
        assert abs(value("grid", target=target, stand=True) - 0.5) <= 0.01
    for target in (7, 22):
        assert abs(value("grid", target=target, stand=True) - 0.5) > 0.01
    assert round(100 * value("grid")) == 41


def test_without_standing_grid_knows_no_skill() -> None:
    skill = [row.measures["skill"] for row in rows("grid", stand=False) if row.measures["skill"] is not None]
    assert len(skill) == 2 * 98
    assert max(skill) < 1e-9
    (most,) = rows("grid", target=29, side=3, stand=True)
    assert 0.5 < (most.measures["skill"] or 0) < 0.55


def test_low_targets_of_mystic_are_player_1s_and_the_classic_one_player_2s() -> None:
    assert [round(100 * value("mystic", target=target)) for target in (2, 21)] == [90, 43]
    assert [f"{100 * value('mystic', target=target):.2f}" for target in (13, 14)] == ["50.26", "49.76"]
    near = {
        int(row.settings["target"]) for row in rows("mystic", high=9, copies=2) if abs((row.value or 0) - 0.5) < 0.005
    }
    assert near == {13, 14, 57}
    for row in rows("mystic", high=6, copies=1):
        assert (row.value == 0.5) == (int(row.settings["target"]) >= 21)
    assert [row.settings for row in rows("mystic") if row.value in (0, 1)] == [{"target": 2, "high": 2, "copies": 1}]


def test_a_game_lost_with_best_play_can_be_fair_to_people() -> None:
    (long,) = rows("sumquest", target=100, high=9)
    assert long.value == 1
    assert f"{50 + 50 * (long.measures['advantage'] or 0):.2f}" == "50.04"
    (fair,) = rows("grid", target=18, side=3, stand=True)
    assert f"{50 + 50 * (fair.measures['advantage'] or 0):.1f}" == "49.3"


@pytest.mark.parametrize("slug", having("atlas-1.bin"))
def test_the_table_of_the_files_says_what_they_hold(slug: str) -> None:
    found = atlas(slug)
    assert found is not None
    line = re.search(rf"\| `{slug}` \|(.*?`) \|", TEXT)
    assert line is not None
    cells = [cell.strip() for cell in line[1].split("|")]
    measured = sum(row.measures["length"] is not None for row in found.rows)
    positions = sum(row.positions or 0 for row in found.rows)
    assert cells[:3] == [f"{len(found):,}", f"{positions:,}", f"{measured:,}"]
    for at, what in enumerate(("values", "measures"), start=3):
        seconds = sum(one["seconds"] for one in found.made if one["what"] == what)
        assert f"{seconds:.0f} s" in cells[at]
    assert cells[-1] == f"`{found.hash}`"


@in_ci
def test_the_pictures_are_drawn_from_it() -> None:
    spec = importlib.util.spec_from_file_location("atlas_pictures", DOCS / "atlas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, drawn in module.pictures().items():
        assert (DOCS / name).read_text(encoding="utf-8") == drawn, f"{name}: python docs/atlas.py draws it anew"
        assert f"({name})" in TEXT


def test_what_it_shows_in_python_is_so() -> None:
    shown = doctest.testfile(str(DOCS / "atlas.md"), module_relative=False)
    assert (shown.attempted > 5, shown.failed) == (True, 0)
    shown = doctest.testmod(numberquest.study.atlas)
    assert (shown.attempted > 2, shown.failed) == (True, 0)
