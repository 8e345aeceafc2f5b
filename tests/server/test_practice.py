"""A match taken up from a record, or dealt from a known seed, is practice: its own record says so.

Nothing foreign is kept of the record that it was taken up from.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.dealer import commitment_of
from numberquest.record import Record
from tests.server.attacked import clean
from tests.server.running import Running
from tests.server.websocket import posted
from tests.terminal.session import piped

SEED = "chosen beforehand"


def chosen(more: str = "") -> str:
    """A record that looks sealed, of a seed that somebody has picked for what it deals."""
    return f'[Game "grid"]\n[Seed "{SEED}"]\n[Commitment "{commitment_of(SEED)}"]\n{more}\n'


def test_the_record_of_a_game_from_a_chosen_seed_says_so_and_verify_too(server: Running, tmp_path: Path) -> None:
    with server.client() as client:
        mine = client.create("grid", record=chosen(), opponent="easy", seat=1)
        mine.act("resign")
        text = client.record(mine.match)
    assert Record.read(text).practice
    path = tmp_path / "game.nq"
    path.write_text(text)
    done = piped(["verify", str(path)])
    assert done.returncode == 0
    assert "This was practice" in done.stdout
    assert "known beforehand" in done.stdout
    assert "is the one that was sealed" not in done.stdout


def test_a_game_that_was_dealt_here_is_no_practice(server: Running, tmp_path: Path) -> None:
    with server.client() as client:
        mine = client.create("grid", opponent="easy", seat=1)
        mine.act("resign")
        path = tmp_path / "game.nq"
        path.write_text(client.record(mine.match))
    done = piped(["verify", str(path)])
    assert "practice" not in done.stdout
    assert "is the one that was sealed" in done.stdout


def test_nothing_is_kept_of_a_record_but_the_game(tmp_path: Path) -> None:
    """Tags of other kinds, comments and a date that nobody would ever read."""
    junk = "".join(f'[Junk{at} "{"j" * 200}"]\n' for at in range(20)) + '[Date "2020-02-02"]\n# comment\n'
    with Running(tmp_path) as server:
        wish = {"game": "grid", "record": chosen(junk), "opponent": "easy", "seat": 1, "name": "Ann"}
        assert posted(server.port, "/api/matches", wish).status == 201
        many = chosen("".join(f'[Junk{at} "x"]\n' for at in range(500)))
        answer = posted(server.port, "/api/matches", {**wish, "record": many})
        assert "Line 24" in clean(answer, 400, "bad-request")
        assert answer.json["line"] == 24
        server.stop()
    with closing(sqlite3.connect(server.db)) as db:
        stored = "\n".join(db.iterdump())
    assert SEED in stored
    assert not [word for word in ("Junk", "jjj", "2020-02-02", "comment") if word in stored]


def test_the_record_of_practice_has_no_seal_that_could_be_taken_for_one(server: Running) -> None:
    """Whoever takes out the line that says practice has a record of which nobody has promised anything."""
    with server.client() as client:
        mine = client.create("grid", record=chosen(), opponent="easy", seat=1)
        mine.act("resign")
        text = client.record(mine.match)
    assert '[Practice "yes"]' in text
    assert "Commitment" not in text
    assert Record.read(chosen('[Retry "3"]\n')).text().count("Commitment") == 0


def test_a_place_behind_the_end_of_a_record_is_refused(server: Running) -> None:
    wish = {"game": "sumquest", "record": '[Game "sumquest"]\n\n1. 5\n', "opponent": "easy"}
    assert posted(server.port, "/api/matches", {**wish, "at": 1}).status == 201
    assert "after entry 1" in clean(posted(server.port, "/api/matches", {**wish, "at": 2}), 400, "bad-request")


def test_a_record_says_which_game_it_is_of(server: Running) -> None:
    with server.client() as client:
        mine = client.create(record='[Game "sumquest"]\n\n1. 5\n', opponent="easy", seat=2)
        assert mine.state.game == "sumquest"
        assert [line.entry for line in mine.state.history] == ["5"]
    wish = {"opponent": "easy"}
    assert "needs a game" in clean(posted(server.port, "/api/matches", wish), 400, "bad-request")


@pytest.mark.parametrize("seed", [7, "our lesson"])
def test_a_seed_deals_the_same_everywhere_and_makes_it_practice(
    server: Running, tmp_path: Path, seed: int | str
) -> None:
    here = nq.Match(nq.game("mystic"), seed=seed)
    with server.client() as client:
        one = client.create("mystic", seed=seed, name="One")
        two = client.join(one.match, one.invite or "", name="Two")
        seats = {1: one, 2: two}
        assert (one.state.practice, two.state.practice, two.state.seal) == (True, True, None)
        state = two.state
        while state.turn is not None:
            state = seats[state.turn].look()
            state = seats[state.turn or 1].play(state.moves[0].move)
            here.play(here.moves[0])
        assert [line.entry for line in state.history] == list(here.history)
        text = client.record(one.match)
    assert Record.read(text).practice
    assert "Commitment" not in text
    path = tmp_path / "game.nq"
    path.write_text(text)
    assert "This was practice" in piped(["verify", str(path)]).stdout


def test_a_rematch_of_a_known_deal_is_dealt_in_secret(server: Running) -> None:
    with server.client() as client:
        mine = client.create("grid", seed=7, opponent="screen")
        mine.act("resign")
        mine.act("rematch", 1)
        mine.wait(lambda state: state.next is not None)
        again = mine.next()
        assert not again.state.practice
        assert again.state.seal is not None


def test_a_seed_that_decides_nothing_or_is_none_is_refused(server: Running) -> None:
    def refused(**wish: object) -> str:
        return clean(posted(server.port, "/api/matches", {"opponent": "easy", **wish}), 400, "bad-request")

    assert "Nothing is dealt in sumquest" in refused(game="sumquest", seed=7)
    assert "leave the seed out" in refused(record=chosen(), seed=7)
    assert "1 to 100 visible characters" in refused(game="grid", seed="x" * 101)
    assert "1 to 100 visible characters" in refused(game="grid", seed="a\nb")
    refused(game="grid", seed=True)
    refused(game="grid", seed=1.5)
