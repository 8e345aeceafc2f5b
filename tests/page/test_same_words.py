"""Page and Python say the same: moves, percentages, and every sentence with its gaps filled."""

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import numberquest as nq
from numberquest.core.contract import Game, Outcome, ending
from numberquest.core.registry import GAMES, kind_in
from numberquest.core.sentences import GAP, KINDS, Said, either, in_short, per_cent, percent, sentence, told
from numberquest.server.refusal import OF_REQUESTS, SENTENCES
from numberquest.study.plot import SHARES, short
from tests.page.node import Node

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GAMES_TOLD: list[Game[Any]] = [
    *(nq.game(slug) for slug in GAMES),
    *(kind_in(str(EXAMPLES / name))() for name in ("nim.py", "pig.py")),
]
NAMED = ("Ann", "Bo")

MOVES = """
const { either, inShort } = await page('parts/words.js');
return lists.map((moves) => [inShort(moves, String), either(moves, String)]);
"""
TELL = """
const { teller } = await page('parts/words.js');
return cases.map(([info, settings, said]) =>
  teller(info, { written: (move) => move, told: String }, settings, names).say(said));
"""


def chosen_from(actions: tuple[str, ...]) -> list[list[str]]:
    """Lists of moves as they are told: runs from every place, with gaps, and some that lie anyhow."""
    lot = random.Random("moves")
    runs = [actions[at : at + long] for at in range(len(actions)) for long in (1, 2, 3, 4, 6, 10)]
    gaps = [actions[at::step] for at in range(min(3, len(actions))) for step in (2, 3, 7)]
    anyhow = [lot.sample(actions, lot.randint(1, min(8, len(actions)))) for _ in range(100)]
    return [list(one) for one in (actions, *runs, *gaps, *anyhow)]


@pytest.mark.parametrize("game", GAMES_TOLD, ids=lambda game: game.slug)
def test_moves_are_told_in_the_same_words(node: Node, game: Game[Any]) -> None:
    lists = chosen_from(tuple(game.actions))
    assert node(MOVES, lists=lists) == [[in_short(moves), either(moves)] for moves in lists]


def test_moves_with_commas_or_none_are_told_in_the_same_words(node: Node) -> None:
    lists = [["a, b", "c, d"], ["a, b", "c, d", "e"], ["1,1", "1,2", "1,3"], ["a 9", "a 10", "a 11"], ["7", "08", "9"]]
    assert node(MOVES, lists=lists) == [[in_short(moves), either(moves)] for moves in lists]
    assert in_short(lists[0]) == "a, b · c, d"


def test_only_fifty_and_grid_write_a_move_otherwise_and_no_two_alike(node: Node) -> None:
    for slug in GAMES:
        actions = list(nq.game(slug).actions)
        snippet = """
            const { boardOf } = await page('boards/boards.js');
            return actions.map((await boardOf(slug)).written);
        """
        written = node(snippet, slug=slug, actions=actions)
        assert len(set(written)) == len(actions)
        if slug == "fifty":
            assert written[actions.index("6*")] == "×\u00a06"
        elif slug == "grid":
            assert written[actions.index("2,3")] == "row\u00a02, column\u00a03"
        else:
            assert written == actions


def test_percentages_are_rounded_in_the_same_way(node: Node) -> None:
    ties = [number / 2**power for power in (3, 4, 6, 9) for number in range(2**power + 1)]
    fine = [at / 4000 for at in range(4001)]
    edges = [1e-12, 1e-9, 1.1e-9, 0.00999999, 0.99000001, 1 - 1e-12, 1 - 1e-9, 1 - 1.1e-9]
    chances = [*fine, *ties, *edges, *(random.Random("chances").random() for _ in range(2000))]
    snippet = """
        const { fixed, perCent, percent } = await page('parts/figures.js');
        const all = (one) => [perCent(one), percent(one), fixed(100 * one, 1), fixed(-100 * one, 1), fixed(100 * one)];
        return chances.map(all);
    """
    expected = [
        [per_cent(one), percent(one), f"{100 * one:.1f}", f"{-100 * one:.1f}", f"{round(100 * one)}"] for one in chances
    ]
    # Nothing is below nothing: JavaScript has no sign there.
    found = node(snippet, chances=chances)
    assert [row for row in zip(chances, found, expected, strict=True) if row[0] and row[1] != row[2]] == []


def test_a_chance_is_certain_only_where_it_is_but_for_rounding() -> None:
    assert [per_cent(one) for one in (0, 1e-13, 0.001, 0.125, 0.375, 0.999, 1 - 1e-13, Fraction(1))] == [
        *("0 %", "0 %", "under 1 %", "12 %", "38 %", "over 99 %", "100 %", "100 %")
    ]


def test_a_change_is_rounded_as_a_chance_is_and_told_where_it_is_not_0(node: Node) -> None:
    changes = [0, 0.004, -0.004, 0.005, 0.0051, -0.0051, 0.125, -0.125, 0.135]
    found = node("const { change } = await page('parts/figures.js'); return changes.map(change);", changes=changes)
    assert found == ["", "", "", "", "+1 point", "−1 point", "+12 points", "−12 points", "+14 points"]


