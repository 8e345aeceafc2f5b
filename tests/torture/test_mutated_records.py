"""However a record is mangled, reading it ends in a match or in an error that names the line."""

import random
from typing import Any

from numberquest.core.match import Match
from numberquest.core.record import Record, RecordError, read
from numberquest.core.registry import GAMES, game
from tests.torture.campaign import length

RECORDS = length(short=4_000, long=120_000)
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((slug, {}) for slug in GAMES),
    ("grid", {"stand": True, "side": 4}),
    ("fifty", {"ops": "+*", "copies": 1}),
    ("showdown", {"high": 13, "picks": 4}),
]
SPLICES = ['"]', '[Game "', "1. ", "(9)", "(", ")", "#", "\\", "\n", "\x00", "é", "\u2028", "predict", "resign-1", "9+"]


def any_record(dice: random.Random) -> bytes:
    slug, settings = dice.choice(SETTINGS)
    rules = game(slug, **settings)
    match: Match[Any] = Match(rules, seed=dice.randrange(1000))
    if rules.deck and dice.random() < 0.5:
        match = Match(rules, deal=dice.sample(rules.deck, len(rules.deck)))
    for _ in range(dice.randrange(1 + rules.bound)):
        if match.moves:
            match.play(dice.choice(match.moves))
    return Record(match, date="2026-11-16").text().encode()


def mutated(data: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.randrange(1, 5)):
        at, to = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        kind = dice.randrange(7)
        if kind == 0:
            data = data[:at] + data[min(to, at + 8) :]
        elif kind == 1:
            data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
        elif kind == 2:
            data = data[:at] + dice.choice(SPLICES).encode() + data[at:]
        elif kind == 3:
            data = data[:to] + data[at:]
        elif kind == 4:
            lines = data.split(b"\n")
            dice.shuffle(lines)
            data = b"\n".join(lines)
        elif kind == 5:
            data = data[:at]
        else:
            digit = str(dice.randrange(10)).encode()
            data = data[:at] + (digit if data[at : at + 1].isdigit() else data[at : at + 1]) + data[at + 1 :]
    return data


def test_a_mangled_record_is_a_match_or_an_error_with_its_line() -> None:
    dice = random.Random(2026)
    matches = errors = 0
    for _ in range(RECORDS):
        data = mutated(any_record(dice), dice)
        try:
            record = read(data)
        except RecordError as error:
            errors += 1
            assert 1 <= error.line <= data.count(b"\n") + 1
            assert error.reason
            assert error.reason.isprintable()
        else:
            matches += 1
            assert read(record.text()) == record
    # Both happen, so the mutations are neither too tame nor too wild.
    assert matches > RECORDS // 50
    assert errors > RECORDS // 4
