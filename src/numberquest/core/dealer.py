"""Who settles chance: a deal of hidden numbers, or draws on the way; random, given, or sealed beforehand."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from numberquest.core.contract import Game
from numberquest.core.errors import UsageError
from numberquest.core.sentences import in_short
from numberquest.core.stream import Stream, weighted


class BadDeal(UsageError, ValueError):
    """A deal that is not made of exactly the game's numbers, or does not fit what was promised."""


class Dealer(NamedTuple):
    """Holds what is hidden, and uncovers it one at a time."""

    deal: tuple[int | str, ...]
    """The whole order of a deck: of covered cells row by row, of a pile from the top.

    Of draws it holds those that are given, in order; the rest follows from the seed.
    """
    seed: str | None = None
    """The text that the deal comes from, where it comes from one."""
    given: bool = False
    """Whether the deal was given, and does not come from the seed."""
    commitment: str | None = None
    """The SHA-256 of the seed, which can be published before the game."""

    def reveal(self, game: Game[Any], position: Any, before: int) -> str:
        """The move that chance makes there, after so many reveals before it; `BadDeal` where a given one cannot be."""
        if game.deck:
            return str(self.deal[game.slot(position)])
        faces = game.moves(position)
        if before < len(self.deal):
            face = str(self.deal[before])
            if face not in faces:
                raise BadDeal(f"draw number {before + 1} is {face}, but only {in_short(faces)} can be drawn there")
            return face
        return drawn(self.seed or "", before, faces, game.weights(position))


def drawn(seed: str, before: int, faces: Sequence[str], weights: Sequence[int]) -> str:
    """The draw that a seed gives after so many draws: each face as often as its weight says."""
    return weighted(faces, weights, Stream(seed, f"draw {before}").below(sum(weights)))


def is_sealed(game: Game[Any]) -> bool:
    """Whether something in a game is promised before it is seen: what chance brings, or secret choices."""
    return bool(game.chance) or game.has_secrets


def choice_seal(seed: str, at: int, move: str) -> str:
    """What is shown of a choice until it is uncovered, so that nobody can change it: after so many moves and reveals.

    The SHA-256 of `SEED/AT/MOVE`: whoever learns the seed later can check it.
    """
    return commitment_of(f"{seed}/{at}/{move}")


def seeded(game: Game[Any], seed: int | str) -> Dealer:
    """The same seed, the same deal: anywhere, in any version."""
    text = seed_text(seed)
    return Dealer(Stream(text, "deal").shuffled(game.deck), text)


def sealed(game: Game[Any], seed: str | None = None) -> Dealer:
    """A secret seed, with its hash to publish first; whoever learns the seed later can check the deal."""
    dealer = seeded(game, new_seed() if seed is None else seed)
    return dealer._replace(commitment=commitment_of(dealer.seed or ""))


def given(game: Game[Any], deal: Iterable[int | str], seed: int | str | None = None) -> Dealer:
    """Exactly these numbers in this order, or these draws first. A seed then only serves what else is random."""
    deal = tuple(deal)
    if not game.chance:
        raise BadDeal(f"nothing is hidden in {game.slug}, so there is nothing to deal")
    if game.chance == "draws":
        return Dealer(tuple(map(str, deal)), new_seed() if seed is None else seed_text(seed), given=True)
    if any(type(number) is not int for number in deal):
        raise BadDeal("a deal is made of whole numbers")
    have: Counter[int | str] = Counter(deal)
    need: Counter[int | str] = Counter(game.deck)
    wrong = [f"{number} is missing" for number in sorted((need - have).elements())]
    wrong += [f"{number} is too many" for number in sorted((have - need).elements())]
    if wrong:
        shown = ", ".join(wrong[:6]) + (", …" if len(wrong) > 6 else "")
        numbers = ",".join(map(str, game.deck))
        raise BadDeal(f"the deal must hold the {len(game.deck)} numbers {numbers} in any order: {shown}")
    return Dealer(deal, None if seed is None else seed_text(seed), given=True)


def completed(game: Game[Any], seen: Mapping[int, str], seed: str | None = None) -> Dealer:
    """With what was seen at these places of the deal, or in this order of draws; the rest is shuffled behind it.

    The same seed shuffles it the same way.
    """
    shuffle = new_seed() if seed is None else seed_text(seed)
    if game.chance == "draws":
        return Dealer(tuple(seen[at] for at in sorted(seen)), shuffle, given=bool(seen))
    found = {at: int(number) for at, number in seen.items()}
    unseen = Counter(game.deck) - Counter(found.values())
    rest = iter(Stream(shuffle, "deal").shuffled(tuple(unseen.elements())))
    places = range(len(game.deck))
    return Dealer(tuple(found[at] if at in found else next(rest) for at in places), seed, given=True)


def place_of(game: Game[Any], position: Any, before: int) -> int:
    """Which place of the deal a reveal there uncovers; of draws, how many came before it."""
    return game.slot(position) if game.deck else before


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
