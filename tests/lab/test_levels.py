"""How strong the levels are: exactly what a plain recurrence says, and kept on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import numberquest as nq
from numberquest.contract import CHANCE, Game
from numberquest.lab import levels as lab
from numberquest.lab.levels import chances, kept_path, levels
from numberquest.lab.mixed import Pair, shares
from numberquest.players import PLAYERS, perfect_moves
from tests.terminal.session import piped

PAIRS = [
    Pair("random", "random"),
    Pair("random", "hard"),
    Pair("easy", "perfect"),
    Pair("medium", "easy"),
    Pair("perfect", "medium"),
]

SMALL = [
    nq.game("sumquest", target=12, high=5),
    nq.game("grid", side=2, target=5),
    nq.game("grid", side=2, target=6, stand=True),
    nq.game("mystic", high=4, copies=1, target=6),
    nq.game("mystic", high=3, copies=2, target=7),
    nq.game("mystic", high=2, copies=3, target=4),
    nq.game("fifty", high=4, copies=1, target=10),
    nq.game("fifty", high=3, copies=2, target=7),
    nq.game("fifty", high=3, copies=1, target=6, ops="+-"),
    nq.game("showdown", high=2),
    nq.game("showdown", high=3, picks=1),
]
SKILL_MATTERS = [
    nq.game("sumquest"),
    nq.game("showdown"),
    nq.game("showdown", high=6, picks=4),
    nq.game("grid", stand=True),
    nq.game("fifty", high=5, copies=1, target=25),
    nq.game("mystic", high=5, copies=1, target=12),
]


def plainly(game: Game[Any], pairs: list[Pair]) -> NDArray[np.float64]:
    """How often Player 1 wins, by looking at every position as it is, none taken for another."""
    any_move, known = shares(pairs), {}

    def first_wins(p: Any) -> NDArray[np.float64]:
        if p not in known:
            known[p] = follow(p)
        return known[p]

    def follow(p: Any) -> NDArray[np.float64]:
        outcome = game.outcome(p)
        if outcome is not None:
            return np.full(len(pairs), float(outcome.winner == 0))
        after = {move: first_wins(game.play(p, move)) for move in game.moves(p)}
        player = game.player(p)
        if player == CHANCE:
            return np.average(list(after.values()), axis=0, weights=game.weights(p))
        anything = np.mean(list(after.values()), axis=0)
        best = np.mean([after[move] for move in perfect_moves(game, p)], axis=0)
        mixed: NDArray[np.float64] = any_move[player] * anything + (1 - any_move[player]) * best
        return mixed

    return first_wins(game.start())


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_the_levels_equal_a_plain_recurrence(game: Game[Any]) -> None:
    known = chances(game, PAIRS)
    assert [known[pair] for pair in PAIRS] == pytest.approx(plainly(game, PAIRS), abs=1e-6)


@pytest.mark.parametrize("game", SKILL_MATTERS, ids=repr)
def test_a_stronger_level_does_better_where_skill_matters(game: Game[Any]) -> None:
    known = levels(game)
    assert known.matters
    for weaker, stronger in zip(known.names, known.names[1:], strict=False):
        for other in known.names:
            for seat in (0, 1):
                assert known.chance(stronger, other, seat) >= known.chance(weaker, other, seat) - 1e-6
        # Enough to be felt: over both seats, against all others together.
        gain = [known.chance(stronger, o, s) - known.chance(weaker, o, s) for o in known.names for s in (0, 1)]
        assert sum(gain) / len(gain) > 0.02


def test_perfect_against_perfect_is_the_value_of_the_game() -> None:
    for game in SKILL_MATTERS:
        value = float(nq.solve(game).value_for(0, game.start()))
        pair = Pair("perfect", "perfect")
        assert chances(game, [pair])[pair] == pytest.approx(value, abs=1e-6)


def test_on_the_classic_grid_no_choice_matters() -> None:
    known = levels(nq.game("grid"))
    assert not known.matters
    assert known.chance("random", "perfect") == pytest.approx(known.chance("perfect", "random"))
    said = piped(["levels", "grid"]).stdout
    assert "No choice matters in this game: however well anybody plays, Player 1 wins 41.23 % of the games." in said


def test_the_command_says_it_in_words() -> None:
    said = piped(["levels", "sumquest"]).stdout
    assert "The row is Player 1, the column Player 2; how often the row wins:" in said
    assert "random 100, easy 50, medium 25, hard 10, perfect 0" in said
    assert "Skill matters" in said


def test_the_data_has_exactly_these_fields() -> None:
    data = json.loads(piped(["levels", "sumquest", "--set", "target=12", "--json"]).stdout)
    assert set(data) == {"game", "settings", "shares", "levels", "first"}
    assert (data["game"], data["settings"]) == ("sumquest", {"target": 12, "high": 9})
    assert data["shares"] == {"random": 1, "easy": 0.5, "medium": 0.25, "hard": 0.1, "perfect": 0}
    assert data["levels"] == list(PLAYERS)
    known = levels(nq.game("sumquest", target=12))
    assert data["first"] == [list(row) for row in known.first]


@pytest.mark.parametrize("change", ["copies=3", "target=200"])
def test_rules_that_are_too_large_are_refused_at_once(change: str) -> None:
    done = piped(["levels", "fifty", "--set", change])
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be worked out" in done.stderr


def test_the_chances_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nq.game("sumquest", target=14)
    first = chances(game, PAIRS)
    monkeypatch.setattr(lab, "_worked_out", lambda *_: pytest.fail("it had been worked out before"))
    assert chances(game, PAIRS[:2]) == {pair: first[pair] for pair in PAIRS[:2]}


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "null",
        '{"rules": 1}',
        '{"first": {"easy hard": 7}}',
        '{"first": {"easy": 0.5}}',
        '{"first": {"easy hard": "x"}}',
    ],
)
def test_a_damaged_file_is_ignored(damage: str) -> None:
    game = nq.game("sumquest", target=15)
    right = chances(game, PAIRS)
    path = Path(kept_path(game))
    said = json.loads(path.read_text())
    try:
        path.write_text(json.dumps({**said, **json.loads(damage)}))
    except (ValueError, TypeError):
        path.write_text(damage)
    assert chances(game, PAIRS) == right
    assert json.loads(path.read_text())["first"] == {" ".join(pair): chance for pair, chance in right.items()}


def test_the_chances_of_other_levels_are_ignored() -> None:
    game = nq.game("sumquest", target=16)
    right = chances(game, PAIRS)
    path = Path(kept_path(game))
    said = json.loads(path.read_text())
    said["any_move"]["easy"] = 60
    said["first"]["medium easy"] = 0.123
    path.write_text(json.dumps(said))
    assert chances(game, PAIRS) == right


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_fail(home: Path) -> None:
    (home / ".cache").write_text("a file where a folder should be")
    assert 0 < levels(nq.game("sumquest", target=17)).chance("easy", "hard") < 1


def test_what_the_documentation_says_of_the_levels_is_true() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "players.md").read_text()
    for name, level in PLAYERS.items():
        assert f"| `{name}` | {level.any_move} |" in page
    known = levels(nq.game("sumquest"))
    row = next(line for line in page.split("\n") if line.startswith("| `sumquest` |"))
    pairs = (("perfect", "random"), ("hard", "easy"), ("easy", "random"))
    shares = [50 * (known.chance(a, b, 0) + known.chance(a, b, 1)) for a, b in pairs]
    assert row == f"| `sumquest` | {' | '.join(f'{share:.2f} %' for share in shares)} |"
