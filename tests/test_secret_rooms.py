"""Small games with secrets go through every room: what each says is exact, and says no more than somebody has seen."""

import io
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import CHANCE, Game, in_words
from numberquest.core.errors import Gone
from numberquest.core.match import Match, led_to
from numberquest.core.play_out import drawn_by, play_out
from numberquest.core.progress import silently
from numberquest.core.registry import GAMES
from numberquest.core.stream import Stream
from numberquest.explain import hints
from numberquest.explain.puzzle import NoPuzzles, puzzles
from numberquest.explain.review import luck_and_skill, review, turning_point
from numberquest.players.asking import choosing
from numberquest.players.engine import question as engine_question
from numberquest.players.levels import PLAYERS, Level
from numberquest.players.named import CustomPlayer
from numberquest.players.prompt import question
from numberquest.solver import TooLarge, solve
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.study.evaluation import Evaluation, jobs_for
from numberquest.study.exact import exact
from numberquest.study.exam.making import NoExam, questions_of
from numberquest.study.game import Contest, ContestRunner
from numberquest.study.levels import levels
from numberquest.study.measures import measure
from numberquest.study.secret_values import between, level_policy, luck_in
from numberquest.study.sweep import sweep
from numberquest.study.tournament import tournament
from numberquest.terminal.commands.strength import levels_report
from numberquest.terminal.prompt.console import Console
from numberquest.terminal.prompt.keyboard_match import KeyboardMatch
from tests.own.secret.games import PATHS, History, pairs, secret_games

SECRET = secret_games()
NAMES = list(PATHS)


@pytest.fixture(autouse=True)
def games_at_hand() -> None:
    for name, game in SECRET.items():
        GAMES.add(type(game), PATHS[name], listed=False)


def matches(game: Game[Any], count: int = 12) -> Iterator[Match[Any]]:
    """Games that are played anyhow."""
    random = Random(3)
    for _ in range(count):
        played = play_out(
            game, lambda p, *_: random.choice(game.moves(p)), drawn_by(game, Stream(f"{random.random()}", ""))
        )
        yield led_to(game, played.history, "1")


def decisions(game: Game[Any], most: int) -> Iterator[list[tuple[Any, History]]]:
    """Two positions at a time at which whoever is to move knows the same, each with the way there."""
    for who in (0, 1):
        for pair in pairs(game, who, most):
            both = [(led_to(game, way, "1").position, way) for way in pair]
            if game.player(both[0][0]) == who:
                yield both


def solved(game: Game[Any]) -> SecretSolution[Any]:
    solution = solve(game)
    assert isinstance(solution, SecretSolution)
    return solution


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_of_a_review_come_to_the_result_exactly(name: str) -> None:
    game = SECRET[name]
    for match in matches(game):
        found = review(match)
        assert found.mixing is not None
        one, two = found.given_away
        assert found.start - one + two + found.luck + sum(found.mixing) == found.end
        assert found.start == solved(game).value_for(0, game.start())
        assert (found.luck == 0) or game.chance
        said = luck_and_skill(found)
        total = next(one.facts["sum"] for one in said if one.code.startswith("sum-"))
        parts, sign = total["facts"], -1 if total["code"] == "sum-minus" else 1
        rest = sign * parts["luck"] + parts.get("met", 0)
        assert parts["start"] - parts["one"] + parts["two"] + rest == pytest.approx(parts["end"])
        met = [one.facts["luck"] * (1 if one.code == "met-gave" else -1) for one in said if one.code.startswith("met-")]
        assert sum(met) == pytest.approx(float(sum(found.mixing)), abs=2e-3)
        # What moved the chance most is told as seen with all secrets open, and what a move gave away is told apart.
        codes = [one.code for one in turning_point(found)]
        assert "turned-chance" not in codes
        assert any(code.startswith("costliest") for code in codes) == (found.costliest is not None) or len(codes) == 1
        resigned = Match.at(led_to(game, match.history[:-1], "1").line)
        if resigned.outcome is None:
            resigned.resign()
            given_up = review(resigned)
            assert given_up.mixing is not None
            one, two = given_up.given_away
            assert given_up.start - one + two + given_up.luck + sum(given_up.mixing) == given_up.end


