"""Plants small mistakes in every room, one at a time, and says which of them the tests do not notice.

`make mutants`, by hand: a mutant takes seconds or minutes. Each is tried in a copy of the project, first by the tests
that import the changed file, then by those of its room, and, where it still lives, by all that `.ci/run` runs. The same
seed plants the same mutants; what survives is read one by one: it needs a test, or it changes nothing that counts.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SOURCE = Path("src", "numberquest")
PAGE = "page"
ROOMS = ["core", "games", "solver", "players", "explain", "report", "study", "envs", "server", "terminal", PAGE]
# Longer than any file of tests takes: a mutant that never ends is noticed by that.
PATIENCE = 900

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
SMALL = 2
# Where what lies in a room is tested, where that is not only the folder of its name.
ALSO = {"games": ["solver", "envs", "study"], "report": ["study", "terminal"], "players": ["study", "terminal"]} | {
    "explain": ["terminal", "server"]
}
# Tested in environments of their own, by `make adapters`.
ELSEWHERE = tuple(str(SOURCE / "envs" / name) for name in ("inspect", "mcp", "textarena", "jax"))
RECKONED: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*"}
# In JavaScript, found by its looks.
SWAPPED = {" === ": " !== ", " !== ": " === ", " && ": " || ", " || ": " && ", " < ": " <= ", " > ": " >= "} | {
    " + 1": " + 2",
    " - 1": " - 2",
    "true": "false",
    "false": "true",
}


class Mutant(NamedTuple):
    """A change of one place in one file."""

    room: str
    file: Path
    line: int
    before: str
    after: str
    text: bytes
    """The whole file with the change in it."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


def changed(node: ast.AST) -> str | None:
    """A node of Python with one small mistake; None where none fits it."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        return f"{left} {COMPARED[type(node.ops[0])]} {right}"
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        return f"({ast.unparse(ast.BoolOp(other, node.values))})"
    if isinstance(node, ast.BinOp) and type(node.op) in RECKONED:
        return f"({ast.unparse(node.left)}) {RECKONED[type(node.op)]} ({ast.unparse(node.right)})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"({ast.unparse(node.operand)})"
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        return str(not node.value)
    # A limit of 1,001 instead of 1,000 is no mistake that anybody could see.
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value <= SMALL:
        return str(node.value + 1)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        return "pass"
    return None


def python_mutants(room: str, file: Path) -> Iterator[Mutant]:
    """Every small mistake that can be planted in a file of Python, but not in its types."""
    data = (ROOT / file).read_bytes()
    lines = data.splitlines(keepends=True)
    starts = [sum(map(len, lines[:at])) for at in range(len(lines))]
    tree = ast.parse(data)
    typed = {
        id(inner)
        for node in ast.walk(tree)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if part is not None
        for inner in ast.walk(part)
    }
    # Aliases of types and constants at the top are left alone, as is text that is put together.
    for outer in ast.walk(tree):
        if not isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(outer):
            after = None if id(node) in typed else changed(node)
            if after is None or isinstance(node, ast.arg):
                continue
            assert isinstance(node, ast.expr | ast.stmt)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = data[:begin] + after.encode() + data[end:]
            try:
                ast.parse(text)
            except SyntaxError:
                # It stood inside a text with gaps.
                continue
            yield Mutant(room, file, node.lineno, ast.unparse(node), after, text)


def page_mutants(file: Path) -> Iterator[Mutant]:
    """Every small mistake that can be planted in a file of the page."""
    text = (ROOT / file).read_text()
    for found in re.finditer("|".join(map(re.escape, SWAPPED)), text):
        begin = text.rfind("\n", 0, found.start()) + 1
        line = text[begin : text.find("\n", found.end())].strip()
        if line.startswith(("import", "export {", "//", "*", "/*")):
            continue
        new = text[: found.start()] + SWAPPED[found[0]] + text[found.end() :]
        yield Mutant(
            PAGE, file, text.count("\n", 0, begin) + 1, f"{found[0].strip()} in {line}", SWAPPED[found[0]], new.encode()
        )


def mutants(room: str) -> list[Mutant]:
    """Every mutant of a room; those of the page are in JavaScript."""
    if room == PAGE:
        files = sorted(file.relative_to(ROOT) for file in (ROOT / SOURCE).rglob("*.js"))
        return [mutant for file in files for mutant in page_mutants(file)]
    files = sorted(file.relative_to(ROOT) for file in (ROOT / SOURCE / room).rglob("*.py"))
    return [mutant for file in files if not str(file).startswith(ELSEWHERE) for mutant in python_mutants(room, file)]


def copy_of_the_project(folder: Path) -> None:
    """The files that git knows, and an environment with all that is installed here but with that copy's source."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    for name in files.stdout.splitlines():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    if (ROOT / "node_modules").exists():
        (folder / "node_modules").symlink_to((ROOT / "node_modules").resolve())
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / ".venv")], check=True)
    (site,) = (folder / ".venv" / "lib").glob("python*/site-packages")
    (site / "copy.pth").write_text(f"{folder / 'src'}\n{sysconfig.get_path('purelib')}\n")
    for command in ("numberquest", "nq"):
        script = folder / ".venv" / "bin" / command
        script.write_text(
            f"#!{folder}/.venv/bin/python\nimport sys\nfrom numberquest.cli import main\nsys.exit(main())\n"
        )
        script.chmod(0o755)


