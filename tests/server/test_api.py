"""The API, used by the client on a real server: whole matches, everything around them, and how it all travels."""

import json
import random

import msgspec
import pytest

from numberquest import GAMES
from numberquest.client import Client, Seat, ServerSaid
from numberquest.core.record import Record
from numberquest.core.sentences import Said
from numberquest.core.sentences import told as words
from numberquest.explain.review import review
from numberquest.players.levels import PLAYERS
from numberquest.server import wire
from numberquest.server.think.catalogue import offered
from tests.server.running import Running
from tests.server.websocket import asked, connected, read_answer, request


def friends(client: Client, game: str, **wishes: object) -> tuple[Seat, Seat]:
    one = client.create(game, name="Ann", **wishes)
    return one, client.join(one.match, one.invite or "", "Bo")


def played_out(seats: dict[int, Seat], dice: random.Random) -> wire.State:
    """Play any allowed moves until somebody has won."""
    state = seats[1].look()
    while state.turn is not None:
        seat = seats[state.turn]
        seat.look()
        state = seat.play(dice.choice(state.moves).move)
    return state


@pytest.mark.parametrize("slug", GAMES)
def test_two_friends_play_a_whole_game_and_look_at_it_again(client: Client, slug: str) -> None:
    one, two = friends(client, slug)
    assert [player.name for player in two.state.players] == ["Ann", "Bo"]
    state = played_out({1: one, 2: two}, random.Random(slug))
    assert state.outcome is not None
    record = Record.read(client.record(one.match))
    assert list(record.match.history) == [line.entry for line in state.history]
    assert record.result == ("1-0" if state.outcome.winner == 1 else "0-1")
    assert (record.match.dealer.commitment is None) == (state.seal is None)
    seen = client.review(one.match)
    verdicts = [verdict.verdict for verdict in review(record.match)]
    assert [step.verdict for step in seen.steps if not step.reveal] == verdicts
    assert len(seen.boards) == len(seen.steps) + 1
    assert client.review_record(client.record(one.match)).steps == seen.steps


@pytest.mark.parametrize("slug", GAMES)
def test_every_computer_player_finishes_a_game(client: Client, slug: str) -> None:
    dice = random.Random(slug)
    for level in PLAYERS:
        mine = client.create(slug, opponent=level, seat=dice.choice([1, 2]))
        while mine.wait().outcome is None:
            mine.play(dice.choice(mine.state.moves).move)
        assert {player.kind for player in mine.state.players} == {"human", level}


def test_house_rules_are_taken_and_bad_ones_get_their_range(client: Client) -> None:
    seat = client.create("fifty", opponent="screen", settings={"target": 30, "ops": "+*"})
    assert (seat.state.settings["target"], seat.state.settings["ops"]) == (30, "+*")
    assert {option.move[-1] for option in seat.state.moves} == {"+", "*"}
    with pytest.raises(ServerSaid, match="Target must be a whole number from 2 to 200 in fifty") as said:
        client.create("fifty", settings={"target": 201})
    assert (said.value.status, said.value.code) == (400, "bad-request")
    with pytest.raises(ServerSaid, match="An opponent is one of friend, screen, random"):
        client.create("fifty", opponent="nobody")


def test_the_rules_are_told_as_they_hold_under_house_rules(client: Client) -> None:
    changed = client.get("/api/rules?game=sumquest&settings=target%3D99", wire.Rules)
    game = GAMES["sumquest"](target=99)
    assert (changed.rules, changed.rulings) == (game.told(game.rules), game.rulings_told())
    assert changed.title == "Sum Quest: Race to 99"
    classic = client.get("/api/rules?game=sumquest", wire.Rules)
    assert (classic.title, "23" in classic.rules) == ("Sum Quest: Race to 23", True)
    for wrong, why in (("game=sumquest&settings=target%3D1", "from 2 to 999"), ("game=chess", "chess")):
        with pytest.raises(ServerSaid, match=why) as refused:
            client.get(f"/api/rules?{wrong}", wire.Rules)
        assert refused.value.code == "bad-request"