@pytest.mark.parametrize("name", NAMES)
def test_a_hint_follows_from_what_the_one_to_move_knows(name: str) -> None:
    game = SECRET[name]
    solution = solved(game)
    for match in matches(game):
        for at, p in enumerate(match.positions[:-1]):
            if (who := game.player(p)) == CHANCE:
                continue
            known = led_to(game, match.history[:at], "1").known(who)
            tip = in_words(game, hints.tip(solution, known))
            odds = {move: share for move, share in solution.odds(known).items() if share}
            assert all(move in tip for move in odds)
            assert ("Mix: " in tip) == (len(odds) > 1)
            nudge = in_words(game, hints.nudge(solution, known))
            assert "No move is better" not in nudge or hints.all_alike(solution.moves(known))
            assert ("mixes" in nudge) == (len(odds) > 1)
            assert len(hints.proof(solution, known)) > 1
            assert (hints.comment(solution, known, match.history[at]) == []) == (
                max(solution.moves(known).values()) - solution.moves(known)[match.history[at]] < 1e-9
            )


def test_a_mix_is_told_as_so_many_of_so_many_times() -> None:
    bluff = SECRET["bluff"]
    tips = hints.tip(solved(bluff), led_to(bluff, ("low",), "1").known(0))
    assert in_words(bluff, tips) == "Mix: 2 of 3 times give up, else raise."


@pytest.mark.parametrize("name", NAMES)
def test_a_level_plays_by_the_odds_of_what_it_has_seen(name: str) -> None:
    game = SECRET[name]
    for both in decisions(game, 4):
        for level in PLAYERS.values():
            made = [choosing(level, game, at, way)(Stream("7", "dice")) for at, way in both]
            assert made[0] == made[1]


def test_perfect_mixes_as_best_play_does() -> None:
    bluff, dice = SECRET["bluff"], Stream("many", "dice")
    p = bluff.play(bluff.start(), "low")
    raised = sum(choosing(PLAYERS["perfect"], bluff, p, ("low",))(dice) == "raise" for _ in range(600))
    assert 160 < raised < 240


@pytest.mark.parametrize("name", NAMES)
def test_what_levels_win_is_worked_out_exactly_and_played_so(name: str) -> None:
    game = SECRET[name]
    known, value = levels(game), float(solved(game).value_for(0, game.start()))
    assert known.first[-1][-1] + known.draws[-1][-1] / 2 == pytest.approx(value)
    for level in known.names:
        # Nobody does better against best play than best play.
        assert known.chance("perfect", level) + known.drawn("perfect", level) / 2 >= value - 1e-9
    played = tournament(game, "hard", "easy", 1500, "7")
    expected = (known.chance("hard", "easy") + known.chance("hard", "easy", 1)) / 2
    expected += (known.drawn("hard", "easy") + known.drawn("hard", "easy", 1)) / 4
    assert abs(played.share_a - expected) < 0.05


class Policy:
    """Plays as its odds say, and tells them."""

    name = "policy"

    def __init__(self, game: Game[Any], *, alike: bool) -> None:
        self.solution, self.alike = solved(game), alike

    def choose(self, game: Game[Any], position: Any, dice: Any) -> str:
        return str(dice.choose(game.moves(position)))

    def odds(self, game: Game[Any], known: Any) -> dict[str, Any]:
        moves = game.moves(known[-1])
        return {move: 1 / len(moves) for move in moves} if self.alike else self.solution.odds(known)


@pytest.mark.parametrize("name", NAMES)
def test_how_far_a_policy_can_be_exploited_is_exact(name: str) -> None:
    game = SECRET[name]
    best = exact(game, Policy(game, alike=False), silently)
    assert best is not None
    assert best.exploitable == pytest.approx(0, abs=1e-12)
    alike, level = exact(game, Policy(game, alike=True), silently), exact(game, PLAYERS["random"], silently)
    assert alike is not None
    assert level is not None
    assert alike.at_worst == pytest.approx(level.at_worst)
    assert alike.against["perfect"] == pytest.approx(level.against["perfect"])
    assert alike.exploitable >= -1e-12


