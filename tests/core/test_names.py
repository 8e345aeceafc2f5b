"""A player is called something that everybody can see, and nothing that passes for a computer player."""

import re
import sys
import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from numberquest.core.match import Match
from numberquest.core.names import BLANK, bad_name, bad_old_name, cells, one_way, padded, wrapped
from numberquest.core.record import Record
from numberquest.core.registry import game
from numberquest.players.levels import PLAYERS

PEOPLE = [
    *("Ann", "O'Neil", "Ann-Marie", "J. R. R.", "x", "7", "Zoë", "Zoe\u0308", "Björk", "Łukasz"),
    *("Nguyễn Thị Ánh", "Αλέξης", "Ольга", "Компания", "علي", "شیرین", "می\u200cخواهم", "שׁרה", "अनुष्का"),
    *("क्\u200dष", "தமிழ்", "สมชาย", "ស្រី", "བསྟན་འཛིན", "李小龍", "葛\U000e0100城", "さくら", "김연아"),
    *("\u1100\u1161", "\U0001f642", "I \u2764\ufe0f numbers", "1\ufe0f\u20e3"),
    *("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f469\U0001f3fd\u200d\U0001f680"),
    *("\U0001f3f3\ufe0f\u200d\U0001f308", "Putter", "!!!"),
    # Bengali before the virama, Malayalam after it, and pictures that Python 3.11 has no names of.
    *(
        "\u09b0\u200d\u09cd\u09af\u09be\u099a\u09c7\u09b2",
        "\u0d05\u0d35\u0d28\u0d4d\u200d",
        "\U0001fa77 Ann",
        "\U0001fae8",
    ),
]

UNSEEN = [
    # Each of these signs alone.
    *(
        " \u00a0\u3000\u00ad\u3164\u2800\u034f\u115f\ufffc\u1160\u17b4\u17b5\uffa0\u180e\u200b\u2060\u2061"
        "\ufeff\u200d\u200c\ufe0f\U000e0100\u180b\u0301\u20e3\x85\u2028\U0001d159\U0001d173\U00016fe4"
        "\U00013441\ue000\uffff\u0378\ud800"
    ),
    *("", " Ann", "Ann ", "\u3164\u3164", "Ann\u3164", "A\u034f", "\u115f\u1160", "\u200d\u200d", "Ann\u200d"),
    *("\u200dAnn", "A\u200d\u200dB", "A\u200d B", "A \u200dB", "A\u200d\u0301", "\ufe0e\ufe0f", "\u0301A"),
    *("A \u0301", "A" + "\u0316" * 5, "Ann\u202e", "\u202eAnn", "\u2066Ann\u2069", "\u200fAnn", "\u061cAnn"),
    *("Ann\nBo", "Ann\tBo", "Ann\x00", "Ann\x7f", "\U000e0041\U000e0042"),
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",
]

COMPUTERS = [
    *(f"Computer ({level})" for level in PLAYERS),
    *("Computer", "computer", "COMPUTER (PERFECT)", "computer(hard)", "Computer(hard)", "Computer  (perfect)"),
    *("Computer - perfect", "The Computer (perfect)", "* Computer *", "C o m p u t e r", "C.o.m.p.u.t.e.r"),
    *("\uff23\uff4f\uff4d\uff50\uff55\uff54\uff45\uff52", "\U0001d402omputer (perfect)", "\u24b8omputer"),
    *("C\u0301omputer", "Compu\u0308ter", "\u0421omputer (perfect)", "C\u043emputer", "\u0421\u043emputer"),
    *("Com\u0440uter", "C\u03bfmputer", "C0mputer", "Comp\u0443ter (perfect)", "Cornputer", "CORNPUTER"),
    *("Co\u039cputer", "Comp\u03bcter", "\u1d04\u1d0f\u1d0d\u1d18\u1d1c\u1d1b\u1d07\u0280"),
    *("\u13df\u13be\u13b7\u13e2\u13cc\u13a2\u13ac\u13d2", "C\u0585mp\u057dter", "Comput3r", "Compu7er"),
    *("Comput\u0435\u0433", "Com\u200dputer"),
]


@pytest.mark.parametrize("name", PEOPLE)
def test_people_are_called_what_they_are_called(name: str) -> None:
    assert bad_name(name) is None
    assert bad_name(one_way(name)) is None