def test_a_refusal_carries_what_its_sentence_was_made_from(client: Client) -> None:
    seat = client.create("sumquest", opponent="screen")
    with pytest.raises(ServerSaid) as refused:
        seat.play("12")
    said = refused.value.said
    assert said is not None
    assert (said.code, said.facts["move"], said.facts["allowed"][:2]) == ("not-allowed", "12", ["1", "2"])
    assert words(Said(said.code, said.facts)) == str(refused.value)


def test_at_one_screen_one_token_has_both_seats(client: Client) -> None:
    both = client.create("sumquest", opponent="screen", name="Ann", other_name="Bo")
    assert (both.seats, both.invite) == ([1, 2], None)
    both.play("5")
    both.play("9")
    assert both.state.take_back.moves == (["5", "9"], ["9"])
    both.act("take-back")
    assert both.state.take_back.moves == (["5"], [])
    assert [line.entry for line in both.state.history] == ["5"]
    both.act("resign", seat=2)
    assert both.state.outcome is not None
    assert (both.state.outcome.reason, both.ending()) == ("resigned", "Bo resigned")
    both.act("rematch")
    again = both.next()
    assert [player.name for player in again.state.players] == ["Bo", "Ann"]
    again.play("1")


def test_a_rematch_changes_seats_and_a_series_counts_points(client: Client) -> None:
    one, two = friends(client, "sumquest", rounds=3)
    two.look()
    two.act("resign")
    one.look()
    one.act("rematch")
    assert one.state.rematch == [1]
    assert one.state.next is None
    two.look()
    two.act("rematch")
    one.look()
    first, second = two.next(), one.next()
    assert (first.seats, second.seats) == ([1], [2])
    assert first.state.series == wire.Series(2, 3, (0, 1))
    assert [player.name for player in first.state.players] == ["Bo", "Ann"]
    first.play("5")
    second.look()
    second.play("9")


@pytest.mark.parametrize(
    ("opponent", "rounds", "names"),
    [
        ("screen", 3, ["Player A", "Player B"]),
        ("screen", 1, ["Player 1", "Player 2"]),
        ("easy", 1, ["Player 1", "Computer (easy)"]),
    ],
)
def test_names_and_points_stay_with_people_whoever_they_are_and_wherever_they_sit(
    client: Client, opponent: str, rounds: int, names: list[str]
) -> None:
    match, wins = client.create("sumquest", opponent=opponent, rounds=rounds), dict.fromkeys(names, 0.0)
    for number in range(3):
        # The same people, who change seats.
        seats = names[:: -1 if number % 2 else 1]
        assert [player.name for player in match.state.players] == seats
        if rounds > 1:
            assert dict(zip(seats, match.state.series.points, strict=True)) == wins
        loser = names[0]
        match.act("resign", seat=seats.index(loser) + 1)
        assert match.ending() == f"{loser} resigned"
        wins[names[1]] += 1
        match.act("rematch")
        match = match.next()


def test_hints_and_coach_are_there_against_the_computer_and_not_against_a_friend(client: Client) -> None:
    mine = client.create("sumquest", opponent="perfect")
    said = [mine.hint(step) for step in (1, 2, 3)]
    assert mine.words(said[0].said) == "There is a winning move."
    assert said[1].moves == ["1", "6"]
    assert "wins" in mine.words(said[2].said)
    assert mine.state.players[0].hints == 3
    mine.play("5")
    assert mine.coach().startswith("5 gave the win away")
    one, _ = friends(client, "sumquest")
    one.look()
    with pytest.raises(ServerSaid, match="no hints in a game against a friend"):
        one.hint()
    with pytest.raises(ServerSaid, match="against the computer only"):
        one.coach()


