"""A page to print: one file of HTML that needs nothing else, for paper of any usual size, in black and white."""

from __future__ import annotations

from html import escape
from typing import Final

STYLE: Final = """\
@page { margin: 16mm 15mm; }
* { box-sizing: border-box; }
html { background: #fff; color: #000; }
body { margin: 0 auto; padding: 1rem; max-width: 46rem; font: 11pt/1.45 Georgia, "Times New Roman", serif; }
h1 { font-size: 1.6em; line-height: 1.2; margin: 0 0 .3em; }
h2 { font-size: 1.15em; margin: 1.3em 0 .4em; break-after: avoid; }
h3 { font-size: 1em; margin: 0 0 .3em; break-after: avoid; }
p { margin: 0 0 .5em; orphans: 3; widows: 3; }
ul, ol, dl { margin: 0 0 .5em; padding: 0; }
ul, ol { padding-left: 1.4em; }
dl > div { display: flex; gap: .8em; margin: 0 0 .35em; break-inside: avoid; }
dt { font-weight: bold; flex: 0 0 5em; overflow-wrap: anywhere; }
dd { margin: 0; flex: 1; }
.box { border: 1px solid #000; padding: .6em .8em; break-inside: avoid; }
.line { display: inline-block; border-bottom: 1px solid #000; min-width: 11em; }
.small { font-size: .85em; }
.page { break-before: page; border-top: 1px dashed #000; margin-top: 2em; }
@media print { body { padding: 0; max-width: none; } .page { border: 0; margin: 0; } }
"""
NOTHING_ELSE: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What the browser may load and run for a page: nothing but the styles that are written in it."""


def page(title: str, body: str, style: str = "", script: str = "") -> str:
    """The whole file. `body` is HTML; letters beyond ASCII are written so that any way of saving keeps them.

    A script, in ASCII, is the only one that the browser may run.
    """
    allowed = f"{NOTHING_ELSE}; script-src '{_hash_of(script)}'" if script else NOTHING_ELSE
    running = f"<script>{script}</script>\n" if script else ""
    text = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        f"<style>\n{STYLE}{style}</style>\n</head>\n<body>\n{body}\n{running}</body>\n</html>\n"
    )
    return text.encode("ascii", "xmlcharrefreplace").decode()


def _hash_of(script: str) -> str:
    """By which a browser knows the script again."""
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def data_block(name: str, data: object) -> str:
    """Data for the script of a page, in an element of that id; nothing in it can end the element."""
    import json

    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def element(tag: str, text: str, **attributes: str) -> str:
    """One element with this text in it, which is escaped; `class_` stands for the attribute `class`."""
    named = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{named}>{escape(text)}</{tag}>"
