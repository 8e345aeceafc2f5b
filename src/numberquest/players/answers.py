"""Which move an answer in words means: a move in brackets, in a sentence, in another spelling.

Lenient about how a move is written, and strict about which one is meant: where an answer can be read in two ways, it is
read in none. docs/agents.md has the rule, and tests/players/readings.py the cases that every reader of answers shares.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
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
_LATEX: Final = ((re.compile(r"\\(?:times|cdot|ast)(?![a-z])"), "*"), (re.compile(r"\\div(?![a-z])"), "/"))
_AROUND_WORDS: Final = re.compile(r"\\[a-z]+|</?[a-z]+>")
"""LaTeX's commands, and tags: no words."""
_X: Final = re.compile(r"(?<=\d)\s*x(?![^\W_])|(?<![^\W_])x\s*(?=\d)")
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
        r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}|<(?:move|answer|action)>(.*?)</(?:move|answer|action)>"
        r"|\"(?:move|answer|action)\"\s*:\s*(\"[^\"]*\"|\d+)|\[([^\[\]]*)\]"
        r"|^\W*(?:my |the |final |best |next )*(?:answer|move|choice)(?: is)?\W*[:=](?:\*\*)?\s*([^\[\\<\n]+)$",
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
    ),
    re.compile(r"\*\*([^\n]+?)\*\*(?!\*)|`([^`\n]+)`"),
)
"""How an answer is marked as such, the clearest first."""
BRACKETS: Final = 4
"""The group of the brackets there."""
_ALL_IN_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_JOINT: Final = re.compile(r"[\W_]*(?:(?:or|and|maybe|perhaps|also|then|else)[\W_]*)*", re.IGNORECASE)
"""What stands between marks that are named in one breath."""
_CHOOSES: Final = _words(
    "answer choice choose choosing go going move pick picking play playing say saying select selecting take taking"
)
_NOT_CHOSEN: Final = _words(
    "avoid can cannot could don dont he if instead let might never not opponent opponents she shouldn t they wouldn you"
)
"""Before such a word comes no choice, but something that is weighed."""
_WEIGHED: Final = 4
"""So many words before a choice are looked at for that."""
_REFUSED: Final = _words("avoid avoiding cannot except instead neither never nor not over rather t than without")
"""What stands right behind such a word is not meant."""


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
    >>> read_move("[5] or [7]", ["5", "6", "7"]).why
    'the answer names 5 and 7: which one is meant cannot be told'
    """
    moves = _reader(tuple(dict.fromkeys([*actions, *allowed])))
    # Without what was thought before the answer; what is left open was cut off while it was still thinking.
    text = said[-LONGEST:].rpartition("</think>")[2].partition("<think>")[0].strip()
    if around := _ALL_IN_BRACKETS.fullmatch(text):
        text = around[1].strip()
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
    for kind in _MARKED:
        yield moves.marked(text, kind)
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
        self._has_x = any("*" in _tokens(action) for action in actions)
        self._words = {word for action in actions for word in _tokens(action) if len(word) > 3 and word.isalpha()}
        self._exact = _unique((action.casefold().strip(), action) for action in actions)
        self._full = _unique((tuple(_tokens(action)), action) for action in actions)
        pairs = [(_without_fillers(_tokens(action)), action) for action in actions]
        # `+5` is `5+`, but the cell `1,2` is not `2,1`.
        self._mixed = _unique((tuple(sorted(key)), action) for key, action in pairs if len(key) > 1)
        # Where no move has a number, one behind a move is what it is made with: "add 6". Where none has a sign, to add
        # a number is to choose it.
        self._numberless = not any(word[0].isdigit() for key, _ in pairs for word in key)
        if not any("+" in key for key, _ in pairs):
            pairs += [(("+", *key), action) for key, action in pairs if len(key) == 1 and key[0].isdigit()]
        self._loose = _unique(pairs)
        self._longest = max((len(key) for key in self._loose), default=0)

    def whole(self, text: str) -> str | None:
        """The move that a text is, and nothing besides."""
        plain = text.casefold()
        exact = self._exact.get(plain.strip()) or self._exact.get(plain.strip(" \n.!'\"`_()"))
        if exact is not None:
            return exact
        tokens = [token for token in self._tokens(text) if token not in _BREAKS]
        for words in (tokens, [_NUMBERS.get(token, token) for token in tokens]):
            loose = _without_fillers(words)
            if self._numberless:
                loose = (*loose[:1], *(word for word in loose[1:] if not word[0].isdigit()))
            found = self._full.get(tuple(words)) or self._loose.get(loose) or self._mixed.get(tuple(sorted(loose)))
            if found is not None:
                return found
        return None

    def marked(self, text: str, kind: re.Pattern[str]) -> list[str]:
        """The moves in marks of that kind; of several, the one that is chosen or ends the answer, if no other is."""
        named, meant = list[str](), list[str]()
        run, chosen, end, group = list[str](), False, 0, 0
        for mark in kind.finditer(text):
            before, after = self._sentence(text[: mark.start()]), self._sentence(text[mark.end() :], first=True)
            inside = next(filter(None, mark.groups()), "").strip(' "')
            here = _of(self.whole(inside))
            if not here and kind is _MARKED[0] and len(set(several := self.mentioned(inside))) > 1:
                here = several
            if not here or _is_refused(before):
                continue
            # "[6] or 7" has two, though one alone is marked.
            for words in (before if before[-1:] == ["or"] else [], after if after[:1] == ["or"] else []):
                here += self._among(words)
            if mark.lastindex != group or not _JOINT.fullmatch(text[end : mark.start()]):
                meant += run if chosen else []
                # All of them but brackets and bold say of themselves that they are the answer.
                run, chosen = [], (kind is _MARKED[0] and mark.lastindex != BRACKETS) or _chooses(before)
            run += here
            named += here
            end, group = mark.end(), mark.lastindex or 0
        meant += run if chosen or not self._tokens(text[end:].strip(".!?; \n")) else []
        return meant if len(set(meant)) == 1 else named

    def mentioned(self, text: str) -> list[str]:
        """The moves that stand in a text, in their order, without those that it refuses."""
        return self._among(self._tokens(text))

    def _among(self, words: Sequence[str]) -> list[str]:
        places = [at for at, word in enumerate(words) if word not in _FILLERS]
        tokens = [words[at] for at in places]
        found, at = [], 0
        while at < len(tokens):
            # In "I have 15, so I add 6" nothing is added to 15 as in a sum.
            move, length = self._at(tokens, at, apart=at > 0 and places[at] > places[at - 1] + 1)
            if move is not None and not _is_refused(_sentence(tokens, at)):
                found.append(move)
            at += max(length, 1)
        return found

    def chosen(self, text: str) -> list[str]:
        """The moves of which a text says that they are chosen: "I play 7". The last sentence that does so counts."""
        tokens = self._tokens(text)
        last, now, besides = list[str](), list[str](), list[str]()
        for at, token in enumerate([*tokens, "."]):
            if token in _BREAKS:
                # Whoever says "I play 5 and predict 45" has said two things.
                last, now, besides = (now + besides if now else last), [], []
            elif _NOT_CHOSEN & set(_sentence(tokens, at)[-_WEIGHED:]):
                continue
            elif token in _CHOOSES:
                now += self._listed(tokens, at + 1)
            elif token in self._words:
                besides += _of(self._at(tokens, at)[0])
        return last

    def _listed(self, tokens: Sequence[str], at: int) -> list[str]:
        """The move that follows, and those that are named in the same breath: "6, 7 or 8"."""
        found = list[str]()
        while True:
            while at < len(tokens) and (tokens[at] in _FILLERS or (found and tokens[at] in ("or", "/"))):
                at += 1
            move, length = self._at(tokens, at)
            if move is None:
                return found
            found.append(move)
            at += length

    def _at(self, tokens: Sequence[str], at: int, *, apart: bool = False) -> tuple[str | None, int]:
        """The longest move that begins there, apart from what stands before it or not, and of how many words it is."""
        for length in range(min(self._longest, len(tokens) - at), 0, -1):
            key, end = tuple(tokens[at : at + length]), at + length
            move = self._loose.get(key) or self._mixed.get(tuple(sorted(key)))
            end += self._numberless and end < len(tokens) and tokens[end][0].isdigit()
            if move is not None and not _is_sum(tokens, at, end, apart=apart):
                return move, end - at
        return None, 0

    def _tokens(self, text: str) -> list[str]:
        return [self._stem(token) for token in _tokens(text, times=self._has_x)]

    def _sentence(self, text: str, *, first: bool = False) -> list[str]:
        """The words of a text's last sentence, or of its first."""
        tokens = self._tokens(text)
        return list(takewhile(lambda token: token not in _BREAKS, tokens)) if first else _sentence(tokens, len(tokens))

    def _stem(self, word: str) -> str:
        """A word of a move for one that begins like it: `predict` for `predicting`."""
        if len(word) > 4 and word.isalpha() and word not in self._words:
            for other in self._words:
                if word.startswith(other):
                    return other
        return word


