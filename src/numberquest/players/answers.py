"""Which move an answer in words means: a move in brackets, in a sentence, in another spelling.

Lenient about how a move is written, and strict about which one is meant: where an answer can be read in two ways, it is
read in none. docs/agents.md has the rule, and tests/players/readings.py the cases that every reader of answers shares.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Final, NamedTuple, TypeVar

from numberquest.core.sentences import in_short
from numberquest.core.settings import TYPED
from numberquest.players.asking import shown

LONGEST: Final = 20_000  # characters; of a longer answer only the end is read
NEAR: Final = 12  # words; how far before and behind a move the reader looks for what says whether that move is meant

Key = tuple[str, ...]
K = TypeVar("K", str, Key)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SIGNS: Final = str.maketrans({**TYPED, "–": "-", "—": "-", "∗": "*", "·": "*", "∙": "*", "⋅": "*", "∕": "/"})
_LATEX: Final = ((re.compile(r"\\(?:times|cdot|ast)(?![a-z])"), "*"), (re.compile(r"\\div(?![a-z])"), "/"))
_AROUND_WORDS: Final = re.compile(r"\\[a-z]+|</?[a-z]+>")
"""LaTeX's commands, and tags: no words."""
_NOT_ASCII: Final = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]{1,64}")
"""Text to normalize. The pieces are short, because normalizing many accents in a row takes quadratic time."""
_CELLS: Final = (
    (re.compile(r"\bcol(?:umn)?\W*(\d+)(?:[^\w.!?;\n]|and\b|of\b|in\b)*row\W*(\d+)"), r"\2,\1"),
    (re.compile(r"\br(\d+)\s?c(\d+)\b"), r"\1,\2"),
)
"""Cells that are named by their column first, or as in a spreadsheet."""
_PHRASES: Final = (
    (re.compile(r"\bany\w*(?: number| move)? but\b|\b(?:number|one) (?:after|before|above|below)\b"), " except "),
    (re.compile(r"\bor so\b"), "?"),
    (re.compile(r"(?<=\d[+*/-])(?::|\s+\()"), ";"),
)
"""Words that name another move than the one behind them, or that doubt it; and signs that end a move before a sum."""
_STRUCK: Final = re.compile(r"~~[^~\n]*~~")
GOES_ON: Final = r"\n[ \t*#>]*(?:human|user)[ \t*]*:"
"""The pattern of a line at which a model goes on by itself, with what its user might say next."""
_PLAYER: Final = re.compile(r"\Aplayer [12]\W+(?:plays? |chooses? |picks? )?(?=\w)", re.IGNORECASE)
"""How the history of a match names the player of a move."""
_X: Final = re.compile(r"(?<=\d)\s*x(?![^\W_])|(?<![^\W_])x\s*(?=\d)")
_CUT: Final = "\ue000"  # a character for private use; it stands where a mark or its inside begins or ends
_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|[+*/-]|[.!?;\n]|" + _CUT)
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
    "m me move my next now number of on pick play position put reveal row score select so sum take that the then this "
    "to total turn uncover use want will with would"
)
"""Words that do not say which move is meant."""
_MARKED: Final = (
    re.compile(
        r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"
        r"|<(?:move|answer|action)>((?:[^<]|<(?!(?:move|answer|action)>))*?)</(?:move|answer|action)>"
        r"|\"(?:move|answer|action)\"\s*:\s*(\"[^\"]*\"|\d+)|\[([^\[\]]*)\]"
        r"|^[^\w\n]*+(?:my |the |final |best |next )*+(?:answer|move|choice)(?: is)?[^\w\n:=]*+[:=](?:\*\*)?+\s*+"
        r"([^\[\\<\n]++)$",
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
    ),
    re.compile(r"\*\*([^\n]+?)\*\*(?!\*)|`([^`\n]+)`"),
)
"""How an answer is marked as such, the clearest first."""
BRACKETS: Final = 4
"""The group of the brackets there."""
_ALL_IN_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
_JOINT: Final = re.compile(r"[\W_]*(?:(?:or|and|maybe|perhaps|also|then|else)[\W_]*)*", re.IGNORECASE)
"""The words and signs between marks that are named in one breath."""
_CHOOSES: Final = _words(
    "answer choice choose choosing go going move pick picking play playing say saying select selecting take taking"
)
_NOT_CHOSEN: Final = _words(
    "avoid can cannot could don dont he if instead let might never not opponent opponents she should shouldn t they "
    "unless was were when whenever wouldn you"
)
"""Words that make a choice behind them something that is weighed."""
_WEIGHED: Final = 4  # words; how far before a choice the reader looks for those
_REFUSED: Final = _words("avoid avoiding cannot except instead neither never nor not over rather t than without")
"""Words that refuse the move right behind them."""
_OTHERS: Final = _words("he opponent opponents she they")
_DOES: Final = _words(
    "answers can choose chooses could has have likely may might must pick picks play plays probably reply replies "
    "respond responds response s select selects surely take takes"
)
"""Words between another player and the move that this player makes."""
_MYSELF: Final = _words("i we")


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
    # Without the thoughts before the answer. An open thought was cut off, and holds no answer.
    text = _plain(said[-LONGEST:].replace(_CUT, " "))[-LONGEST:].rpartition("</think>")[2].partition("<think>")[0]
    text = _STRUCK.sub(" ", re.split(GOES_ON, text.strip(), maxsplit=1, flags=re.IGNORECASE)[0]).strip()
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
    """Yield the moves that each way of reading the answer names, the clearest way first."""
    unnamed, words = _PLAYER.sub("", text, count=1), moves.tokens(text)
    yield _of(moves.whole(unnamed, words if unnamed == text else moves.tokens(unnamed)))
    for kind in _MARKED:
        yield moves.marked(text, kind)
    last = text.rpartition("\n")[2]
    ending = words if last == text else moves.tokens(last)
    yield _of(moves.whole(last, ending))
    yield moves.chosen(words)
    named = moves.mentioned(words)
    for part in (named if last == text else moves.mentioned(ending), named):
        yield [move for move in part if move in allowed or move.removesuffix("?") in allowed]
    yield named


