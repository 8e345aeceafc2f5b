"""The keys of a recipe: what each may be, and what a file says of them, or where it is wrong, in one sentence."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import accumulate
from typing import Any, Final, NamedTuple, NoReturn

from numberquest.core.loading import BadGame
from numberquest.core.names import JOINERS, printable
from numberquest.core.settings import SHORT_NAME, Setting, SettingValue, Signs, Whole, YesNo, as_typed, quoted

LONGEST_TEXT: Final = 8000
"""How many characters a recipe may have."""
SIGNS: Final = "+-*/"
MOST: Final = 999
"""No number in a recipe is larger, so that whatever comes of it stays small."""
MOST_SETTINGS: Final = 12
PROMPT_WORDS: Final = "help|moves|show|hint|rules|undo|redo|resign|save|skip|quit|q|exit"
"""Words that the prompts of the terminal understand besides moves: no move is called so."""
DEEPEST: Final = 3
"""Parts of one key (`settings.target.usual`), and brackets inside each other. More of either is refused unread."""


class RecipeKey(NamedTuple):
    """One thing that a recipe may say."""

    kind: str
    """`whole`, `wholes` (several, or one), `yes`, `choice`, `signs`, `text` (with settings in its gaps), `label` or
    `word` (to be typed)."""
    meaning: str
    usual: SettingValue | None = None
    """The value where the key is left out; None where the value depends on other keys."""
    low: int = 0
    high: int = MOST
    choices: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The allowed values, in words."""
        if self.kind == "choice":
            return " or ".join(filter(None, [", ".join(self.choices[:-1]), self.choices[-1]]))
        return {
            "whole": f"a whole number from {self.low} to {self.high}",
            "wholes": f"a whole number from {self.low} to {self.high}, or several in brackets",
            "yes": "true or false",
            "signs": "some of the signs + - * /, each once",
            "text": f"a text of 1 to {self.high} visible characters",
            "label": f"a text of 1 to {self.high} visible characters, without braces",
            "word": f"a word of 1 to {self.high} small letters",
        }[self.kind]


def _text(meaning: str, most: int, kind: str = "text") -> RecipeKey:
    return RecipeKey(kind, meaning, high=most)


def _choice(meaning: str, choices: str, usual: str | None = None) -> RecipeKey:
    return RecipeKey("choice", meaning, usual, choices=tuple(choices.split("|")))


def _whole(meaning: str, low: int, high: int = MOST, usual: int | None = None) -> RecipeKey:
    return RecipeKey("whole", meaning, usual, low, high)


def _yes(meaning: str) -> RecipeKey:
    return RecipeKey("yes", meaning, False)


LAST: Final = "last wins|last loses|draw"
NUMBER_KINDS: Final = "any|pool|pile|die"

