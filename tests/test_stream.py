"""A seed gives the same numbers on any machine and in any version: pinned here, never to change."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from numberquest.stream import Stream


def test_a_word_is_the_first_eight_bytes_of_the_hash_of_label_seed_and_block() -> None:
    # docs/seeds.md in code, written apart from the program.
    words = []
    for block in (0, 1):
        digest = sha256(f"numberquest/1/deal/7/{block}".encode()).digest()
        words += [int.from_bytes(digest[8 * at : 8 * at + 8], "big") for at in range(4)]
    stream = Stream("7", "deal")
    # A bound just below 2**64 leaves each of these words as it is.
    assert [stream.below(2**64 - 1) for _ in words] == words


def test_the_numbers_of_a_seed_never_change() -> None:
    stream = Stream("7", "deal")
    assert [stream.below(100) for _ in range(10)] == [14, 79, 10, 68, 36, 8, 90, 97, 94, 44]
    assert Stream("7", "deal").shuffled(range(1, 10)) == (7, 5, 4, 6, 9, 1, 3, 8, 2)


def test_another_label_is_another_stream() -> None:
    assert Stream("7", "deal").shuffled(range(20)) != Stream("7", "toss").shuffled(range(20))


def test_a_word_that_would_favour_small_numbers_is_passed_over() -> None:
    class Loaded(Stream):
        def __init__(self) -> None:
            super().__init__("", "")
            self._given = [2**64 - 1, 5]

        def _word(self) -> int:
            return self._given.pop(0)

    # 2**64 leaves a remainder by 3, so the very last word must not count.
    assert Loaded().below(3) == 2


def test_every_order_is_alike() -> None:
    counts = Counter(Stream(str(seed), "deal").shuffled("abc") for seed in range(6000))
    assert len(counts) == 6
    # 1000 expected, standard deviation 29; these seeds are fixed, so this cannot fail by chance.
    assert all(abs(count - 1000) < 120 for count in counts.values())
