"""A class at a hub: coming in, playing, questions, and what becomes of it when the server is killed."""

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from numberquest.core.recipe import link
from numberquest.core.registry import GAMES
from numberquest.server import wire
from numberquest.server.classroom import wire as messages
from numberquest.server.classroom.classes import Classes
from numberquest.server.classroom.live import AWAY_AFTER, IDLE_AFTER
from numberquest.server.classroom.tables import GONE_FOR, GONE_IN_ROUND
from numberquest.server.classroom.views import table_of
from numberquest.server.limits import Limits, payer
from numberquest.server.match.entries import Move
from numberquest.server.refusal import Refusal
from numberquest.server.store.base import SqlStore, StoreError
from numberquest.server.store.stores import export
from numberquest.server.store.upkeep import check_file
from numberquest.server.think import tasks
from numberquest.server.web import classes as class_routes
from tests.server.classroom.stored import stored
from tests.server.classroom.taught import Taught, code_of, hub_of, refusal_of, teaching
from tests.server.keeping import Held, heard_at, hub_at, is_refused, opened, until
from tests.server.postgres_server import new_database
from tests.strategies import SECRET_KINDS

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR

# ---- coming in


async def test_a_device_has_its_seat_again_and_no_second_name_unless_the_teacher_allows_it(store: SqlStore) -> None:
    async with teaching(store, "Ann") as one:
        again = await one.classes.join(messages.JoinClass(f" {one.opened.code.lower()} ", one.keys["Ann"]), "10.0.0.2")
        assert again.token == one.seats["Ann"].token
        second = messages.JoinClass(one.opened.code, one.keys["Ann"], name="Bo", other=True)
        assert "from this device" in await refusal_of(one.classes.join(second, "10.0.0.1"))
    async with teaching(store, "Ann", per_device=2) as two:
        second = messages.JoinClass(two.opened.code, two.keys["Ann"], name="Bo", other=True)
        bo = await two.classes.join(second, "10.0.0.1")
        assert bo.token != two.seats["Ann"].token
        third = messages.JoinClass(two.opened.code, two.keys["Ann"], name="Cy", other=True)
        assert "from this device" in await refusal_of(two.classes.join(third, "10.0.0.1"))


