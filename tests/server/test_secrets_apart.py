"""A game with secrets on two servers: who may not know what is different in them is told the same, to the byte."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from numberquest.core import dealer as dealers
from numberquest.core.contract import CHANCE, Game
from numberquest.core.dealer import Dealer
from numberquest.core.match import led_to
from numberquest.core.record import Record
from numberquest.core.registry import GAMES
from numberquest.explain.puzzle import NoPuzzles
from numberquest.server import boards, wire
from numberquest.server.think import messages, tasks
from numberquest.solver import solve
from tests.own.secret.games import PATHS, VIEWERS, History, histories, pairs, secret_games
from tests.server.two_worlds import World, Worlds
from tests.server.websocket import request

SECRET = secret_games()
SEAL = re.compile(rb'"sealed":"[0-9a-f]{64}"')
"""What a choice is sealed with depends on the choice, and tells nothing to who has not the seed."""


@pytest.fixture(autouse=True)
def games_at_hand() -> None:
    for name, kind in SECRET.items():
        GAMES.add(type(kind), PATHS[name], listed=False)


def chance_in(game: Game[Any], history: History) -> list[str]:
    found, p = [], game.start()
    for entry in history:
        if game.player(p) == CHANCE:
            found.append(entry)
        p = game.play(p, entry)
    return found


def sealed(game: Game[Any], history: History) -> Dealer:
    """The dealer that brings what chance brings there."""
    drawn = chance_in(game, history)
    rest = [card for card in map(str, game.deck) if card not in drawn]
    deal = tuple(int(card) for card in (*drawn, *rest)) if game.deck else tuple(drawn)
    return Dealer(deal, "0" * 32, commitment="c" * 64)


async def heard(world: World, game: Game[Any], history: History, who: int | None, key: str = "") -> list[bytes]:
    """All that somebody hears of a game with these moves: live, in a stream, and in answer to whatever they ask."""
    new = {"game": game.slug, "opponent": "friend", "name": "Ann", "key": key.rjust(24, "k")}
    made = json.loads((await world.ask("POST", "/api/matches", new))[1].partition(b"\r\n\r\n")[2])
    path = f"/api/matches/{made['match']}"
    invited = {"invite": made["invite"], "name": "Bob", "key": key.rjust(24, "j")}
    joined = json.loads((await world.ask("POST", f"{path}/join", invited))[1].partition(b"\r\n\r\n")[2])
    tokens = made["token"], joined["token"]
    token = None if who is None else tokens[who]
    said: list[bytes] = []
    own = (f"Authorization: Bearer {token}",) if token else ()
    watching = await world.watch(made["match"], token)
    watching.append(world.visit(request("GET", f"{path}/events", *own), world.heard))
    p = game.start()
    for ply, entry in enumerate(["", *history]):
        if entry:
            mover = game.player(p)
            p = game.play(p, entry)
            if mover == CHANCE:
                continue
            state = json.loads((await world.ask("GET", path, None, tokens[mover]))[1].partition(b"\r\n\r\n")[2])
            wish = {"ply": state["ply"], "move": entry, "key": f"m{ply}"}
            answer = await world.ask("POST", f"{path}/moves", wish, tokens[mover])
            assert answer[0] == 200
            said += [answer[1]] if mover == who else []
        await world.settle(made["match"])
        asked: list[tuple[str, str, Any]] = [("GET", path, None), ("GET", f"{path}/record", None)]
        asked += [("GET", f"{path}/review", None), ("POST", f"{path}/hints", {"ply": 1, "step": 3})]
        asked += [("POST", f"{path}/moves", {"ply": 1, "move": "?"}), ("GET", f"{path}/coach", None)]
        asked += [("POST", f"{path}/actions", {"ply": 1, "do": "take-back"})]
        said += [(await world.ask(*one, token))[1] for one in asked]
    # Who of those who look is told first is left open.
    said += sorted(world.heard)
    for line in watching:
        line.close()
    world.heard.clear()
    return [SEAL.sub(b"", one) for one in said]


async def compared(folder: Path, game: Game[Any], whos: Sequence[int | None], most: int) -> int:
    """Play pairs of games that look the same on two servers, and compare all that is said; how many these were."""
    worlds, played = await Worlds.made(folder, Random(0)), 0
    try:
        for who in whos:
            for one, two in pairs(game, who, most):
                told = []
                for world, history in zip(worlds.both, (one, two), strict=True):
                    with pytest.MonkeyPatch.context() as patch:
                        patch.setattr(dealers, "sealed", lambda game, _=None, history=history: sealed(game, history))
                        told.append(await heard(world, game, history, who, f"{played}"))
                played += 1
                assert len(told[0]) > 8
                for first, second in zip(*told, strict=True):
                    assert first == second, (who, one, two)
        for world in worlds.both:
            world.log.close()
        logs = [world.lines.getvalue() for world in worlds.both]
        assert logs[0] == logs[1]
        return played
    finally:
        await worlds.close()


@pytest.mark.parametrize("name", PATHS)
def test_two_worlds_that_differ_in_what_is_secret_to_somebody_sound_the_same_to_them(tmp_path: Path, name: str) -> None:
    assert asyncio.run(compared(tmp_path, SECRET[name], VIEWERS, 1)) > 1


def test_a_world_that_shows_everybody_what_the_other_sees_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards.Shown, "board_for", lambda shown, line, _: shown.board_at(line))
    with pytest.raises(AssertionError, match="check"):
        asyncio.run(compared(tmp_path, SECRET["kuhn"], (1,), 1))


def test_everybody_is_shown_what_they_have_seen(tmp_path: Path) -> None:
    history = ("3", "1", "bet")

    async def told() -> list[wire.State]:
        worlds = await Worlds.made(tmp_path, Random(0))
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(dealers, "sealed", lambda game, _=None: sealed(game, history))
                found = []
                for who in VIEWERS:
                    said = await heard(worlds.both[0], SECRET["kuhn"], history, who, f"{who}")
                    bodies = [one.partition(b"\r\n\r\n")[2] for one in said if one.startswith(b"HTTP/1.1 200")]
                    states = [one for one in bodies if one.startswith(b"{")]
                    found.append(msgspec.json.decode(states[-1], type=wire.State))
                return found
        finally:
            await worlds.close()

    due: list[tuple[list[int | None], list[str], list[str]]] = [
        ([3, None], ["3", "?", "bet"], []),
        ([None, 1], ["?", "1", "bet"], ["call", "fold"]),
        ([None, None], ["?", "?", "bet"], []),
    ]
    for state, (cards, entries, moves) in zip(asyncio.run(told()), due, strict=True):
        assert state.secrets
        assert state.board["cards"] == cards
        assert [line.entry for line in state.history] == entries
        assert [option.move for option in state.moves] == moves
        assert all(option.ends is None for option in state.moves)


@pytest.mark.parametrize("name", PATHS)
def test_lessons_puzzles_reviews_and_the_list_of_games_speak_of_games_with_secrets(name: str) -> None:
    game = SECRET[name]
    steps = messages.lesson_message(game.slug).steps
    assert all(option.ends is None for step in steps for option in step.moves)
    played = led_to(game, next(one for one in histories(game) if not game.moves(led_to(game, one, "1").position)), "1")
    record = Record(played)
    review = messages.review_message(record, record.text(), solve(game))
    assert review.mixing is not None
    one, two = review.given_away
    assert review.start - one + two + review.luck + sum(review.mixing) == pytest.approx(review.end)
    assert all(step.reveal or step.options for step in review.steps)
    try:
        puzzle = messages.puzzle_message(tasks.AskPuzzle(game=game.slug, seed="1"))
    except NoPuzzles:
        return
    assert puzzle.record == ""
    judged = messages.judged_message(tasks.Judge(puzzle.id, puzzle.moves[0].move))
    assert judged.right == (judged.answers == [puzzle.moves[0].move])
