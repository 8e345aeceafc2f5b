"""The messages of both wire.py as types of the page: `python -m tests.server.typescript` writes wire.d.ts."""

import ast
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parent.parent.parent / "src" / "numberquest" / "server"
WIRE, TYPES = (SERVER / "wire.py", SERVER / "classroom" / "wire.py"), SERVER / "page" / "wire.d.ts"

HEAD = """\
// Every message on the wire. Made from wire.py and classroom/wire.py by `make wire`: do not change it here.

export type Pair<T> = [T, T];
"""
PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "Any": "any",
    "Raw": "State",
    "UnsetType": "undefined",
}
"""Only states are passed on ready-made."""


def types() -> str:
    """The whole file."""
    found = [node for file in WIRE for node in ast.parse(file.read_text()).body]
    return "\n".join([HEAD, *(line for node in found for line in _declared(node))]) + "\n"


def _declared(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield f"export type {node.targets[0].id} = {_type(node.value)};"
    elif isinstance(node, ast.ClassDef) and node.name not in ("Request", "Response"):
        options = {word.arg: word.value for word in node.keywords}
        yield f"/** {(ast.get_docstring(node) or '').partition(chr(10))[0]} */"
        base = ast.unparse(node.bases[0])
        yield f"export interface {node.name} {'' if base in ('Request', 'Response') else f'extends {base} '}{{"
        if "tag" in options:
            yield f"  type: {_literal(options['tag'])};"
        asked = base == "Request"
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                # What has a default may be left out: of a request always, of an answer where it says so.
                unset = isinstance(field.value, ast.Name) and field.value.id == "UNSET"
                optional = field.value is not None and (asked or unset or "omit_defaults" in options)
                kind = _type(field.annotation).replace(" | undefined", "")
                kind = kind.removesuffix(" | null") if optional and not (asked or unset) else kind
                yield f"  {field.target.id}{'?' if optional else ''}: {kind};"
        yield "}"


def _type(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp):
        return f"{_type(node.left)} | {_type(node.right)}"
    if isinstance(node, ast.Constant):
        return "null"
    if isinstance(node, ast.Attribute):
        return PLAIN[node.attr]
    if isinstance(node, ast.Name):
        return PLAIN.get(node.id, node.id)
    assert isinstance(node, ast.Subscript), ast.dump(node)
    assert isinstance(node.value, ast.Name)
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    match node.value.id:
        case "list":
            kind = _type(inside[0])
            return f"({kind})[]" if "|" in kind else f"{kind}[]"
        case "dict" | "Mapping":
            return f"Record<string, {_type(inside[1])}>"
        case "tuple":
            return f"Pair<{_type(inside[0])}>"
        case "Literal":
            return " | ".join(map(_literal, inside))
        case "Annotated":
            return _bounded(inside)
    raise LookupError(ast.unparse(node))


def _bounded(inside: list[ast.expr]) -> str:
    """A type with bounds; of two or three numbers, each of them."""
    assert isinstance(inside[1], ast.Call)
    words = (word for word in inside[1].keywords if isinstance(word.value, ast.Constant))
    bounds = {word.arg: ast.literal_eval(word.value) for word in words if word.arg in ("ge", "le")}
    if isinstance(inside[0], ast.Name) and inside[0].id == "int" and bounds.get("le", 3) <= 2:
        return " | ".join(map(str, range(bounds["ge"], bounds["le"] + 1)))
    return _type(inside[0])


def _literal(node: ast.expr) -> str:
    value = ast.literal_eval(node)
    return f"'{value}'" if isinstance(value, str) else str(value)


if __name__ == "__main__":
    TYPES.write_text(types())
