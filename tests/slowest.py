"""Prints the slowest tests of a run, from the JUnit file that pytest wrote: python3 tests/slowest.py FILE COUNT."""

import sys
from pathlib import Path
from xml.etree.ElementTree import ParseError, parse


def slowest(file: Path, count: int) -> list[tuple[float, str]]:
    """Return the seconds and names of the slowest tests, with set-up and clean-up; none where no run was finished."""
    try:
        cases = parse(file).iter("testcase")  # noqa: S314  # our own tests wrote the file
    except ParseError:
        return []
    timed = [(float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}") for case in cases]
    return sorted(timed, reverse=True)[:count]


if __name__ == "__main__":
    print(f"\n{'seconds':>8}  test")
    for seconds, name in slowest(Path(sys.argv[1]), int(sys.argv[2])):
        print(f"{seconds:>8.1f}  {name}")
