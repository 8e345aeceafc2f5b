"""Codes that a camera reads: a library makes them, and what is drawn is what it made."""

import re

import segno

from numberquest.client import Client
from numberquest.server import wire
from numberquest.server.serve import terminal_code
from numberquest.server.think.messages import page_code
from tests.server.running import Running

LINK = "http://192.168.1.20:8000/m/abcdefghijklmnopqrst#invite=" + "A" * 43


def drawn(side: int, path: str) -> list[list[int]]:
    """The modules of a drawn code, 1 for a dark one, with the white around it."""
    rows = [[0] * side for _ in range(side)]
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path)
    assert path == "".join(f"M{x} {y}h{wide}v1h-{back}z" for x, y, wide, back in runs)
    for x, y, wide, back in runs:
        assert wide == back
        rows[int(y)][int(x) : int(x) + int(wide)] = [1] * int(wide)
    return rows


def made(text: str) -> list[list[int]]:
    """What the library makes of it: any camera reads it, also where a seventh of it is dirty, and as UTF-8."""
    code = segno.make_qr(text, error="m", encoding="utf-8", boost_error=False)
    return [[int(dark) for dark in row] for row in code.matrix_iter(border=4)]


def test_a_code_in_the_terminal_has_two_rows_of_modules_in_each_line() -> None:
    side = page_code("http://192.168.1.20:8000/").side
    assert len(terminal_code("http://192.168.1.20:8000/").splitlines()) == (side + 1) // 2


def test_a_code_on_the_page_is_drawn_as_it_was_made_whatever_its_size() -> None:
    for text in (
        *("".join(chr(33 + (7 * n + length) % 94) for n in range(length)) for length in (1, 15, 106, 251, 500)),
        "http://bücher.example/m/ünï",
    ):
        code = page_code(text)
        assert drawn(code.side, code.path) == made(text)


def test_the_server_draws_the_code_of_a_link(server: Running) -> None:
    with Client(f"http://127.0.0.1:{server.port}") as client:
        code = client.post("/api/qr-codes", wire.QrRequest(LINK), wire.QrCode)
    assert drawn(code.side, code.path) == made(LINK)
