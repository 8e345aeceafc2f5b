"""The pictures that a link to a match shows where it is pasted: `make previews`. One for each game, and one for others.

They lie in the games' own folders, and are drawn from the pictures of the front page.
"""

import shutil
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.browser.people import started  # noqa: E402
from tests.server.running import Running  # noqa: E402

from numberquest.core.registry import GAMES  # noqa: E402
from numberquest.server.web.pages import (  # noqa: E402
    PREVIEW,
    TALL,
    WIDE,
)

COLOURS = 64
SOURCE = HERE.parent / "src" / "numberquest"
DRAW = """async ([slug, style]) => {
  const [{ boardOf }, { h }, { picture }] = await Promise.all(
    ['boards/boards', 'parts/dom', 'boards/pictures'].map((one) => import(`/static/${one}.js`)),
  );
  const games = await (await fetch('/api/games')).json();
  const info = games.games.find(({ game }) => game === slug);
  const board = await boardOf(slug || 'number');
  const shapes = board.picture(info ?? { title: '7', view: [], board: {} });
  const title = h('h1', {}, info?.short_title ?? 'Number Quest');
  const words = h('div', { class: 'words' }, title, info && h('p', {}, 'Number Quest'));
  document.documentElement.dataset.theme = 'light';
  const vars = { '--hue': info ? board.hue : '#f0b429' };
  document.body.replaceChildren(h('div', { class: 'preview picture', vars }, picture(shapes), words));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}"""
STYLE = """
body { background: none }
.preview.picture { position: fixed; inset: 0; margin: 0; border: 0; border-radius: 0; height: auto;
  max-width: none; display: grid; grid-template-rows: 1fr auto; justify-items: center; }
.preview svg { height: 400px; width: auto; margin-top: 40px }
.preview .words { background: #fffdf7; width: 100%; padding: 24px 60px 28px; display: flex; align-items: baseline;
  justify-content: space-between }
.preview h1, .preview p { white-space: nowrap; margin: 0 }
.preview h1 { font-size: 64px; color: #262b40 } .preview p { font-size: 32px; color: #484d60 }
"""


def smaller(png: bytes) -> bytes:
    """The same picture with so few colours that each needs a byte: those that are seldom become what is nearest."""
    head, at, data = struct.unpack(">IIBB", png[16:26]), 8, b""
    while at < len(png):
        (length,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    wide, tall, depth, colours = head
    deep = {2: 3, 6: 4}[colours]
    if depth != 8:
        raise SystemExit("A picture of Chromium's has one byte for each colour.")
    rows = unfiltered(zlib.decompress(data), tall, wide * deep, deep).reshape(-1, deep)[:, :3].astype(int)
    found, which, many = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    palette = found[np.argsort(-many)[:COLOURS]]
    nearest = ((found[:, None, :] - palette[None]) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    lines = nearest[which.reshape(-1)].reshape(tall, wide)
    body = b"".join(b"\0" + line.tobytes() for line in lines)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, tall, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(body, 9)),
        (b"IEND", b""),
    )
    return png[:8] + b"".join(
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part)) for kind, part in parts
    )


def unfiltered(data: bytes, tall: int, long: int, deep: int) -> np.ndarray:
    """The bytes of a picture's rows: each says how it was made from what stands left of it and above."""
    rows = np.zeros((tall + 1, long + deep), dtype=np.uint8)
    for at in range(tall):
        line = data[at * (long + 1) : (at + 1) * (long + 1)]
        kind, row, above = line[0], rows[at + 1], rows[at].astype(int)
        for x in range(long):
            left, up, corner = int(row[x]), int(above[x + deep]), int(above[x])
            guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
            row[x + deep] = (line[x + 1] + guess) & 255
    return rows[1:, deep:]


def _paeth(left: int, up: int, corner: int) -> int:
    straight = left + up - corner
    return min((left, up, corner), key=lambda one: abs(straight - one))


def main() -> None:
    """Draw them all."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("The pictures need Chromium: install the package chromium.")
    with tempfile.TemporaryDirectory() as folder, Running(Path(folder)) as server, sync_playwright() as playwright:
        browser = started(playwright, program, Path(folder))
        for slug in (*GAMES.own, ""):
            page = browser.new_page(base_url=server.url, viewport={"width": WIDE, "height": TALL})
            page.goto("/")
            page.evaluate(DRAW, [slug, STYLE])
            to = SOURCE / ("games" if slug else "server/page") / slug / PREVIEW
            page.screenshot(path=to)
            to.write_bytes(smaller(to.read_bytes()))
            print(to, to.stat().st_size)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