@pytest.mark.parametrize(
    ("name", "why"), [*product(UNSEEN, ["visible|1 to 30"]), *product(COMPUTERS, ["computer players"])], ids=ascii
)
def test_a_name_that_cannot_be_seen_is_none_and_nobody_passes_for_a_computer_player(name: str, why: str) -> None:
    assert re.search(why, bad_name(name) or "")


def of_each_script() -> dict[str, str]:
    """A name in every script that Python knows the letters of: its first three that can be a name."""
    letters: dict[str, str] = {}
    for code in range(sys.maxunicode + 1):
        sign, script = chr(code), unicodedata.name(chr(code), "").split(" ")[0]
        if unicodedata.category(sign).startswith("L") and len(letters.get(script, "")) < 3 and bad_name(sign) is None:
            letters[script] = letters.get(script, "") + sign
    return letters


def test_a_name_in_every_script_that_the_prompt_takes_is_written_and_read_back() -> None:
    scripts = of_each_script()
    assert len(scripts) > 150
    match = Match(game("sumquest"))
    for name in [*PEOPLE, *scripts.values(), *("\u200d".join(name) for name in scripts.values())]:
        if bad_name(name) is None:
            record = Record(match, (one_way(name), "Bo"))
            assert Record.read(record.text()) == record, ascii(name)


def test_no_record_is_written_that_could_not_be_read() -> None:
    for name in ("", " Ann", "Ann\n", "\u200d", "x" * 31):
        with pytest.raises(ValueError, match="a name "):
            Record(Match(game("sumquest")), ("Bo", name)).text()


def test_a_name_has_one_way_of_being_written() -> None:
    assert one_way("Zoe\u0308") == one_way("Zo\u00eb") == "Zo\u00eb"
    assert bad_name("e\u0301" * 30) is None
    assert bad_name("x" * 31) is not None


def test_no_sign_is_a_name_by_itself_unless_it_leaves_ink() -> None:
    """Every sign there is: marks, separators, controls and what nobody has given a meaning are none."""
    named = {chr(code) for code in range(sys.maxunicode + 1) if bad_name(chr(code)) is None}
    pictures = {sign for sign in named if "\U0001f000" <= sign <= "\U0001faff"}
    assert {unicodedata.category(sign)[0] for sign in named - pictures} == set("LNPS")


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_name_or_told_why_not(name: str) -> None:
    why = bad_name(name)
    if why is None:
        assert bad_name(one_way(name)) is None
        assert bad_old_name(one_way(name)) is None
    else:
        assert why.startswith("a name ")


OTHERWISE = (
    "\U0001f3fb-\U0001f3ff"  # a colour is part of the picture before it
    "\U0001f1e6-\U0001f1ff"  # two of these letters make one flag
    "\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d356\U0001d360-\U0001d376"  # wide since Unicode 16
)
"""Where wcwidth says otherwise of a sign alone, and why."""


def test_every_sign_takes_the_columns_that_wcwidth_gives_it() -> None:
    whole = map(chr, range(sys.maxunicode + 1))
    signs = [
        sign for sign in whole if sign.isprintable() and sign not in BLANK and not re.match(f"[{OTHERWISE}]", sign)
    ]
    assert len(signs) > 140_000
    assert [ascii(sign) for sign in signs if cells(sign) != wcwidth(sign)] == []
    # A selector makes no picture of a letter; what is said of letter-like symbols does not matter.
    letters = [sign for sign in signs if sign.isalpha() and (sign < "\u2000" or sign > "\u2bff") and sign < "\u3000"]
    assert [ascii(sign) for sign in letters if cells(f"{sign}\ufe0f") != cells(sign)] == []


def test_a_text_takes_the_columns_that_wcwidth_gives_it() -> None:
    pictures = (
        "\U0001f469\U0001f3fd\u200d\U0001f680!",
        "\U0001f44b\U0001f3fd",
        "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
    )
    for text in (*PEOPLE, *of_each_script().values(), *pictures, "\u1112\u119e\u11ab\u1100\u1173\u11af"):
        # Terminals do not agree on marks that take room beside their letter, as in Tamil and Bengali.
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Mc")
        assert cells(text) == wcswidth(text), ascii(text)
        assert padded(text, 60).startswith(text)
        assert padded(text, 60, left=False).endswith(text)
        assert cells(padded(text, 60)) == 60


def test_lines_are_broken_between_words_by_the_columns_that_they_take() -> None:
    assert wrapped("  李小龍 against さくら: 3 moves", 20, "  ") == ["  李小龍 against", "  さくら: 3 moves"]
    assert wrapped("two  gaps  stay", 10, "..") == ["two  gaps", "..stay"]
