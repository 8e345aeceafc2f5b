"""Reads a QR code from its modules, as a phone does: written from the standard's text, and not from our encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

MASKS: tuple[Callable[[int, int], int], ...] = (
    lambda i, j: (i + j) % 2,
    lambda i, _: i % 2,
    lambda _, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)
CENTRES = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
    11: (6, 30, 54),
    12: (6, 32, 58),
    13: (6, 34, 62),
    14: (6, 26, 46, 66),
    15: (6, 26, 48, 70),
    16: (6, 26, 50, 74),
    17: (6, 30, 54, 78),
    18: (6, 30, 56, 82),
    19: (6, 30, 58, 86),
    20: (6, 34, 62, 90),
}
"""Annex E: where the alignment patterns lie."""
BLOCKS = {
    1: [(1, 26, 16)],
    2: [(1, 44, 28)],
    3: [(1, 70, 44)],
    4: [(2, 50, 32)],
    5: [(2, 67, 43)],
    6: [(4, 43, 27)],
    7: [(4, 49, 31)],
    8: [(2, 60, 38), (2, 61, 39)],
    9: [(3, 58, 36), (2, 59, 37)],
    10: [(4, 69, 43), (1, 70, 44)],
    11: [(1, 80, 50), (4, 81, 51)],
    12: [(6, 58, 36), (2, 59, 37)],
    13: [(8, 59, 37), (1, 60, 38)],
    14: [(4, 64, 40), (5, 65, 41)],
    15: [(5, 65, 41), (5, 66, 42)],
    16: [(7, 73, 45), (3, 74, 46)],
    17: [(10, 74, 46), (1, 75, 47)],
    18: [(9, 69, 43), (4, 70, 44)],
    19: [(3, 70, 44), (11, 71, 45)],
    20: [(3, 67, 41), (13, 68, 42)],
}
"""Table 9, level M: so many blocks of so many bytes, so many of them data."""
FORMATS = {
    "101010000010010": 0,
    "101000100100101": 1,
    "101111001111100": 2,
    "101101101001011": 3,
    "100010111111001": 4,
    "100000011001110": 5,
    "100111110010111": 6,
    "100101010100000": 7,
}
"""Annex C: what is written for level M and each mask."""
VERSIONS = {7: 0x07C94, 8: 0x085BC, 9: 0x09A99, 10: 0x0A4D3, 11: 0x0BBF6, 12: 0x0C762, 13: 0x0D847, 14: 0x0E60D}
VERSIONS |= {15: 0x0F928, 16: 0x10B78, 17: 0x1145D, 18: 0x12A17, 19: 0x13532, 20: 0x149A6}
"""Annex D."""
FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")


def read(rows: Sequence[Sequence[bool]]) -> str:
    """The text; an AssertionError where something about the code is not as it must be."""
    side = len(rows)
    version = (side - 17) // 4
    assert side == 17 + 4 * version
    assert all(len(row) == side for row in rows)
    fixed = _fixed(version, side)
    _check_patterns(rows, version, side)
    one = [(8, j) for j in (0, 1, 2, 3, 4, 5, 7, 8)] + [(i, 8) for i in (7, 5, 4, 3, 2, 1, 0)]
    two = [(side - 1 - n, 8) for n in range(7)] + [(8, side - 8 + n) for n in range(8)]
    formats = {"".join(str(int(rows[i][j])) for i, j in places) for places in (one, two)}
    assert len(formats) == 1, "what it says of itself it says twice"
    mask = MASKS[FORMATS[formats.pop()]]
    if version >= 7:
        for turned in (False, True):
            said = 0
            for n in range(18):
                i, j = n // 3, side - 11 + n % 3
                said |= int(rows[j][i] if turned else rows[i][j]) << n
            assert said == VERSIONS[version]
    bits = []
    columns = [j for j in range(side - 1, -1, -1) if j != 6]
    for strip in range(0, len(columns), 2):
        order = range(side) if strip // 2 % 2 else range(side - 1, -1, -1)
        bits += [
            int(rows[i][j]) ^ int(mask(i, j) == 0)
            for i in order
            for j in columns[strip : strip + 2]
            if (i, j) not in fixed
        ]
    words = [int("".join(map(str, bits[at : at + 8])), 2) for at in range(0, len(bits) // 8 * 8, 8)]
    return _text(_data(words, version), version)


def _fixed(version: int, side: int) -> set[tuple[int, int]]:
    """The modules that hold no data."""
    fixed = {(i, j) for i in range(9) for j in range(9)}
    fixed |= {(i, j) for i in range(9) for j in range(side - 8, side)}
    fixed |= {(j, i) for i in range(9) for j in range(side - 8, side)}
    fixed |= {(6, n) for n in range(side)} | {(n, 6) for n in range(side)}
    for i, j in _centres(version):
        fixed |= {(i + y, j + x) for y in range(-2, 3) for x in range(-2, 3)}
    if version >= 7:
        fixed |= {(i, j) for i in range(6) for j in range(side - 11, side - 8)}
        fixed |= {(j, i) for i in range(6) for j in range(side - 11, side - 8)}
    return fixed


def _centres(version: int) -> list[tuple[int, int]]:
    lines = CENTRES[version]
    ends = {(lines[0], lines[0]), (lines[0], lines[-1]), (lines[-1], lines[0])} if lines else set()
    return [(i, j) for i in lines for j in lines if (i, j) not in ends]


def _check_patterns(rows: Sequence[Sequence[bool]], version: int, side: int) -> None:
    for top, left in ((0, 0), (0, side - 7), (side - 7, 0)):
        for i in range(-1, 8):
            for j in range(-1, 8):
                if 0 <= top + i < side and 0 <= left + j < side:
                    inside = 0 <= i < 7 and 0 <= j < 7
                    assert rows[top + i][left + j] is (inside and FINDER[i][j] == "1")
    for n in range(8, side - 8):
        assert rows[6][n] is rows[n][6] is (n % 2 == 0)
    for i, j in _centres(version):
        for y in range(-2, 3):
            for x in range(-2, 3):
                assert rows[i + y][j + x] is (max(abs(x), abs(y)) != 1)
    assert rows[side - 8][8] is True


def _data(words: list[int], version: int) -> list[int]:
    """The data of all blocks one after the other, none of which needs to be mended."""
    sizes = [(total, data) for many, total, data in BLOCKS[version] for _ in range(many)]
    assert len(words) == sum(total for total, _ in sizes)
    blocks: list[list[int]] = [[] for _ in sizes]
    left = iter(words)
    for at in range(max(data for _, data in sizes)):
        for block, (_, data) in zip(blocks, sizes, strict=True):
            if at < data:
                block.append(next(left))
    for _ in range(sizes[0][0] - sizes[0][1]):
        for block in blocks:
            block.append(next(left))
    for block, (total, data) in zip(blocks, sizes, strict=True):
        for root in range(total - data):
            value = 0
            for word in block:
                value = _times(value, _power(root)) ^ word
            assert value == 0, "a block that would have to be mended"
    return [word for block, (_, data) in zip(blocks, sizes, strict=True) for word in block[:data]]


def _power(exponent: int) -> int:
    value = 1
    for _ in range(exponent):
        value = _times(value, 2)
    return value


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def _text(data: list[int], version: int) -> str:
    bits = "".join(f"{word:08b}" for word in data)
    assert bits[:4] == "0100", "bytes"
    wide = 8 if version < 10 else 16
    length = int(bits[4 : 4 + wide], 2)
    start = 4 + wide
    end = start + 8 * length
    assert end <= len(bits)
    rest = bits[end + 4 :].lstrip("0") if end % 8 == 4 else ""
    assert rest == "".join(f"{word:08b}" for word in (0xEC, 0x11) * len(bits))[: len(rest)], "what fills it up"
    return bytes(int(bits[start + 8 * n : start + 8 * n + 8], 2) for n in range(length)).decode()