def _of(move: str | None) -> list[str]:
    return [] if move is None else [move]


class _MoveReader:
    """The moves of a game by all the ways to write them that mean one alone."""

    def __init__(self, actions: Sequence[str]) -> None:
        self._has_x = any("*" in _tokens(action) for action in actions)
        self._words = {word for action in actions for word in _tokens(action) if len(word) > 3 and word.isalpha()}
        self._verbs = self._words | _CHOOSES
        self._exact = _unique((_plain(action).casefold().strip(), action) for action in actions)
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
        self._vocabulary = {word for key in self._loose for word in key}

    def whole(self, text: str, tokens: Sequence[str]) -> str | None:
        """Return the move that a text is, with nothing besides; None for a question."""
        plain = text.casefold()
        exact = self._exact.get(plain.strip()) or self._exact.get(plain.strip(" \n.!'\"`_()"))
        if exact is not None:
            return exact
        if "?" in tokens:
            return None
        tokens = [token for token in tokens if token not in _BREAKS]
        for words in (tokens, [_NUMBERS.get(token, token) for token in tokens]):
            loose = _without_fillers(words)
            if self._numberless:
                loose = (*loose[:1], *(word for word in loose[1:] if not word[0].isdigit()))
            found = self._full.get(tuple(words)) or self._loose.get(loose) or self._mixed.get(tuple(sorted(loose)))
            if found is not None:
                return found
        return None

    def marked(self, text: str, kind: re.Pattern[str]) -> list[str]:
        """Return the moves in marks of that kind; of several, the one that is chosen or ends the answer, if one is."""
        named, meant, sure = list[str](), list[str](), set[str]()
        run, chosen, end, named_to, group = list[str](), False, 0, 0, 0
        marks = list(kind.finditer(text))
        insides = [mark.span(mark.lastindex or 0) for mark in marks]
        cuts = [at for mark, inside in zip(marks, insides, strict=True) for at in (mark.start(), *inside, mark.end())]
        words, places = self._cut(text, cuts)
        mentions = dict(self._mentions(words)) if "or" in words else {}
        for number, mark in enumerate(marks):
            start, first, last, stop = places[4 * number : 4 * number + 4]
            before, after = _before(words, start), _behind(words, stop)
            either = [*range(start - len(before), start)] if before[-1:] == ["or"] else []
            either += range(stop, stop + len(after)) if after[:1] == ["or"] else []
            inside = mark[mark.lastindex or 0].strip(' "')
            is_asked = inside.endswith("?") or words[stop : stop + 1] == ["?"]
            here = _of(self.whole(inside.rstrip(" ?"), [word for word in words[first:last] if word != "?"]))
            if not here and kind is _MARKED[0]:
                several = self.mentioned(words[first:last])
                here = several if len(set(several)) > 1 else []
            if not here or _is_refused(before):
                continue
            # "[6] or 7" has two, though one alone is marked.
            here += [move for place in either for move in mentions.get(place, ())]
            if mark.lastindex != group or not _JOINT.fullmatch(text, end, mark.start()):
                meant += run if chosen else []
                # All of them but brackets and bold say of themselves that they are the answer.
                run, chosen = [], (kind is _MARKED[0] and mark.lastindex != BRACKETS) or _chooses(before)
            run += here
            named += here
            sure |= set() if is_asked else set(here)
            end, named_to, group = mark.end(), stop, mark.lastindex or 0
        meant += run if chosen or _BREAKS.issuperset(words[named_to:]) else []
        moves = meant if len(set(meant)) == 1 else named
        return moves if len(set(moves)) > 1 or sure.issuperset(moves) else _doubted(moves[0])

    def _cut(self, text: str, cuts: Sequence[int]) -> tuple[list[str], list[int]]:
        """Return the words of a text, and how many of them stand before each of these places in it."""
        words, places = list[str](), list[int]()
        pieces = (text[start:end] for start, end in pairwise([0, *cuts, len(text)]))
        for word in self.tokens(_CUT.join(pieces)) if cuts else ():
            if word == _CUT:
                places.append(len(words))
            else:
                words.append(word)
        return words, places

    def mentioned(self, words: Sequence[str]) -> list[str]:
        """Return the moves among these words, in their order, without those that are refused."""
        return [move for _, moves in self._mentions(words) for move in moves]

    def _mentions(self, words: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield each place at which a move begins, with the move; one that is asked about is in doubt."""
        places = [at for at, word in enumerate(words) if word not in _FILLERS]
        tokens = [words[at] for at in places]
        at = 0
        while at < len(tokens):
            # In "I have 15, so I add 6" nothing is added to 15 as in a sum.
            move, length = self._at(tokens, at, apart=at > 0 and places[at] > places[at - 1] + 1)
            is_verb = not tokens[at][0].isdigit()
            if move is not None and not _is_refused(_before(words, places[at]), is_verb=is_verb):
                yield places[at], _doubted(move) if tokens[at + length : at + length + 1] == ["?"] else [move]
            at += max(length, 1)

    def chosen(self, words: Sequence[str]) -> list[str]:
        """Return the moves that the last sentence with a choice says are chosen: "I play 7"."""
        last, now, besides, listed_to = list[str](), list[str](), list[str](), 0
        for at, word in enumerate([*words, "."]):
            if word in _BREAKS:
                # Whoever says "I play 5 and predict 45" has said two things, and a question says none.
                last, now, besides = (now + besides if now and word != "?" else last), [], []
            elif word not in self._verbs or _NOT_CHOSEN & set(_before(words, at)[-_WEIGHED:]):
                continue
            elif word not in _CHOOSES:
                besides += _of(self._at(words, at)[0])
            elif at >= listed_to:
                moves, listed_to = self._listed(words, at + 1)
                now += moves
        return last

    def _listed(self, tokens: Sequence[str], at: int) -> tuple[list[str], int]:
        """Return the move that follows, those named in the same breath ("6, 7 or 8"), and the place behind them."""
        moves = list[str]()
        while True:
            while at < len(tokens) and (tokens[at] in _FILLERS or (moves and tokens[at] in ("or", "/"))):
                at += 1
            move, length = self._at(tokens, at)
            if move is None:
                return moves, at
            moves.append(move)
            at += length

    def _at(self, tokens: Sequence[str], at: int, *, apart: bool = False) -> tuple[str | None, int]:
        """Return the longest move that begins there and its number of words; `apart` from the word before or not."""
        if at < len(tokens) and tokens[at] not in self._vocabulary:
            return None, 0
        for length in range(min(self._longest, len(tokens) - at), 0, -1):
            key, end = tuple(tokens[at : at + length]), at + length
            move = self._loose.get(key) or (self._mixed.get(tuple(sorted(key))) if length > 1 else None)
            end += self._numberless and end < len(tokens) and tokens[end][0].isdigit()
            if move is not None and not _is_sum(tokens, at, end, apart=apart):
                return move, end - at
        return None, 0

    def tokens(self, text: str) -> list[str]:
        """Return the words, numbers and signs of a text, with words of moves in the form that the moves have."""
        words = _tokens(text, times=self._has_x)
        return [self._stem(word) for word in words] if self._words else words

    def _stem(self, word: str) -> str:
        """A word of a move for one that begins like it: `predict` for `predicting`."""
        if len(word) > 4 and word.isalpha() and word not in self._words:
            for other in self._words:
                if word.startswith(other):
                    return other
        return word


_reader = lru_cache(maxsize=32)(_MoveReader)


def _doubted(move: str) -> list[str]:
    """Return the two readings of a move that is asked about, of which none can be chosen."""
    return [move, f"{move}?"]


def _chooses(before: Sequence[str]) -> bool:
    """Whether what follows these words of a sentence is chosen: "I choose", "so my final answer is"."""
    words = list(takewhile(lambda word: word in _FILLERS or word in _CHOOSES, reversed(before)))
    at = next((number for number, word in enumerate(words) if word in _CHOOSES), None)
    return at is not None and not _NOT_CHOSEN & set(before[: len(before) - at][-_WEIGHED - 1 :])


def _is_refused(before: Sequence[str], *, is_verb: bool = False) -> bool:
    """Return whether words before a move refuse it: "rather than", "not play", "my opponent could choose".

    `is_verb` says that the move itself is something to do, such as `pass`.
    """
    is_mine = False
    for at in range(len(before) - 1, -1, -1):
        word = before[at]
        if word in _REFUSED or (word == "if" and at == 0):
            return True
        if word in _OTHERS:
            return is_verb and not is_mine
        # The stars of bold words are skipped too.
        if word not in _FILLERS and word not in _CHOOSES and word not in _DOES and word != "*":
            return False
        is_verb, is_mine = is_verb or word in _DOES, is_mine or word in _MYSELF
    return False


def _is_sum(tokens: Sequence[str], start: int, end: int, *, apart: bool = False) -> bool:
    """Whether a sign between two numbers makes these words part of a sum, such as the `5 +` of `5 + 6`."""
    before, after = tokens[start - 1] if start and not apart else "", tokens[end] if end < len(tokens) else ""
    first, last = tokens[start], tokens[end - 1]
    return any(
        (one in _OPERATIONS and other[:1].isdigit()) or (other in _OPERATIONS and one[:1].isdigit())
        for one, other in ((first, before), (last, after))
    )


def _before(words: Sequence[str], at: int) -> Sequence[str]:
    """Return the nearest words before that place, back to where the sentence begins."""
    near = words[max(0, at - NEAR) : at]
    if _BREAKS.isdisjoint(near):
        return near
    return near[max(place for place, word in enumerate(near, 1) if word in _BREAKS) :]


def _behind(words: Sequence[str], at: int) -> Sequence[str]:
    """Return the nearest words behind that place, up to where the sentence ends."""
    return list(takewhile(lambda word: word not in _BREAKS, words[at : at + NEAR]))


def _plain(text: str) -> str:
    """Return the text with every sign in its usual form, such as `7` for a wide digit."""
    return _NOT_ASCII.sub(lambda piece: unicodedata.normalize("NFKC", piece[0]), text)


def _tokens(text: str, *, times: bool = False) -> list[str]:
    """The words, numbers and signs of a text; with `times`, the x of `6x` is a sign."""
    plain = _plain(text).casefold().translate(_SIGNS)
    for pattern, typed in (*_LATEX, (_AROUND_WORDS, " "), *_CELLS, *_PHRASES, *([(_X, "*")] if times else [])):
        plain = pattern.sub(typed, plain)
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
