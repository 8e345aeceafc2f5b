"""Run all benchmarks, print a table, and write the same as JSON.

Every figure is a ratio to a reference measured in the same run, because the machines are shared and
noisy. Runs alternate between ours and the reference, and medians are compared.
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path

from benchmarks import (
    docs_table,
    envs_batch,
    envs_openspiel,
    envs_single,
    envs_truth,
    envs_vector,
    extras,
    play,
    solver,
    startup,
)
from benchmarks.row import Row

ENVIRONMENTS = (envs_single, envs_openspiel, envs_batch, envs_vector, extras)
PARTS = (startup, play, solver, *ENVIRONMENTS, envs_truth)


def main() -> int:
    """Measure, print, and exit with 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as JSON")
    parser.add_argument(
        "--docs", action="store_true", help="measure the environments alone, and write their tables into the documents"
    )
    options = parser.parse_args()
    rows: list[Row] = []
    for part in ENVIRONMENTS if options.docs else PARTS:
        print(f"measuring {part.__name__.rpartition('.')[2]} …", file=sys.stderr)
        rows += part.measure()
    print(f"\n{'what':<34}{'ours':>14}{'reference':>12}  {'of':<28}{'ratio':>10}  goal")
    for row in rows:
        print(row.line())
    if options.docs:
        docs_table.write(rows)
    data = {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "rows": [{**row._asdict(), "ratio": row.ratio, "met": row.met} for row in rows],
    }
    if options.json:
        options.json.write_text(json.dumps(data, indent=2) + "\n")
    else:
        print()
        print(json.dumps(data))
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
