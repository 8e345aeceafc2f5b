"""Node with the page's modules, for unit tests of what needs no browser."""

import json
import shutil
from collections.abc import Iterator

import pytest

from numberquest.server.web.pages import Pages
from tests.conftest import required
from tests.page.node import Node


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    program = shutil.which("node")
    if program is None:
        required("Node")
    folder = tmp_path_factory.mktemp("page")
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    for path, file in Pages().files.items():
        if path.startswith("/static/") and path.endswith(".js"):
            to = folder / path.removeprefix("/static/")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(file.plain)
    process = Node(str(program), folder)
    yield process
    process.close()
