"""The page's modules under Node, without a browser: one process for a file of tests."""

import json
import subprocess
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.mjs")


class Node:
    """A process of Node that has the page's modules as the server would send them."""

    def __init__(self, node: str, modules: Path) -> None:
        self._process = subprocess.Popen(
            [node, DRIVER, modules.as_uri()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, snippet: str, **facts: object) -> Any:
        """What the snippet returns; in it the facts are variables, and `await page('parts/words.js')` is a module.

        Time stands still there, at 0: `clock.run(500)` lets half a second pass, and calls what waited for it.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"snippet": snippet, "facts": facts}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def close(self) -> None:
        self._process.communicate()