_reader = lru_cache(maxsize=32)(_MoveReader)


def _chooses(before: Sequence[str]) -> bool:
    """Whether what follows these words of a sentence is chosen: "I choose", "so my final answer is"."""
    words = list(takewhile(lambda word: word in _FILLERS or word in _CHOOSES, reversed(before)))
    at = next((number for number, word in enumerate(words) if word in _CHOOSES), None)
    return at is not None and not _NOT_CHOSEN & set(before[: len(before) - at][-_WEIGHED - 1 :])


def _is_refused(before: Sequence[str]) -> bool:
    """Whether what follows these words of a sentence is what is not meant: "rather than", "not play"."""
    return next((word for word in reversed(before) if word not in _FILLERS | _CHOOSES), "") in _REFUSED


def _is_sum(tokens: Sequence[str], start: int, end: int, *, apart: bool = False) -> bool:
    """Whether a sign between two numbers makes these words part of a sum, such as the `5 +` of `5 + 6`."""
    before, after = tokens[start - 1] if start and not apart else "", tokens[end] if end < len(tokens) else ""
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


def _tokens(text: str, *, times: bool = False) -> list[str]:
    """The words, numbers and signs of a text; with `times`, the x of `6x` is a sign."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_SIGNS)
    for command, sign in _LATEX:
        plain = command.sub(sign, plain)
    plain = _AROUND_WORDS.sub(" ", plain)
    plain = _X.sub("*", plain) if times else plain
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