def test_a_cell_of_a_map_says_the_same_on_the_page_as_in_a_picture(node: Node) -> None:
    figures = [0, 1, 0.001, 0.999, 0.996, 0.125, 0.375, 0.5, 0.005, *(at / 173 for at in range(173)), 6.13, 12.3456]
    cells = [(name, name in SHARES, figure) for name in ("value", "luck", "length") for figure in figures]
    found = node("const { short } = await page('heat_map.js'); return cells.map((one) => short(...one));", cells=cells)
    assert found == [short(name, figure) for name, _, figure in cells]


SAMPLES: dict[str, list[Any]] = {
    "": [3, "a word", True, False, 0],
    "quoted": ["7+", "it's", 'say "no"', "both ' and \"", "a\tb\n\x1b\u200b\\", "x" * 60, 5, "ü😀"],
    "percent": [0, 1, 0.5, 0.12125, 0.41234],
    "whole": [0, 1, 0.5, 0.125, 0.001, 0.999, 0.41],
    "difference": [0, 1, 0.01, 0.125, 0.135, 0.001, 0.999, -0.25],
    "points": [0, 1, 0.5, 0.0025, 0.41234, -0.2537],
    "times": [0, 1, 2, 3],
    "name": [1, 2],
    "move": ["7+", "2:3", "1,2"],
    "sums": ["15 + 7 = 22"],
    "either": [["1:1"], ["1:1", "1:2", "1:3", "1:4"], ["1,1", "1,2", "2,2", "3,3"], ["5+", "2-"]],
    "mix": [[["1", 1, 1]], [["1", 2, 3], ["3", 1, 3]], [["call", 1, 2], ["fold", 3, 10], ["raise", 1, 5]]],
    "short": [["1:1", "1:2", "1:3"], ["1", "2", "4"], ["1,1", "1,2"]],
    "list": [[], ["a"], ["a", "b"]],
    "sentence": ["words", "No!", "why?", "and so on…", "Done."],
    "said": [{"code": "did-play", "facts": {"player": 2, "move": "7+"}}],
    "ending": [{"winner": 1, "reason": "resigned", "facts": {}}, {"winner": None, "reason": "endless", "facts": {}}],
}
"""Values of every kind. Rule settings are told by what they mean on the page, and as they are typed in the terminal."""


def test_on_the_page_a_calculation_has_the_signs_of_its_boards(node: Node) -> None:
    said = {"code": "reason-past", "facts": {"sum": "16 * 4 = 64", "target": 50}}
    less = {"code": "reason-sum", "facts": {"sum": "7 - 2 = 5"}}
    cases = [[{"endings": {}, "settings": []}, {}, each] for each in (said, less)]
    assert node(TELL, cases=cases, names=NAMED) == ["16 × 4 = 64: past 50", "7 − 2 = 5"]


def test_every_kind_of_gap_has_samples() -> None:
    assert SAMPLES.keys() == (KINDS.keys() | {"said", "ending"}) - {"settings"}


def ending_of(outcome: Mapping[str, Any]) -> str:
    winner = None if outcome["winner"] is None else outcome["winner"] - 1
    return ending(nq.game("fifty"), Outcome(winner, outcome["reason"], outcome["facts"]), NAMED)


def test_every_sentence_is_told_in_the_same_words(node: Node) -> None:
    fifty = nq.game("fifty")
    cases, expected = [], []
    for code, template in SENTENCES.items():
        # These come with their words.
        if code in OF_REQUESTS:
            continue
        gaps = [(gap[1], (gap[2] or "").lower()) for gap in re.finditer(GAP, template)]
        if any(kind == "settings" for _, kind in gaps):
            continue
        for turn in range(max((len(SAMPLES[kind]) for _, kind in gaps), default=1)):
            facts = {name: SAMPLES[kind][turn % len(SAMPLES[kind])] for name, kind in gaps}
            cases.append([{"endings": {}, "settings": []}, {"bound": fifty.bound}, {"code": code, "facts": facts}])
            expected.append(told(Said(code, facts), NAMED, ending_of))
    assert node(TELL, cases=cases, names=NAMED) == expected


@pytest.mark.parametrize("game", GAMES_TOLD, ids=lambda game: game.slug)
def test_every_ending_is_told_in_the_same_words(node: Node, game: Game[Any]) -> None:
    known = {"winner", "loser", "bound", *game.settings}
    cases, expected = [], []
    for reason, template in game.endings.items():
        facts = {
            gap[1]: SAMPLES[(gap[2] or "").lower()][0] for gap in re.finditer(GAP, template) if gap[1] not in known
        }
        for winner in (1, 2, None):
            if winner is None and re.search(r"\{(winner|loser)", template):
                continue
            outcome = {"winner": winner, "reason": reason, "facts": facts}
            info = {"endings": dict(game.endings), "settings": []}
            cases.append(
                [info, {"bound": game.bound, **game.settings}, {"code": "lesson-loses", "facts": {"outcome": outcome}}]
            )
            said = ending(game, Outcome(None if winner is None else winner - 1, reason, facts), NAMED)
            expected.append(f"That loses: {said}. Try another move.")
    assert node(TELL, cases=cases, names=NAMED) == expected


def test_a_sentence_ends_in_the_same_way(node: Node) -> None:
    words = ["it ends", "It ends.", "really?", "Right!", "and so…", "", "ünder"]
    found = node("const { sentence } = await page('parts/dom.js'); return words.map(sentence);", words=words)
    assert found == [sentence(one) for one in words]
