"""What is said where an adapter cannot start; and that nothing of theirs is imported by others."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from numberquest.cli import main


@pytest.mark.skipif(importlib.util.find_spec("mcp") is not None, reason="mcp is installed here")
def test_without_its_package_it_names_the_extra(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp"]) == 1
    assert capfd.readouterr() == ("", "numberquest: this needs the package mcp: pip install 'numberquest[mcp]'\n")


def test_an_adapter_is_imported_only_where_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, numberquest.cli, numberquest.players.named; {_LOOK}"],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "set()\n", done.stderr


_LOOK = "print({'mcp', 'inspect_ai', 'textarena'} & set(sys.modules))"
