"""The atlas over the API: how fair a rule set is at once, the whole map, and a line of best play."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest

import numberquest as nq
from numberquest.client import ServerSaid
from numberquest.games import GAMES
from numberquest.lab.atlas import atlas
from numberquest.lab.measures import measure
from numberquest.server import wire
from tests.conftest import in_ci
from tests.one_file import LAST
from tests.server.running import Running


def test_how_fair_a_rule_set_is_comes_at_once_and_names_no_move(server: Running) -> None:
    with server.client() as client:
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
def test_the_map_has_every_rule_set_in_the_place_that_its_settings_say(server: Running, slug: str) -> None:
    known = atlas(slug)
    assert known is not None
    with server.client() as client:
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


@pytest.mark.parametrize(("slug", "settings"), [("sumquest", ""), ("grid", "target=18 stand=yes")])
def test_a_line_of_best_play_gives_nothing_away(server: Running, slug: str, settings: str) -> None:
    with server.client() as client:
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