KEYS: Final[Mapping[str, Mapping[str, RecipeKey]]] = {
    "": {
        "title": _text("what the game is called", 60, "label"),
        "slug": _text("its short name, to be typed: small letters, digits and _", 20, "label"),
        "summary": _text("the game in one sentence", 200),
    },
    "numbers": {
        "kind": _choice(
            "any: every number, as often as one likes; pool: they lie open, and each is used once; "
            "pile: they are covered, and drawn; die: one is thrown",
            NUMBER_KINDS,
        ),
        "from": _whole("the smallest number", 1, 99, 1),
        "to": _whole("the largest number; with heaps the largest heap, under cells as many as there are", 1, 99),
        "list": RecipeKey("wholes", "these numbers, instead of from and to", None, 1, 99),
        "copies": _whole("how often each number is in the pool or the pile", 1, 9, 1),
    },
    "totals": {
        "whose": _choice("one for both, one for each, or heaps for both", "shared|each|heaps"),
        "begin": RecipeKey(
            "wholes",
            "where totals begin; of heaps the first one, or all of them: [3, 4, 5]; above the target no total grows",
            0,
            0,
            MOST,
        ),
        "heaps": _whole("how many heaps there are", 1, 9, 1),
        "step": _whole("how much more each heap holds than the one before", 0, 99, 0),
        "secret": _yes(
            "each has a secret number: drawn at the start, seen by them alone, and added to their total at the end"
        ),
    },
    "turn": {
        "operations": RecipeKey("signs", "what a number may be used for", "+"),
        "below": _choice(
            "a subtraction that goes below 0: refused, or it is made and the total stays", "refused|stays", "refused"
        ),
        "at_once": _yes("both choose a number at the same time, and each adds theirs"),
        "clash": _choice(
            "of two numbers chosen at once: same: two that are the same count for nobody; "
            "one less: a number that is one less than the other takes both",
            "none|same|one less",
            "none",
        ),
        "barred": _choice("last: the number just used by the other may not be used", "none|last", "none"),
        "pass_on": _yes("a number that was drawn or thrown may be given to the other"),
        "stand": _yes("a player may stand: play no more, while the other goes on alone"),
        "roll_or_stop": _yes("the die is thrown as often as one likes, until one stops"),
        "bank": _yes("what a turn has thrown counts only when one stops"),
        "bust": _whole("the number of the die that ends the turn, and loses what is banked; 0: none", 0, 99, 0),
        "rolls": _whole("after so many throws the turn ends; 0: no such limit", 0, 20, 0),
    },
    "cells": {
        "rows": _whole("how many rows of cells there are", 1, 8, 3),
        "columns": _whole("how many columns; if left out, as many as rows", 1, 8),
        "line": _whole("so many in a line end the game; without it, numbers lie covered in the cells", 2, 8),
        "falling": _yes("a mark falls to the lowest free cell of its column"),
    },
    "end": {
        "target": _whole("the total to reach; without it the game ends when nothing is left", 0, MOST),
        "exactly": _choice("who reaches exactly the target, or makes a line", "wins|loses", "wins"),
        "past": _choice("who goes past the target; refused: nobody may", "loses|wins|refused", "loses"),
        "turns": _whole("after so many turns of each nothing is left; 0: no such limit", 0, 99, 0),
        "nothing_left": _choice(
            "who wins when nothing is left: the closer, higher or lower total, or by who moved last; if left out "
            "closer, without a target higher, with a total for both last wins, with marks draw",
            f"closer|higher|lower|{LAST}",
        ),
        "tie": _choice("where both totals are as good; if left out last loses, but with at_once draw", LAST),
        "stuck": _choice(
            "who cannot move, or (where this is said, of numbers that are chosen) only past a target that must not be "
            "passed: loses, or the turn passes; if left out loses, but a drawn number that cannot be used is lost, and "
            "the turn passes",
            "loses|passes",
        ),
    },
    "words": {
        "rules": _text("the rules, instead of those that are made from the recipe", 2000),
        "goal": _text("how to win, in one sentence", 200),
        "total": _text("what a total is called", 20, "label"),
        "numbers": _text("what the numbers are called", 30, "label"),
        **{
            word: RecipeKey("word", f"what is typed instead of {word}", word, high=12)
            for word in ("add", "subtract", "multiply", "divide", "pass", "roll", "stop", "stand", "draw")
        },
    },
}
"""All there are, by their section; `docs/recipes.md` has the same table."""

QUOTED: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|'{3}.*?(?:'{3,5}|\Z)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|\#[^\n]*''', re.DOTALL
)
"""A quoted text, as far as TOML reads one, or a comment. One without an end goes to the end: so time is linear."""
DOTTED: Final = re.compile(rf"""(?:\.[ \t]*[\w"-]+[ \t]*){{{DEEPEST}}}""")
"""Dots and parts behind the first part of a key that has more than `DEEPEST` parts."""

FIXED: Final = ("numbers.kind", "totals.whose", "totals.secret", "turn.at_once", "turn.roll_or_stop")
"""Keys whose value never comes from a setting: other keys depend on them."""
SETTING_KEYS: Final = ("usual", "from", "to", "signs", "needed", "meaning")


class By(NamedTuple):
    """A value that a setting says."""

    setting: str


class When(NamedTuple):
    """A value that is one where a setting is on, and another where it is off."""

    setting: str
    so: Any
    otherwise: Any


