"""The settings nearest to what is wished: exactly the best ten, and by how much they miss."""

import json
from pathlib import Path
from typing import Any

import pytest

from numberquest.cli import _run
from numberquest.core.errors import UsageError
from numberquest.core.registry import GAMES
from numberquest.report.words import words
from numberquest.study import design as module
from numberquest.study.atlas import atlas_of
from numberquest.study.design import Design, Wish, fair, length, skill
from numberquest.study.row import SweepRow
from numberquest.study.rule_sets import combinations
from numberquest.study.sweep import MOST, Sweep, sweep
from numberquest.terminal.commands.design import DesignOptions, design_report, designed
from tests.own.secret_games import Again, Pennies

FREE = {"target": range(5, 13), "high": [3, 4], "copies": [1]}
SETS = ["target=5..12", "high=3,4", "copies=1"]


def row(value: float, moves: float | None, share: float | None) -> SweepRow:
    return SweepRow({"target": 5}, value, (), 10, {"length": moves, "skill": share})


@pytest.mark.parametrize(
    ("wish", "value", "miss", "said"),
    [
        (fair(0.01), row(0.505, 1, 1), 0.0, ""),
        (fair(0.01), row(0.53, 1, 1), 0.02, "Player 1 wins 2 more of 100 games than wished"),
        (fair(0.01), row(0.47, 1, 1), 0.02, "Player 2 wins 2 more of 100 games than wished"),
        (length(6, 12), row(0.5, 8, 1), 0.0, ""),
        (length(6, 12), row(0.5, 5.5, 1), 0.5, "0.5 moves too short"),
        (length(6, 12), row(0.5, 14, 1), 2.0, "2 moves too long"),
        (length(6), row(0.5, 99, 1), 0.0, ""),
        (skill(0.2), row(0.5, 1, 0.3), 0.0, ""),
        (skill(0.2), row(0.5, 1, 0.15), 0.05, "skill is 5 points less than wished"),
        (skill(0.2), row(0.5, 1, None), None, "skill is not known"),
    ],
)
def test_a_wish_says_by_how_much_it_is_missed(wish: Wish, value: SweepRow, miss: float | None, said: str) -> None:
    assert wish.miss(value) == (None if miss is None else pytest.approx(miss))
    assert wish.missed(value) == said


def chosen(wishes: list[Wish]) -> Design:
    kind = GAMES["mystic"]
    design = Design(kind, combinations(kind, FREE), wishes, ("medium", "medium"), MOST)
    valued = design.valued()
    with valued.swept() as rows:
        design.choose(valued.run(rows))
    return design