def tests_of(mutant: Mutant, folder: Path) -> Iterator[list[str]]:
    """Which tests to try it with, the likeliest first."""
    if mutant.room == PAGE:
        yield ["tests/page"]
        yield ["tests/browser", "tests/server/test_security_pages.py"]
    else:
        module = ".".join(mutant.file.relative_to("src").with_suffix("").parts).removesuffix(".__init__")
        parent, _, stem = module.rpartition(".")
        pattern = re.compile(rf"{re.escape(module)}\b|from {re.escape(parent)} import .*\b{stem}\b")
        near = [
            str(file.relative_to(folder))
            for file in (folder / "tests").rglob("test_*.py")
            if pattern.search(file.read_text())
        ]
        near = [file for file in near if not file.startswith(("tests/torture", "tests/adapters", "tests/docs"))]
        if near:
            yield near
        for room in [mutant.room, *ALSO.get(mutant.room, [])]:
            if (folder / "tests" / room).is_dir():
                yield [f"tests/{room}"]
    yield []


def fails(folder: Path, files: list[str]) -> bool:
    """Whether one of these tests fails, or does not end; of all of them where none is named."""
    command = [str(folder / ".venv" / "bin" / "python"), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files]
    if 0 < len(files) < 4:
        # Starting others takes longer than the tests.
        command += ["-n", "0"]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=PATIENCE).returncode not in (0, 5)
    except subprocess.TimeoutExpired:
        return True


def is_killed(mutant: Mutant, folder: Path, near: bool) -> bool:
    """Whether some test notices it; where `near`, only those that are likeliest to are asked."""
    target = folder / mutant.file
    before = target.read_bytes()
    target.write_bytes(mutant.text)
    try:
        return any(fails(folder, files) for files in tests_of(mutant, folder) if files or not near)
    finally:
        target.write_bytes(before)


def main() -> int:
    """Plant, try and tell; 1 where fewer than nine in ten were noticed, or than eight in ten of some room."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--each", type=int, default=6, help="how many in each room (6)")
    parser.add_argument("--seed", default="1", help="another seed plants others (1)")
    parser.add_argument("--room", choices=ROOMS, action="append", help="only there; can be given more than once")
    parser.add_argument("--near", action="store_true", help="ask only the tests of the file and its room, not all")
    options = parser.parse_args()
    good = True
    killed_in_all = tried_in_all = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "project")
        copy_of_the_project(folder)
        if fails(folder, ["tests/core"] if options.near else []):
            raise SystemExit("tests fail without a mutant already: then every mutant would seem noticed")
        for room in options.room or ROOMS:
            every = mutants(room)
            chosen = random.Random(f"{options.seed} {room}").sample(every, min(options.each, len(every)))
            killed = 0
            for mutant in chosen:
                dead = is_killed(mutant, folder, options.near)
                killed += dead
                print(f"{'killed  ' if dead else 'SURVIVED'}  {mutant}", flush=True)
            print(f"{room}: {killed} of {len(chosen)} were noticed, {len(every)} could be planted", flush=True)
            killed_in_all, tried_in_all = killed_in_all + killed, tried_in_all + len(chosen)
            good &= killed >= 0.8 * len(chosen)
    print(f"in all {killed_in_all} of {tried_in_all}")
    return 0 if good and killed_in_all >= 0.9 * tried_in_all else 1


if __name__ == "__main__":
    os.environ["NUMBERQUEST_REQUIRE_ALL"] = "1"
    sys.exit(main())