class Recipe(NamedTuple):
    """The checked content of a recipe: each key by its section and name, such as `end.target`."""

    text: str
    values: Mapping[str, Any]
    settings: Mapping[str, Setting]
    lines: Mapping[str, int]

    def says(self, name: str) -> bool:
        """Return whether the file itself has this key."""
        return name in self.values

    def has(self, section: str) -> bool:
        """Return whether the file has any key of this section."""
        return any(name.startswith(f"{section}.") for name in self.values)

    def at(self, name: str, settings: Mapping[str, SettingValue]) -> Any:
        """Return the value of a key under these settings."""
        section, _, key = name.rpartition(".")
        value = self.values.get(name, KEYS[section][key].usual)
        if isinstance(value, When):
            value = value.so if settings[value.setting] else value.otherwise
        if isinstance(value, tuple) and not isinstance(value, By):
            return tuple(settings[one.setting] if isinstance(one, By) else one for one in value)
        return settings[value.setting] if isinstance(value, By) else value

    def ever(self, name: str) -> tuple[Any, ...]:
        """Return all values that a key can have: of a setting, every value in its range."""
        section, _, key = name.rpartition(".")
        value = self.values.get(name, KEYS[section][key].usual)
        found: list[Any] = []
        for one in (value.so, value.otherwise) if isinstance(value, When) else (value,):
            # What names a setting is a tuple too.
            for each in one if isinstance(one, tuple) and not isinstance(one, By) else (one,):
                found += self.settings[each.setting].every({}) if isinstance(each, By) else [each]
        return tuple(found)

    def settings_in_keys(self) -> Iterator[str]:
        """Yield the setting of each value that hangs on one."""
        rest = list(self.values.values())
        while rest:
            one = rest.pop()
            if isinstance(one, By | When):
                yield one.setting
            rest += one if isinstance(one, tuple) else ()

    def wrong(self, name: str, what: str) -> NoReturn:
        """Raise `BadGame` with the line and the key."""
        refuse(self.lines, name, what)


def refuse(lines: Mapping[str, int], name: str, what: str) -> NoReturn:
    """Raise `BadGame` with the line of a key, of its section, or of the first key in the section."""
    below = (line for key, line in lines.items() if name and key.startswith(f"{name}."))
    line = lines.get(name) or lines.get(name.rpartition(".")[0]) or next(below, None)
    raise BadGame(f"{f'line {line}: ' if line else ''}{f'{name} ' if name else ''}{what}", line)


def read(text: str) -> Recipe:
    """Return the recipe in a text; `BadGame` says in one sentence what is wrong with the text, and where."""
    if len(text) > LONGEST_TEXT:
        raise BadGame(f"a recipe has at most {LONGEST_TEXT} characters, and this has {len(text)}")
    _check_depth(text)
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise _no_toml(str(error), text) from None
    lines = dict(_lines(text))
    tables = {name: table for name, table in data.items() if name == "settings" or (name and name in KEYS)}
    for name, table in tables.items():
        if not isinstance(table, dict):
            refuse(lines, name, f"is a section: write [{name}] on a line of its own, and its keys below")
    settings = dict(_settings(tables.pop("settings", {}), lines))
    values: dict[str, Any] = {}
    top = {name: value for name, value in data.items() if name not in tables and name != "settings"}
    for section, table in {"": top, **tables}.items():
        for name, value in table.items():
            full = f"{section}.{name}" if section else name
            if name not in KEYS[section]:
                known = [*KEYS[section], *([f"[{one}]" for one in (*KEYS, "settings") if one] if not section else ())]
                refuse(lines, _short(full), f"is no key of a recipe{_meant(name, known)}")
            values[full] = _value(KEYS[section][name], value, full, settings, lines)
    if "title" not in values:
        raise BadGame('it has no title: write title = "…" in its first line')
    return Recipe(text, values, settings, lines)