async def test_who_may_come_in_is_up_to_the_teacher(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", pupils=3, per_address=2) as taught:
        assert "from this address" in await refusal_of(taught.come("Cy"))
        await taught.come("Cy", address="10.0.0.2")
        assert "All places" in await refusal_of(taught.come("Di", address="10.0.0.3"))
        await taught.does("remove", pupil=3)
        await taught.does("lock")
        assert "Nobody new" in await refusal_of(taught.come("Di", address="10.0.0.3"))
        # Whoever has lost their phone is told how to have their seat again.
        lost = messages.JoinClass(taught.opened.code, "k" * 24, name="Bo")
        assert "Bo is in the class already" in await refusal_of(taught.classes.join(lost, "10.0.0.3"))
        # Who is in comes back all the same.
        await taught.come("Ann")
        await taught.does("unlock")
        await taught.come("Di", address="10.0.0.3")
        board = await taught.board()
        assert [(one.number, one.name) for one in board.pupils] == [(1, "Ann"), (2, "Bo"), (4, "Di")]
        # Who was sent out stays out: the same device gets no seat, and the name is not to be had.
        assert "from this device" in await refusal_of(taught.come("Cy", address="10.0.0.2"))


async def test_names_are_drawn_or_numbers_of_a_list_that_stays_with_the_teacher(store: SqlStore) -> None:
    async with teaching(store, names="animals") as taught:
        await taught.come("x", "y", "z")
        names = {seated.seat.name for seated in taught.seats.values()}
        assert len(names) == 3
        assert not names & {"x", "y", "z"}
        # The page says so: a typed name is not replaced without a word.
        assert {seated.seat.names for seated in taught.seats.values()} == {"animals"}
    async with teaching(store, names="roster", roster=30) as taught:
        await taught.come("07")
        assert taught.seats["07"].seat.name == "7"
        assert "from 1 to 30" in await refusal_of(taught.come("31"))
        assert "7 is in the class already" in await refusal_of(taught.come("7"))
    async with teaching(store, "Ann", "Bo") as taught:
        # Letters of double width.
        assert "Ann is in the class already" in await refusal_of(taught.come("\uff21nn"))
        assert "Ann is in the class already" in await refusal_of(taught.does("rename", pupil=2, name="\uff21nn"))


async def test_a_lost_phone_is_seated_again_with_one_tap_and_the_old_one_opens_nothing(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        old, before = taught.seats["Ann"], await taught.sees("Ann")
        assert before.match is not None
        room = await taught.hub.room(before.match)
        assert before.seat is not None
        assert await taught.hub.seated(room, before.token) == [before.seat - 1]
        # Somebody else who types that name is refused, or waits for the teacher, and sees nothing of the game.
        assert "in the class already" in await refusal_of(taught.classes.join(_wish(taught, "ann"), "10.0.0.1"))
        new = await taught.classes.join(_wish(taught, "ann", again=True), "10.0.0.1")
        assert new.seat.waits
        assert new.seat.match is new.seat.token is None
        assert (await taught.board()).pupils[0].knocks
        await taught.does("reseat", pupil=1)
        taught.seats["Ann"] = new
        after = await taught.sees("Ann")
        assert (after.match, after.seat, after.waits) == (before.match, before.seat, False)
        assert after.token != before.token
        assert await taught.hub.seated(room, after.token) == [before.seat - 1]
        assert await taught.hub.seated(room, before.token) == []
        with pytest.raises(Refusal, match="another device"):
            await taught.classes.as_pupil(taught.opened.classroom, old.token)


async def test_who_only_asks_for_a_seat_does_nothing_from_it_is_not_there_and_may_be_turned_away(
    store: SqlStore,
) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("ask", guess=True)
        eve = await taught.classes.join(_wish(taught, "Ann", again=True), "10.0.0.1")
        live = await taught.live()
        for act in (messages.PupilAct("raise"), messages.PupilAct("answer", question=1, answer="0")):
            assert "not yours yet" in await refusal_of(taught.classes.act(live, eve.token, act))
        assert (live.state.question is not None, live.state.question and dict(live.state.question.answers)) == (
            True,
            {},
        )
        # They read what happens, and Ann is away all the same.
        stream = await class_routes.ClassStream.of(taught.classes, taught.opened.classroom, eve.token)
        stream.come()
        assert b'"waits":true' in await stream.next_line()
        taught.clock.now += AWAY_AFTER + 1
        await taught.classes.tick(live, taught.hub.time.now())
        assert [one.here for one in (await taught.board()).pupils] == [False, False]
        assert not (await taught.does("refuse", pupil=1)).pupils[0].knocks
        assert "Nobody asks" in await refusal_of(taught.does("reseat", pupil=1))
        assert b'"gone":true' in await stream.next_line()
        stream.leave()
        # The first who asks stays until the teacher answers, who reads the number on that device.
        lost = await taught.classes.join(_wish(taught, "Ann", again=True), "10.0.0.1")
        late = await code_of(taught.classes.join(_wish(taught, "Ann", again=True), "10.0.0.1"))
        assert late[0] == "class-asked-already"
        numbers = [one.device_number for one in (await taught.board()).pupils]
        assert numbers == [lost.seat.device_number, None]
        assert numbers[0] in range(100, 1000)
        assert (await taught.sees("Ann")).device_number is None
        stream = await class_routes.ClassStream.of(taught.classes, taught.opened.classroom, lost.token)
        stream.come()
        await taught.does("reseat", pupil=1)
        await stream.next_line()
        await taught.classes.tick(live, taught.hub.time.now())
        assert [one.here for one in (await taught.board()).pupils] == [True, False], "the seat is theirs"
        stream.leave()


async def test_a_name_is_changed_for_everybody_at_once(store: SqlStore) -> None:
    async with teaching(store, "Rude", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        await taught.does("rename", pupil=1, name="Ann")
        seat = await taught.sees("Bo")
        assert seat.opponent == "Ann"
        assert seat.match is not None
        assert "Rude" not in (await taught.hub.room(seat.match)).whole().decode()
        assert "is in the class already" in await refusal_of(taught.does("rename", pupil=2, name="ann"))


async def test_codes_are_not_found_by_guessing_and_a_class_that_mistypes_is_not_turned_away(store: SqlStore) -> None:
    async with teaching(store) as taught:
        wrong = next(code for code in ("BBBB", "CCCC") if code != taught.opened.code)
        for _ in range(59):
            guess = messages.JoinClass(wrong, secrets.token_urlsafe(18), name="Eve")
            assert "No class has that code" in await refusal_of(taught.classes.join(guess, "10.9.9.9"))
        # Right ones do not count.
        for name in ("Ann", "Bo", "Cy"):
            await taught.come(name, address="10.9.9.9")
        await refusal_of(taught.classes.join(guess, "10.9.9.9"))
        assert "Too many wrong codes" in await refusal_of(taught.classes.join(guess, "10.9.9.9"))
        await taught.come("Di", address="10.9.9.8")
        taught.clock.now += 60
        allowed = 0
        while "No class" in await refusal_of(taught.classes.join(guess, "10.9.9.9")):
            allowed += 1
        assert allowed == 3, "three in a minute"


def _wish(taught: Taught, name: str, **more: Any) -> messages.JoinClass:
    return messages.JoinClass(taught.opened.code, secrets.token_urlsafe(18), name=name, **more)


# ---- playing


async def test_an_arena_seats_everybody_counts_what_they_win_and_seats_them_again(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy", "Di") as taught:
        assert (await taught.board()).phase == "lobby"
        await taught.does("begin")
        await taught.seconds(1)
        board = await taught.board()
        assert [table.pupils for table in board.tables] == [(1, 2), (3, 4)]
        await taught.play("Ann")
        board = await taught.board()
        assert board.played == 1
        assert sum(one.points for one in board.pupils) == 1
        await taught.play("Cy")
        await taught.seconds(1)
        board = await taught.board()
        running = [set(table.pupils) for table in board.tables if table.outcome is None]
        assert len(running) == 2
        assert {1, 2} not in running, "somebody new, where somebody else is free"
        assert all(one.played == 1 for one in board.pupils)


async def test_nobody_pays_for_a_game_that_another_has_left(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        first = await taught.sees("Ann")
        mover = "Ann" if first.seat == 1 else "Bo"
        stays = "Bo" if mover == "Ann" else "Ann"
        taught.away.add(mover)
        await taught.seconds(GONE_FOR + 25)
        board = await taught.board()
        assert board.played == 0
        assert [one.points for one in board.pupils] == [0, 0]
        seat = await taught.sees(stays)
        assert seat.match != first.match
        assert seat.opponent is None, "the computer has stepped in"


async def test_a_game_against_the_computer_waits_for_who_is_away(store: SqlStore) -> None:
    async with teaching(store, "Ann", way="computer") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        match = (await taught.sees("Ann")).match
        taught.away.add("Ann")
        await taught.seconds(GONE_FOR + 25)
        assert [table.seating.match for table in (await taught.live()).state.running] == [match]


async def test_the_game_of_who_is_sent_out_stops_at_once_and_the_other_is_free(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        board = await taught.does("remove", pupil=1)
        assert (await taught.live()).state.running == []
        assert (await taught.sees("Bo")).free
        assert board.played == 0


async def test_a_phone_that_has_gone_without_a_goodbye_is_noticed(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_routes, "LASTS", 0.05)
    async with teaching(store, "Ann") as taught:
        name, live = taught.opened.classroom, await taught.live()
        teacher = await class_routes.ClassStream.of(taught.classes, name, taught.opened.token)
        stream = await class_routes.ClassStream.of(taught.classes, name, taught.seats["Ann"].token)
        stream.come()
        assert b'"seat"' in await stream.next_line()
        assert (await taught.board()).pupils[0].here
        # Nothing comes from there, and no end either: it is the server that ends it, and the page asks anew.
        while not stream.over:
            await stream.next_line()
        stream.leave()
        assert not teacher.over
        taught.clock.now += AWAY_AFTER + 1
        await taught.classes.tick(live, taught.hub.time.now())
        assert not (await taught.board()).pupils[0].here


async def test_in_a_round_who_was_left_alone_has_the_point_and_the_round_ends(store: SqlStore) -> None:
    # Cy, who is left over, plays the computer.
    async with teaching(store, "Ann", "Bo", "Cy", way="rounds", rounds=2) as taught:
        await taught.seconds(1)
        board = await taught.does("begin", key="once")
        assert board.round == 1
        assert (await taught.does("begin", key="once")).round == 1
        first = await taught.sees("Ann")
        mover, stays = ("Ann", "Bo") if first.seat == 1 else ("Bo", "Ann")
        taught.away |= {mover, "Cy"}
        await taught.seconds(GONE_FOR + 10)
        assert (await taught.board()).phase == "playing", "there is nobody else to play until the next round"
        await taught.seconds(GONE_IN_ROUND - GONE_FOR)
        board = await taught.board()
        assert board.phase == "between"
        assert {one.name: one.points for one in board.pupils} == {stays: 1, mover: 0, "Cy": 0}
        assert board.played == 0


async def test_a_pause_holds_every_game_and_the_time_and_hints_are_up_to_the_teacher(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        board = await taught.does("pause")
        left = board.left
        await taught.seconds(100)
        assert (await taught.board()).left == left
        assert "paused the class" in await refusal_of(taught.play("Ann", 1))
        await taught.does("resume")
        await taught.play("Ann", 1)
        seat = await taught.sees("Ann")
        assert seat.match is not None
        room = await taught.hub.room(seat.match)
        with pytest.raises(Refusal, match="without hints"):
            await taught.hub.allowed(room.state.header, None)
        with pytest.raises(Refusal, match="without hints"):
            await taught.hub.do(room, [0], wire.AskHint(room.state.ply, 1))


async def test_when_the_class_ends_every_game_stops_and_nothing_is_counted_for_it(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy") as taught:
        await taught.does("begin")
        await taught.seconds(10)
        board = await taught.does("end")
        assert board.phase == "over"
        assert [table.outcome.reason for table in board.tables if table.outcome] == ["class-stopped"] * 2
        assert board.played == 0
        assert "The class is over" in await refusal_of(taught.come("Di"))
        assert (await taught.sees("Ann")).phase == "over"


# ---- questions


async def test_answers_stay_hidden_until_they_are_uncovered_and_only_the_last_one_counts(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy", way="position") as taught:
        await taught.hub.thinking.start()
        try:
            await taught.does("begin")
            await taught.does("ask", after=["5"], key="a")
            board = await taught.does("ask", after=["5"], key="a")
            assert board.question is not None
            assert board.question.number == 1, "the same request asks once"
            for name, move in (("Ann", "1"), ("Bo", "7"), ("Ann", "7"), ("Cy", "2")):
                await taught.asks(name, "answer", question=1, answer=move)
            assert "none of the answers" in await refusal_of(taught.asks("Bo", "answer", question=1, answer="5"))
            seat = await taught.sees("Ann")
            assert seat.question is not None
            assert (seat.question.yours, seat.question.answered, seat.question.bars) == ("7", 3, [])
            other = (await taught.sees("Cy")).question
            assert other is not None
            assert other.yours == "2", "nobody sees what another has chosen"
            board = await taught.does("uncover")
            assert board.question is not None
            bars = {bar.answer: (bar.count, bar.right) for bar in board.question.bars}
            assert bars == {"7": (2, True), "2": (1, False), "9": (0, True)}
            assert board.question.why
            assert "uncovered already" in await refusal_of(taught.asks("Bo", "answer", question=1, answer="1"))
            pupils = (await taught.classes.report(await taught.live())).pupils
            assert [(one.answered, one.right) for one in pupils] == [(1, 1), (1, 1), (1, 0)]
            # A guess: what is the chance of whoever begins?
            board = await taught.does("ask", guess=True)
            assert board.question is not None
            assert board.question.options == ["0", "25", "50", "75", "100"]
            board = await taught.does("uncover")
            assert board.question is not None
            assert board.question.exact == 1
            assert [bar.answer for bar in board.question.bars if bar.right] == ["100"]
        finally:
            await taught.hub.thinking.close()


async def test_what_the_class_misunderstands_is_found_in_its_games_and_survives_a_kill(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.hub.thinking.start()
        await taught.does("begin")
        await taught.seconds(1)
        await taught.play("Ann")
        live = await taught.live()
        await taught.looked_through()
        found = await taught.classes.figures(live)
        report = await taught.classes.report(live)
        sheet = await taught.classes.worksheet(live)
        assert all(f"<h3>{number}. " in sheet for number in (1, 2, 3))
        await taught.hub.thinking.close()
        assert (found.games, found.waiting) == (1, 0)
        assert found.exact == 1
        assert found.missed
        missed = found.missed[0]
        assert missed.wrong >= 1
        assert sum(choice.count for choice in missed.choices) == missed.times
        assert any(choice.right for choice in missed.choices)
        assert missed.after == [line.entry for line in missed.position.history]
        assert sum(of for _, of in (one.moments for one in report.pupils)) == found.of
        assert any(one.slip_times for one in report.pupils)
        await taught.again()
        await taught.hub.thinking.start()
        live = await taught.live()
        await taught.settled()
        await taught.looked_through()
        assert (await taught.classes.figures(live)).missed == found.missed
        await taught.hub.thinking.close()


@pytest.mark.parametrize(
    ("opener", "spenders"),
    [("10.0.0.9", ["10.0.0.9"]), ("2001:db8:7:1::/64", [f"2001:db8:7:{at}00::/64" for at in range(1, 6)])],
    ids=["address", "site"],
)
async def test_whoever_opened_a_class_pays_for_all_that_is_thought_in_it(
    opener: str, spenders: list[str], store: SqlStore
) -> None:
    nim = 'title = "Nim"\nnumbers = { kind = "any", to = 3 }\ntotals = { whose = "heaps", begin = [3, BEGIN] }\n'
    games = [link(nim.replace("BEGIN", begin) + 'turn.operations = "-"\n') for begin in "456"]
    async with teaching(store, "Ann", "Bo", game=games[0], address=opener) as taught:
        hub, classes, paid = taught.hub, taught.classes, list[str]()
        spent = hub.thinking.spent

        def pay(who: str, seconds: float) -> None:
            paid.append(who)
            spent(who, seconds)

        hub.thinking.spent = pay
        await hub.thinking.start()
        try:
            puzzle = await hub.think(tasks.AskPuzzle(game=games[0], seed="7"), hub.owner(opener))
            assert isinstance(puzzle, tasks.Made)
            await taught.does("begin")
            await taught.seconds(1)
            await taught.play("Ann")
            await taught.looked_through()
            assert (await classes.figures(await taught.live())).exact == 1
            await taught.does("ask", after=["1:1"])
            await taught.does("uncover")
            assert "<h3>1. " in await classes.worksheet(await taught.live())
            assert len(paid) == 5
            assert set(paid) == {payer(hub.owner(opener))}
            another, stranger = [
                await classes.live((await classes.open(messages.NewClass(games[at]), address)).classroom)
                for at, address in ((1, opener), (2, "10.0.0.8"))
            ]
            while any(hub.gate.thought.begins(payer(hub.owner(one))) for one in spenders):
                pass
            await is_refused(classes.figures(another), "too-many")
            for again in ("worksheet", "figures"):
                assert await getattr(classes, again)(await taught.live()), "what is known already is free"
            await taught.does("ask", after=["1:2"])
            await is_refused(taught.does("uncover"), "too-many")
            await is_refused(taught.does("ask", puzzle=f"{games[1]}.7-1"), "too-many")
            assert (await classes.figures(stranger)).exact is not None
        finally:
            await hub.thinking.close()


# ---- kills, and what is left


async def test_a_kill_between_any_two_steps_loses_no_result_and_counts_none_twice(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy", "Di") as taught:
        await taught.does("begin")
        played: dict[str, int | None] = {}
        for step in range(12):
            await taught.seconds(1)
            board = await taught.board()
            name = ("Ann", "Bo", "Cy", "Di")[step % 4]
            seat = await taught.sees(name)
            if seat.match is not None and not seat.free:
                room = await taught.hub.room(seat.match)
                # The class does not hear of it: it was killed before.
                for watcher in [*room.watchers]:
                    room.watchers.discard(watcher)
                await taught.play(name, 1000 if step % 3 else 2)
                if room.state.over:
                    assert room.state.outcome is not None
                    played[seat.match] = room.state.outcome.winner
            await taught.again()
            await taught.settled()
            assert all(one.here for one in (await taught.board()).pupils), "nobody is away because the server was"
        board = await taught.board()
        assert len(played) >= 4
        assert board.played == len(played)
        assert sum(one.points for one in board.pupils) == len(played)


async def test_what_a_store_that_was_away_could_not_do_at_the_tables_is_done_when_it_is_back(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        with pytest.MonkeyPatch.context() as patch:

            async def away(*_: object) -> bool:
                raise StoreError("away")

            patch.setattr(taught.hub.store, "append", away)
            await taught.does("rename", pupil=1, name="Anna")
        seat = await taught.sees("Ann")
        assert seat.match is not None
        room = await taught.hub.room(seat.match)
        assert "Anna" not in room.state.names
        await taught.seconds(1)
        assert "Anna" in room.state.names


async def test_two_servers_carry_out_the_same_class(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy", "Di") as one:
        await one.does("begin")
        # Neither hears of what the other does until it asks.
        two = Taught(Classes(hub_of(store, one.clock), lambda: 1), one.clock, one.opened)
        both = (one, two)
        for taught in both:
            await taught.live()
        for _ in range(3):
            one.clock.now += 1
            for taught in both:
                (await taught.live()).stay(range(1, 5), taught.hub.time.now())
            await asyncio.gather(*(taught.seconds(1) for taught in both))
        for taught in both:
            (await taught.live()).behind = True
        boards = [await taught.board() for taught in both]
        assert [table.match for table in boards[0].tables] == [table.match for table in boards[1].tables]
        assert len(boards[0].tables) == 2
        # A game that is over is taken down by both, and counts once.
        await one.play("Ann")
        (await two.live()).behind = True
        for taught in both:
            await taught.seconds(1)
            (await taught.live()).behind = True
        assert [(await taught.board()).played for taught in both] == [1, 1]
        await two.hub.close()


async def test_one_site_holds_a_quarter_of_the_free_classes_at_most_until_the_server_is_full(store: SqlStore) -> None:
    async with hub_at(store, Limits(classes=16)) as hub:
        open_one = partial(Classes(hub).open, messages.NewClass("sumquest"))
        at_once = await asyncio.gather(*(open_one("2001:db8::/64") for _ in range(6)), return_exceptions=True)
        assert [isinstance(one, Refusal) for one in at_once] == [False] * 3 + [True] * 3
        assert (await code_of(open_one("2001:db8:0:ff::/64")))[0] == "class-share", "all of a site share it"
        for number in range(13):
            await open_one(f"10.0.0.{number}")
        assert await code_of(open_one("10.0.1.1")) == ("class-many", 60.0)


async def test_after_the_seconds_of_retry_after_what_was_too_much_goes_through(store: SqlStore) -> None:
    async with teaching(store, "Ann") as taught:
        classes, live, ann = taught.classes, await taught.live(), taught.seats["Ann"].token

        async def asks_for_a_seat() -> None:
            await classes.join(_wish(taught, "Ann", again=True), "10.0.0.1")
            await taught.does("refuse", pupil=1)

        async def raises_a_hand() -> None:
            await classes.act(live, ann, messages.PupilAct("raise"))

        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "class-guessed": lambda: classes.join(messages.JoinClass("ZZZZ", "k" * 24), "10.0.0.1"),
            "class-opened": lambda: classes.open(messages.NewClass("sumquest"), "10.0.0.9"),
            "class-asked-much": asks_for_a_seat,
            "class-much": raises_a_hand,
        }
        for code, ask in asked.items():
            while (refused := await code_of(ask()))[0] != code:
                continue
            taught.clock.now += refused[1]
            assert (await code_of(ask()))[0] != code


async def test_a_class_of_which_nobody_reads_is_kept_on_disk_alone(store: SqlStore) -> None:
    async with teaching(store, "Ann") as taught:
        live, forgotten = await taught.live(), []
        for seconds in (IDLE_AFTER, 1):
            taught.clock.now += seconds
            await taught.classes.tick(live, taught.hub.time.now())
            forgotten.append(live.forgotten)
        assert forgotten == [False, True]
        assert [one.name for one in (await taught.board()).pupils] == ["Ann"]


async def test_no_name_is_a_formula_to_a_spreadsheet(store: SqlStore) -> None:
    async with teaching(store, "=1+1") as taught:
        table = table_of(await taught.classes.report(await taught.live()))
        assert table.splitlines()[1].startswith("1,'=1+1,")


async def test_a_game_that_a_pupil_has_not_begun_makes_no_room_for_others(store: SqlStore) -> None:
    async with teaching(store, "Ann", way="computer") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        untouched = (await taught.hub.create(wire.NewMatch("sumquest", opponent="easy"))).match
        assert await store.clear_untouched(taught.hub.time.now() + 1e6, 100) == [untouched]
        assert len((await taught.board()).tables) == 1


async def test_records_of_a_class_are_written_nowhere_else(store: SqlStore, tmp_path: Path) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        await taught.play("Ann")
        own = await taught.hub.create(wire.NewMatch("sumquest", opponent="screen"))
        await taught.hub.do(await taught.hub.room(own.match), [0, 1], wire.Act(0, "resign"))
        assert await export(store, str(tmp_path / "records")) == 1
        assert [path.name for path in (tmp_path / "records").iterdir()] == [f"sumquest-{own.match}.nq"]


async def test_all_of_a_class_is_gone_from_the_file_after_a_day_or_at_once(address: str, store: SqlStore) -> None:
    names = ("Quisquilla", "Xenophon", "Zarathustra")
    async with teaching(store, *names) as kept, teaching(store, "Persephone") as erased:
        for taught in (kept, erased):
            await taught.does("begin")
            await taught.seconds(8)
            await taught.does("rename", pupil=1, name=f"{taught.opened.code} renamed")
        await kept.play("Quisquilla", 3)
        before = await stored(address)
        assert any(word in before for word in (b"Persephone", b"Xenophon"))
        match, token = (await erased.sees("Persephone")).match or "", erased.seats["Persephone"].token
        reader = await class_routes.ClassStream.of(erased.classes, erased.opened.classroom, token)
        reader.come()
        await reader.next_line()
        await erased.classes.teach(await erased.live(), messages.TeacherAct("erase"))
        assert b'"erased":true' in await reader.next_line()
        assert b"Persephone" not in await stored(address)
        assert "no match of that name" in await refusal_of(erased.hub.room(match))
        assert b"Xenophon" in await stored(address), "the other class is as it was"
        with pytest.raises(Refusal, match="no such class"):
            await erased.board()
        # The other one when its time is up.
        kept.clock.now += DAY + 1
        await kept.classes.erase_due()
        left = await stored(address)
        assert not any(name.encode() in left for name in names)
        assert kept.opened.classroom.encode() not in left
        assert b"renamed" not in left
        with closing(sqlite3.connect(address)) as db:
            for table in ("classes", "class_log", "matches", "log"):
                assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table  # noqa: S608


async def test_what_comes_for_a_game_that_was_erased_is_written_into_no_other_one(store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        await taught.play("Ann", 1)
        erased = (await taught.sees("Ann")).match or ""
        await taught.classes.erase(taught.opened.classroom)
        own = await taught.hub.create(wire.NewMatch("sumquest", opponent="screen"))
        assert not await store.append(erased, Move(1, 1, "", 0.0, "3"), over=False)
        found = await store.load(own.match)
        assert found is not None
        assert found[1] == []


async def test_a_server_that_runs_on_removes_a_class_when_its_day_is_over(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.server.classroom.classes.TICK", 0.01)
    async with teaching(store, "Ann") as taught:
        assert (await taught.board()).erased_in == DAY
        await taught.classes.start()
        taught.clock.now += DAY + 1
        async with asyncio.timeout(60):
            while await store.load_class(taught.opened.classroom) is not None:
                await asyncio.sleep(0.001)


async def test_pairing_goes_on_when_what_could_not_be_written_can_be(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numberquest.server.classroom.classes.TICK", 0.01)
    async with teaching(store, "Ann", "Bo") as taught:
        await taught.does("begin")
        live = await taught.live()
        await taught.classes.start()
        # Nothing can be written to the logs of classes.
        await store._change("ALTER TABLE class_log RENAME COLUMN event TO away")
        live.stay((1, 2), taught.hub.time.now())
        await until(lambda: taught.hub.log.errors["class"] > 1)
        await store._change("ALTER TABLE class_log RENAME COLUMN away TO event")
        await until(lambda: bool(live.state.running))
        assert taught.hub.stopped_tasks == set()


@pytest.fixture
def database() -> str:
    """An empty database of PostgreSQL."""
    return new_database()


async def test_who_comes_in_at_another_server_while_a_class_is_read_for_the_first_time_is_not_missed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database) as store, hub_at(store) as hub, opened(database) as there, teaching(there) as taught:
        classes = Classes(hub)
        store.on_change(classes._changed_elsewhere)
        heard = heard_at(store)
        held = Held(store.load_class)
        monkeypatch.setattr(store, "load_class", held)
        looks = asyncio.create_task(classes.live(taught.opened.classroom))
        await held.asked.wait()
        await taught.come("Ann")
        await until(lambda: taught.opened.classroom in heard)
        held.answers.set()
        assert [one.name for one in (await looks).state.present] == ["Ann"]


async def test_of_a_class_that_was_erased_or_is_a_day_old_no_row_of_postgresql_knows_anything(database: str) -> None:
    names = ("Quisquilla", "Xenophon", "Persephone")
    async with (
        opened(database) as store,
        teaching(store, *names) as kept,
        teaching(store, "Zarathustra", "Zenobia") as erased,
    ):
        own = await kept.hub.create(wire.NewMatch("sumquest", opponent="screen", name="Own"))
        for taught in (kept, erased):
            await taught.does("begin")
            await taught.seconds(1)
        await kept.play("Quisquilla", 3)
        await erased.does("rename", pupil=1, name="Zorro")
        rows = (await stored(database)).decode("utf-8", "replace")
        assert all(word in rows for word in (*names, "Zorro", "Zenobia", kept.opened.classroom))
        await erased.classes.teach(await erased.live(), messages.TeacherAct("erase"))
        rows = (await stored(database)).decode("utf-8", "replace")
        assert not [word for word in ("Zarathustra", "Zenobia", "Zorro", erased.opened.classroom) if word in rows]
        assert all(word in rows for word in names), "the other class is as it was"
        kept.clock.now += DAY + 1
        await kept.classes.erase_due()
        rows = (await stored(database)).decode("utf-8", "replace")
        assert not [word for word in (*names, kept.opened.classroom, kept.opened.code) if word in rows]
        assert own.match in rows, "what is no class's stays"


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_class_in_which_nobody_has_come_in_is_removed_after_an_hour(kind: str, address: str) -> None:
    async with (
        opened(address if kind == "sqlite" else await asyncio.to_thread(new_database)) as store,
        teaching(store) as empty,
        teaching(store, "Ann") as taught,
    ):
        for one in (empty, taught):
            await one.does("lock")
        assert [(await one.board()).erased_in for one in (empty, taught)] == [HOUR, DAY]
        there = []
        for later in (HOUR - 1, 2):
            empty.clock.now += later
            await empty.classes.erase_due()
            there.append([await store.load_class(one.opened.classroom) is not None for one in (empty, taught)])
        assert there == [[True, True], [False, True]]


async def test_matches_that_an_erased_class_has_left_behind_are_removed_at_start(address: str, store: SqlStore) -> None:
    async with teaching(store, "Quisquilla", "Xenophon") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        # As a version before this one left it.
        await store._change("DELETE FROM classes")
        assert b"Xenophon" in await stored(address)
        again = hub_of(store, taught.clock)
        await Classes(again).start()
        assert b"Xenophon" not in await stored(address)
        await again.close()


async def test_a_server_that_was_switched_off_overnight_removes_what_is_a_day_old_when_it_starts(
    store: SqlStore,
) -> None:
    async with teaching(store, "Ann") as taught:
        for later, there in ((DAY - 60, True), (DAY + 60, False)):
            hub = hub_of(store, taught.clock, partial(sum, (time.time(), later)))
            classes = Classes(hub)
            await classes.start()
            assert (await store.load_class(taught.opened.classroom) is not None) == there
            await hub.close()


async def test_a_log_with_a_gap_is_found_by_the_check(address: str, store: SqlStore) -> None:
    async with teaching(store, "Ann", "Bo", "Cy"):
        assert check_file(address).wrong == []
    with closing(sqlite3.connect(address)) as db:
        db.execute("DELETE FROM class_log WHERE number = 1")
        db.commit()
    assert "an event of its log is missing" in check_file(address).wrong[0]


async def test_of_a_game_with_secrets_the_projector_shows_no_more_than_whoever_watches_may_see(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES, "_brought", {kind.slug: kind for kind in SECRET_KINDS})
    async with teaching(store, "Ann", "Bo", game="goofspiel") as taught:
        await taught.does("begin")
        await taught.seconds(1)
        await taught.play("Ann", 1)
        seat = await taught.sees("Ann")
        assert seat.match is not None
        room = await taught.hub.room(seat.match)
        assert room.state.line.position.bid is not None
        board = (await taught.board()).tables[0].board
        assert board["bid"] is None
        assert "no position" in await refusal_of(taught.does("ask", after=["1"]))
