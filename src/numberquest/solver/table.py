"""A long row of values, in memory or mapped from a file in the user's cache folder.

The file is written whole or not at all, and each block of it has a checksum, which is compared when
the block is first read: so opening even a large one takes no time, and damage never goes unnoticed.
"""

import json
import mmap
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, ClassVar
from zlib import crc32

from numberquest.core.contract import Game
from numberquest.core.files import clear_leftovers, user_folder, write_whole
from numberquest.solver.budget import in_words

VERSION = 1
"""Goes up when the solvers or the file change, so that no old file is taken for a new one."""

MAGIC = b"numberquest table\n"
SUFFIX = ".table"
BLOCK = 1 << 13
"""How many values have a checksum together: 64 KiB of chances."""
MOST_KEPT = 500_000_000
"""Nobody wants to find gigabytes in a cache folder that a game has put there."""

keeping = True
"""Whether what is made is written to disk; not while somebody goes through thousands of rule sets."""


class Unusable(Exception):
    """A file that is no table of this game: damaged, cut short, or somebody else's."""


class Table:
    """Values by index. `mend` makes them anew if the file turns out to be damaged."""

    times_read: ClassVar[int] = 0
    """How many were read from disk."""

    def __init__(
        self, values: memoryview, checksums: memoryview | None = None, mend: Callable[[], memoryview] | None = None
    ) -> None:
        self._values = values
        self._checksums = checksums
        self._mend = mend
        self._checked = bytearray(len(checksums) if checksums is not None else 0)

    def __getitem__(self, index: int) -> Any:
        if self._checksums is not None and not self._checked[index // BLOCK]:
            self._check(index // BLOCK)
        return self._values[index]

    def whole(self) -> memoryview:
        """All values, none of them damaged: for those who look up thousands at once."""
        for block, checked in enumerate(self._checked):
            if not checked:
                self._check(block)
        return self._values

    def _check(self, block: int) -> None:
        if self._checksums is None:
            return
        if crc32(self._values[block * BLOCK : (block + 1) * BLOCK]) == self._checksums[block]:
            self._checked[block] = 1
        elif self._mend is not None:
            self._values, self._checksums = self._mend(), None
        else:
            raise Unusable("it is damaged")


def folder() -> str:
    """Where solved games are kept: the user's cache folder."""
    return user_folder("XDG_CACHE_HOME", ".cache")


def source_of(game: Game[Any]) -> str | None:
    """What changes with the rules of somebody's game: its recipe, or a hash of its file. Empty for ours, or None."""
    if game.full_name != game.slug:
        return game.full_name
    module = type(game).__module__
    if module.startswith("numberquest.games."):
        return ""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not os.path.isfile(file):
        return None
    from hashlib import sha256

    with open(file, "rb") as source:
        return sha256(source.read()).hexdigest()


def path_for(game: Game[Any], kind: str = "") -> str:
    """The file of a game: its name carries the rules, what is in it if not the values, and the solvers' version."""
    rules = game.settings_text.replace(" ", "_").translate({ord("*"): "x", ord("/"): "d"})
    what = f"_{kind}" if kind else ""
    return os.path.join(folder(), f"{game.slug}_{rules}{what}_v{VERSION}{SUFFIX}")


def kept_or_made(
    game: Game[Any], item: str, make: Callable[[], memoryview], warn: Callable[[str], None], kind: str = ""
) -> Table:
    """The table from disk if it is there and sound; otherwise made anew, and kept."""
    path = path_for(game, kind)

    def remake() -> memoryview:
        values = make()
        if not keeping:
            return values
        if values.nbytes > MOST_KEPT:
            warn(f"This took {in_words(values.nbytes)}, which is too much to keep on disk; next time it takes as long.")
            return values
        try:
            write(path, game, item, values, kind)
        except OSError as error:
            warn(f"{path} cannot be written ({error.strerror}), so the next time takes as long as this one.")
        return values

    def mend() -> memoryview:
        warn(f"{path} was damaged; it has been made anew.")
        return remake()

    if os.path.exists(path):
        try:
            return read(path, game, mend, kind)
        except Unusable as why:
            warn(f"{path} cannot be used, because {why}; it is made anew.")
        except OSError as error:
            warn(f"{path} cannot be read ({error.strerror}); it is made anew.")
    return Table(remake())


def _identity(game: Game[Any], kind: str) -> str:
    """What must be the same for a kept file to be of use."""
    return f"{kind}{game!r}{source_of(game) or ''}"


def write(path: str, game: Game[Any], item: str, values: memoryview, kind: str = "") -> None:
    """Keep the values; all of the file is there, or nothing."""
    size = values.itemsize * BLOCK
    values = values.cast("B")
    checksums = b"".join(crc32(values[at : at + size]).to_bytes(4, sys.byteorder) for at in range(0, len(values), size))
    head = json.dumps(
        {"rules": _identity(game, kind), "version": VERSION, "item": item, "order": sys.byteorder, "bytes": len(values)}
    ).encode()
    # The values start at a multiple of 8, as the processor likes them.
    start = len(MAGIC) + 12 + len(head) + len(checksums)
    sizes = len(head).to_bytes(4, "big") + len(checksums).to_bytes(4, "big")
    check = crc32(checksums, crc32(head)).to_bytes(4, "big")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    clear_leftovers(os.path.dirname(path))
    write_whole(path, [MAGIC, sizes, check, head, checksums, bytes(-start % 8), values])


def read(path: str, game: Game[Any], mend: Callable[[], memoryview], kind: str = "") -> Table:
    """The values in a file, mapped into memory; `Unusable` says why not."""
    if not os.path.isfile(path):
        raise Unusable("it is not a file")
    with open(path, "rb") as file:
        try:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except ValueError:
            raise Unusable("it is empty") from None
    fixed = len(MAGIC) + 12
    if mapped[: len(MAGIC)] != MAGIC or len(mapped) < fixed:
        raise Unusable("it is not a table of solved positions")
    head_size, checks_size, check = (
        int.from_bytes(mapped[len(MAGIC) + at : len(MAGIC) + at + 4], "big") for at in (0, 4, 8)
    )
    start = fixed + head_size + checks_size
    head, checksums = mapped[fixed : fixed + head_size], mapped[fixed + head_size : start]
    if crc32(checksums, crc32(head)) != check:
        raise Unusable("it is damaged")
    said = json.loads(bytes(head))
    if (said["rules"], said["version"], said["order"]) != (_identity(game, kind), VERSION, sys.byteorder):
        raise Unusable("it is of another game or version")
    start += -start % 8
    if len(mapped) != start + said["bytes"]:
        raise Unusable("it is cut short")
    Table.times_read += 1
    return Table(mapped[start:].cast(said["item"]), memoryview(bytes(checksums)).cast("I"), mend)


def kept() -> Iterator[tuple[str, int]]:
    """The files in the cache folder, with their sizes."""
    home = folder()
    if os.path.isdir(home):
        with os.scandir(home) as entries:
            found = [
                (entry.path, entry.stat().st_size) for entry in entries if SUFFIX in entry.name and entry.is_file()
            ]
        yield from sorted(found)