def _check_depth(text: str) -> None:
    """Raise `BadGame` where a key or a value goes deeper than any recipe, before `tomllib` takes quadratic time."""
    # Of quoted texts and comments one quotation mark is left, and the line breaks: the other dots and brackets count.
    bare = QUOTED.sub(lambda found: '"' + "\n" * found[0].count("\n"), text)
    depths = accumulate((sign in "[{") - (sign in "]}") for sign in bare)
    deep = [dots.start() for dots in DOTTED.finditer(bare)] + [at for at, depth in enumerate(depths) if depth > DEEPEST]
    if deep:
        line = bare.count("\n", 0, min(deep)) + 1
        raise BadGame(f"line {line}: nothing in a recipe goes deeper than settings.target.usual", line)


def _no_toml(error: str, text: str) -> BadGame:
    """Return the refusal of the TOML reader, with the line in front."""
    found = re.search(r"^(.*?)\s*\(at (?:line (\d+), column \d+|end of document)\)$", error, re.DOTALL)
    what = " ".join((found[1] if found else error).split())
    twice = re.match(r"Cannot declare \((.*)\) twice|(Cannot overwrite a value)", what)
    if twice:
        section = ".".join(re.findall("'([^']*)'", twice[1] or ""))
        what = f"[{section}] stands there twice" if section else "this key stands there twice"
    what = "".join(sign if sign.isprintable() else "?" for sign in what)[:200]
    line = int(found[2] or text.count("\n") + 1) if found else None
    return BadGame(f"{f'line {line}: ' if line else ''}this is no TOML: {what}", line)


