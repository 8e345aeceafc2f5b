"""How time and memory grow with the rules: python -m benchmarks.growth docs/growth.svg"""

import json
import subprocess
import sys
from pathlib import Path

from numberquest.core.registry import game
from numberquest.games.fifty import solver as fifty
from numberquest.games.mystic import solver as mystic

MEASURE = """
import json, resource, sys, time
import numberquest as nq
from numberquest.games.fifty import solver as fifty
from numberquest.games.mystic import solver as mystic
slug, settings = sys.argv[1], json.loads(sys.argv[2])
import numpy
begun = time.perf_counter()
{"fifty": fifty, "mystic": mystic}[slug].solve(nq.game(slug, **settings), lambda done, total: None)
took = time.perf_counter() - begun
print(json.dumps([took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000]))
"""
TARGETS = {"fifty": (10, 20, 30, 50, 64, 80, 100), "mystic": (10, 15, 21, 30, 40, 60)}
MOST_BYTES = 3e9
WIDTH, HEIGHT, LEFT, BOTTOM = 720, 420, 60, 50
MARKS = {1: "circle", 2: "square", 3: "triangle"}


def main() -> int:
    """Measure each setting in a process of its own, print the table, and draw the plot."""
    points: list[tuple[str, int, int, float, float]] = []
    for slug, targets in TARGETS.items():
        for copies in (1, 2, 3):
            for target in targets:
                settings = {"target": target, "copies": copies}
                rules = game(slug, **settings)
                size = fifty.table_bytes(rules) if slug == "fifty" else mystic.table_bytes(rules)  # type: ignore[arg-type]
                if size > MOST_BYTES:
                    continue
                command = [sys.executable, "-c", MEASURE, slug, json.dumps(settings)]
                seconds, memory = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                print(f"{slug:<7} copies {copies}  target {target:>3}  {seconds:8.3f} s  {memory:7.0f} MB", flush=True)
                points.append((slug, copies, target, seconds, memory))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(plot(points))
    return 0


def plot(points: list[tuple[str, int, int, float, float]]) -> str:
    """Seconds over the target, one line for each game and number of copies; the seconds on a scale of powers of ten."""
    from math import log10

    low, high = -3, 2
    most = max(target for _, _, target, _, _ in points)

    def place(target: float, seconds: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - 130) * target / most
        up = (log10(max(seconds, 10**low)) - low) / (high - low)
        return across, (HEIGHT - BOTTOM) * (1 - up) + 20

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 20}" width="{WIDTH}" role="img" '
        'aria-label="Seconds to solve fifty and mystic, by target and copies">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<g font-family="sans-serif" font-size="13" fill="#222">',
        f'<text x="{LEFT}" y="14">seconds to solve, one core</text>',
        f'<text x="{WIDTH - 250}" y="{HEIGHT + 10}">target</text>',
    ]
    for power in range(low, high + 1):
        _, y = place(0, 10**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 130}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10**power:g}</text>')
    for target in range(0, most + 1, 20):
        x, _ = place(target, 1)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 38}" text-anchor="middle">{target}</text>')
    for slug, colour in (("fifty", "#1f6f8b"), ("mystic", "#8b3a8b")):
        for copies, shape in MARKS.items():
            line = [place(t, s) for name, c, t, s, _ in points if (name, c) == (slug, copies)]
            if not line:
                continue
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
            parts += [mark(shape, x, y, colour) for x, y in line]
            x, y = line[-1]
            parts.append(f'<text x="{x + 9:.1f}" y="{y + 4:.1f}" fill="{colour}">{slug}, copies={copies}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def mark(shape: str, x: float, y: float, colour: str) -> str:
    """A point; its shape says the number of copies, so that no colour has to."""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    if shape == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>'
    return f'<path d="M{x:.1f} {y - 5:.1f} l5 9 h-10 z" fill="{colour}"/>'


if __name__ == "__main__":
    sys.exit(main())
