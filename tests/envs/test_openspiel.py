"""The games in OpenSpiel are our games, and pass OpenSpiel's own tests."""

import contextlib
import copy
import importlib
import io
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numberquest.core.contract import CHANCE, Game, ending
from numberquest.core.registry import GAMES
from numberquest.core.settings import BadSetting
from tests.conftest import in_ci
from tests.documents import examples_in, run_examples
from tests.envs.needs import needed
from tests.envs.spiel import CLASSIC, OTHERS, SMALL, histories, pyspiel, run_their_tests
from tests.own.kinds import OWN
from tests.strategies import games

openspiel = needed("numberquest.envs.openspiel")
DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "openspiel.md"
REFUSED = pyspiel.SpielError


def loaded(rules: Game[Any]) -> Any:
    """The same rules in OpenSpiel."""
    return pyspiel.load_game(f"numberquest_{rules.slug}", rules.settings)


def random_state(game: Any, dice: random.Random, steps: int) -> Any:
    state = game.new_initial_state()
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
    return state


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301  # what we have just written


@pytest.mark.parametrize("slug", GAMES)
def test_without_parameters_the_rules_are_the_classic_ones(slug: str) -> None:
    game = pyspiel.load_game(f"numberquest_{slug}")
    assert game.rules == GAMES[slug]()
    assert set(game.get_parameters()) == set(GAMES[slug].fields)


@given(games())
def test_every_rule_setting_is_a_parameter_and_the_written_game_loads_again(rules: Game[Any]) -> None:
    game = loaded(rules)
    assert game.rules == rules
    assert set(game.get_parameters()) == set(rules.settings)
    for again in (pyspiel.load_game(str(game)), pickled(game), copy.deepcopy(game)):
        assert again.rules == rules
        assert str(again) == str(game)
        assert again.get_parameters() == game.get_parameters()


def test_in_showdown_all_numbers_are_played_unless_it_is_said_how_many() -> None:
    assert pyspiel.load_game("numberquest_showdown(high=5)").rules.picks == 5
    assert pyspiel.load_game("numberquest_showdown(high=13)").rules.picks == 13
    assert pyspiel.load_game("numberquest_showdown(high=13,picks=9)").rules.picks == 9


def test_plus_and_minus_alone_need_quotes_because_openspiel_takes_them_for_a_number() -> None:
    game = pyspiel.load_game("numberquest_fifty(ops='+-')")
    assert game.rules.ops == "+-"
    assert "ops='+-'" in str(game)
    assert pyspiel.load_game("numberquest_fifty", {"ops": "+"}).rules.ops == "+"
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("numberquest_fifty(ops=+-)")


@pytest.mark.parametrize(
    ("text", "by", "said"),
    [
        ("fifty(target=300)", BadSetting, "target must be a whole number from 2 to 200 in fifty, not 300"),
        ("fifty(ops=*/)", BadSetting, "ops must be + and any of"),
        ("showdown(high=5,picks=9)", BadSetting, "picks must be a whole number from 1 to 5"),
        ("grid(side=9)", BadSetting, "side must be a whole number from 2 to 4"),
        ("mystic(copies=-1)", BadSetting, "copies must be a whole number from 1 to 4"),
        # OpenSpiel itself refuses unknown names and wrong types.
        ("fifty(size=3)", REFUSED, "Unknown parameter 'size'. Available parameters are: copies, high, ops, target"),
        ("grid(stand=yes)", REFUSED, "Wrong type for parameter stand. Expected type: kBool, got kString with yes"),
        ("sumquest(target=23.5)", REFUSED, "Wrong type for parameter target. Expected type: kInt, got kDouble"),
    ],
)
def test_what_is_no_rule_setting_is_refused_with_what_would_be(text: str, by: type[Exception], said: str) -> None:
    with pytest.raises(by, match=re.escape(said)):
        pyspiel.load_game(f"numberquest_{text}")


def test_importing_and_registering_again_does_no_harm() -> None:
    names = pyspiel.registered_names()
    assert set(names) >= set(CLASSIC)
    openspiel.register()
    importlib.reload(openspiel)
    assert pyspiel.registered_names() == names
    assert pyspiel.load_game("numberquest_grid(side=2)").rules.side == 2


@pytest.mark.parametrize("slug", GAMES)
def test_the_type_says_that_nothing_is_private_and_where_chance_plays(slug: str) -> None:
    kind, rules = pyspiel.load_game(f"numberquest_{slug}").get_type(), GAMES[slug]()
    modes = pyspiel.GameType.ChanceMode
    assert kind.chance_mode == (modes.EXPLICIT_STOCHASTIC if slug in ("grid", "mystic") else modes.DETERMINISTIC)
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert kind.long_name == rules.title