def _lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield each key and section with the line in which it stands."""
    section, found = "", set()
    for number, line in enumerate(text.split("\n"), start=1):
        head = re.match(r"\s*\[+\s*([\w.-]+)\s*\]", line)
        key = None if head else re.match(r"""\s*["']?([\w.-]+)["']?\s*=""", line)
        if head:
            section = head[1]
        name = section if head else f"{section}.{key[1]}".strip(".") if key else ""
        if name and name not in found:
            found.add(name)
            yield name, number


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else quoted(value)


def _short(name: str) -> str:
    return name if name.isprintable() and len(name) <= 40 else ascii(name[:30])


def _meant(name: str, known: list[str]) -> str:
    near = get_close_matches(name, [one.strip("[]") for one in known], 1, 0.6)
    if near:
        return f"; did you mean {near[0]}?"
    return f": there are {', '.join(known)}"


def _settings(table: Mapping[str, Any], lines: Mapping[str, int]) -> Iterator[tuple[str, Setting]]:
    if len(table) > MOST_SETTINGS:
        refuse(lines, "settings", f"has {len(table)} settings, and there can be at most {MOST_SETTINGS}")
    for name, how in table.items():
        full = _short(f"settings.{name}")
        if not re.fullmatch(SHORT_NAME, name):
            refuse(lines, full, "is no name for a setting: small letters, digits and _, such as target")
        if not isinstance(how, dict):
            example = '{ usual = 21, from = 2, to = 99, meaning = "…" }'
            refuse(lines, full, f"is a setting, and is written {example}, not {_written(how)}")
        for key in how:
            if key not in SETTING_KEYS:
                refuse(lines, full, f"has {_short(key)}, which no setting has{_meant(key, list(SETTING_KEYS))}")
        yield name, _setting(how, full, lines)


def _setting(how: Mapping[str, Any], full: str, lines: Mapping[str, int]) -> Setting:
    meaning = how.get("meaning", full.partition(".")[2].replace("_", " "))
    if not _is_text(meaning, 100):
        refuse(lines, full, f"has a meaning that is no short text: {quoted(meaning)}")
    usual = how.get("usual")
    if "signs" in how or isinstance(usual, bool):
        kind, own = ("with signs", ("signs", "needed")) if "signs" in how else ("of true or false", ("usual",))
        for key in set(how) - {*own, "meaning"}:
            refuse(lines, full, f"is a setting {kind}, which has no {key}")
    if isinstance(usual, bool):
        return YesNo(usual, meaning)
    if "signs" in how:
        signs = as_typed(how["signs"]) if isinstance(how["signs"], str) else ""
        needed = how.get("needed", signs[:1])
        if not _are_signs(signs) or needed not in tuple(signs):
            refuse(lines, full, "has signs, some of + - * / each once, and needed, the one that cannot be left out")
        return Signs(signs, needed, meaning)
    low, high = how.get("from"), how.get("to")
    if not (type(usual) is int and type(low) is int and type(high) is int and 0 <= low <= usual <= high <= MOST):
        refuse(lines, full, f"needs usual, from and to, whole numbers from 0 to {MOST}, with usual between the two")
    return Whole(usual, low, high, meaning)


def _is_text(value: object, most: int) -> bool:
    if not isinstance(value, str) or not 1 <= len(value) <= most or value != value.strip() or not value.strip(JOINERS):
        return False
    return all(printable(line) for line in value.split("\n")) and ("\n" not in value or most > 1000)


def _are_signs(value: object) -> bool:
    return isinstance(value, str) and bool(value) and set(value) <= set(SIGNS) and len(set(value)) == len(value)


def _value(key: RecipeKey, value: Any, full: str, settings: Mapping[str, Setting], lines: Mapping[str, int]) -> Any:
    """Return the checked value of a key: itself, `By` a setting, or `When` a setting is on."""
    fixed = key.kind in ("text", "label", "word") or full in FIXED
    if isinstance(value, dict) and not fixed:
        if set(value) != {"when", "is", "otherwise"} or not isinstance(settings.get(str(value["when"])), YesNo):
            refuse(lines, full, 'hangs on a yes-or-no setting like this: { when = "misere", is = …, otherwise = … }')
        so, otherwise = (_value(key, value[one], full, settings, lines) for one in ("is", "otherwise"))
        if isinstance(so, When) or isinstance(otherwise, When):
            refuse(lines, full, "hangs on one setting only")
        return When(str(value["when"]), so, otherwise)
    if isinstance(value, str) and value in settings and key.kind != "choice" and not fixed:
        return _by(key, value, full, settings[value], lines)
    if key.kind == "wholes" and isinstance(value, list):
        if not 1 <= len(value) <= 20:
            refuse(lines, full, f"has 1 to 20 numbers in its brackets, not {len(value)}")
        several = tuple(_value(key._replace(kind="whole"), one, full, settings, lines) for one in value)
        if any(isinstance(one, When) for one in several):
            refuse(lines, full, 'hangs on a setting as a whole: { when = "misere", is = [3, 4], otherwise = [5, 6] }')
        return several
    fine = {
        "whole": type(value) is int and key.low <= value <= key.high,
        "wholes": type(value) is int and key.low <= value <= key.high,
        "yes": type(value) is bool,
        "choice": value in key.choices,
        "signs": isinstance(value, str) and _are_signs(as_typed(value)),
        "text": _is_text(value, key.high),
        "label": _is_text(value, key.high) and not set("{}") & set(value),
        "word": isinstance(value, str) and re.fullmatch(f"[a-z]{{1,{key.high}}}", value) is not None,
    }[key.kind]
    if not fine:
        near = get_close_matches(value, key.choices, 1, 0.6) if isinstance(value, str) else []
        other = "" if key.kind == "choice" or fixed else ", or the name of a setting"
        hint = f"; did you mean {near[0]}?" if near else ""
        refuse(lines, full, f"is {key.words}{other}, not {_written(value)}{hint}")
    if key.kind == "word" and value in PROMPT_WORDS.split("|"):
        refuse(lines, full, f"cannot be {value}, which means something else wherever moves are typed")
    if key.kind == "signs":
        return "".join(sign for sign in SIGNS if sign in as_typed(value))
    return value


def _by(key: RecipeKey, name: str, full: str, setting: Setting, lines: Mapping[str, int]) -> By:
    kinds: dict[str, type[Setting]] = {"whole": Whole, "wholes": Whole, "yes": YesNo, "signs": Signs}
    if not isinstance(setting, kinds[key.kind]):
        refuse(lines, full, f"is {key.words}, and the setting {name} is {setting.words}")
    if isinstance(setting, Whole) and not key.low <= setting.low <= setting.high <= key.high:
        refuse(lines, full, f"is {key.words}, and the setting {name} is {setting.words}")
    return By(name)
