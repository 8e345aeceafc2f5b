"""What 'Games with secrets' says of `sees` is what the examples have, and its figures are what comes out."""

import re
from pathlib import Path

import pytest

from tests.strategies import SECRET

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "secrets.md"


def test_sees_is_shown_as_the_examples_have_it() -> None:
    shown = re.findall(r"```python\n(def sees.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(shown) == len(SECRET) == 2
    files = [path.read_text() for path in SECRET]
    for text in shown:
        body = text.strip().splitlines()[-1].strip().removeprefix("return ").removeprefix("p if p.caller else ")
        assert any(body in file for file in files), body


def test_the_example_runs_and_prints_what_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = [text for text in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL) if "import" in text]
    exec(example, {})  # noqa: S102  # it is our own document
    value, odds = capsys.readouterr().out.splitlines()
    assert f"print(solution.certificate.value)  # {value}" in example
    assert odds.startswith("{'1x1': Fraction(")
