"""What is lost when the server is killed: moves that a player was shown and that are not there after the restart."""

import asyncio
import random
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import uvloop

from benchmarks import load
from benchmarks.peers.peer import PLAYERS, SERVER_CORE, Peer, new_store, running, start_players

KILLS = 5


class Lost(NamedTuple):
    """What one kill has taken."""

    moves: int
    unreadable: int
    """Matches of which only half a file was left: asking for one ends the server that was started again."""
    shown: int


def before_the_kill() -> float:
    """Seconds of play, never the same."""
    return random.uniform(1, 3)


def lost_by(peer: Peer, folder: Path) -> Lost:
    """Play on boardgame.io, kill it, start it again, and ask for every match."""
    store = new_store(peer, folder)
    with running(peer, folder, store) as server:
        players = start_players(peer, folder, server.port, 0)
        if not players.stdout or players.stdout.readline() != "playing\n":
            raise ChildProcessError(f"the players of {peer.name} did not start")
        time.sleep(before_the_kill())
        server.process.kill()
        players.stdout.close()
        players.wait()
    shown: dict[str, int] = {}
    for line in (folder / "shown").read_text().splitlines():
        match, ply = line.split()
        shown[match] = max(shown.get(match, 0), int(ply))
    moves = unreadable = 0
    # The latest first: there is what was lost. Names that were never stored are made anew, with no move.
    left = list(reversed(shown))
    while left:
        with running(peer, folder, store) as server:
            look = ["node", "look.mjs", str(server.port)]
            asked = subprocess.run(
                look, cwd=folder, input="\n".join(left), stdout=subprocess.PIPE, text=True, check=True
            )
        found = dict(line.split() for line in asked.stdout.splitlines())
        for match, ply in found.items():
            unreadable += ply == "gone"
            moves += max(0, shown[match] - (0 if ply == "gone" else int(ply)))
        left = left[len(found) :]
    return Lost(moves, unreadable, sum(shown.values()))


def lost_by_ours() -> Lost:
    """Play on our server, kill it, start it again, and look every acknowledged move up."""
    tally = load.Tally()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        server = load.Server(Path(folder), SERVER_CORE)
        try:
            uvloop.run(played_until_killed(server, tally))
        finally:
            server.process.kill()
            server.process.wait()
        load.Server(Path(folder), SERVER_CORE).stop()
        missing = load.missing_on_disk(server.database, tally.acknowledged)
        return Lost(len(missing), 0, len(tally.acknowledged))


async def played_until_killed(server: load.Server, tally: load.Tally) -> None:
    """All players play until the server is gone, and read what it had still said."""
    players = await load.seat(server.port, PLAYERS, 0.0, ["sumquest"], tally)
    tally.playing = True
    for player in players:
        player.begin()
    while len(tally.acknowledged) < PLAYERS:
        await asyncio.sleep(0.05)
    await asyncio.sleep(before_the_kill())
    server.process.kill()
    while not all(player.transport.is_closing() for player in players):
        await asyncio.sleep(0.05)
