"""Which move an answer in words means: a move in brackets, in a sentence, in another spelling.

Lenient about how a move is written, and strict about which one is meant: where an answer can be read in two ways, it is
read in none. What is marked as the answer counts before what is merely mentioned, and what stands last before what
stands first.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from numberquest.core.sentences import in_short
from numberquest.core.settings import TYPED
from numberquest.players.asking import shown

LONGEST: Final = 20_000
"""Of an answer only the last so many characters are read."""

Key = tuple[str, ...]
K = TypeVar("K", str, Key)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SIGNS: Final = str.maketrans({**TYPED, "–": "-", "—": "-", "∗": "*", "·": "*", "∙": "*", "⋅": "*", "∕": "/"})
_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[+*/-]|[.!?;\n]")
_OPERATIONS: Final = frozenset("+-*/")
_BREAKS: Final = frozenset(".!?;\n")
_SAME: Final = {
    **dict.fromkeys(("add", "adds", "adding", "addition", "plus"), "+"),
    **dict.fromkeys(("subtract", "subtracts", "subtracting", "subtraction", "minus"), "-"),
    **dict.fromkeys(("multiply", "multiplies", "multiplying", "multiplication", "times"), "*"),
    **dict.fromkeys(("divide", "divides", "dividing", "division", "divided"), "/"),
}
"""Words for signs. The moves of a game are read in the same way, so that a game may have them as words itself."""
_NUMBER_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
"""Read only where the whole answer is a move: in a sentence, "this one" is no number."""
_FILLERS: Final = _words(
    "a an and answer at be best by card cell chip choice choose chose col column final for go going i in is it let ll "
    "m me move my next now number of on pick play position put reveal row select so sum take that the then this to "
    "total turn uncover use want will with would"
)
"""Words that do not say which move is meant."""
_MARKED: Final = (
    re.compile(
        r"\\boxed\{([^{}]*)\}|<move>([^<]*)</move>|\"move\"\s*:\s*(\"[^\"]*\"|\d+)|\[([^\[\]]*)\]", re.IGNORECASE
    ),
    re.compile(
        r"^\W*(?:my |the |final |best |next )*(?:answer|move|choice)(?: is)?\W*[:=](?:\*\*)?\s*(.+)$",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(r"\*\*([^\n]+?)\*\*(?!\*)|`([^`\n]+)`"),
)
"""How an answer is marked as such, the clearest first."""
_CHOOSES: Final = _words(
    "answer choice choose choosing go going move pick picking play playing say saying select selecting take taking"
)
_NOT_CHOSEN: Final = _words(
    "avoid can cannot could don dont if instead let might never not opponent opponents shouldn t they wouldn"
)
"""Before such a word comes no choice, but something that is weighed."""
_WEIGHED: Final = 4
"""So many words before a choice are looked at for that."""


class Reading(NamedTuple):
    """The move that an answer means; None where it means none that is allowed, and then why."""

    move: str | None
    why: str = ""


def read_move(said: str, allowed: Sequence[str], actions: Sequence[str] = ()) -> Reading:
    """Read an answer. `actions` are all moves of the game: another than an allowed one is then told from no move.

    >>> read_move("I could play 5, but 7 is better: [7]", ["5", "6", "7"]).move
    '7'
    >>> read_move("Multiply by 6.", ["6+", "6*"]).move
    '6*'
    """
    moves = _reader(tuple(dict.fromkeys([*actions, *allowed])))
    # Without what was thought before the answer; what is left open was cut off while it was still thinking.
    text = said[-LONGEST:].rpartition("</think>")[2].partition("<think>")[0].strip()
    if not text:
        return Reading(None, "the answer is empty")
    for meant in _meant(moves, text, frozenset(allowed)):
        named = list(dict.fromkeys(meant))
        if len(named) == 1:
            if named[0] in allowed:
                return Reading(named[0])
            return Reading(None, f"{named[0]} is not allowed now; allowed is {in_short(allowed)}")
        if named:
            return Reading(None, f"the answer names {' and '.join(named[:3])}: which one is meant cannot be told")
    return Reading(None, f"{shown(text)} names no allowed move; allowed is {in_short(allowed)}")


def _meant(moves: _MoveReader, text: str, allowed: frozenset[str]) -> Iterator[list[str]]:
    """What the answer may mean, the clearest first; each is what is named there, none or one or several."""
    yield _of(moves.whole(text))
    for marks in _MARKED:
        marked = ["".join(filter(None, found.groups())).strip(' "') for found in marks.finditer(text)]
        yield [move for one in marked if (move := moves.whole(one)) is not None][-1:]
    last = text.rstrip().rpartition("\n")[2]
    yield _of(moves.whole(last))
    yield moves.chosen(text)
    for part in (last, text):
        yield [move for move in moves.mentioned(part) if move in allowed]
    yield moves.mentioned(text)


def _of(move: str | None) -> list[str]:
    return [] if move is None else [move]


class _MoveReader:
    """The moves of a game by all the ways to write them that mean one alone."""

    def __init__(self, actions: Sequence[str]) -> None:
        self._words = {word for action in actions for word in _tokens(action) if len(word) > 3 and word.isalpha()}
        self._exact = _unique((action.casefold().strip(), action) for action in actions)
        self._full = _unique((tuple(_tokens(action)), action) for action in actions)
        pairs = [(_without_fillers(_tokens(action)), action) for action in actions]
        self._loose = _unique(pairs)
        # `+5` is `5+`, but the cell `1,2` is not `2,1`.
        self._mixed = _unique((tuple(sorted(key)), action) for key, action in pairs if len(key) > 1)
        self._longest = max((len(key) for key in self._loose), default=0)

    def whole(self, text: str) -> str | None:
        """The move that a text is, and nothing besides."""
        plain = text.casefold()
        exact = self._exact.get(plain.strip()) or self._exact.get(plain.strip(" \n.!'\"`_()"))
        if exact is not None:
            return exact
        tokens = [self._stem(token) for token in _tokens(text) if token not in _BREAKS]
        for words in (tokens, [_NUMBERS.get(token, token) for token in tokens]):
            loose = _without_fillers(words)
            found = self._full.get(tuple(words)) or self._loose.get(loose) or self._mixed.get(tuple(sorted(loose)))
            if found is not None:
                return found
        return None

    def mentioned(self, text: str) -> list[str]:
        """The moves that stand in a text, in their order."""
        tokens = [token for token in map(self._stem, _tokens(text)) if token not in _FILLERS]
        found, at = [], 0
        while at < len(tokens):
            move, length = self._at(tokens, at)
            if move is not None:
                found.append(move)
            at += max(length, 1)
        return found

    def chosen(self, text: str) -> list[str]:
        """The moves of which a text says that they are chosen: "I play 7". The last sentence that does so counts."""
        tokens = [self._stem(token) for token in _tokens(text)]
        last, now, besides = list[str](), list[str](), list[str]()
        for at, token in enumerate([*tokens, "."]):
            if token in _BREAKS:
                # Whoever says "I play 5 and predict 45" has said two things.
                last, now, besides = (now + besides if now else last), [], []
            elif _NOT_CHOSEN & set(_sentence(tokens, at)[-_WEIGHED:]):
                continue
            elif token in _CHOOSES:
                following = at + 1
                while following < len(tokens) and tokens[following] in _FILLERS:
                    following += 1
                now += _of(self._at(tokens, following)[0])
            elif token in self._words:
                besides += _of(self._at(tokens, at)[0])
        return last

    def _at(self, tokens: Sequence[str], at: int) -> tuple[str | None, int]:
        """The longest move that begins there, and of how many words it is."""
        for length in range(min(self._longest, len(tokens) - at), 0, -1):
            key = tuple(tokens[at : at + length])
            move = self._loose.get(key) or self._mixed.get(tuple(sorted(key)))
            if move is not None and not _is_sum(tokens, at, at + length):
                return move, length
        return None, 0

    def _stem(self, word: str) -> str:
        """A word of a move for one that begins like it: `predict` for `predicting`."""
        if len(word) > 4 and word.isalpha() and word not in self._words:
            for other in self._words:
                if word.startswith(other):
                    return other
        return word


_reader = lru_cache(maxsize=32)(_MoveReader)


def _is_sum(tokens: Sequence[str], start: int, end: int) -> bool:
    """Whether a sign between two numbers makes these words part of a sum, such as the `5 +` of `5 + 6`."""
    before, after = tokens[start - 1] if start else "", tokens[end] if end < len(tokens) else ""
    first, last = tokens[start], tokens[end - 1]
    return any(
        (one in _OPERATIONS and other[:1].isdigit()) or (other in _OPERATIONS and one[:1].isdigit())
        for one, other in ((first, before), (last, after))
    )


def _sentence(tokens: Sequence[str], at: int) -> list[str]:
    """The words of the sentence before that place."""
    start = at
    while start and tokens[start - 1] not in _BREAKS:
        start -= 1
    return list(tokens[start:at])


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
    return [_SAME.get(token, token) for token in _TOKEN.findall(plain)]


def _without_fillers(tokens: Iterable[str]) -> Key:
    return tuple(token for token in tokens if token not in _FILLERS and token not in _BREAKS)


def _unique(pairs: Iterable[tuple[K, str]]) -> dict[K, str]:
    """Each way to write a move that is the way of one alone."""
    found: dict[K, str] = {}
    twice = set()
    for key, action in pairs:
        if found.setdefault(key, action) != action:
            twice.add(key)
    return {key: action for key, action in found.items() if key and key not in twice}