def test_a_record_can_be_gone_on_with_from_any_place(client: Client) -> None:
    one, two = friends(client, "mystic")
    played_out({1: one, 2: two}, random.Random(4))
    record = client.record(one.match)
    whole = Record.read(record).match
    mine = client.create(record=record, at=3, opponent="easy", seat=1, game="mystic")
    assert mine.state.practice
    assert [line.entry for line in mine.state.history][:3] == list(whole.history[:3])
    with pytest.raises(ServerSaid, match="over there"):
        client.create(record=record, opponent="easy", game="mystic")
    with pytest.raises(ServerSaid, match="no record of a game: Line 1") as said:
        client.create(record="nonsense", opponent="easy", game="mystic")
    assert said.value.line == 1


def test_the_stream_of_events_has_every_state_until_the_end(server: Running) -> None:
    with server.client() as client, server.client() as watching:
        one, two = friends(client, "sumquest")
        events = watching.events(one.match)
        seen = [next(events)]
        played_out({1: one, 2: two}, random.Random(1))
        seen += events
        assert seen[-1].outcome is not None
        assert [state.ply for state in seen] == sorted({state.ply for state in seen})


def test_the_record_and_the_review_are_there_when_the_game_is_over(server: Running, client: Client) -> None:
    one, two = friends(client, "grid")
    for ask in (client.record, client.review):
        with pytest.raises(ServerSaid, match="when the game is over"):
            ask(one.match)
    two.act("resign")
    outcome = client.review(one.match).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.resigned) == (1, True)
    record = asked(server.port, "GET", f"/api/matches/{one.match}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="grid-{one.match}.nq"'


@pytest.mark.parametrize("slug", GAMES)
def test_what_if_another_move_had_been_played_and_then_the_best_ones(client: Client, slug: str) -> None:
    one, two = friends(client, slug)
    played_out({1: one, 2: two}, random.Random(3))
    seen = client.review(one.match)
    at, step = next((at, step) for at, step in enumerate(seen.steps) if len(step.options) > 1)
    move = next(worth.move for worth in reversed(step.options) if worth.move != step.entry)
    line = client.what_if(seen.record, at, move)
    assert line.history[:at] == seen.history[:at]
    assert line.steps[at].entry == move
    assert line.outcome is not None
    # Whatever comes after it gives nothing away.
    assert all(later.loss < 1e-9 for later in line.steps[at + 1 :])
    assert client.review_record(line.record).steps == line.steps
    with pytest.raises(ServerSaid, match="not allowed here"):
        client.what_if(seen.record, at, "nonsense")


@pytest.mark.parametrize("slug", GAMES)
def test_puzzles_tell_whether_a_move_is_right_only_after_it_is_chosen(client: Client, slug: str) -> None:
    puzzle = client.new_puzzle(slug, "7")
    assert client.puzzle(puzzle.id).board == puzzle.board
    judged = client.guess(puzzle.id, puzzle.moves[0].move)
    assert judged.right == (puzzle.moves[0].move in judged.answers)
    assert {worth.move for worth in judged.values} == {option.move for option in puzzle.moves}
    assert client.guess(puzzle.id, judged.answers[0]).right


def test_the_daily_puzzle_is_the_same_for_everybody_and_that_of_the_terminal(client: Client) -> None:
    from numberquest.explain.puzzle import daily

    puzzle = client.daily_puzzle("2026-11-16")
    assert puzzle == client.daily_puzzle("2026-11-16")
    assert puzzle.id == daily("2026-11-16").id
    assert client.daily_puzzle("2026-11-16", "fifty").game == "fifty"
    with pytest.raises(ServerSaid) as said:
        client.daily_puzzle("2026-02-31")
    assert said.value.status in (400, 404)


def test_what_is_known_of_the_games_at_once_is_told_until_the_rest_is_worked_out(client: Client) -> None:
    at_once = offered()
    assert at_once.soon
    whole = client.games()
    assert not whole.soon
    # All is there by now, so nobody is told less.
    assert client.get("/api/games?soon=yes", wire.Games) == whole
    for now, later in zip(at_once.games, whole.games, strict=True):
        assert (now.proved, now.value, now.luck, now.turns) == (None, None, None, (0, 0))
        replaced = msgspec.structs.replace(
            now, proved=later.proved, value=later.value, stars=later.stars, luck=later.luck, turns=later.turns
        )
        assert msgspec.json.encode(replaced) == msgspec.json.encode(later)


def test_health_and_metrics_tell_how_the_server_is(server: Running, client: Client) -> None:
    client.create("grid", opponent="screen").play("2,2")
    health = asked(server.port, "GET", "/healthz")
    assert (health.status, health.body) == (200, b'{"ok":true}')
    assert asked(server.port, "GET", "/metrics").headers["content-type"].startswith("text/plain; version=0.0.4")
    values = server.metrics()
    assert values["numberquest_moves_total"] >= 1
    assert values["numberquest_write_seconds_count"] >= 1
    assert values['numberquest_write_seconds_bucket{le="+Inf"}'] == values["numberquest_write_seconds_count"]


def test_an_unknown_address_a_wrong_method_and_a_head_are_answered(server: Running) -> None:
    nothing = asked(server.port, "GET", "/api/nothing")
    assert (nothing.status, nothing.json["code"]) == (404, "not-found")
    assert nothing.headers["content-type"] == "application/json"
    assert asked(server.port, "DELETE", "/api/games").status == 405
    head = asked(server.port, "HEAD", "/api/games")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) > 1000


