"""Who settles chance: a deal of the hidden numbers, random, given, or sealed beforehand."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from numberquest.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numberquest.game import Game


class BadDeal(ValueError):
    """A deal that is not made of exactly the game's numbers, or does not fit what was promised."""


class Dealer(NamedTuple):
    """Holds what is hidden, and uncovers it one number at a time.

    `deal` is the whole order: for `grid` the cells row by row, for `mystic` the pile from the top.
    `seed` is the text it comes from, where it comes from one; `given` says that it does not.
    `commitment` is the SHA-256 of the seed, which can be published before the game.
    """

    deal: tuple[int, ...]
    seed: str | None = None
    given: bool = False
    commitment: str | None = None

    def reveal(self, game: Game[Any], position: Any) -> str:
        """The move that chance makes there."""
        return str(self.deal[game.slot(position)])


def seeded(game: Game[Any], seed: int | str) -> Dealer:
    """The same seed, the same deal: anywhere, in any version."""
    text = seed_text(seed)
    return Dealer(Stream(text, "deal").shuffled(game.deck), text)


def sealed(game: Game[Any], seed: str | None = None) -> Dealer:
    """A secret seed, with its hash to publish first; whoever learns the seed later can check the deal."""
    dealer = seeded(game, new_seed() if seed is None else seed)
    return dealer._replace(commitment=commitment_of(dealer.seed or ""))


def given(game: Game[Any], deal: Iterable[int], seed: int | str | None = None) -> Dealer:
    """Exactly these numbers in this order. A seed then only serves what else is random."""
    deal = tuple(deal)
    if not game.deck:
        raise BadDeal(f"nothing is hidden in {game.slug}, so there is nothing to deal")
    if any(type(number) is not int for number in deal):
        raise BadDeal("a deal is made of whole numbers")
    have, need = Counter(deal), Counter(game.deck)
    wrong = [f"{number} is missing" for number in sorted((need - have).elements())]
    wrong += [f"{number} is too many" for number in sorted((have - need).elements())]
    if wrong:
        shown = ", ".join(wrong[:6]) + (", …" if len(wrong) > 6 else "")
        numbers = ",".join(map(str, game.deck))
        raise BadDeal(f"the deal must hold the {len(game.deck)} numbers {numbers} in any order: {shown}")
    return Dealer(deal, None if seed is None else seed_text(seed), given=True)


def completed(game: Game[Any], seen: Mapping[int, int]) -> Dealer:
    """A deal with these numbers in these places, and the unseen ones shuffled behind them."""
    unseen = Counter(game.deck) - Counter(seen.values())
    rest = iter(Stream(new_seed(), "deal").shuffled(tuple(unseen.elements())))
    places = range(len(game.deck))
    return Dealer(tuple(seen[at] if at in seen else next(rest) for at in places), given=True)


def seed_text(seed: int | str) -> str:
    """The seed as the text that is hashed; one line that people can write down."""
    text = str(seed)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise BadDeal("a seed is a number or a short text")
    if not text.isprintable() or not 1 <= len(text) <= 100:
        raise BadDeal("a seed is a number or a short text: 1 to 100 visible characters on one line")
    return text


def new_seed() -> str:
    """A seed that nobody can guess: 128 bits from the system, as 32 letters and digits."""
    return os.urandom(16).hex()


def commitment_of(seed: str) -> str:
    """The SHA-256 of the seed's text: `printf %s SEED | sha256sum` says the same."""
    from hashlib import sha256

    return sha256(seed.encode()).hexdigest()
