"""What a rule set is like, the atlas, and what a newcomer is told: the same figures as everywhere, and bounded."""

from itertools import product
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

import numberquest as nq
from numberquest.client import Client, ServerSaid
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.think import tasks, worker
from numberquest.server.think.catalogue import glance
from numberquest.solver import budget
from numberquest.solver.proved import no_choice_matters
from numberquest.study.atlas import atlas
from numberquest.study.measures import MEASURES, measure
from tests.conftest import in_ci
from tests.own.files import LAST
from tests.server.running import Running


def test_how_fair_a_rule_set_is_comes_at_once_and_names_no_move(client: Client) -> None:
    assert client.get("/api/fairness?game=fifty", wire.Fairness) == wire.Fairness(1, None, None)
    wish = quote("target=18 stand=yes")
    found = client.get(f"/api/fairness?game=grid&settings={wish}", wire.Fairness)
    assert found.value == 0.5
    now = measure(nq.game("grid", target=18, stand=True), ("medium", "medium"), only=("value", "length"))
    assert found.people == pytest.approx(now.value, abs=1e-6)
    assert found.length == pytest.approx(now.length, abs=1e-5)
    with pytest.raises(ServerSaid, match="Target must be a whole number from 2 to 99"):
        client.get("/api/fairness?game=grid&settings=target%3D100", wire.Fairness)
    with pytest.raises(ServerSaid, match="There is no game called 'chess'"):
        client.get("/api/fairness?game=chess", wire.Fairness)
    with pytest.raises(ServerSaid, match="There is no game called 'chess'"):
        client.get("/api/atlas?game=chess", wire.Map)


@pytest.mark.parametrize("slug", ["grid", "showdown"])
def test_the_map_has_every_rule_set_in_the_place_that_its_settings_say(client: Client, slug: str) -> None:
    known = atlas(slug)
    assert known is not None
    found = client.get(f"/api/atlas?game={slug}", wire.Map)
    assert found.hash == known.hash
    assert list(found.settings) == list(known.kind.fields)
    rows = {row.key: row for row in known}
    every = list(product(*found.settings.values()))
    assert len(every) == len(found.first) == len(found.columns[0].figures)
    assert [one.name for one in found.columns] == ["value", "people", "length", "luck", "skill", "gain"]
    for place, key in enumerate(every):
        row = rows.pop(key, None)
        value, first = found.columns[0].figures[place], found.first[place]
        if row is None:
            assert (value, first) == (None, None)
        else:
            assert value == row.value
            assert first is not None
            assert tuple(found.moves[first]) == row.first
    assert rows == {}
    once, left_out = known.each_once(row.key for row in known)
    assert (found.repeated, found.out_of_reach) == (left_out.total(), left_out["out_of_reach"])
    assert {every[place] for place in found.fairest} <= once


@pytest.mark.parametrize(("slug", "settings"), [("sumquest", ""), ("grid", "target=18 stand=yes")])
def test_a_line_of_best_play_gives_nothing_away(client: Client, slug: str, settings: str) -> None:
    found = client.get(f"/api/best-line?game={slug}&settings={quote(settings)}", wire.BestLine)
    game = nq.game(slug, **dict(one.split("=") for one in settings.split()))
    solution, position = nq.solve(game), game.start()
    assert found.outcome is not None
    for at, line in enumerate(found.history):
        value = float(solution.value_for(0, position))
        assert found.chances[at] == pytest.approx(value)
        position = game.play(position, line.entry)
        if line.player:
            # Whoever moves loses nothing by it.
            assert found.chances[at + 1] == pytest.approx(value)
    outcome = game.outcome(position)
    assert outcome is not None
    assert outcome.winner == (found.outcome.winner or 0) - 1


@in_ci
def test_somebodys_own_game_has_no_atlas_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(LAST)
    with Running(tmp_path, games=[tmp_path / "last.py"]) as running, running.client() as client:
        told = {one.game: one.atlas for one in client.games().games}
        assert told == {**dict.fromkeys(GAMES.own, True), "last": False}
        for path in ("fairness", "atlas"):
            with pytest.raises(ServerSaid, match="Last has no atlas") as refused:
                client.get(f"/api/{path}?game=last", wire.Fairness)
            assert refused.value.status == 404


# ---- measures


def asked(task: tasks.Measure) -> tasks.Answer:
    return worker.answered(msgspec.json.encode(task))


def test_the_figures_are_those_of_the_laboratory() -> None:
    answer = asked(tasks.Measure("sumquest", "target=12", ("hard", "easy")))
    assert isinstance(answer, tasks.Made)
    said = msgspec.json.decode(answer.json, type=wire.Measures)
    known = measure(nq.game("sumquest", target=12), ("hard", "easy"))
    assert [one.name for one in said.measures] == [name for name in MEASURES if name != "ladder"]
    for one in said.measures:
        assert one.value == getattr(known, one.name)
        assert one.meaning == MEASURES[one.name]
        assert one.why == known.why.get(one.name)
    assert known.ladder is not None
    assert tuple(step.gain for step in said.ladder) == known.ladder
    assert (said.ladder[0].better, said.ladder[0].worse) == ("perfect", "hard")


def test_what_takes_too_long_is_refused_as_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(worker.PATIENCE, tasks.Measure, 0.0001)
    monkeypatch.setattr(budget, "_given_up", {})
    answer = asked(tasks.Measure("mystic", "copies=1 high=8", ("medium", "medium")))
    assert isinstance(answer, tasks.Failed)
    assert answer.code == "too-large"


def test_settings_that_cannot_be_are_refused_in_a_sentence() -> None:
    answer = asked(tasks.Measure("sumquest", "target=1", ("medium", "medium")))
    assert isinstance(answer, tasks.Failed)
    assert "target must be a whole number from 2 to 999" in answer.said.facts["why"]


@in_ci
@pytest.mark.parametrize("slug", GAMES.own)
def test_most_games_have_as_many_turns_as_is_told(slug: str) -> None:
    game = nq.game(slug)
    low, high = glance(game, nq.solve(game)).turns
    assert 1 <= low <= high <= game.bound


@in_ci
@pytest.mark.parametrize("slug", GAMES.own)
def test_there_is_luck_exactly_where_something_is_hidden_and_nothing_else_where_no_choice_matters(slug: str) -> None:
    game = nq.game(slug)
    solution = nq.solve(game)
    luck = glance(game, solution).luck
    assert luck is not None
    assert (luck > 0) == bool(game.chance)
    if game.chance:
        assert (luck == pytest.approx(1)) == no_choice_matters(solution)


def test_several_moves_of_one_player_are_one_turn() -> None:
    # A prediction and the number after it.
    game = nq.game("showdown", high=3)
    assert glance(game, nq.solve(game)).turns == (3, 3)


def test_of_rules_that_nobody_has_solved_the_luck_is_not_known_unless_there_is_none() -> None:
    mystic = glance(nq.game("mystic"), None)
    assert mystic.luck is None
    # Many games were looked at, of which not all are equally long.
    assert mystic.turns[0] < mystic.turns[1]
    assert glance(nq.game("fifty"), None).luck == 0


def test_the_same_is_told_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # A busy machine is given the time for all of them.
    monkeypatch.setattr("numberquest.server.think.catalogue.PLAYING", 100.0)
    game = nq.game("mystic")
    assert glance(game, nq.solve(game)) == glance(game, nq.solve(game))
