"""The documents' examples, run as a reader would run them."""

import re
from pathlib import Path
from typing import Any


def examples_in(document: Path) -> list[str]:
    """The Python examples of a document, one after the other."""
    examples = re.findall(r"```python\n(.*?)```", document.read_text(), re.DOTALL)
    assert examples, f"{document.name} has no example"
    return examples


def run_examples(document: Path, replace: str = "", by: str = "") -> dict[str, Any]:
    """Run the examples of one of our own documents in turn, and return the names they made.

    One word of theirs, such as an address, may be replaced.
    """
    names: dict[str, Any] = {}
    for example in examples_in(document):
        exec(example.replace(replace, by) if replace else example, names)  # noqa: S102
    return names
