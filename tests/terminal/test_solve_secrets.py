"""`solve` and `verify` on the command line, for games in which something is secret."""

import csv
import json
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest

from numberquest.core.errors import UsageError
from numberquest.report.words import words
from numberquest.solver.certificate import certified
from numberquest.terminal.commands.arguments import game_with
from numberquest.terminal.commands.solve import solve_report
from numberquest.terminal.commands.strategy import COLUMNS, interval, verified
from tests.own.secret_games import Again
from tests.solver.test_secrets import secrets_of
from tests.strategies import SECRET
from tests.terminal.session import here, piped

GOOFSPIEL, DICE = map(str, SECRET)
DICE_3 = [DICE, "--set", "faces=3"]


def test_the_value_is_told_with_both_strategies_and_the_proof() -> None:
    shown = here("solve", *DICE_3)
    assert "With best play on both sides Player 1 gets 55.56 % of the games (exactly 5/9)." in shown
    assert "  dice=(1,0): 2x1\n" in shown
    assert "and 6 more: --strategy FILE.csv has them all" in shown
    assert "Proved: with the strategy of Player 1 it is at least 5/9, whatever Player 2 does;" in shown
    shown = here("solve", *DICE_3, "--after", "1 2 1x1")
    assert "By what they know Player 2 gets" in shown
    assert "What Player 2 does, by what they know:\n  dice=(0,2) > bid=1 player=1: " in shown
    assert "the game is over: Player 2 called Player 1 a liar" in here("solve", *DICE_3, "--after", "1 2 1x1 liar")


def test_as_data_the_value_has_what_is_proved_of_it() -> None:
    answer = json.loads(here("solve", *DICE_3, "--json"))
    assert (answer["player"], answer["exact"], answer["error"]) == (1, "5/9", 0)
    assert answer["low"] == answer["value"] == answer["high"] == 5 / 9
    assert (answer["moves"], answer["odds"]) == ({}, {})
    answer = json.loads(here("solve", *DICE_3, "--after", "1 2", "--json"))
    assert answer["known"] == "dice=(0,0) bid=0 caller=0 player=0 > dice=(1,0)"
    assert sum(map(Fraction, answer["odds"].values())) == 1
    assert answer["value"] == max(answer["moves"].values())
    assert (answer["low"], answer["high"]) == (None, None)
    answer = json.loads(here("solve", GOOFSPIEL, "--set", "cards=2", "--after", "1 2", "--json"))
    assert answer["player"] == 2, "who does not see what was bid"
    assert answer["known"].endswith("prizes=(2,) prize=1 > bid=None")


def test_an_interval_too_narrow_to_be_seen_is_told_by_how_narrow_it_is() -> None:
    solution = secrets_of(Again(heavy=True))
    assert solution.certificate.error
    told = words(solve_report(solution, [], solution.game.start()))
    near = f"{float(solution.certificate.error):.1e}"
    assert f"Player 1 gets 56.98 % of the games (to within {near})." in told


def test_what_is_proved_stays_true_as_a_number_of_a_computer() -> None:
    low, value, high = (Fraction(part, 7) for part in (2, 3, 4))
    found = interval(low, value, high)
    assert Fraction(found["low"]) < low
    assert Fraction(found["high"]) > high
    assert (found["exact"], interval(value, value, value)["exact"]) == (None, "3/7")


def test_a_strategy_is_written_and_its_certificate_verified_without_the_solver(tmp_path: Path) -> None:
    table = tmp_path / "dice.csv"
    here("solve", *DICE_3, "--strategy", str(table))
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert list(rows[0]) == ["player", "known", "move", "odds"]
    sums: dict[tuple[str, str], Fraction] = {}
    for row in rows:
        at = row["player"], row["known"]
        sums[at] = sums.get(at, Fraction(0)) + Fraction(row["odds"])
    assert set(sums.values()) == {Fraction(1)}
    assert {player for player, _ in sums} == {"1", "2"}
    for path in (table, table.with_suffix(".json")):
        shown = piped(["--with", DICE, "verify", str(path)]).stdout
        assert "Player 1 is worth exactly 5/9 (55.56 %)" in shown
    assert "exists already" in piped(["solve", *DICE_3, "--strategy", str(table)], code=2).stderr
    assert "bring that game along, --with FILE" in piped(["verify", str(table)], code=1).stderr


