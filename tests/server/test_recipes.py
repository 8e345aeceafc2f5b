"""A recipe in the name of a game, on a server that never heard of it: a friend is invited, and all else is there."""

import random
from collections.abc import Iterator

import pytest

from numberquest.client import Client, ServerSaid
from numberquest.core.recipe import link
from numberquest.core.record import Record
from tests.recipes.tours import HERE
from tests.server.running import Running
from tests.server.websocket import asked, posted

RACE = link('title = "Race to 31"\nnumbers = { kind = "pool", to = 6, copies = 4 }\n'
            'totals = { whose = "shared" }\nend = { target = 31 }\n')  # fmt: skip
PIG = link((HERE / "pig.toml").read_text())


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with server.client() as one:
        yield one


def test_a_friend_is_invited_to_a_recipe_and_its_record_is_read_anywhere(server: Running, client: Client) -> None:
    one = client.create(RACE, name="Ann", rounds=2)
    other = client.join(one.match, one.invite or "", "Bo")
    assert (other.state.game, other.state.title) == (RACE, "Race to 31")
    seats = {1: one, 2: other}
    dice = random.Random(1)
    while one.look().outcome is None:
        turn = one.state.turn or 0
        seats[turn].look()
        seats[turn].play(dice.choice(seats[turn].state.moves).move)
    assert "31" in one.ending()
    record = Record.read(client.record(one.match))
    assert record.match.game.title == "Race to 31"
    assert len(client.review(one.match).steps) == len(record.match.history)
    for seat in seats.values():
        seat.look()
        seat.act("rematch")
    one.look()
    assert one.next().state.game == RACE
    known = asked(server.port, "GET", "/api/games?soon=yes").json["games"]
    assert "Race to 31" not in {info["title"] for info in known}, "nothing is listed for others"


def test_a_computer_plays_hints_and_house_rules_of_a_recipe_are_there(client: Client) -> None:
    mine = client.create(PIG, opponent="medium", settings={"target": 10}, name="Ann")
    assert mine.words(mine.hint(2).said)
    while mine.wait().outcome is None:
        mine.play(mine.state.moves[-1].move if len(mine.state.history) % 3 else mine.state.moves[0].move)
    assert mine.ending()
    info = client.game(PIG)
    assert (info.title, [one.name for one in info.settings]) == ("Pig, as a recipe", ["target"])
    with pytest.raises(ServerSaid, match="Target must be a whole number from 2 to 200"):
        client.create(PIG, settings={"target": 1000})


def test_a_puzzle_of_a_recipe_in_a_link_is_named_by_all_of_it(server: Running) -> None:
    posed = asked(server.port, "GET", f"/api/puzzles/new?game={RACE}&seed=7").json
    assert posed["game"] == RACE
    assert posed["id"].startswith(f"{RACE}.7-")
    assert asked(server.port, "GET", f"/api/puzzles?id={posed['id']}").json == posed
    move = posed["moves"][0]["move"]
    judged = posted(server.port, "/api/puzzles/answers", {"id": posed["id"], "move": move}).json
    assert {each["move"] for each in judged["values"]} == {each["move"] for each in posed["moves"]}
    assert judged["right"] == (move in judged["answers"])


@pytest.mark.parametrize(
    "name", ["recipe:", "recipe:abcd", RACE[:-6], "recipe:" + "A" * 4001, "recipe:../../etc/passwd"]
)
def test_a_name_that_holds_no_recipe_is_refused_in_a_sentence(server: Running, name: str) -> None:
    answer = posted(server.port, "/api/matches", {"game": name})
    assert (answer.status, answer.json["code"]) == (400, "bad-request")
    assert "Traceback" not in answer.body.decode()
    assert posted(server.port, "/api/reviews", {"record": f'[Game "{name}"]\n'}).status == 400
    assert asked(server.port, "GET", f"/api/game?game={name}").status in (400, 404)
