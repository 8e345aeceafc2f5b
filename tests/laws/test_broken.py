"""Each law can be broken: somebody's game that does is found out, and told where."""

from pathlib import Path
from random import Random

import pytest

from numberquest.core import laws
from numberquest.core.loading import BadGame
from numberquest.core.registry import kind_in
from numberquest.core.rulebook import rulebook_data
from numberquest.server.think.catalogue import offer
from tests.conftest import in_ci
from tests.core.test_knowledge import BREACHES as OF_SECRETS
from tests.own.files import CARDS, LAST, adding, written

NAMED = {law.name: law for law in laws.LAWS}
HIDDEN = "import random\n        return Position((0, 0), tuple(random.sample(self.deck, 6))"
TURN = "        return p.turns % 2\n\n    def moves"
WEIGHTS = "card in sorted(set(p.unseen)))\n\n    def slot"
THAWED = "from dataclasses import dataclass\n@dataclass(unsafe_hash=True)\nclass Position:"
BREACHES = [
    # law, game, what stands there, what it is changed to, what is found
    ("playing", LAST, "- int(move)", "- int(move) + 0 // (p.left - 3)", "line 34, in play: ZeroDivisionError"),
    ("playing", LAST, "return tuple(m for", "return list(m for", "moves is a tuple of texts, not ["),
    ("actions", LAST, '("1", "2", "3")', '("1", "2", "3", "3")', "actions has '3' twice"),
    ("actions", LAST, '("1", "2", "3")', '["1", "2", "3"]', "actions is a tuple of texts"),
    ("actions", CARDS, '"stay"', '"#stay"', "would mean something else in a record"),
    ("ends", LAST, "None if p.left else", "None if p.left > 1 else", "there is an outcome, but moves are still"),
    ("ends", LAST, "int(m) <= p.left)", "int(m) < p.left)", "nobody can move, but there is no outcome"),
    ("outcomes", LAST, "nq.Outcome(1 - p.player,", "nq.Outcome(2 - p.player,", "0 or 1, or None in a draw, not 2"),
    ("outcomes", LAST, "nq.Outcome(1 - p.player, ", "max('', ", "not 'took the last one'"),
    ("outcomes", LAST, '"took the last one"', '" "', "an outcome has no reason"),
    ("outcomes", CARDS, '"equal", {"total": first}', '"equal"', "the ending 'equal' has a gap 'total'"),
    ("players", LAST, "return p.player", "return p.player + 1", "player is 0, 1 or CHANCE, not 2"),
    ("players", LAST, "return p.player", "return nq.CHANCE", "chance moves, but the game has no weights"),
    ("players", CARDS, TURN, TURN.replace("p.turns % 2", "None"), "0 or 1, not None"),
    ("players", CARDS, TURN, TURN.replace("p.turns % 2", "0"), "but turn is 0"),
    ("moves", LAST, "for m in self.actions if", "for m in '1234' if", "'4' is allowed, which actions does not have"),
    ("moves", LAST, "for m in self.actions if", "for m in '321' if", "not in the order of actions"),
    ("positions", CARDS, "Position((0, 0), self", "Position([0, 0], self", "scores is a list: make it a"),
    ("positions", LAST, "class Position(NamedTuple):", THAWED, "write @dataclass(frozen=True) above Position"),
    ("play", LAST, "- int(move)", "- __import__('random').randint(1, 9**9)", "two different positions"),
    ("length", CARDS, "longest = 12", "longest = 5", "longest is 5, but the game goes on"),
    ("length", CARDS, "longest = 12", "longest = 'long'", "longest is a whole number, or None, not 'long'"),
    ("replay", LAST, "Position(self.heap, 0)", "Position(id(self), 0)", "somewhere else in an equal game"),
    ("chance", CARDS, "tuple(p.unseen.count(card) for", "tuple(0 for", "whole numbers above 0, not (0, 0, 0)"),
    ("chance", CARDS, WEIGHTS, WEIGHTS.replace("sorted(set(p.unseen))", "p.unseen"), "6 weights for 3 reveals"),
    ("deck", CARDS, "tuple(p.unseen.count(card) for", "tuple(1 for", "not those of the numbers that are still unseen"),
    ("deck", CARDS, "return len(self.deck) - len(p.unseen)", "return 0", "uncovered a second time"),
    ("deck", CARDS, "return len(self.deck) - len(p.unseen)", "return 9", "a place of the deck, 0 to 5, not 9"),
    ("deals", CARDS, "return len(self.deck) - len(p.unseen)", "return 0", "is uncovered, which moves does not list"),
    ("hidden", CARDS, "return Position((0, 0), self.deck", HIDDEN, "what is still covered changes the position"),
    ("view", CARDS, "most=18", "most=3", "view says that scores is from 0 to 3, but it comes to"),
    ("view", CARDS, "most=18", 'most=18, target="goal"', "view speaks of 'goal', which is no number of the game"),
    ("view", CARDS, "high=3, copies=2)", "high=2, copies=2)", "such as (1, 1, 2), which (1, 1, 2, 2, 3, 3) does not"),
    ("view", LAST, *adding("view = (nq.Number('heap', 'Heap', most=9),)"), "'heap', but a position has left"),
    ("frozen", LAST, *adding("__setattr__ = lambda self, name, value: None"), "is not frozen: heap could be set"),
    ("settings", LAST, *adding("__eq__, __hash__ = object.__eq__, object.__hash__"), "another game comes of it"),
    ("canonical", CARDS, *adding("canonical = lambda self, p: p._replace(scores=(0, 0))"), "its canonical one"),
    ("canonical", LAST, *adding("canonical = lambda self, p: Position(p.left, 0)"), "is the other player's turn"),
    ("alike", LAST, *adding("alike = lambda self, p: Position(p.left % 4, p.player)"), "do not lead to what those of"),
    ("alike", CARDS, *adding("alike = lambda self, p: p._replace(scores=(0, 0))"), "ends otherwise"),
    ("alike", CARDS, *adding("alike = lambda self, p: p._replace(turns=p.turns + 1)"), "is another player's turn"),
]


