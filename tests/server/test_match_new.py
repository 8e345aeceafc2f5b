"""A new match: what its players are called, marks on or off, and taken up from a record or a known seed.

Such a match is practice, and its own record says so; nothing foreign is kept of the record that it was taken up from.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import numberquest as nq
from numberquest.client import Client, ServerSaid
from numberquest.core.dealer import commitment_of
from numberquest.core.record import Record
from numberquest.core.registry import GAMES
from numberquest.server import wire
from tests.conftest import in_ci
from tests.parts import having
from tests.server.attacked import clean, friends
from tests.server.running import Running
from tests.server.websocket import WebSocket, posted
from tests.terminal.session import piped

SEED = "chosen beforehand"


def chosen(more: str = "") -> str:
    """A record that looks sealed, of a seed that somebody has picked for what it deals."""
    return f'[Game "grid"]\n[Seed "{SEED}"]\n[Commitment "{commitment_of(SEED)}"]\n{more}\n'


def test_the_record_of_a_game_from_a_chosen_seed_says_so_and_verify_too(client: Client, tmp_path: Path) -> None:
    mine = client.create("grid", record=chosen(), opponent="easy", seat=1)
    mine.act("resign")
    text = client.record(mine.match)
    assert Record.read(text).practice
    # Whoever takes out the line that says so has a record of which nobody has promised anything.
    assert '[Practice "yes"]' in text
    assert "Commitment" not in text
    assert Record.read(chosen('[Retry "3"]\n')).text().count("Commitment") == 0
    path = tmp_path / "game.nq"
    path.write_text(text)
    done = piped(["verify", str(path)])
    assert done.returncode == 0
    assert "This was practice" in done.stdout
    assert "known beforehand" in done.stdout
    assert "is the one that was sealed" not in done.stdout


def test_a_game_that_was_dealt_here_is_no_practice(client: Client, tmp_path: Path) -> None:
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


def test_a_place_behind_the_end_of_a_record_is_refused(server: Running) -> None:
    wish = {"game": "sumquest", "record": '[Game "sumquest"]\n\n1. 5\n', "opponent": "easy"}
    assert posted(server.port, "/api/matches", {**wish, "at": 1}).status == 201
    assert "after entry 1" in clean(posted(server.port, "/api/matches", {**wish, "at": 2}), 400, "bad-request")


def test_a_record_says_which_game_it_is_of(server: Running, client: Client) -> None:
    mine = client.create(record='[Game "sumquest"]\n\n1. 5\n', opponent="easy", seat=2)
    assert mine.state.game == "sumquest"
    assert [line.entry for line in mine.state.history] == ["5"]
    wish = {"opponent": "easy"}
    assert "needs a game" in clean(posted(server.port, "/api/matches", wish), 400, "bad-request")


@pytest.mark.parametrize("seed", [7, "our lesson"])
def test_a_seed_deals_the_same_everywhere_and_makes_it_practice(
    client: Client, tmp_path: Path, seed: int | str
) -> None:
    here = nq.Match(nq.game("mystic"), seed=seed)
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


def test_a_rematch_of_a_known_deal_is_dealt_in_secret(client: Client) -> None:
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


# ---- names: nobody is called something that cannot be seen, or like a computer player


def test_a_name_is_kept_in_the_one_way_of_writing_it(client: Client) -> None:
    one = client.create("sumquest", name="Zoe\u0308")
    assert client.join(one.match, one.invite or "", "Bjo\u0308rk").names == ("Zo\u00eb", "Bj\u00f6rk")


def test_computer_players_are_called_so_all_the_same(client: Client) -> None:
    one = client.create("sumquest", opponent="perfect", seat=1)
    assert one.names[1] == "Computer (perfect)"
    with pytest.raises(ServerSaid, match="computer players"):
        client.create("sumquest", opponent="perfect", name=one.names[1])


# ---- marks: where they are off, nobody is sent what a move comes to


@pytest.mark.parametrize("game", GAMES)
def test_without_marks_a_move_is_told_by_its_name_alone_to_the_end(client: Client, game: str) -> None:
    seat = client.create(game, opponent="screen", marks=False)
    assert seat.state.marks is False
    while seat.state.outcome is None:
        assert seat.state.moves == [wire.Option(option.move) for option in seat.state.moves]
        seat.play(seat.state.moves[0].move)
    assert client.record(seat.match), "and it is recorded and reviewed as any other"


@pytest.mark.parametrize("game", GAMES)
def test_with_marks_everything_is_as_it_was(client: Client, game: str) -> None:
    state = client.create(game, opponent="screen").state
    assert state.marks
    # What a covered card holds nobody knows; of everything else something is said.
    assert (
        game not in having("board.js")
        or game == "grid"
        or any(option != wire.Option(option.move) for option in state.moves)
    )


def test_whoever_watches_is_told_no_more_than_the_players(server: Running) -> None:
    two = friends(server, marks=False)
    with WebSocket(server.port, two.match) as watcher:
        state = watcher.hello()["state"]
        assert state["marks"] is False
        assert all([*move] == ["move"] for move in state["moves"])
        two.move(two.one, 1, "5")
        assert all([*move] == ["move"] for move in watcher.frame().json["change"]["moves"])


def test_there_are_no_hints_and_no_coach_then(client: Client) -> None:
    seat = client.create("sumquest", opponent="easy", marks=False)
    for help_of_any_kind in (seat.hint, seat.coach):
        with pytest.raises(ServerSaid, match="without marks, hints and coach") as refused:
            help_of_any_kind()
        assert refused.value.code == "not-allowed"


@in_ci
def test_it_is_kept_through_a_kill_and_a_rematch(fresh: Running) -> None:
    client = fresh.client()
    seat = client.create("sumquest", opponent="screen", marks=False)
    fresh.kill()
    fresh.again()
    assert client.look(seat.match).marks is False
    seat.act("resign")
    following = seat.act("rematch").next
    assert following is not None
    assert client.look(following).marks is False


@in_ci
def test_a_match_of_a_database_from_before_has_marks(fresh: Running) -> None:
    client = fresh.client()
    seat = client.create("sumquest", opponent="screen")
    assert fresh.stop() == 0
    with closing(sqlite3.connect(fresh.db)) as db:
        db.executescript("""
            ALTER TABLE matches DROP COLUMN marks;
            DROP INDEX matches_by_class; ALTER TABLE matches DROP COLUMN classroom;
            DROP TABLE class_log; DROP TABLE classes; PRAGMA user_version = 4""")
    fresh.again()
    assert client.look(seat.match).marks is True


def test_what_is_neither_yes_nor_no_is_refused(server: Running) -> None:
    clean(posted(server.port, "/api/matches", {"game": "sumquest", "marks": "no"}), 400, "bad-request")
