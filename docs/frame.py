"""Draws docs/frame.png, what an environment with `render_mode="rgb_array"` gives: `python docs/frame.py`."""

import struct
import zlib
from pathlib import Path

from numberquest.core.match import Match
from numberquest.core.registry import game
from numberquest.envs.frame import frame

HERE = Path(__file__).parent
MOVES = ("9+", "8+", "3*", "5+", "1-", "7+")


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file: its length, kind and data, and a check over both."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    """The picture as PNG."""
    match = Match(game("fifty"))
    for move in MOVES:
        match.play(move)
    dots = frame(match.game, match.position, 0, "The learner is Player 1.")
    tall, wide, _ = dots.shape
    head = struct.pack(">IIBBBBB", wide, tall, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + row.tobytes() for row in dots), 9)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    (HERE / "frame.png").write_bytes(png)


if __name__ == "__main__":
    main()