def test_a_strategy_that_was_changed_no_longer_proves_what_is_claimed(tmp_path: Path) -> None:
    table = tmp_path / "dice.csv"
    here("solve", *DICE_3, "--strategy", str(table))
    text = table.read_text()
    line = next(line for line in text.splitlines() if line.startswith("1,") and "dice=(1,0)" in line and "2x1" in line)
    table.write_text(text.replace(line, line.replace("2x1", "2x3")))
    told = piped(["--with", DICE, "verify", str(table)], code=1).stderr
    assert "claims from 5/9 to 5/9, but these strategies prove" in told
    table.write_text(text.replace(line + "\n", ""))
    assert (
        "it does not say what Player 1 does who knows" in piped(["--with", DICE, "verify", str(table)], code=1).stderr
    )
    table.write_text("something else")
    assert "is no strategy with its certificate" in piped(["--with", DICE, "verify", str(table)], code=1).stderr


def test_a_strategy_or_a_claim_that_is_damaged_is_told_in_one_sentence(tmp_path: Path) -> None:
    table, claim = tmp_path / "dice.csv", tmp_path / "dice.json"
    here("solve", *DICE_3, "--strategy", str(table))
    rows, claimed = table.read_text(), json.loads(claim.read_text())
    for damage in (
        {"proved": ["1/0", "2"]},
        {"proved": ["1"]},
        {"proved": ["inf", None]},
        {"proved": ["1e5", "5/9"]},
        {"proved": ["5/9", "1e99999999"]},
        {"value": "1e99999999"},
        {"value": None},
        {"settings": ["faces"]},
        {"game": ["liars_dice"]},
    ):
        claim.write_text(json.dumps(claimed | damage))
        with pytest.raises(UsageError, match="is no strategy with its certificate"):
            verified(str(table))
    claim.write_text(json.dumps(claimed))
    line = rows.splitlines()[1]
    cells = line.rpartition(",")[0]
    # Worked out, a number with such an exponent never comes to an end.
    for wrong in (f"{line}\n{line}", f"{line},more", cells, f"{line}/0", f"{cells},1e5", f"{cells},1e99999999"):
        table.write_text(rows.replace(line, wrong))
        with pytest.raises(UsageError, match="is no strategy with its certificate"):
            verified(str(table))


@pytest.mark.parametrize(
    ("name", "figure"), [("value", 0.9), ("exact", "9/10"), ("low", 0.1), ("high", 0.9), ("error", 0.1)]
)
def test_every_figure_of_a_claim_is_compared_with_what_is_proved(name: str, figure: object, tmp_path: Path) -> None:
    table, claim = tmp_path / "dice.csv", tmp_path / "dice.json"
    here("solve", *DICE_3, "--strategy", str(table))
    claim.write_text(json.dumps(json.loads(claim.read_text()) | {name: figure}))
    with pytest.raises(UsageError, match=f"claims {name} {figure}, but these strategies prove 5/9 to 5/9"):
        verified(str(table))


def test_an_estimate_is_verified_where_it_lies_between_what_is_proved(tmp_path: Path) -> None:
    table, claim = tmp_path / "dice.csv", tmp_path / "dice.json"
    here("solve", *DICE_3, "--strategy", str(table))
    mixes: dict[tuple[int, str], dict[str, Fraction]] = {}
    for row in csv.DictReader(table.read_text().splitlines()):
        mixes.setdefault((int(row["player"]) - 1, row["known"]), {})[row["move"]] = Fraction(0)
    # Who plays every move alike plays badly, so that the two bounds are far apart.
    mixes = {at: dict.fromkeys(mix, Fraction(1, len(mix))) for at, mix in mixes.items()}
    with table.open("w", newline="") as file:
        lines = [(seat + 1, known, move, odds) for (seat, known), mix in mixes.items() for move, odds in mix.items()]
        csv.writer(file).writerows([COLUMNS, *lines])
    low, high = certified(game_with(DICE, ["faces=3"]), mixes)
    claimed = json.loads(claim.read_text()) | {"proved": [str(low), str(high)]}
    for value, holds in (
        (low, True),
        ((low + high) / 2, True),
        (high, True),
        (low / 2, False),
        ((high + 1) / 2, False),
    ):
        claim.write_text(json.dumps(claimed | interval(low, value, high)))
        with nullcontext() if holds else pytest.raises(UsageError, match="claims value"):
            assert "the certificate holds" in verified(str(table))[0]


def test_where_nothing_is_secret_there_is_no_strategy_to_write(tmp_path: Path) -> None:
    told = piped(["solve", "sumquest", "--strategy", str(tmp_path / "a.csv")], code=2).stderr
    assert "nothing is secret in sumquest" in told