def test_the_best_answer_to_who_always_raises_is_to_call() -> None:
    bluff = SECRET["bluff"]

    class Raises:
        def odds(self, game: Game[Any], known: Any) -> dict[str, float]:
            return {"raise" if known[0] == 0 else "fold": 1.0}

    found = exact(bluff, Raises(), silently)
    assert found is not None
    # Called, the raise wins the half of the games in which the card is high; a fold gives three quarters away.
    assert found.at_worst == (0.5, 0.25)


@pytest.mark.parametrize("name", ["bluff", "goof", "pennies"])
def test_luck_is_taken_out_of_an_evaluation_and_leaves_the_mean(name: str) -> None:
    game = SECRET[name]
    contest = Contest(game, "seed")
    runner = ContestRunner(contest, {"hard": PLAYERS["hard"], "perfect": PLAYERS["perfect"]})
    rows = [runner.play(job) for job in jobs_for("hard", ["perfect"], range(150))]
    found = Evaluation(contest, "hard", ["perfect"], rows, silently)
    known = levels(game)
    for row, seat in zip(found.rows, (0, 1), strict=False):
        expected = known.chance("hard", "perfect", seat) + known.drawn("hard", "perfect", seat) / 2
        assert row["luck_free_low"] - 0.02 <= expected <= row["luck_free_high"] + 0.02
        assert row["regret"] is None or row["regret"] >= 0
    assert found.valued[0]["by"] == "best play"


def test_levels_that_are_equally_strong_do_not_say_that_no_choice_matters() -> None:
    known = levels(SECRET["pennies"])
    assert not known.matters
    assert "No choice matters" not in str(levels_report(known).blocks)


def test_how_the_mixing_of_a_level_happened_to_fall_is_luck() -> None:
    game = SECRET["pennies"]
    found, odds = solved(game), level_policy(game, "perfect")
    first = game.actions[0]
    games = [(first, second) for second in game.moves(game.play(game.start(), first))]
    assert {luck_in(found, history, (None, odds)) for history in games} == {Fraction(-1, 3), Fraction(2, 3)}
    assert {luck_in(found, history, (None, None)) for history in games} == {0}


def test_what_can_go_very_many_ways_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numberquest.study.secret_values.MOST", 5)
    easy = [level_policy(SECRET["kuhn"], "easy")]
    with pytest.raises(TooLarge, match="more than 5 different games of threecards"):
        between(SECRET["kuhn"], easy, easy, silently)


@pytest.mark.parametrize("name", NAMES)
def test_measures_say_what_can_be_said_and_why_the_rest_cannot(name: str) -> None:
    game = SECRET[name]
    found = measure(game)
    assert found.value == pytest.approx(float(solved(game).value_for(0, game.start())))
    assert found.length is not None
    assert found.luck is None
    assert "secrets" in found.why["luck"]
    (row,) = sweep(type(game), {})
    assert row.value == pytest.approx(found.value)


def test_a_game_of_secrets_has_no_exam_and_says_so() -> None:
    with pytest.raises(NoExam, match="has no exam"):
        questions_of(type(SECRET["goof"]), "1")


@pytest.mark.parametrize("name", NAMES)
def test_a_puzzle_has_one_right_move_for_who_knows_no_more(name: str) -> None:
    game = SECRET[name]
    try:
        found = next(puzzles(game, 1))
    except NoPuzzles:
        assert name in ("bluff", "pennies", "kuhn")
        return
    known = led_to(game, found.history, "1").known(found.player)
    solution = solved(game)
    assert solution.odds(known)[found.answer] == 1
    assert solution.best(known) == [found.answer]


# ---- what is told to players


@pytest.mark.parametrize("name", NAMES)
def test_an_engine_and_a_language_model_are_asked_the_same_where_they_know_the_same(name: str) -> None:
    game = SECRET[name]
    for both in decisions(game, 6):
        one, two = (question(game, at, way) for at, way in both)
        assert one == two
        one, two = (json.dumps(engine_question(game, at, way, number=1, seed=2, seconds=3)) for at, way in both)
        assert one == two


