"""What a player may be called: something that everybody can see, and that does not pass for a computer player."""

import re
from collections.abc import Iterable

LONGEST_NAME = 30
MOST_MARKS = 4
"""So many accents may stand on one sign: more would climb into the lines above and below."""
JOINERS = "\u200c\u200d"
"""Not seen themselves: one holds pictures together as one, such as a family, both shape letters of some scripts."""
CHOOSABLE = "#*0-9\u00a9\u00ae\u203c-\u2bff\u3030-\u3299\U0001f000-\U0001faff"
"""Signs, as a range, of which a selector makes a picture, two columns wide."""
VIRAMA = 9
"""The combining class of marks that take the vowel of a letter away."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U00016fe4\U0001d159")
"""Letters, marks and signs by their category, but nothing of them is ever seen."""
FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""
LOOK_ALIKES = {
    "c": "\u0441\u03c2\u03c3\u1d04\u13df\u2ca5\u00a2\u023c\u0188",
    "o": "\u043e\u03bf\u1d0f\u0585\u04e9\u0275\u00f8\u0e50\u13be\u13a4\u2c9f0",
    "m": "\u043c\u1d0d\u13b7\u03fb\u0271\u028d",
    "p": "\u0440\u03c1\u1d18\u13e2\u00fe\u03f7\u2ca3\u01a5",
    "u": "\u0443\u04af\u03c5\u03bc\u1d1c\u057d\u13cc\u0446\u0289\u028b",
    "t": "\u0442\u03c4\u1d1b\u13a2\u0167\u01ad\u2ca7\u2020\u271d7",
    "e": "\u0435\u03b5\u1d07\u13ac\u0454\u0511\u025b\u0247\u20ac\u212e3",
    "r": "\u0433\u0280\u13a1\u13d2\u044f\u024d\u027c\u1d26",
}
"""Signs that pass for the letters of the word: Cyrillic, Greek, Coptic, Armenian, Cherokee, small capitals, digits."""
ALIKE = {ord(sign): letter for letter, signs in LOOK_ALIKES.items() for sign in signs}


def one_way(name: str) -> str:
    """The name in the one way of writing it: an accent may be a sign of its own, or part of its letter."""
    import unicodedata

    return unicodedata.normalize("NFC", name)


def cells(text: str) -> int:
    """How many columns of a terminal it takes: two for wide signs and pictures, none for what is put on another."""
    from unicodedata import category, east_asian_width

    # What is joined to a picture is part of it, as is its colour; a selector makes a picture of the sign before it.
    # Korean vowels and finals that are signs of their own stand in the two columns of their first consonant.
    pictures = re.sub("\u200d[\u2190-\U0001ffff]|[\U0001f3fb-\U0001f3ff\u1160-\u11ff\ud7b0-\ud7fb]", "", text)
    wide = re.sub(f"[{CHOOSABLE}]\ufe0f", "\uff37", pictures)
    seen = (sign for sign in wide if category(sign) not in ("Mn", "Mc", "Me", "Cf"))
    return sum(1 + (east_asian_width(sign) in "WF" or not sign.isprintable()) for sign in seen)


def padded(text: str, width: int, *, left: bool = True) -> str:
    """The text with blanks beside it, so many columns wide."""
    blanks = " " * (width - cells(text))
    return text + blanks if left else blanks + text


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """The text in lines of so many columns, broken between words; what goes on is indented."""
    lines, line = [], ""
    for word in re.findall(r"\s*\S+", text):
        if line and cells(line + word) > width:
            lines.append(line)
            line = indent + word.lstrip()
        else:
            line += word
    return [*lines, line]


def near(typed: str, known: Iterable[str]) -> str:
    """A question for whoever mistyped one of these words; empty where none is near."""
    from difflib import get_close_matches

    found = get_close_matches(typed.lower(), list(known), 1, 0.7) if len(typed) > 2 else []
    return f" Did you mean {found[0]}?" if found else ""


def bad_name(name: str) -> str | None:
    """Why a player cannot be called that, or None where it is fine."""
    name = one_way(name)
    if not 1 <= len(name) <= LONGEST_NAME:
        return f"a name has 1 to {LONGEST_NAME} characters"
    if not _is_seen(name):
        return "a name is made of visible characters, with no space at its ends"
    if _says_computer(name):
        return "a name cannot have the word 'computer' in it: the computer players are called that"
    return None


def bad_old_name(name: str) -> str | None:
    """Why no record has ever had such a name, or None where one may: older ones were not looked at as closely."""
    if not 1 <= len(name) <= LONGEST_NAME:
        return f"a name has 1 to {LONGEST_NAME} characters"
    if not name.strip(JOINERS) or not printable(name) or name != name.strip():
        return "a name is made of visible characters, with no space at its ends"
    return None


def no_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula: those who open the table did not write the names in it."""
    return f"'{text}" if text.startswith(FORMULA) else text


def printable(text: str) -> bool:
    """Whether nothing in a text would harm where it is printed. Joiners do not: names are written with them."""
    return all(_prints(sign) or sign in JOINERS for sign in text)


def _prints(sign: str) -> bool:
    """Whether it leaves ink, or may: pictures are added every year, and an older Python knows no name of the newest."""
    return sign.isprintable() or "\U0001f000" <= sign <= "\U0001faff"


def _is_seen(name: str) -> bool:
    """Whether there is something to see in each part: marks and joiners are seen only on what they belong to."""
    from unicodedata import category, combining

    def kind(sign: str) -> str:
        if sign in JOINERS:
            return "j"
        if sign in BLANK or not _prints(sign):
            return "?"
        if combining(sign) == VIRAMA:
            return "v"
        return "m" if category(sign).startswith("M") else " " if sign == " " else "s"

    # Nothing can be put on a space or on a joiner, and a joiner stands between two signs, once; but beside the mark
    # that takes a letter's vowel away it shapes that letter: in Bengali before it, at the end of a word in Malayalam.
    parts = rf"(?:s[mv]{{0,{MOST_MARKS}}}(?:jv|(?<=v)j|j(?=s))?| )+"
    return name == name.strip() and re.fullmatch(parts, "".join(map(kind, name))) is not None


def _says_computer(name: str) -> bool:
    """Whether it reads as the word, however the letters are spaced, widened, accented or borrowed."""
    import unicodedata

    # The capital of the Greek letter that passes for an u passes for an M.
    plain = unicodedata.normalize("NFKD", name).replace("\u039c", "m").casefold().translate(ALIKE)
    read = "".join(sign for sign in plain if sign.isalnum())
    return "computer" in read or "computer" in read.replace("rn", "m").replace("nn", "m")
