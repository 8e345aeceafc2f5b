"""Looks at the released games of gg-bench, and writes the table of docs/gg-bench.md.

    git clone https://github.com/vivek3141/gg-bench
    python docs/gg_bench.py gg-bench --kept build/gg-bench.jsonl

Each game is looked at by `numberquest import`, in a process of its own. What was found is kept in a file, so that one
can go on later, also with more patience: a game that was not settled is then looked at again.
"""

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).parent / "gg-bench.md"
BEGIN, END = "<!-- the table -->\n", "<!-- its end -->"
MEMORY: Final = 6_000_000_000
HEAD: Final = """\
| game | positions | chance | with best play | ends won by 1, 2, nobody | besides |
|---:|---:|---|---|---|---|
"""


def looked_at(file: Path, patience: int) -> dict[str, Any]:
    """What `import` says of one game; in place of that, why it says nothing."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (3 * patience + 30, 3 * patience + 30))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-m", "numberquest", "import", str(file), "--json", "--patience", str(patience)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)
    if done.returncode == 0:
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures
    words = (done.stderr.strip().splitlines() or ["one move takes too long"])[-1]
    return {"complete": False, "positions": None, "refused": words.rpartition("env_")[2].partition(": ")[2] or words}


def row(number: int, figures: dict[str, Any]) -> str:
    """A row of the table."""
    if figures.get("refused"):
        return f"| {number} | – | – | – | – | cannot be played: {figures['refused']} |"
    settled = figures["complete"]
    positions = f"{figures['positions']:,}" if settled else f"> {figures['positions']:,}"
    ends = " · ".join(f"{count:,}" for count in figures["ends"].values()) if settled else ""
    luck = "yes" if figures["chance"] else "no"
    return f"| {number} | {positions} | {luck} | {verdict(figures)} | {ends} | {'; '.join(besides(figures))} |"


def verdict(figures: dict[str, Any]) -> str:
    """Who wins."""
    if not figures["complete"]:
        return ""
    if figures["winner"] is not None:
        return f"Player {figures['winner']} in {figures['moves']}"
    if figures["chance"]:
        return f"Player 1 gets {100 * figures['value']:.1f} %"
    return "never decided, or a draw" if figures["repeats"] else "a draw"


def besides(figures: dict[str, Any]) -> Iterator[str]:
    """What is strange about a game."""
    if figures["raises"]:
        yield f"breaks off: {figures['raises']}"
    elif not figures["deterministic"]:
        yield "the same moves do not come to the same"
    if figures["repeats"]:
        yield "can go round in circles"


def summary(found: dict[int, dict[str, Any]]) -> str:
    """The table in a few figures."""
    rows = [figures for figures in found.values() if not figures.get("refused")]
    plain = [figures for figures in rows if not figures["chance"]]
    solved = [figures for figures in plain if figures["complete"]]
    first, second = (sum(figures["winner"] == seat for figures in solved) for seat in (1, 2))
    lucky = [figures for figures in rows if figures["chance"]]
    waited = min((figures["patience"] for figures in found.values() if not figures["complete"]), default=0)
    least = f" Each of the others was given at least {waited} seconds of work." if waited else ""
    return (
        f"Of {len(found)} games {len(plain)} showed no chance; {len(solved)} of these were settled: Player 1 wins "
        f"{first}, Player 2 wins {second}, nobody can force a win in {len(solved) - first - second}. Of {len(lucky)} "
        f"with chance {sum(figures['complete'] for figures in lucky)} were settled.{least}\n\n"
    )


def main() -> None:
    """Look at what is not known yet, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--patience", type=int, default=25, help="seconds of work for a game")
    parser.add_argument("--kept", type=Path, default=Path("gg-bench.jsonl"))
    options = parser.parse_args()
    data = options.checkout / "gg_bench" / "data"
    numbers = sorted(int(each[0]) for each in json.loads((data / "splits" / "valid_envs.json").read_text()))
    lines = options.kept.read_text().splitlines() if options.kept.exists() else []
    found: dict[int, dict[str, Any]] = {figures["number"]: figures for figures in map(json.loads, lines)}
    for number in numbers:
        before = found.get(number)
        if before and (before["complete"] or before.get("raises") or before["patience"] >= options.patience):
            continue
        figures = looked_at(data / "envs" / f"env_{number}.py", options.patience)
        found[number] = {"number": number, "patience": options.patience, **figures}
        with options.kept.open("a") as kept:
            kept.write(json.dumps(found[number]) + "\n")
    found = {number: found[number] for number in numbers}
    table = BEGIN + "\n" + summary(found) + HEAD + "".join(f"{row(*each)}\n" for each in found.items()) + "\n"
    before_it, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before_it + table + END + rest.partition(END)[2])


if __name__ == "__main__":
    main()
