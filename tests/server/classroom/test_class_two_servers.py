"""A class at two servers on one PostgreSQL database: it does not matter which of them anybody talks to."""

from contextlib import ExitStack, closing

from tests.conftest import in_ci
from tests.server.classroom.taught import Online
from tests.server.classroom.test_class_api import Events
from tests.server.running import Running
from tests.server.websocket import posted


@in_ci
def test_pupils_at_two_servers_are_put_at_one_table_and_the_teacher_sees_all_of_it_at_either(
    servers: tuple[Running, Running],
) -> None:
    here, there = Online(servers[0], key="c" * 22), Online(servers[1], key="c" * 22)
    assert (here.name, here.code, here.token) == (there.name, there.code, there.token)
    ann, bo = here.joins("Ann").json, there.joins("Bo").json
    with ExitStack() as open_:
        first, second = (
            open_.enter_context(closing(Events(*at))) for at in ((here, ann["token"]), (there, bo["token"]))
        )
        board = open_.enter_context(closing(Events(there, there.token)))
        # Who reads at the other server is here too.
        assert board.until(lambda line: "board" in line and sum(one["here"] for one in line["board"]["pupils"]) == 2)
        here.does("begin")
        one = first.until(lambda line: line.get("seat", {}).get("match"))["seat"]
        two = second.until(lambda line: line.get("seat", {}).get("match"))["seat"]
        assert (one["match"], one["opponent"], two["opponent"]) == (two["match"], "Bo", "Ann")
        at = {one["seat"]: (here, one["token"]), two["seat"]: (there, two["token"])}
        state = None
        turn, ply = 1, 0
        while state is None or state["outcome"] is None:
            taught, token = at[turn]
            path = f"/api/matches/{one['match']}/actions" if ply >= 4 else f"/api/matches/{one['match']}/moves"
            wish = {"ply": ply, "do": "resign"} if ply >= 4 else {"ply": ply, "move": ("5", "6")[ply % 2]}
            answer = posted(taught.server.port, path, wish, token)
            assert answer.status == 200, answer.body
            state = answer.json
            turn, ply = state["turn"], state["ply"]
        assert board.until(lambda line: line.get("board", {}).get("played"))["board"]["played"] == 1
        for reader in (first, second):
            assert reader.until(lambda line: line.get("seat", {}).get("played") == 1)
        here.does("pause")
        assert second.until(lambda line: line.get("seat", {}).get("paused"))
        there.does("erase")
        for reader in (first, second, board):
            assert reader.until(lambda line: line.get("erased"))
    assert here.get("board").status == there.get("board").status == 404
