"""Sum Quest on other servers and on ours, measured in turns in one run, and what each loses when it is killed.

    python -m benchmarks.peers                    three rounds, then the kills
    python -m benchmarks.peers --json FILE        the same figures as JSON

100 players in pairs play one match after another as fast as they are told: server on one core, players on another. A
move counts when its player has been told, and its time runs from sending it to that. All players but ours are those of
`players.c`; ours are those of `benchmarks.load`, and every one of them picks its moves alike. The next match of a pair
is a rematch that both agree to on ours, a new match that both open on boardgame.io, the same room begun anew on
Colyseus, and only a new name in bare Node. PostgreSQL shares the server's core. On a machine that others use, each
server gets another share of its core, and the figures say nothing: then the table says so. Needs node, npm, cc, taskset
and PostgreSQL; what is compared comes from npm into a temporary folder.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.peers.kills import KILLS, Lost, lost_by, lost_by_ours
from benchmarks.peers.peer import (
    PEERS,
    PLAYERS_CORE,
    SERVER_CORE,
    Figures,
    install,
    measured,
    measured_ours,
    taken_by_others,
)

OURS = "Number Quest"
QUIET = 0.05
"""What others may take of the machine."""


def line(name: str, kept: str, rounds: list[Figures]) -> str:
    """The middle of the rounds, and the range of what counts most."""
    speeds = [each.moves_per_second for each in rounds]
    middle = Figures(*(statistics.median(column) for column in zip(*rounds, strict=True)))
    return (
        f"{name:<29}{middle.moves_per_second:>8,.0f}{min(speeds):>9,.0f} to{max(speeds):>7,.0f}"
        f"{middle.p50_ms:>9.1f}{middle.p99_ms:>9.1f}{middle.server_busy:>8.0%}{middle.players_busy:>9.0%}   {kept}"
    )


def said(lost: list[Lost]) -> str:
    """What was lost, kill by kill."""
    unreadable = sum(each.unreadable for each in lost)
    moves = ", ".join(str(each.moves) for each in lost) + f" of {sum(each.shown for each in lost):,}"
    return moves + (f"; {unreadable} matches could not be read, and ended the server" if unreadable else "")


def main() -> int:
    """Install, measure, print, and write JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--kills", type=int, default=KILLS, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    figures: dict[str, list[Figures]] = {name: [] for name in (*(peer.name for peer in PEERS), OURS)}
    lost: dict[str, list[Lost]] = {}
    others: list[float] = []
    # On a real disk, not in memory, so that a sync costs what it costs.
    with tempfile.TemporaryDirectory(prefix="peers-", dir=".") as name:
        folder = Path(name).resolve()
        print("installing …", file=sys.stderr)
        versions = install(folder)
        # What is started from here on, PostgreSQL too, is the server's; the players choose their own core.
        os.sched_setaffinity(0, {SERVER_CORE})
        for number in range(options.rounds):
            others.append(taken_by_others())
            for peer in PEERS:
                print(f"round {number + 1}: {peer.name} …", file=sys.stderr)
                figures[peer.name].append(measured(peer, folder))
            print(f"round {number + 1}: {OURS} …", file=sys.stderr)
            figures[OURS].append(measured_ours(folder))
        kept = {
            **{peer.name: peer.kept for peer in PEERS},
            OURS: "SQLite, on disk before telling; rules, seats, records",
        }
        print(f"\n{'':<29}{'moves/s':>8}{'range':>19}{'p50 ms':>9}{'p99 ms':>9}{'server':>8}{'players':>9}   kept")
        for name, rounds in figures.items():
            print(line(name, kept[name], rounds), flush=True)
        if max(others, default=0) > QUIET:
            print(f"NOT A COMPARISON: others took up to {max(others):.0%} of the machine meanwhile", flush=True)
        for peer in (peer for peer in PEERS if peer.script == "boardgameio" and peer.store):
            print(f"killing {peer.name} …", file=sys.stderr)
            lost[peer.name] = [lost_by(peer, folder) for _ in range(options.kills)]
        print(f"killing {OURS} …", file=sys.stderr)
        os.sched_setaffinity(0, {PLAYERS_CORE})
        lost[OURS] = [lost_by_ours() for _ in range(options.kills)]

    print("\nshown moves lost at each kill -9:")
    for name, counts in lost.items():
        print(f"{name:<29}{said(counts)}")
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"\n{time.strftime('%Y-%m-%d')}, {machine}")
    print(", ".join(f"{key} {value}" for key, value in versions.items()))
    if options.json:
        data: dict[str, Any] = {
            "date": time.strftime("%Y-%m-%d"),
            "machine": machine,
            "python": platform.python_version(),
            "versions": versions,
            "taken_by_others": others,
            "rounds": {name: [each._asdict() for each in rounds] for name, rounds in figures.items()},
            "lost_on_kill": {name: [each._asdict() for each in counts] for name, counts in lost.items()},
        }
        options.json.write_text(json.dumps(data, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