@given(rules=games() | st.sampled_from(OWN), dice=st.randoms(use_true_random=False))
def test_step_by_step_a_state_is_the_position_of_the_game(rules: Game[Any], dice: random.Random) -> None:
    game = openspiel.load(rules)
    state, position = game.new_initial_state(), rules.start()
    steps = reveals = 0
    while (moves := rules.moves(position)) and steps < rules.bound:
        assert not state.is_terminal()
        assert state.returns() == [0, 0]
        ids = state.legal_actions()
        assert ids == sorted(set(ids))
        named = [state.action_to_string(number) for number in ids]
        # OpenSpiel's own way to ask, through C++, says the same.
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == ids
        if rules.player(position) == CHANCE:
            reveals += 1
            assert state.is_chance_node()
            assert state.current_player() == pyspiel.PlayerId.CHANCE
            odds = dict(zip(moves, map(float, rules.odds(position)), strict=True))
            assert state.chance_outcomes() == [
                (number, odds.pop(name)) for number, name in zip(ids, named, strict=True)
            ]
            assert not odds
            assert max(ids) < game.max_chance_outcomes()
        else:
            assert named == list(moves)
            assert not state.is_chance_node()
            assert state.current_player() == rules.player(position)
            assert state.legal_actions(state.current_player()) == ids
            assert state.legal_actions(1 - state.current_player()) == []
            assert [rules.actions[number] for number in ids] == list(moves)
        chosen = dice.choice(ids)
        position = rules.play(position, state.action_to_string(chosen))
        state.apply_action(chosen)
        assert state.position == position
        steps += 1
    outcome = rules.outcome(position)
    assert state.is_terminal()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.legal_actions() == state.legal_actions(0) == []
    assert state.returns() == [0 if outcome is None else outcome.reward(player) for player in (0, 1)]
    if outcome is None:
        assert str(state).endswith(f"It is a draw: nobody has won after {rules.bound} moves.")
    elif outcome.winner is not None:
        assert str(state).endswith(f"Player {outcome.winner + 1} wins: {ending(rules, outcome)}.")
    assert game.num_distinct_actions() == len(rules.actions)
    assert steps <= game.max_game_length() == rules.bound
    assert reveals <= game.max_chance_nodes_in_history()
    if rules.slug in GAMES.own:
        assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (rules.longest, len(rules.deck))


def test_the_list_of_actions_is_the_callers_own() -> None:
    state = pyspiel.load_game("numberquest_sumquest").new_initial_state()
    state.legal_actions().clear()
    assert state.legal_actions() == list(range(9))


def test_reveals_are_only_asked_for_where_something_is_revealed() -> None:
    state = pyspiel.load_game("numberquest_grid").new_initial_state()
    with pytest.raises(RuntimeError, match="chance nodes"):
        state.chance_outcomes()


@pytest.mark.parametrize("text", SMALL)
def test_two_states_have_the_same_text_exactly_if_they_are_the_same_position(text: str) -> None:
    positions: dict[str, Any] = {}
    for state in histories(pyspiel.load_game(text).new_initial_state()):
        assert positions.setdefault(str(state), state.position) == state.position
    assert len(positions) == len(set(positions.values()))


@given(rules=games() | st.sampled_from(OWN), dice=st.randoms(use_true_random=False), steps=st.integers(0, 40))
def test_a_copy_of_a_state_is_equal_and_its_own(rules: Game[Any], dice: random.Random, steps: int) -> None:
    game = openspiel.load(rules)
    state = random_state(game, dice, steps)
    copies = [
        state.clone(),
        copy.deepcopy(state),
        pickled(state),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        game.deserialize_state(state.serialize()),
    ]
    before = state.history(), state.position, state.legal_actions()
    for other in copies:
        assert type(other) is type(state)
        assert (other.history(), other.position, other.legal_actions()) == before
        assert str(other.get_game()) == str(game)
        assert other.information_state_string(1) == state.information_state_string(1)
        if not other.is_terminal():
            other.apply_action(other.legal_actions()[-1])
            assert (state.history(), state.position, state.legal_actions()) == before