def test_the_page_is_served_at_each_of_its_addresses_and_packed(server: Running) -> None:
    for path in ("/", "/review", "/puzzle", "/m/abcdefghijklmnop"):
        page = asked(server.port, "GET", path)
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert b"<main" in page.body
    packed = asked(server.port, "GET", "/static/style/page.css", "Accept-Encoding: gzip")
    assert packed.headers["content-encoding"] == "gzip"
    tag = f"If-None-Match: {packed.headers['etag']}"
    assert asked(server.port, "HEAD", "/static/style/page.css", tag).status == 304


def test_every_file_of_the_page_together_is_with_a_class_and_the_workshop_is_sent_in_less_than_150_kilobytes() -> None:
    from numberquest.server.web.pages import Pages

    assert 20_000 < Pages().size < 150_000


def test_requests_behind_each_other_are_answered_in_their_order(server: Running, client: Client) -> None:
    match = client.create("sumquest").match
    paths = [f"/api/matches/{match}", "/healthz", "/nothing", "/", "/api/openapi.json"]
    with connected(server.port) as plug:
        plug.sendall(b"".join(request("GET", path) for path in paths * 20))
        left = b""
        kinds = []
        for _ in range(100):
            while b"\r\n\r\n" not in left:
                left += plug.recv(1 << 16)
            head, _, left = left.partition(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            while len(left) < length:
                left += plug.recv(1 << 16)
            body, left = left[:length], left[length:]
            kinds.append((int(head.split()[1]), body[:9]))
    assert kinds[:5] * 20 == kinds
    assert [status for status, _ in kinds[:5]] == [200, 200, 404, 200, 200]
    assert kinds[1][1] == b'{"ok":tru'


def test_a_request_in_single_bytes_is_answered(server: Running) -> None:
    body = json.dumps({"game": "sumquest"}).encode()
    data = request("POST", "/api/matches", "Content-Type: application/json", body=body)
    with connected(server.port) as plug:
        for at in range(len(data)):
            plug.sendall(data[at : at + 1])
        assert read_answer(plug).status == 201


def test_a_stream_is_not_to_be_kept_back_by_a_proxy(server: Running, client: Client) -> None:
    match = client.create("sumquest").match
    with connected(server.port) as plug:
        plug.sendall(request("GET", f"/api/matches/{match}/events"))
        answer = read_answer(plug)
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["cache-control"] == "no-store"
    head = asked(server.port, "HEAD", f"/api/matches/{match}/events")
    assert (head.status, head.headers["content-type"]) == (200, "application/x-ndjson")
