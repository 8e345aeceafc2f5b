"""Solves `fifty`: one bit a position, and a whole row of them at once.

For each pool and each own score, the bits of one or more 64-bit words say against which scores of the
opponent the player to move wins. A move leads to a row of the smaller pool, seen from the other side;
so a row is the OR of a few such rows, and the other side's view is a transposed table of bits.
The general pass over pools (`solver.pool_recurrence`) takes five times as long, but also says how soon: `distances`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from numberquest.core.progress import Progress
from numberquest.games.fifty.rules import Fifty, Position
from numberquest.solver.budget import Size, TooLarge, check_memory, in_words, rules_of
from numberquest.solver.distance import KIND
from numberquest.solver.numbers import IN_PAGE, NDArray, np
from numberquest.solver.pool_recurrence import PoolDistances, PoolRules, Pools, PoolWins, best_table
from numberquest.solver.solution import Solution
from numberquest.solver.table import Table, kept_or_made

Words: TypeAlias = "NDArray[np.uint64]"

WORD = 64
MOST_BYTES = 256_000_000
"""A larger file is too much to ask for, only to win a little sooner."""
CHUNK = 2048
"""How many pools are transposed at a time, so that the work stays in the processor's cache."""


class FiftyPools(PoolRules[Position]):
    """The pool is chosen from."""

    drawn = False

    def moves(self, number: int) -> Sequence[str]:
        return [f"{number}{op}" for op in self.game.ops]

    def before(self, number: int, scores: tuple[int, int]) -> Position:
        return Position(self.game.start().pool, scores)

    def used_up(self, scores: tuple[int, int]) -> Position:
        return Position((), scores)

    def read(self, p: Position) -> tuple[Sequence[int], tuple[int, int]]:
        return p

    @property
    def rows(self) -> list[list[list[int]]]:
        """For each number and operation, the row that each score leads to; behind the scores: won, then lost."""
        return [[effect.to for effect in effects] for effects in self.effects]


POOLS = FiftyPools


def solution(game: Fifty, progress: Progress, warn: Callable[[str], None]) -> Solution[Position]:
    """Solved, or read from disk."""
    if IN_PAGE:
        rules = FiftyPools(game)
        return PoolWins(rules, Table(best_table(rules, progress)))
    return FiftySolution(game, kept_or_made(game, "Q", lambda: solve(game, progress).reshape(-1).data, warn))