def test_another_process_reads_a_state_without_importing_us_first(tmp_path: Path) -> None:
    state = random_state(pyspiel.load_game("numberquest_grid(side=2,stand=True)"), random.Random(1), 3)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps((state, state.get_game())))
    code = "import pickle, sys; print(*pickle.load(open(sys.argv[1], 'rb')), sep='|')"
    said = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True)
    assert (said.stderr, said.stdout) == ("", f"{state}|{state.get_game()}\n")


def test_python_ends_quietly_after_use() -> None:
    # OpenSpiel lets go of what makes a game only after Python has ended; a plain function there crashes.
    code = (
        "import pyspiel, numberquest.envs.openspiel as o; o.register()\n"
        "game = pyspiel.load_game('numberquest_mystic'); state = game.new_initial_state()\n"
        "state.observation_tensor(0), state.information_state_tensor(1); print(state.clone())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Chance is to move for Player 1." in said.stdout


@given(rules=games(), dice=st.randoms(use_true_random=False), steps=st.integers(0, 40))
def test_an_observation_is_what_the_player_sees_of_the_table(rules: Game[Any], dice: random.Random, steps: int) -> None:
    from numberquest.envs.observation import Observer

    game = loaded(rules)
    state = random_state(game, dice, steps)
    observer = Observer(rules)
    for player in (0, 1):
        seen = observer.see(state.position, player)
        assert state.observation_tensor(player) == seen.tolist()
        ours = game.make_py_observer()
        ours.set_from(state, player)
        assert ours.tensor.tolist() == seen.tolist()
        assert list(ours.dict) == [part.name for part in observer.parts]
        for name, numbers in ours.dict.items():
            assert numbers.tolist() == seen[observer.at(name)].tolist()
        said = dict(part.split("=") for part in state.observation_string(player).split(" "))
        assert {name: [float(n) for n in text.split(",")] for name, text in said.items()} == {
            name: numbers.tolist() for name, numbers in ours.dict.items()
        }
    assert game.observation_tensor_size() == observer.size


@given(rules=games(), dice=st.randoms(use_true_random=False), steps=st.integers(0, 40))
def test_an_information_state_tells_the_whole_history(rules: Game[Any], dice: random.Random, steps: int) -> None:
    game = loaded(rules)
    state = random_state(game, dice, steps)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for player in (0, 1):
        observer.set_from(state, player)
        assert state.information_state_tensor(player) == observer.tensor.tolist()
        assert observer.dict["player"].tolist() == [1 - player, player]
        rows = [np.flatnonzero(row).tolist() for row in observer.dict["history"]]
        actions, replayed, words = len(rules.actions), rules.start(), [f"Player {player + 1}:"]
        for row in rows[: len(state.history())]:
            (number,) = row
            revealed = number >= actions
            assert revealed == (rules.player(replayed) == CHANCE)
            move = str(sorted(set(rules.deck))[number - actions]) if revealed else rules.actions[number]
            words.append(f"({move})" if revealed else move)
            replayed = rules.play(replayed, move)
        assert replayed == state.position
        assert not any(rows[len(state.history()) :])
        assert state.information_state_string(player) == " ".join(words)


def test_the_public_view_is_the_same_whoever_looks_and_nothing_is_private() -> None:
    game = pyspiel.load_game("numberquest_mystic")
    state = random_state(game, random.Random(3), 7)
    for recall in (False, True):
        public = game.make_py_observer(
            pyspiel.IIGObservationType(perfect_recall=recall, private_info=pyspiel.PrivateInfoType.NONE)
        )
        assert public.string_from(state, 0) == public.string_from(state, 1)
        views = []
        for player in (0, 1):
            public.set_from(state, player)
            views.append(public.tensor.tolist())
        assert views[0] == views[1]
        private = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall, public_info=False))
        assert private.string_from(state, 0) == ""
        assert private.tensor is None


def test_observers_take_no_parameters() -> None:
    game = pyspiel.load_game("numberquest_mystic")
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(None, {"colour": "red"})
    # Where no kind is named, OpenSpiel passes the parameters in its place.
    assert game.make_py_observer({}).tensor.size == game.observation_tensor_size()


@pytest.mark.parametrize("text", CLASSIC + OTHERS)
def test_random_sim_test_passes(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=3, serialize=True, verbose=False)


@in_ci
@pytest.mark.parametrize("text", CLASSIC + OTHERS)
def test_games_sim_test_passes(text: str) -> None:
    sim = needed("open_spiel.python.tests.games_sim_test").GamesSimTest()
    with contextlib.redirect_stdout(io.StringIO()):
        sim.sim_game(pyspiel.load_game(text))