class Listener:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def follow(self, history: Sequence[str]) -> None:
        self.heard.append(list(history))

    def choose(self, game: Game[Any], position: Any, dice: Any) -> str:
        self.heard.append((position, game.moves(position), game.player(position)))
        return game.moves(position)[-1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("wrapped", [True, False])
def test_a_player_of_ones_own_is_shown_what_it_may_see_and_what_is_allowed(name: str, wrapped: bool) -> None:
    game = SECRET[name]
    for who in (0, 1):
        for one, two in pairs(game, who, 6):
            heard = []
            for way in (one, two):
                listener: Any = Listener()
                p = led_to(game, way, "1").position
                if game.player(p) == who:
                    move = choosing(CustomPlayer("own", listener) if wrapped else listener, game, p, way)(
                        Stream("1", "")
                    )
                    assert move == game.moves(p)[-1]
                    assert listener.heard[-1][1:] == (game.moves(p), who)
                heard.append(listener.heard)
            assert heard[0] == heard[1]


# ---- the terminal


def typed(game: Game[Any], history: History, kinds: tuple[str, str]) -> list[str]:
    """What is said at the prompt while these moves are made, with a computer that plays as this was."""
    from numberquest.core import dealer as dealers
    from numberquest.core.record import Record

    match = led_to(game, history, "1")
    moves = [move for p, move in zip(match.positions, history, strict=False) if game.player(p) != CHANCE]
    seats = [game.player(p) for p in match.positions[:-1] if game.player(p) != CHANCE]
    keyboard = "\n".join(move for move, seat in zip(moves, seats, strict=True) if kinds[seat] == "human")
    sink = io.StringIO()
    console = Console(io.BytesIO(keyboard.encode() + b"\nshow\n"), sink, echo=True)

    class Scripted(Level):
        def choose(self, game: Game[Any], position: Any, dice: Any, history: Any = None) -> str:
            made = sum(game.player(p) != CHANCE for p in again.positions[:-1])
            return moves[made]

    again = Match(game, dealer=match.dealer if game.chance else dealers.sealed(game, "s"))
    players = [None if kind == "human" else Scripted("perfect", 0) for kind in kinds]
    record = Record(again, kinds=kinds)
    with pytest.raises(Gone):
        KeyboardMatch(console, record, lambda _: None, players).play()
    return sink.getvalue().split("\n")


@pytest.mark.parametrize("name", NAMES)
def test_at_the_prompt_one_person_is_told_only_what_they_see(name: str) -> None:
    game = SECRET[name]
    for who in (0, 1):
        kinds = ("human", "perfect") if who == 0 else ("perfect", "human")
        for one, two in pairs(game, who, 3):
            if game.player(led_to(game, one, "1").position) == who:
                assert typed(game, one, kinds) == typed(game, two, kinds)


def test_at_one_terminal_the_screen_is_cleared_between_turns_and_a_pipe_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = typed(SECRET["goof"], ("3", "1"), ("human", "human"))
    assert sum("Nothing can be hidden in a pipe" in line for line in said) == 1
    assert "Player 1 has chosen in secret." in said
    assert "Player 1 had chosen 3." in said
    monkeypatch.setattr(Console, "room", 80)
    sink = "\n".join(typed(SECRET["goof"], ("3", "1"), ("human", "human")))
    assert "\x1b[2J" in sink
    assert "Player 1, press Enter when nobody else looks: " in sink


# ---- environments and tools


@pytest.mark.parametrize("name", NAMES)
def test_observations_are_the_same_for_who_knows_the_same(name: str) -> None:
    from numberquest.envs.observation import Observer

    game = SECRET[name]
    observer = Observer(game)
    for who in (0, 1):
        for one, two in pairs(game, who, 20):
            p, other = led_to(game, one, "1").position, led_to(game, two, "1").position
            seen = observer.see(p, who)
            assert (seen == observer.see(other, who)).all()
            assert (observer.low <= seen).all()
            assert (seen <= observer.high).all()


def test_what_is_blank_may_be_none_or_empty_and_is_said_to_be_hidden(tmp_path: Path) -> None:
    from numberquest.core.view import said, shown
    from numberquest.envs.observation import Observer

    text = Path(PATHS["goof"]).read_text()
    hand = "p if who == 0 else p._replace(bid=0)"
    assert hand in text
    path = tmp_path / "blank.py"
    blank = "p._replace(bid=p.bid if who == 0 else None, first=p.first if who == 0 else (), scores=(None, p.scores[1]))"
    path.write_text(text.replace(hand, blank).replace('slug = "goof"', 'slug = "blank"'))
    game = nq.game(str(path))
    p = game.sees(game.play(game.start(), "2"), 1)
    assert Observer(game).see(game.play(game.start(), "2"), 1).tolist()[:3] == [1, 0, 0]
    assert shown(game, p)["first"] == ()
    assert "Bid: hidden" in said(game, p)
    assert "Prizes: Player 1 hidden, Player 2 0" in said(game, p)


@pytest.mark.parametrize("name", NAMES)
def test_environments_play_and_judge_by_what_is_known(name: str) -> None:
    pettingzoo = pytest.importorskip("numberquest.envs.pettingzoo")
    gym = pytest.importorskip("numberquest.envs.gymnasium")
    game, random = SECRET[name], Random(5)
    env = pettingzoo.env(game, regret=True)
    for seed in range(6):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            _, _, over, cut, info = env.last()
            env.step(None if over or cut else random.choice(list(info["action_mask"].nonzero()[0])))
    solo = gym.SoloEnv(game, opponent="perfect", regret=True)
    for seed in range(6):
        _, info = solo.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = solo.step(random.choice(list(info["action_mask"].nonzero()[0])))
            assert 0 <= info["regret"] <= info["value"] <= 1


@pytest.mark.parametrize("name", NAMES)
def test_a_language_model_with_tools_is_told_what_its_seat_sees(name: str) -> None:
    from numberquest.envs.tool_session import _state, _ToolGame

    game = SECRET[name]
    for who in (0, 1):
        for one, two in pairs(game, who, 6):
            told = []
            for way in (one, two):
                played = _ToolGame.__new__(_ToolGame)
                played.match, played.seat, played.opponent, played.id = (
                    led_to(game, way, "1"),
                    who,
                    PLAYERS["hard"],
                    "x",
                )
                state = _state(played)
                # It is asked only when it is to move.
                state.pop("moves" if game.player(played.match.position) != who else "id")
                told.append(json.dumps(state))
            assert told[0] == told[1]


def test_many_games_at_once_say_what_they_cannot_know() -> None:
    pytest.importorskip("gymnasium")
    from numberquest.envs.batch import Batch
    from numberquest.envs.vector import NumberQuestVectorEnv

    batch = Batch(SECRET["bluff"], 64, seed=1)
    for _ in range(6):
        batch.step(batch.sample())
    with pytest.raises(nq.TooLarge, match="secrets"):
        batch.values()
    with pytest.raises(ValueError, match="secrets"):
        NumberQuestVectorEnv(SECRET["bluff"], 4, opponent="hard")
    NumberQuestVectorEnv(SECRET["bluff"], 4, opponent="random").reset(seed=1)


def test_the_value_of_a_small_bluff_is_known() -> None:
    # Bluffing once in three times, and called two times in three, Player 1 makes a third of a stake.
    assert solved(SECRET["bluff"]).value_for(0, SECRET["bluff"].start()) == Fraction(7, 12)


def test_a_game_that_comes_back_to_where_it_was_is_played_and_says_what_is_not_followed(tmp_path: Path) -> None:
    text = (
        Path(PATHS["pennies"])
        .read_text()
        .replace('slug = "pennies"', 'slug = "again"')
        .replace("    longest = 2\n", "")
    )
    ends = "return Position((p.picks[0], int(move)) if p.picks[0] else (int(move), 0))"
    assert ends in text
    again = ends.replace("return", "return Position((0, 0)) if str(p.picks[0]) == move else")
    path = tmp_path / "again.py"
    path.write_text(
        text.replace(ends, again).replace("int(p.picks[0] != p.picks[1])", "(p.picks[1] - p.picks[0]) % 3 - 1")
    )
    game = nq.game(str(path))
    assert solved(game).value_for(0, game.start()) == Fraction(1, 2)
    assert "need not end" in measure(game).why["value"]
    assert tournament(game, "perfect", "random", 20, "1").games == 20
    match = Match(game, seed=1)
    for move in ("1", "1", "2", "3"):
        match.play(move)
    found = review(match)
    assert found.mixing is not None
    assert found.start + sum(found.mixing) - found.given_away[0] + found.given_away[1] == found.end
