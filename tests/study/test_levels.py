"""How strong the levels are: exactly what a plain recurrence says, and kept on disk."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import numberquest as nq
from numberquest.core.contract import CHANCE, Game
from numberquest.core.registry import kind_in
from numberquest.players.levels import PLAYERS, perfect_moves
from numberquest.solver import loop
from numberquest.study import levels as lab
from numberquest.study.levels import VERSION, Kept, chances, everywhere, levels, results
from numberquest.study.policy_values import Pair, shares
from tests.conftest import a_few
from tests.own.paper import DRAWN, LOST, WON, die, on_paper, one, two
from tests.own.pig import Pig
from tests.own.row import Row
from tests.study.small import WITHOUT_LOOPS
from tests.terminal.session import piped

PAIRS = [
    Pair("random", "random"),
    Pair("random", "hard"),
    Pair("easy", "perfect"),
    Pair("medium", "easy"),
    Pair("perfect", "medium"),
]

SMALL = [*WITHOUT_LOOPS, Row()]
SKILL_MATTERS = [
    nq.game("sumquest"),
    nq.game("showdown"),
    nq.game("showdown", high=6, picks=4),
    nq.game("grid", stand=True),
    nq.game("fifty", high=5, copies=1, target=25),
    nq.game("mystic", high=5, copies=1, target=12),
]


def plainly(game: Game[Any], pairs: list[Pair]) -> NDArray[np.float64]:
    """Player 1's share of the points, by looking at every position as it is, none taken for another."""
    any_move, known = shares(pairs), {}

    def first_wins(p: Any) -> NDArray[np.float64]:
        if p not in known:
            known[p] = follow(p)
        return known[p]

    def follow(p: Any) -> NDArray[np.float64]:
        outcome = game.outcome(p)
        if outcome is not None:
            return np.full(len(pairs), outcome.worth(0))
        after = {move: first_wins(game.play(p, move)) for move in game.moves(p)}
        player = game.player(p)
        if player == CHANCE:
            return np.average(list(after.values()), axis=0, weights=game.weights(p))
        anything = np.mean(list(after.values()), axis=0)
        best = np.mean([after[move] for move in perfect_moves(game, p)], axis=0)
        mixed: NDArray[np.float64] = any_move[player] * anything + (1 - any_move[player]) * best
        return mixed

    return first_wins(game.start())


@pytest.mark.parametrize("game", a_few(SMALL, 3), ids=repr)
def test_the_levels_equal_a_plain_recurrence(game: Game[Any]) -> None:
    known = chances(game, PAIRS)
    assert [known[pair] for pair in PAIRS] == pytest.approx(plainly(game, PAIRS), abs=1e-12)


def by_powers(game: Game[Any], pair: Pair) -> tuple[float, float]:
    """How often Player 1 wins and how often nobody, by playing on and on: a matrix squared again and again."""
    numbers, waiting = {game.start(): 0}, [game.start()]
    for p in waiting:
        for move in game.moves(p):
            after = game.play(p, move)
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
    steps = np.zeros((len(numbers), len(numbers)))
    won = np.zeros((len(numbers), 2))
    for p, number in numbers.items():
        moves, player = game.moves(p), game.player(p)
        outcome = game.outcome(p)
        if outcome is not None:
            steps[number, number] = 1
            if outcome.winner is not None:
                won[number, outcome.winner] = 1
            continue
        best = perfect_moves(game, p)
        for at, move in enumerate(moves):
            if player == CHANCE:
                odds = float(game.odds(p)[at])
            else:
                slips = PLAYERS[pair[player]].any_move / 100
                odds = slips / len(moves) + (1 - slips) * (move in best) / len(best)
            steps[number, numbers[game.play(p, move)]] += odds
    for _ in range(50):
        steps = steps @ steps
        steps /= steps.sum(axis=1, keepdims=True)
    first, second = steps[0] @ won
    return first, 1 - first - second


