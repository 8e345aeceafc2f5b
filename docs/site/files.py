"""Links to files that are no pages (examples, samples, folders of them) lead to a page that shows what is in them."""

import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

PAGES: Final = "files"
"""The folder of the site in which they are."""
HIDDEN: Final = ("__pycache__", ".")


def linked_path(env: Any, page: str, link: str) -> Path | None:
    """The file or folder that a link leads to, from the top of the repository; None where there is none."""
    top = Path(env.srcdir)
    path = (top / page).parent.joinpath(link).resolve()
    return path.relative_to(top) if path.exists() and path.is_relative_to(top) and path != top else None


def content(folder: Path) -> list[Path]:
    """What is in a folder, for people."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith(HIDDEN))


def page_of(path: Path) -> str:
    """The page that shows a file or a folder."""
    return f"{PAGES}/{path.as_posix()}"


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx: such links are turned when a page is read, and what they lead to is made at the end."""
    from docutils import nodes
    from sphinx import addnodes

    def turn(app: Any, doctree: Any) -> None:
        env = app.env
        page = env.current_document.docname
        shown = env.shown_files = getattr(env, "shown_files", {})
        shown[page] = set()
        for link in [*doctree.findall(addnodes.download_reference), *doctree.findall(addnodes.pending_xref)]:
            if link.get("reftype") != "myst" or link.get("refdomain"):
                continue
            path = linked_path(env, page, link["reftarget"])
            if path is None:
                continue
            shown[page].add(path)
            up = "../" * page.count("/")
            link.replace_self(
                nodes.reference("", "", *link.children, refuri=f"{up}{page_of(path)}.html", internal=True)
            )

    def forget(_: Any, env: Any, page: str) -> None:
        getattr(env, "shown_files", {}).pop(page, None)

    def pages(app: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
        top = Path(app.srcdir)
        waiting = {path for paths in getattr(app.env, "shown_files", {}).values() for path in paths}
        done: set[Path] = set()
        while waiting:
            path = waiting.pop()
            done.add(path)
            if (top / path).is_dir():
                inside = [child.relative_to(top) for child in content(top / path)]
                waiting |= set(inside) - done
                body = _listed(path, inside)
            else:
                body = _shown(app, path, (top / path).read_text())
                copy = Path(app.outdir) / page_of(path)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(top / path, copy)
            yield page_of(path), {"title": path.as_posix(), "body": body, "parents": []}, "page.html"

    # Before Sphinx itself copies what is linked to as a download.
    app.connect("doctree-read", turn, priority=100)
    app.connect("env-purge-doc", forget)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": False, "parallel_write_safe": True}


def _listed(path: Path, inside: list[Path]) -> str:
    items = (
        f'<li><a href="{path.name}/{child.name}.html"><code>{escape(child.name)}</code></a></li>' for child in inside
    )
    return f"<h1><code>{escape(path.as_posix())}</code></h1>\n<ul>{''.join(items)}</ul>"


def _shown(app: Any, path: Path, text: str) -> str:
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        language = get_lexer_for_filename(path.name).aliases[0]
    except ClassNotFound:
        language = "text"
    code = app.builder.highlighter.highlight_block(text, language, linenos=False)
    alone = f'<p><a href="{path.name}">The file alone</a></p>'
    return f"<h1><code>{escape(path.as_posix())}</code></h1>\n{alone}\n{code}"
