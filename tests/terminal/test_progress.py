"""How far a long piece of work is: said now and then, and seldom where every line stays."""

from itertools import count
from types import SimpleNamespace

import pytest

from numberquest.terminal.commands import progress as module
from numberquest.terminal.commands.progress import Progress


@pytest.mark.parametrize("estimate", [False, True])
def test_in_a_pipe_there_is_a_line_for_every_ten_per_cent_at_most(
    estimate: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = count(0, 30)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    with Progress("Solving", estimate=estimate) as progress:
        for done in range(1001):
            progress(done, 1000)
    shares = [int(line.removeprefix("Solving: ").split()[0]) for line in capsys.readouterr().err.splitlines()]
    assert shares == list(range(0, 101, 10))
