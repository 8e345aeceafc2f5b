"""Games of one file on the server: everything that the others have, and never loaded over the network."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from numberquest.client import Client, Seat, ServerSaid
from numberquest.core.record import Record
from numberquest.core.registry import GAMES
from tests.conftest import in_ci
from tests.own.files import FOLDER
from tests.server.running import Running
from tests.server.websocket import asked, posted

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
GAME_FILES = (EXAMPLES / "nim.py", FOLDER / "dice.py", FOLDER / "sharing.py")
OWN = ("nim", "dice_race", "sharing")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that was started with two games of one file each and one in a folder."""
    place = tmp_path_factory.mktemp("own")
    folder = place / "mine"
    folder.mkdir()
    (folder / "rules.py").write_text(GAME_FILES[-1].read_text())
    (folder / "board.js").write_text("export const hue = '#123456';\n")
    (folder / "secret.txt").write_text("not for others")
    with Running(place, games=[*GAME_FILES[:-1], folder]) as running:
        yield running


@pytest.fixture
def client(own: Running) -> Iterator[Client]:
    with own.client() as one:
        yield one


def friends(client: Client, game: str, **wishes: object) -> dict[int, Seat]:
    one = client.create(game, name="Ann", **wishes)
    return {1: one, 2: client.join(one.match, one.invite or "", "Bo")}


def plays(seats: dict[int, Seat], move: str) -> None:
    turn = seats[1].look().turn
    assert turn is not None
    seats[turn].look()
    seats[turn].play(move)


def test_they_are_in_the_list_with_what_is_proved_and_what_their_boards_are(client: Client) -> None:
    found = {info.game: info for info in client.games().games}
    assert list(found) == [*GAMES.own, *OWN]
    for slug in OWN:
        info = found[slug]
        assert info.proved is not None
        assert info.value is not None
        assert {field.name for field in info.view} == set(info.board)
    assert [found[slug].chance for slug in OWN] == ["", "draws", ""]
    assert (found["nim"].value, found["dice_race"].endings["same"]) == (1.0, "both have {score}")


@pytest.mark.parametrize("slug", OWN)
def test_they_are_played_to_the_end_recorded_reviewed_and_hinted_at(client: Client, slug: str) -> None:
    dice = random.Random(slug)
    mine = client.create(slug, opponent="easy", name="Ann")
    assert mine.words(mine.hint(2).said)
    while mine.wait().outcome is None:
        mine.play(dice.choice(mine.state.moves).move)
    assert mine.ending()
    record = Record.read
    text = client.record(mine.match)
    assert f'[Game "{slug}"]' in text
    review = client.review(mine.match)
    assert len(review.boards) == len(review.steps) + 1
    assert review.outcome == mine.state.outcome
    # Who has not got the game is told what to do about it, and nothing is loaded.
    with pytest.raises(ValueError, match="--with FILE"):
        record(text)


def test_a_draw_is_half_a_point_for_both_and_the_series_goes_on(client: Client) -> None:
    seats = friends(client, "sharing", rounds=3)
    plays(seats, "share")
    state = seats[1].look()
    assert state.outcome is not None
    assert (state.outcome.winner, seats[1].ending()) == (None, "both have half of it")
    assert state.series.points == (0.5, 0.5)
    assert '[Result "1/2-1/2"]' in client.record(state.match)
    for seat in seats.values():
        seat.look()
        seat.act("rematch")
    seats[1].look()
    seats = {1: seats[2].next(), 2: seats[1].next()}
    assert seats[1].state.series.points == (0.5, 0.5)
    plays(seats, "take")
    assert seats[1].look().series.points == (1.5, 0.5)
    # The record has the wins before this round, of which there were none.
    assert '[Points "0-0"]' in client.record(seats[1].match)


def test_draws_are_sealed_and_told_with_what_could_have_come_up(client: Client) -> None:
    seats = friends(client, "dice_race")
    for _ in range(4):
        plays(seats, "roll")
    state = seats[1].look()
    assert state.seal is not None
    assert (len(state.seal.seed or ""), state.seal.deck) == (32, [])
    drawn = [line for line in state.history if not line.player]
    assert len(drawn) == 4
    assert all(line.faces == ["1", "2", "3", "4", "5", "6"] and line.weights == [1] * 6 for line in drawn)


def test_house_rules_puzzles_and_practice_are_there_too(client: Client) -> None:
    seat = client.create("nim", opponent="screen")
    assert seat.state.short_title == seat.state.title == "Nim"
    puzzle = client.new_puzzle("nim", "7")
    judged = client.guess(puzzle.id, puzzle.moves[0].move)
    assert client.guess(puzzle.id, judged.answers[0]).right
    on = client.create(record=puzzle.record, opponent="perfect", game="nim", seat=puzzle.player)
    assert on.state.practice
    with pytest.raises(ServerSaid, match="Turns must be a whole number from 2 to 20 in dice_race"):
        client.create("dice_race", settings={"turns": 99})


@pytest.mark.parametrize("name", ["./nim.py", "/etc/passwd", "nim.py", "..", "Nim", "nim/../nim", "a" * 21])
def test_no_request_loads_a_file(own: Running, name: str) -> None:
    answer = posted(own.port, "/api/matches", {"game": name})
    assert answer.status == 400
    assert "Traceback" not in answer.body.decode()
    assert posted(own.port, "/api/reviews", {"record": f'[Game "{name}"]\n'}).status == 400
    puzzle = asked(own.port, "GET", f"/api/puzzles?id={name.replace('/', '%2F')}-1-1")
    assert (puzzle.status, puzzle.json["code"]) == (404, "not-found")


def test_a_record_with_a_path_is_refused_although_the_file_is_there(own: Running) -> None:
    record = f'[Game "{EXAMPLES / "pig.py"}"]\n'
    for path, body in (
        ("/api/reviews", {"record": record}),
        ("/api/matches", {"game": "nim", "record": record, "opponent": "easy"}),
    ):
        answer = posted(own.port, path, body)
        assert (answer.status, answer.json["code"], answer.json["line"]) == (400, "bad-request", 1)
    assert "pig" not in {info["game"] for info in asked(own.port, "GET", "/api/games").json["games"]}


@in_ci
def test_a_match_of_a_game_that_is_not_there_any_more_is_told_so(tmp_path: Path) -> None:
    with Running(tmp_path, games=GAME_FILES) as server, server.client() as client:
        match = client.create("nim", opponent="screen").match
        other = client.create("fifty", opponent="screen").match
        server.stop()
    with Running(tmp_path, db=server.db) as server, server.client() as client:
        with pytest.raises(ServerSaid, match="the game nim, which this server does not have now") as said:
            client.look(match)
        assert said.value.code == "not-found"
        fifty = client.look(other)
        assert fifty.game == "fifty"
        server.stop()
    # What can be written down is, and what is left out is told.
    command = [sys.executable, "-m", "numberquest", "serve", "--db", server.db, "--export", str(tmp_path / "records")]
    export = subprocess.run(command, capture_output=True, text=True, check=False)
    assert export.returncode == 1
    assert "0 records written" in export.stderr
    assert "those of nim are left out: name the files with --with" in export.stderr


def test_a_folder_of_ones_own_brings_its_board(own: Running) -> None:
    board = asked(own.port, "GET", "/static/games/sharing/board.js")
    assert (board.status, b"#123456" in board.body) == (200, True)
    assert asked(own.port, "GET", "/static/games/sharing/board.css").status == 200
    for name in ("rules.py", "secret.txt", "../sharing/secret.txt"):
        assert asked(own.port, "GET", f"/static/games/sharing/{name}").status == 404
