"""The notebooks of examples/notebooks, run as a reader would run them: `make notebooks` keeps what they show."""

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def run(path: Path, folder: Path) -> Any:
    """The notebook with what its cells show when they are run, in a folder of their own."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.read(path, as_version=4)
    # As in an activated environment: the commands that the cells call are those of this one. What is solved or saved
    # stays in the folder, and progress is not worth keeping.
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "COLUMNS": "120",
    }
    encrypted = Config({"KernelManager": {"transport_encryption": "auto"}})
    place = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=300, startup_timeout=300, resources=place, config=encrypted)
    client.execute(env=environment)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            cell.outputs = _joined(output for output in map(_kept, cell.outputs) if output is not None)
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    return notebook


def shown(notebook: Any) -> list[list[Any]]:
    """What the code cells show, one list for each."""
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def _kept(output: Any) -> Any:
    """What is the same each time: not how far something has come, and not where an object lies in memory."""
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    if "data" in output:
        data = {kind: value for kind, value in output.data.items() if "<IPython.core.display" not in value}
        return {**output, "data": data}
    return output


def _joined(outputs: Iterable[Any]) -> list[Any]:
    """What was printed in pieces in one piece: how it came in pieces depends on the machine."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            joined.append(output)
    return joined


def main() -> None:
    """Run all of them, and write what they show into their files."""
    import nbformat

    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            notebook = run(path, Path(folder))
        nbformat.write(nbformat.from_dict(notebook), path)
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
