"""An engine that behaves, or misbehaves in the way that its first argument names; its second is a file for notes."""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

WAY, NOTES = [*sys.argv[1:], "", ""][:2]


def say(message: object) -> None:
    print(message if isinstance(message, str) else json.dumps(message), flush=True)


def note(text: object) -> None:
    with open(NOTES, "a") as file:
        file.write(f"{text}\n")


def answer(heard: dict[str, Any], **changed: Any) -> None:
    say({"type": "answer", "id": heard["id"], "move": heard["moves"][0], **changed})


def main() -> None:
    if WAY == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if WAY in ("children", "stubborn", "leaves"):
        child = subprocess.Popen(["/bin/sleep", "1000"], stdin=subprocess.DEVNULL, start_new_session=WAY == "leaves")
        note(child.pid)
        note(os.getpid())
    asked = 0
    for line in sys.stdin:
        heard = json.loads(line)
        if heard["type"] == "goodbye":
            if NOTES and WAY not in ("children", "stubborn", "leaves"):
                note("goodbye")
            break
        if heard["type"] == "hello":
            if WAY == "speechless":
                continue
            if WAY == "other-version":
                say({"type": "ready", "protocol": 2})
                continue
            say({"type": "info", "text": "an engine may say what it likes besides"})
            say({"type": "ready", "protocol": 1, "name": "rogue", "colour": "red"})
            continue
        asked += 1
        if NOTES:
            note(line.strip())
        wrong_at_first = asked == 1 or "refused" not in heard
        match WAY:
            case "wrong":
                answer(heard, move="nonsense")
            case "wrong-at-first" if wrong_at_first:
                answer(heard, move="nonsense")
            case "no-json" if wrong_at_first:
                say("thinking...")
            case "no-object" if wrong_at_first:
                say("[1]")
            case "no-id" if wrong_at_first:
                answer(heard, id=None)
            case "no-move" if wrong_at_first:
                answer(heard, move=None)
            case "silent":
                pass
            case "late":
                time.sleep(1000)
            case "dies":
                print("about to fail\nout of cheese", file=sys.stderr, flush=True)
                sys.exit(3)
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "closes":
                os.close(1)
                time.sleep(1000)
            case "endless-line":
                while True:
                    sys.stdout.write("x" * 65536)
            case "chatters":
                while True:
                    say({"type": "info"})
            case "error" if asked == 1:
                say({"type": "error", "id": heard["id"], "error": "the server that I ask is down"})
            case "loud":
                for _ in range(40):
                    sys.stderr.write("x" * 9999 + "\n")
                sys.stderr.write("no end of line" * 9999)
                sys.stderr.flush()
                answer(heard)
            case "old-answers":
                answer(heard, id=heard["id"] - 1, move="nonsense")
                answer(heard)
            case "number":
                answer(heard, move=int(heard["moves"][0]))
            case "deaf":
                sys.stdin.close()
                os.close(0)
                answer(heard)
                time.sleep(1000)
            case _:
                answer(heard)
    if WAY == "stubborn":
        time.sleep(1000)


main()