@pytest.mark.parametrize(
    "game",
    [
        Pig(target=6, faces=3),
        on_paper(one(1, 2, 3), two(0, 4, 5), die(0, 1, 6, weights=(1, 2, 1)), two(2, 0), WON, LOST, DRAWN),
        on_paper(one(1, 2), two(0, 3), two(3, 0), one(1, 2, 4), LOST),
        on_paper(one(0, 1), two(1, 0), WON),
        on_paper(die(1, 2), one(0, 3), two(0, 4), WON, LOST),
    ],
    ids=str,
)
def test_in_loops_the_levels_come_to_what_playing_on_and_on_does(game: Game[Any]) -> None:
    known = results(game, PAIRS)
    for pair in PAIRS:
        assert known[pair] == pytest.approx(by_powers(game, pair), abs=1e-9)


def test_what_is_repeated_in_large_loops_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pig(target=7, faces=2)
    exact = results(game, PAIRS)
    Path(Kept(game, "levels", VERSION).path).unlink()
    monkeypatch.setattr(loop, "LARGEST_DENSE", 0)
    again = results(game, PAIRS)
    for pair in PAIRS:
        assert again[pair] == pytest.approx(exact[pair], abs=1e-9)


def test_draws_have_a_share_of_their_own() -> None:
    known = levels(Row())
    assert known.draws[-1][-1] == 1
    assert known.first[-1][-1] == 0
    for a in known.names:
        for b in known.names:
            for seat in (0, 1):
                lost = known.chance(b, a, 1 - seat)
                assert known.chance(a, b, seat) + known.drawn(a, b, seat) + lost == pytest.approx(1)
    assert known.matters
    never = levels(on_paper(one(1, 2), two(0, 3), two(3, 0), one(1, 2)))
    assert not never.matters
    assert set(never.draws[0]) == {1.0}


RULES = """
from tests.own.pig import Pig

class Mine(Pig):
    slug = "mine"
    def weights(self, p):
        return ({weight},) + (1,) * (self.faces - 1)
"""


def test_what_was_kept_is_not_used_when_somebodys_rules_have_changed(tmp_path: Path) -> None:
    shares = []
    for weight in (1, 5):
        file = tmp_path / str(weight) / "mine.py"
        file.parent.mkdir()
        file.write_text(RULES.format(weight=weight))
        game = kind_in(str(file))(target=5, faces=2)
        shares.append(chances(game, PAIRS)[PAIRS[0]])
        assert Path(Kept(game, "levels", VERSION).path).exists()
    assert shares[0] != shares[1]


def test_rules_that_are_in_no_file_are_not_kept() -> None:
    space: dict[str, Any] = {"__name__": "nowhere"}
    exec(RULES.format(weight=2), space)  # noqa: S102
    game = space["Mine"](target=4, faces=2)
    assert 0 < chances(game, PAIRS)[PAIRS[0]] < 1
    assert not Path(Kept(game, "levels", VERSION).path).exists()


@pytest.mark.parametrize("game", a_few(SKILL_MATTERS, 3), ids=repr)
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
    assert set(data) == {"game", "settings", "shares", "levels", "first", "draws"}
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
    path = Path(Kept(game, "levels", VERSION).path)
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
    path = Path(Kept(game, "levels", VERSION).path)
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


@pytest.mark.parametrize("game", a_few([*SMALL, Pig(target=6, faces=3)], 6), ids=repr)
def test_every_position_follows_from_those_that_it_leads_to_and_the_start_is_what_levels_says(game: Game[Any]) -> None:
    for pair in PAIRS[2:4]:
        known = everywhere(game, pair)
        assert known.first(game.start()) == pytest.approx(chances(game, [pair])[pair], abs=2e-5)
        found, waiting = {game.start()}, [game.start()]
        for p in waiting:
            moves = game.moves(p)
            if not moves:
                outcome = game.outcome(p)
                assert known.first(p) == (0.5 if outcome is None else outcome.worth(0))
                continue
            player = game.player(p)
            odds = game.odds(p) if player == CHANCE else PLAYERS[pair[player]].odds(game, p).values()
            after = [game.play(p, move) for move in moves]
            mean = sum(float(likely) * known.first(one) for likely, one in zip(odds, after, strict=True))
            # Where a table holds five digits, these are right up to the last of them.
            assert known.first(p) == pytest.approx(mean, abs=2e-5)
            if len(found) < 500:
                new = [one for one in after if one not in found]
                found.update(new)
                waiting.extend(dict.fromkeys(new))
