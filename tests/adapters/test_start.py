"""What is said where an adapter cannot start; and that nothing of theirs is imported by others."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from numberquest.cli import main
from numberquest.evaluate.adapters.missing import EXTRAS


@pytest.mark.skipif(importlib.util.find_spec("mcp") is not None, reason="mcp is installed here")
def test_without_its_package_it_names_the_extra(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp"]) == 1
    assert capfd.readouterr() == ("", "numberquest: this needs the package mcp: pip install 'numberquest[mcp]'\n")


@pytest.mark.parametrize("options", [["--http", "x"], ["--http", "-1"], ["--http", "65536"], ["--seed", ""]])
def test_what_cannot_be_gets_one_sentence(options: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["mcp", *options]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("numberquest: ")
    assert len(err.splitlines()) == 1


def test_an_adapter_is_imported_only_where_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, numberquest.cli, numberquest.evaluate.who; {_LOOK}"],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "set()\n", done.stderr


_LOOK = f"print({set(EXTRAS)!r} & set(sys.modules))"