class FiftySolution(Solution[Position]):
    """Reads whether the player to move wins: by pool and own score, words with a bit for each score of the other."""

    def __init__(self, game: Fifty, table: Table) -> None:
        super().__init__(game)
        self._rules, self.table = FiftyPools(game), table
        self._words = words_for(game)
        self.positions = self._rules.positions

    def known(self, p: Position) -> int:
        row, yours = divmod(self._rules.index(p), self._rules.target)
        word: int = self.table[row * self._words + yours // WORD]
        return word >> yours % WORD & 1


def distances(game: Fifty, progress: Progress, warn: Callable[[str], None]) -> PoolDistances[Position]:
    """How many moves every position still takes; kept on disk."""
    rules = FiftyPools(game)

    def make() -> memoryview:
        if rules.positions > MOST_BYTES:
            raise TooLarge(f"how soon {rules_of(game)} is won would take {in_words(rules.positions)} to keep")
        check_memory(2 * rules.positions, game)
        return best_table(rules, progress)

    return PoolDistances(rules, kept_or_made(game, "b", make, warn, KIND))


def words_for(game: Fifty) -> int:
    """How many words hold a bit for each score of the opponent."""
    return -(-game.target // WORD)


def how_large(game: Fifty) -> Size:
    """Return the size of the solution, which follows from the settings."""
    # Beside the table there are two layers as the other side sees them, and what is being made of them.
    return Size(Pools(game.high, game.copies).number * game.target**2, 2 * table_bytes(game))


def table_bytes(game: Fifty) -> int:
    """How large the finished table is."""
    return Pools(game.high, game.copies).number * game.target * words_for(game) * 8


def solve(game: Fifty, progress: Progress) -> Words:
    """The table: pool by own score by words of the opponent's scores."""
    check_memory(how_large(game).memory, game)
    pools = Pools(game.high, game.copies)
    weights = pools.weights()
    target, words = game.target, words_for(game)
    won = _all_ones(target, words)
    rules = FiftyPools(game)
    after = rules.rows
    table = np.zeros((pools.number, target, words), dtype=np.uint64)
    table[0] = at_the_end(rules)
    # What each pool of the layer below is worth to the one who moved there, at its place in the layer;
    # two more rows stand for a move that wins at once and one that loses at once.
    place = np.zeros(pools.number, dtype=np.intp)
    below = _seen_by_the_other(table[:1], won)
    for size, layer, holders in pools.layers():
        rows = np.zeros((len(layer), target, words), dtype=np.uint64)
        for number, having, _ in holders:
            came_from = below[place[layer[having] - weights[number]]]
            best = came_from[:, after[number][0]]
            for effect in after[number][1:]:
                best |= came_from[:, effect]
            rows[having] |= best
        table[layer] = rows
        place[layer] = np.arange(len(layer))
        below = _seen_by_the_other(rows, won)
        progress(size, pools.size)
    return table


def always_won(game: Fifty, table: Words) -> Words:
    """Return, for players who err, the scores of the opponent against which every move wins."""
    pools = Pools(game.high, game.copies)
    weights, after = pools.weights(), FiftyPools(game).rows
    won = _all_ones(game.target, words_for(game))
    always = table.copy()
    for _, layer, holders in pools.layers():
        rows = table[layer]
        for number, having, _ in holders:
            came_from = _seen_by_the_other(table[layer[having] - weights[number]], won)
            for effect in after[number]:
                rows[having] &= came_from[:, effect]
        always[layer] = rows
    return always


def at_the_end(rules: FiftyPools) -> Words:
    """The rows of the empty pool, for the player who would be next."""
    bits = np.zeros((rules.target, words_for(rules.game) * WORD), dtype=np.uint8)
    bits[:, : rules.target] = rules.ends
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _all_ones(target: int, words: int) -> Words:
    bits = (1 << target) - 1
    return np.array([bits >> WORD * word & (2**WORD - 1) for word in range(words)], dtype=np.uint64)


def _seen_by_the_other(rows: Words, won: Words) -> Words:
    """For each own score after a move, against which scores of the opponent, now to move, the move has won."""
    count, target, words = rows.shape
    seen = np.zeros((count, target + 2, words), dtype=np.uint64)
    for start in range(0, count, CHUNK):
        part = rows[start : start + CHUNK]
        square = np.zeros((len(part), words * WORD, words), dtype=np.uint64)
        square[:, :target] = part
        blocks = square.reshape(len(part), words, WORD, words)
        turned = np.empty_like(blocks)
        for row in range(words):
            for column in range(words):
                turned[:, column, :, row] = _transposed(blocks[:, row, :, column].copy())
        seen[start : start + CHUNK, :target] = ~turned.reshape(square.shape)[:, :target] & won
    seen[:, target] = won
    return seen


def _transposed(blocks: Words) -> Words:
    """Tables of 64 by 64 bits with rows and columns exchanged, by swapping ever smaller squares; in place."""
    side, mask = WORD // 2, 2 ** (WORD // 2) - 1
    while side:
        pairs = blocks.reshape(len(blocks), WORD // (2 * side), 2, side)
        upper, lower = pairs[:, :, 0], pairs[:, :, 1]
        shift = np.uint64(side)
        change = (upper >> shift ^ lower) & np.uint64(mask)
        lower ^= change
        upper ^= change << shift
        side //= 2
        mask ^= mask << side & (2**WORD - 1)
    return blocks