@pytest.mark.parametrize(("law", "text", "was", "now", "found"), BREACHES)
def test_a_game_that_breaks_a_law_is_found_out(
    law: str, text: str, was: str, now: str, found: str, tmp_path: Path
) -> None:
    kind = kind_in(written(tmp_path, text, (was, now)))
    looks = (NAMED[law].broken(kind(), Random(seed)) for seed in range(50))
    told = next(filter(None, looks))
    assert found in told
    assert told.endswith(", at the start") or ", after " in told


@pytest.mark.parametrize("text", [LAST, CARDS])
def test_a_game_that_keeps_them_all_is_told_so(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    lines, holds = laws.report(path)
    assert holds
    assert path in lines[0]
    assert not [line for line in lines if line.startswith("broken")]
    assert [line.split()[1] for line in lines[2 : 2 + len(laws.LAWS)]] == list(NAMED)


@in_ci
def test_the_report_says_what_is_broken_with_which_settings_and_after_which_moves(tmp_path: Path) -> None:
    path = written(tmp_path, LAST, ("int(m) <= p.left)", "int(m) <= p.left or self.heap == 99)"))
    lines, holds = laws.report(path)
    assert not holds
    broken = next(at for at, line in enumerate(lines) if line.startswith("broken  ends "))
    assert "there is an outcome, but moves are still allowed, after " in lines[broken + 1]
    assert lines[broken + 1].endswith(", with heap=99")
    assert "  heap=99" in lines[broken + 2 :], "what was looked at"


def test_a_report_of_a_game_that_cannot_be_played_claims_nothing_else(tmp_path: Path) -> None:
    path = written(tmp_path, LAST, ("        return Position(self.heap, 0)", "        return 1 / 0"))
    assert laws.report(path) == ([f"{path}: line 25, in start: ZeroDivisionError: division by zero"], False)
    path = written(tmp_path, LAST, ("int(m) <= p.left)", "int(m) / 0 <= p.left)"))
    lines, _ = laws.report(path)
    assert lines[3].strip() == "line 31, in <genexpr>: ZeroDivisionError: division by zero, at the start"
    assert {line.split()[0] for line in lines[4 : 3 + len(laws.LAWS)]} == {"unseen"}


@in_ci
def test_a_report_tells_that_the_slug_is_taken(tmp_path: Path) -> None:
    path = written(tmp_path, LAST)
    assert laws.report(path, {"last": kind_in(path)})[1], "it is the same one"
    other = kind_in(written(tmp_path, LAST))
    told = f"{path}: the slug 'last' is taken already, by {other.__module__}"
    assert laws.report(path, {"last": other}) == ([told], False)


def test_what_is_alike_is_played_out_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By brute force: should where the moves lead not tell that positions differ, what they come to does."""
    made_one = adding("alike = lambda self, p: Position(p.left % 2 + 2 * (p.left > 1), p.player)")
    game = kind_in(written(tmp_path, LAST, made_one))(heap=6)
    monkeypatch.setattr(laws, "_led_to", lambda *_: {})
    looks = (NAMED["alike"].broken(game, Random(seed)) for seed in range(50))
    assert "at random Player 1 makes" in next(filter(None, looks))


def test_what_moves_are_called_together_is_not_what_is_alike(tmp_path: Path) -> None:
    path = written(tmp_path, LAST, ('    title = "', '    alike = "taking some"\n    title = "'))
    with pytest.raises(BadGame, match=r"alike is a method, alike\(p\); .* is interchangeable"):
        laws.check(kind_in(path), path)


GAPS = [
    ("summary", 'summary = "', 'summary = "{piles} ', "{piles}"),
    ("rules", 'rules = "', 'rules = "{heaps:times} ', "{heaps:times}"),
    (
        "rules",
        'rules = "',
        'rules = "{misere?Whoever takes the last one loses.} ',
        "{misere?Whoever takes the last one loses.}",
    ),
    ("rules", 'rules = "', 'rules = "{heap?Take from {heaps}.} ', "{heaps}"),
    ("how_to_win", 'rules = "', 'how_to_win = "Leave {none}"\n    rules = "', "{none}"),
    ("N1", 'rules = "', 'rulings = {"N1": "Not {this}."}\n    rules = "', "{this}"),
]


@pytest.mark.parametrize(("name", "was", "now", "gap"), GAPS)
def test_a_gap_that_nothing_fills_is_told_when_a_game_is_loaded(
    name: str, was: str, now: str, gap: str, tmp_path: Path
) -> None:
    path = written(tmp_path, LAST, (was, now))
    told = f"{path}: {name} has a gap {gap}, and there is no setting or property of that name"
    assert laws.report(path) == ([told], False)


def test_a_gap_of_the_summary_is_filled_wherever_it_is_read(tmp_path: Path) -> None:
    kind = kind_in(written(tmp_path, LAST, ('summary = "', 'summary = "{heap} lie there. ')))
    assert kind(heap=7).summary.startswith("7 lie there. ")
    assert str(rulebook_data(kind(heap=7))["summary"]).startswith("7 lie there. ")
    assert offer(kind()).summary.startswith("21 lie there. ")
    assert offer(kind()).goal.startswith("{heap} lie there. "), "the page fills in the rules of the match"


def test_every_law_is_among_those_that_can_be_broken() -> None:
    assert set(NAMED) == {law for law, *_ in (*BREACHES, *OF_SECRETS)}
