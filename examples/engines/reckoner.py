#!/usr/bin/env python3
"""An engine for `cmd:`: it reckons Sum Quest to its end, and plays any move elsewhere (docs/protocol.md).

numberquest play sumquest --p2 "cmd:python3 examples/engines/reckoner.py"
"""

import json
import sys
from functools import cache
from random import Random
from typing import Any


def best(target: int, high: int, total: int, barred: int) -> list[int]:
    """The numbers that win Sum Quest from there."""

    @cache
    def wins(total: int, barred: int) -> bool:
        return any(total + n == target or not wins(total + n, n) for n in numbers(total, barred))

    def numbers(total: int, barred: int) -> list[int]:
        return [n for n in range(1, min(high, target - total) + 1) if n != barred]

    return [n for n in numbers(total, barred) if total + n == target or not wins(total + n, n)]


def say(**message: object) -> None:
    # Without flush the answer would stay in our own buffer.
    print(json.dumps(message), flush=True)


hello: dict[str, Any] = {}
for line in sys.stdin:
    heard = json.loads(line)
    if heard["type"] == "hello":
        hello = heard
        say(type="ready", protocol=1, name="reckoner")
    elif heard["type"] == "question":
        good = []
        if hello["game"] == "sumquest":
            p = heard["position"]
            good = best(**hello["settings"], total=p["total"], barred=p["barred"] or 0)
        # The seed makes the same choice again when the same game is played again.
        move = Random(heard["seed"]).choice(good or heard["moves"])
        say(type="answer", id=heard["id"], move=move)
    elif heard["type"] == "goodbye":
        break