@pytest.mark.parametrize(
    "wishes",
    [
        [fair(0.01)],
        [fair(0.02), length(3, 3.5)],
        [skill(0.6)],
        [fair(0.01), length(6, 12), skill(0.5)],
        [length(3.5, 4)],
    ],
    ids=lambda wishes: "-".join(wish.name for wish in wishes),
)
def test_the_ten_are_the_best_of_all_though_not_all_are_measured(
    wishes: list[Wish], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BEST", 3)
    monkeypatch.setattr(module, "AT_A_TIME", 2)
    design = chosen(wishes)
    every = sweep("mystic", FREE, ["length", "skill"], players=("medium", "medium"))
    far = sorted(design.far(one) for one in every)
    assert [one.far for one in design.best] == far[:3]
    if wishes == [fair(0.01)]:
        # Those that are less fair by far need no measure.
        assert len(design.looked_at) < len(every)


def test_nothing_beats_the_front_in_both_wishes() -> None:
    design = chosen([fair(0.01), skill(0.9)])
    one, two = design.axes
    front = design.front()
    assert len(front) > 1
    for each in front:
        assert not [
            other
            for other, _ in design.looked_at
            if one.badness(other) <= one.badness(each)
            and two.badness(other) <= two.badness(each)
            and (one.badness(other), two.badness(other)) != (one.badness(each), two.badness(each))
        ]


def test_where_nothing_fits_that_is_said_plainly_and_by_how_much() -> None:
    design = designed(DesignOptions("mystic", fair="1%", length="90..", skill="0.2", set=SETS))
    said = words(design_report(design, "mystic"))
    assert "None of the 16 settings is as wished. These come nearest" in said
    assert "moves too short." in said
    assert "To play the first: numberquest play mystic --set" in said
    # With so low a pile, nobody comes to targets above its sum: those are one game, and the first is named.
    assert "8 are left out: nobody can reach the target there, and another setting here is the same game." in said
    assert [row.key[:2] for row, _ in sorted(design.best, key=lambda one: one.row.key)] == [
        (5, 3), (5, 4), (6, 3), (6, 4), (7, 4), (8, 4), (9, 4), (10, 4),
    ]  # fmt: skip


def test_a_setting_asked_about_alone_is_told_though_another_one_is_the_same_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = ["design", "mystic", "--fair", "0.1", "--set", "target=10", "--set", "high=4", "--set", "copies=1"]
    assert _run([*one, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["settings"], data["left_out"]) == (1, {"alike": 0, "out_of_reach": 0})
    assert [best["settings"]["target"] for best in data["best"]] == [10]
    assert _run(one) == 0
    assert "The setting is not as wished." in capsys.readouterr().out


def test_what_fits_is_said_to_fit_and_the_picture_shows_it(tmp_path: Path) -> None:
    picture, report = tmp_path / "d.svg", tmp_path / "d.html"
    design = designed(
        DesignOptions(
            "mystic", fair="0.05", set=SETS, plot=str(picture), report=str(report), server="https://example.org"
        )
    )
    said = words(design_report(design, "mystic"))
    assert "✓ As wished." in said
    assert "skill (up) and how far from fair (to the right):" in said
    assert max(map(len, said.split("\n"))) <= 100
    assert "as wished" in picture.read_text()
    assert json.loads((tmp_path / "d.json").read_text())["fitting"] == design.fitting > 0
    assert 'href="https://example.org/#game=mystic&amp;target=7&amp;high=4&amp;copies=1"' in report.read_text()


def test_a_picture_is_drawn_of_what_is_known_and_left_out_where_too_little_is() -> None:
    GAMES.add(Pennies, "pennies.py", listed=False)
    known = designed(DesignOptions("pennies", fair="0.05"))
    assert [wish.name for wish in known.axes] == ["fair", "length"], "skill is not told where something is secret"
    assert "As wished." in words(design_report(known, "pennies"))
    GAMES.add(Again, "again.py", listed=False)
    unknown = designed(DesignOptions("again", fair="0.05"))
    assert "(to the right)" not in words(design_report(unknown, "again")), "nor length, where it need not end"


def test_a_game_that_was_brought_along_is_named_by_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["--with", "examples/nim.py", "design", "nim", "--fair", "0.5", "--set", "number=1"]) == 0
    assert "To play the first: numberquest play examples/nim.py --set number=1" in capsys.readouterr().out


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(["design", "mystic", "--fair", "0.05", *(f"--set={one}" for one in SETS), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["settings"] == 16
    first = data["best"][0]
    assert first["fits"]
    assert first["misses"] == {"fair": 0.0}
    assert first["settings"] == {"target": 7, "high": 4, "copies": 1}
    assert {"value", "first", "positions", "length", "skill"} <= set(first)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ([], "say what you wish"),
        (["--fair", "0.9"], "--fair wants a number from 0 to 0.5"),
        (["--fair", "x"], "--fair wants"),
        (["--skill", "20"], "--skill wants"),
        (["--length", "x"], "--length wants"),
        (["--length", ".."], "--length wants"),
        (["--length", "12..6"], "the lower number comes first"),
        (["--fair", "0.1", "--set", "target=x"], "target must be"),
        (["--fair", "0.1", "--jobs", "x"], "--jobs wants"),
        (["--fair", "0.1", "--server", "x"], "say --report FILE too"),
        (["--fair", "0.1", "--server", "x", "--report", "r.html"], "--server wants an address"),
    ],
)
def test_a_bad_wish_is_told_in_a_sentence(more: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        _run(["design", "mystic", *more])


def best_of(*more: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    assert _run(["design", "mystic", *more, "--set=target=5..20", "--set=high=3..5", "--set=copies=1,2", "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["best"]
    return found


def test_any_measure_can_be_wished_as_much_as_little_or_within_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    kind = GAMES["mystic"]
    known = atlas_of(kind)
    assert known is not None
    free = {"target": range(5, 21), "high": [3, 4, 5], "copies": [1, 2]}
    every = sweep(kind, free, ["gain", "luck", "drama", "advantage"], players=("medium", "medium"))
    once, _ = known.each_once(row.key for row in every)
    rows = [row.measures for row in every if row.key in once]
    figures = {name: [one[name] or 0.0 for one in rows] for name in ("gain", "luck", "advantage")}
    assert best_of("--most", "gain", capsys=capsys)[0]["gain"] == pytest.approx(max(figures["gain"]))
    assert best_of("--least", "luck", capsys=capsys)[0]["luck"] == pytest.approx(min(figures["luck"]))
    both = best_of("--drama", "0.3", "--least", "luck", capsys=capsys)
    within = [one["luck"] or 0.0 for one in rows if (one["drama"] or 0) >= 0.3]
    assert both[0]["luck"] == pytest.approx(min(within))
    assert [one["luck"] for one in both] == sorted(one["luck"] for one in both)
    assert best_of("--luck", "..30%", capsys=capsys)[0]["luck"] <= 0.3
    # Fair between people is not fair under best play.
    people, perfect = best_of("--fair-people", "0.02", capsys=capsys), best_of("--fair", "0.02", capsys=capsys)
    assert all(abs(one["advantage"]) <= 0.04 for one in people if one["fits"])
    assert people[0]["fits"]
    assert [one["settings"] for one in people] != [one["settings"] for one in perfect]


def test_what_the_atlas_has_not_measured_is_said_and_measured_only_where_that_is_wished(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ["design", "mystic", "--most", "gain", "--set", "target=5,22", "--set", "high=3,6"]
    assert _run(asked) == 0
    said = capsys.readouterr().out
    assert "larger ones have not been measured" in said
    assert _run([*asked, "--most", "5,000,000"]) == 0
    assert "measured" not in capsys.readouterr().out


def test_what_is_left_is_told_by_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the time that is said to be left does not grow: the last rule sets are the largest."""
    monkeypatch.setattr(Sweep, "charted", lambda _: [])
    monkeypatch.setattr(module, "AT_A_TIME", 3)
    kind = GAMES["mystic"]
    games = combinations(kind, {"target": range(5, 9), "high": [3, 4], "copies": [1]})
    told: list[tuple[int, int]] = []

    def left(most: float) -> int:
        design = Design(kind, games, [skill(0.9)], ("medium", "medium"), most)
        design.choose(known, progress=lambda done, total: told.append((done, total)))
        assert told[-1][0] == told[-1][1]
        return told[-1][1]

    valued = Design(kind, games, [skill(0.9)], ("medium", "medium"), MOST).valued()
    with valued.swept() as rows:
        known = valued.run(rows)
    sizes = [row.positions or 0 for row in known]
    assert left(MOST) == sum(sizes)
    # What is too large to be measured is only passed over.
    most = min(sizes)
    assert left(most) == sum(size if size <= most else 1 for size in sizes)