@pytest.mark.parametrize("text", CLASSIC + OTHERS)
def test_the_api_holds_on_a_partial_tree(text: str) -> None:
    api_test = needed("open_spiel.integration_tests.api_test")
    attributes = {"game": pyspiel.load_game(text), "game_name": text}
    cases = type("PartialTree", (api_test.EnforceAPIOnPartialTreeBase,), attributes)
    assert run_their_tests(cases) >= 5


@pytest.mark.parametrize("text", SMALL)
def test_the_api_holds_on_the_full_tree_of_small_games(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    api_test = needed("open_spiel.integration_tests.api_test")
    game = pyspiel.load_game(text)
    # How many histories there are, counted by the rules alone.
    chance, decisions, ends = counted(game.rules, game.rules.start())
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, text, (chance, decisions, ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, text, decisions)
    cases = type("FullTree", (api_test.EnforceAPIOnFullTreeBase,), {"game": game, "game_name": text})
    assert run_their_tests(cases) >= 7


def counted(rules: Game[Any], position: Any) -> tuple[int, int, int]:
    """How many histories from here await a reveal, await a decision, are over."""
    moves = rules.moves(position)
    if not moves:
        return 0, 0, 1
    below = [counted(rules, rules.play(position, move)) for move in moves]
    chance, decisions, ends = (sum(numbers) for numbers in zip(*below, strict=True))
    revealing = rules.player(position) == CHANCE
    return chance + revealing, decisions + (not revealing), ends


@pytest.mark.parametrize("text", CLASSIC)
def test_a_playthrough_can_be_played_through_again(text: str, tmp_path: Path) -> None:
    generate = needed("open_spiel.python.algorithms.generate_playthrough")
    # It reads an option of the command line that only it has.
    needed("absl.flags").FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_text(generate.playthrough(text, action_sequence=None, seed=5))
    first, again = generate.replay(str(file))
    assert first == again
    assert "IsTerminal() = True" in first


def test_an_action_that_is_none_is_refused_by_openspiel() -> None:
    state = pyspiel.load_game("numberquest_sumquest").new_initial_state()
    for action in (9, 77, -3):
        with pytest.raises(pyspiel.SpielError):
            state.apply_action_with_legality_check(action)
    assert state.action_to_string(0, 77) == "no action 77"


def test_any_player_can_be_named_as_a_bot() -> None:
    game = pyspiel.load_game("numberquest_sumquest")
    state = game.new_initial_state()
    bot = openspiel.ComputerBot(game, "tests.players.agents:First", seed=1)
    assert state.action_to_string(bot.step(state)) == "1"
    bot.close()
    with pytest.raises(ValueError, match="chose 'nonsense', which is not allowed"):
        openspiel.ComputerBot(game, "tests.players.agents:Wrong").step(state)
    with pytest.raises(ValueError, match="there is no computer player called 'wizard'"):
        openspiel.ComputerBot(game, "wizard")


def test_a_bot_says_where_it_has_nothing_to_do() -> None:
    game = pyspiel.load_game("numberquest_grid(side=2)")
    bot = openspiel.ComputerBot(game, "random", seed=1)
    state = game.new_initial_state()
    state.apply_action(bot.step(state))
    assert state.is_chance_node()
    with pytest.raises(ValueError, match="nobody is to move here"):
        bot.step(state)
    for other in ("numberquest_grid", "tic_tac_toe"):
        with pytest.raises(ValueError, match="this bot plays Grid"):
            bot.step(pyspiel.load_game(other).new_initial_state())


@pytest.mark.usefixtures("readers_place")
def test_the_examples_of_the_document_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(examples_in(DOCUMENT)) >= 4
    run_examples(DOCUMENT)
    said = capsys.readouterr().out
    assert re.search(r"^Player [12] wins: ", said, re.MULTILINE)
    promised = re.findall(r"print\(.*\)  # (.*)", DOCUMENT.read_text())
    assert len(promised) == 2
    assert all(line in said.splitlines() for line in promised)


def test_the_document_has_every_parameter_with_its_default() -> None:
    text = DOCUMENT.read_text()
    for name in CLASSIC:
        (row,) = re.findall(rf"^\| `{name}` \|(.*)\|$", text, re.MULTILINE)
        defaults = pyspiel.load_game(name).get_type().parameter_specification
        assert dict(pair.split("=") for pair in re.findall(r"`(.*?)`", row)) == {
            parameter: str(value) for parameter, value in defaults.items()
        }
