"""What the boards say: each game in its own words, on its buttons and in its history, with marks and without."""

import re
from typing import Any

import msgspec
import pytest

import numberquest as nq
from numberquest.core.match import Match
from numberquest.server.boards import shown as look
from tests.page.node import Node

SHOWN = """
const module = await (await page('boards/boards.js')).boardOf(slug);
const played = [];
const play = watches ? undefined : (move) => played.push(move);
const about = { moves, turn, view, last: last ? history.at(-1) : null, play };
const shown = module.show({ ...settings, ...board }, about);
const buttons = shown.all('button').filter(({ attributes }) => !attributes['aria-disabled']);
const called = ({ attributes, textContent }) => attributes['aria-label'] ?? textContent;
const titled = (one) => `${called(one)} ${one.attributes.title ?? ''}`;
const everything = [shown.textContent, ...shown.all('button').map(titled)];
buttons.forEach((one) => one.onclick({ currentTarget: { closest: () => null } }));
return {
  lines: history.map((line) => module.told(line, settings).replaceAll('\\u00a0', ' ')),
  names: buttons.map(called),
  texts: buttons.map((one) => one.textContent),
  said: everything.join(' '),
  stones: shown.all('span').map((one) => [one.attributes.class, one.textContent]),
  played,
};
"""


class Told:
    """How the page tells a match, and what its board offers to the one who is to move, or to somebody who watches."""

    def __init__(
        self, node: Node, match: Match[Any], *, last: bool = False, marks: bool = True, watches: bool = False
    ) -> None:
        game = match.game
        moves = msgspec.to_builtins(look(game).options(match.position))
        found = node(
            SHOWN,
            slug=game.slug,
            settings=msgspec.to_builtins(game.settings),
            board=msgspec.to_builtins(look(game).board(match.positions, match.history)),
            history=msgspec.to_builtins(look(game).lines(match.positions, match.history)),
            moves=[] if watches else moves if marks else [{"move": one["move"]} for one in moves],
            turn=match.player + 1,
            view=msgspec.to_builtins(look(game).view),
            last=last,
            watches=watches,
        )
        self.lines: list[str] = found["lines"]
        self.names: list[str] = found["names"]
        self.texts: list[str] = found["texts"]
        self.said: str = found["said"]
        self.stones: list[tuple[str, str]] = found["stones"]
        self.played: list[str] = found["played"]


def after(slug: str, *moves: str, **settings: Any) -> Match[Any]:
    deal = settings.pop("deal", None)
    match = Match(nq.game(slug, **settings), deal=deal)
    for move in moves:
        match.play(move)
    return match


@pytest.fixture
def tells(node: Node) -> Any:
    return lambda slug, *moves, **settings: Told(node, after(slug, *moves, **settings))


def test_fifty_in_words(tells: Any) -> None:
    told = tells("fifty", "8+", "3+", "5*", "5-")
    assert told.lines == [
        "adds 8: 0 + 8 = 8",
        "adds 3: 0 + 3 = 3",
        "multiplies by 5: 8 × 5 = 40",
        "subtracts 5: 3 − 5 would go below 0, so the turn is lost",
    ]
    # The smallest number is chosen at first.
    assert told.names[-4:] == [
        "add: 40 + 1 = 41",
        "subtract: 40 − 1 = 39",
        "multiply: 40 × 1 = 40",
        "divide: 40 ÷ 1 = 40",
    ]
    told = tells("fifty", "1+", "1+", "2+", high=2)
    assert told.names[-4:] == [
        "add: 1 + 2 = 3: that loses",
        "subtract: 1 − 2 would go below 0, so the turn is lost: that loses",
        "multiply: 1 × 2 = 2: that loses",
        "divide: 1 ÷ 2 = 0, remainder dropped: that loses",
    ]


TAPPED = """
const module = await (await page('boards/boards.js')).boardOf(slug);
const [words, played] = [[], []];
const [tell, play] = [(said) => words.push(said), (move) => played.push(move)];
const shown = module.show({ ...settings, ...board }, { moves, turn, view, last, hinted, tell, play });
const buttons = shown.all('button');
const named = ({ attributes }) => attributes['aria-label'];
const marked = buttons.filter(({ attributes }) => /\\bhinted\\b/.test(attributes.class)).map(named);
buttons.filter(({ attributes }) => attributes['aria-disabled']).forEach((one) => one.onclick?.({}));
return { words, played, marked };
"""


def tapped(node: Node, match: Match[Any], hinted: str = "", last: object = None) -> Any:
    """What is said where whatever cannot be played is tapped, and what the hint marks."""
    game = match.game
    return node(
        TAPPED,
        slug=game.slug,
        settings=msgspec.to_builtins(game.settings),
        board=msgspec.to_builtins(look(game).board(match.positions, match.history)),
        moves=msgspec.to_builtins(look(game).options(match.position)),
        turn=match.player + 1,
        view=msgspec.to_builtins(look(game).view),
        hinted=hinted,
        last=last,
    )


def test_a_tile_that_cannot_be_played_answers_when_it_is_tapped_and_says_why(node: Node) -> None:
    found = tapped(node, after("sumquest", "9"))
    assert found["words"] == ["9 is barred: it has just been used. Choose another number."]
    found = tapped(node, after("fifty", "9+", "9+"))
    assert (found["words"], found["played"]) == (["No 9 is left."], [])
    found = tapped(node, after("mystic", deal=[2, *(n for n in nq.game("mystic").deck if n != 2), 2]))
    assert found["words"] == ["That would go below 0, so this number can only be added or passed."]
    found = tapped(node, after("showdown", "predict 45", "9"))
    assert found["words"] == ["9 is taken already. Choose another number."]
    # What is done with a number waits for one; only before the first move one lies ready.
    found = tapped(node, after("fifty", "8+"), last={"entry": "8+", "player": 1})
    assert (found["words"], found["played"]) == (["Choose a number first."] * 4, [])


def test_what_the_hint_names_is_marked_on_the_board(node: Node) -> None:
    for match, hinted, name in (
        (after("sumquest"), "1", "1: 0 + 1 = 1, the hint"),
        (after("fifty"), "3*", "3, 2 left"),
        (after("grid"), "2,2", "Row 2, column 2: covered, the hint"),
        (after("mystic", deal=nq.game("mystic").deck), "pass", "pass 1 to Player 2, who then has 1, the hint"),
        (after("showdown"), "4", "4: add 4 to the sequence, then the sum is 4, the hint"),
    ):
        assert tapped(node, match, hinted)["marked"] == [name]
    assert tapped(node, after("sumquest"))["marked"] == []


def test_sumquest_in_words(tells: Any) -> None:
    told = tells("sumquest", "9", "8")
    assert told.lines == ["adds 9: 0 + 9 = 9", "adds 8: 9 + 8 = 17"]
    assert "6: 17 + 6 = 23: that wins" in told.names
    assert "7: 17 + 7 = 24, past 23: that loses" in told.names
    told = tells("sumquest", "9", "8", "4")
    assert "1: 21 + 1 = 22: that wins, for the other has no number left" in told.names


def test_mystic_in_words(tells: Any) -> None:
    told = tells("mystic", "add", "add", deal=[9, 8, 7, *[1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9]])
    assert told.lines == ["9 is drawn", "adds 9: total 9", "8 is drawn", "adds 8: total 8", "7 is drawn"]
    assert told.names == ["add 7: total 16", "subtract 7: total 2", "pass 7 to Player 2, who then has 15"]
    told = tells("mystic", "add", deal=[1, 2, 2, 1], high=2, target=2)
    assert told.names == ["add 2: total 2, that wins", "pass 2 to Player 1, who then has 3, past 2, that wins"]


def test_grid_in_words(tells: Any) -> None:
    told = tells("grid", "2,3", "stand", deal=[1, 2, 3, 4, 5, 6, 7, 8, 9], stand=True)
    assert told.lines == ["opens row 2, column 3", "row 2, column 3 hides 6", "stands at 0"]
    assert told.names[0] == "Row 1, column 1: covered"
    assert told.names[-1] == "Stand at 6: that wins"


def test_showdown_in_words(tells: Any) -> None:
    told = tells("showdown", "predict 6", "1", "2", high=3)
    assert told.lines == [
        "predicts 6",
        "adds 1 to the sequence: the sum is 1",
        "adds 2 to the sequence: the sum is 3",
    ]
    assert "3: add 3 to the sequence: that wins" in told.names
    told = tells("showdown", "predict 7", "1", "predict 6", "2", high=3)
    assert "3: add 3 to the sequence: that loses" in told.names


@pytest.mark.parametrize(
    ("slug", "move", "written"),
    [
        ("fifty", "6*", "× 6"),
        ("fifty", "9-", "− 9"),
        ("grid", "2,3", "row 2, column 3"),
        ("grid", "stand", "stand"),
        ("grid", "opening a cell", "opening a cell"),
        ("mystic", "add", "add"),
        ("showdown", "predict 45", "predict 45"),
    ],
)
def test_a_move_is_written_as_on_its_board(node: Node, slug: str, move: str, written: str) -> None:
    snippet = "return (await (await page('boards/boards.js')).boardOf(slug)).written(move);"
    assert node(snippet, slug=slug, move=move).replace("\u00a0", " ") == written


def test_the_path_shows_how_far_the_last_number_led(node: Node) -> None:
    told = Told(node, after("sumquest", "3", "5"), last=True)
    stones = [(kind.split(), number) for kind, number in told.stones if kind]
    assert [number for kind, number in stones if "by2" in kind] == ["4", "5", "6", "7"]
    assert [number for kind, number in stones if "here" in kind] == ["8"]
    assert not [number for kind, number in stones if "by1" in kind]


def test_that_standing_ends_the_game_is_said_once(tells: Any) -> None:
    told = tells("grid", "2,3", "stand", deal=[1, 2, 3, 4, 5, 6, 7, 8, 9], stand=True)
    assert told.texts[-1].count("wins") == 1


def test_moves_that_end_a_game_without_a_board_of_its_own_are_marked(node: Node) -> None:
    snippet = "return (await page('boards/general_board.js')).show({}, { moves, play() {} }).all('button').map(text);"
    moves = [{"move": move, "ends": end} for move, end in (("share", "draws"), ("take", "wins"), ("give", "loses"))]
    found = node(f"const text = ({{ textContent }}) => textContent;{snippet}", moves=moves)
    assert all(words.endswith(badge) for words, badge in zip(found, ("= draws", "★ wins", "✕ loses"), strict=True))


OPEN = {"sumquest": ("9", "8"), "fifty": (), "grid": (), "mystic": (), "showdown": ("predict 45",)}
"""What is played first, so that something is to be marked."""
SAID = re.compile(r"wins|loses|→ \d|= \d|comes to|total \d|sum is \d|stand at \d|then has", re.IGNORECASE)


@pytest.mark.parametrize("slug", OPEN)
def test_without_marks_no_board_says_what_a_move_comes_to_and_every_button_plays(node: Node, slug: str) -> None:
    match = after(slug, *OPEN[slug], **({"stand": True} if slug == "grid" else {}))
    assert SAID.search(Told(node, match).said)
    told = Told(node, match, marks=False)
    assert not SAID.search(told.said)
    assert "undefined" not in told.said
    assert not SAID.search(Told(node, match, marks=False, watches=True).said)
    assert told.played
    assert set(told.played) <= set(match.moves)


TOLD = "return (await page(`games/${game}/board.js`)).told(line, settings, ['Ann', 'Bo']);"


@pytest.mark.parametrize(
    ("game", "entry", "facts", "settings", "words"),
    [
        ("fifty", "5-", {"had": 9, "has": 4}, {"target": 50}, "subtracts 5: 9 − 5 = 4"),
        # To exactly 0 is a move like another; below it the turn is lost.
        ("fifty", "5-", {"had": 5, "has": 0}, {"target": 50}, "subtracts 5: 5 − 5 = 0"),
        (
            "fifty",
            "5-",
            {"had": 4, "has": 4},
            {"target": 50},
            "subtracts 5: 4 − 5 would go below 0, so the turn is lost",
        ),
        ("fifty", "7*", {"had": 7, "has": 49}, {"target": 50}, "multiplies by 7: 7 × 7 = 49"),
        ("fifty", "8+", {"had": 42, "has": 50}, {"target": 50}, "adds 8: 42 + 8 = 50"),
        ("fifty", "9+", {"had": 42, "has": 51}, {"target": 50}, "adds 9: 42 + 9 = 51, past 50"),
        ("fifty", "2/", {"had": 9, "has": 4}, {"target": 50}, "divides by 2: 9 ÷ 2 = 4, remainder dropped"),
        ("sumquest", "5", {"had": 18, "has": 23}, {"target": 23}, "adds 5: 18 + 5 = 23"),
        ("sumquest", "6", {"had": 18, "has": 24}, {"target": 23}, "adds 6: 18 + 6 = 24, past 23"),
        ("mystic", "pass", {"drawn": 7, "total": 12}, {"target": 21}, "passes 7 to Bo, who then has 12"),
        ("mystic", "subtract", {"drawn": 7, "total": 0}, {"target": 21}, "subtracts 7: total 0"),
        ("mystic", "add", {"drawn": 7, "total": 22}, {"target": 21}, "adds 7: total 22, past 21"),
        ("grid", "2,3", {}, {"side": 4}, "opens row\u00a02, column\u00a03"),
        ("grid", "stand", {"has": 21}, {"side": 4}, "stands at 21"),
        ("showdown", "predict 45", {}, {}, "predicts 45"),
        ("showdown", "5", {"sum": 12}, {}, "adds 5 to the sequence: the sum is 12"),
    ],
)
def test_a_move_is_told(
    node: Node, game: str, entry: str, facts: dict[str, int], settings: dict[str, int], words: str
) -> None:
    assert node(TOLD, game=game, line={"player": 1, "entry": entry, "facts": facts}, settings=settings) == words


@pytest.mark.parametrize(("place", "words"), [(0, "row\u00a01, column\u00a01"), (5, "row\u00a02, column\u00a02")])
def test_a_card_is_told_by_its_row_and_column(node: Node, place: int, words: str) -> None:
    line = {"player": 0, "entry": "9", "place": place}
    assert node(TOLD, game="grid", line=line, settings={"side": 4}) == f"{words} hides 9"


def test_before_the_next_number_is_seen_it_lies_on_the_pile(node: Node) -> None:
    before: dict[str, Any] = {"totals": [0, 0], "drawn": 3, "pile": 4, "unseen": [1, 2, 5, 6]}
    after: dict[str, Any] = {"totals": [3, 0], "drawn": 5, "pile": 3, "unseen": [1, 2, 6]}
    snippet = "return (await page('games/mystic/board.js')).between(before, after);"
    assert node(snippet, before=before, after=after) == {**after, "drawn": None, "pile": 4, "unseen": [1, 2, 6, 5]}
    last = {**after, "drawn": None}
    assert node(snippet, before=before, after=last) == last


def test_the_buttons_of_fifty_say_what_a_subtraction_to_0_comes_to(node: Node) -> None:
    snippet = """
        const { show } = await page('games/fifty/board.js');
        const board = { target: 50, high: 5, ops: '+-', pool: [5], scores: [5, 0] };
        const moves = [{ move: '5+', result: 10 }, { move: '5-', result: 0 }];
        const shown = show(board, { moves, play() {}, turn: 1, names: ['Ann', 'Bo'] });
        return shown.all('button').slice(-2).map(({ attributes }) => attributes['aria-label']);
    """
    assert node(snippet) == ["add: 5 + 5 = 10", "subtract: 5 − 5 = 0"]


CELLS = """const { show } = await page('boards/general_board.js');
const view = [{ name: 'cells', label: 'Board', kind: 'cells', wide: 3, marks: 'players' }];
const drawn = show({ cells: [1, null, 2] }, { view, moves, line, names: ['Ann', 'Bo'], play() {} });
return { buttons: drawn.all('button').map((one) => one.attributes['aria-label']),
  won: drawn.all('span').filter((one) => JSON.stringify([one.className, one.attributes]).match('won-by')).length };"""


def test_a_cell_that_one_move_changes_is_pressed_and_the_line_that_won_is_shown(node: Node) -> None:
    moves = [{"move": "b1", "facts": {"cell": 1}}]
    assert node(CELLS, moves=moves, line=[0, 2]) == {"buttons": ["b1: empty"], "won": 2}
    # Two moves for one cell are chosen from below it, as are moves of which one changes no cell.
    for others in ([*moves, {"move": "x", "facts": {"cell": 1}}], [*moves, {"move": "x", "facts": {}}]):
        assert node(CELLS, moves=others, line=[])["buttons"] == ["b1", "x"]


def test_a_label_that_names_a_player_has_the_player_s_name(node: Node) -> None:
    shown = "(await page('boards/general_board.js')).show({ bid: 3 }, { view, names })"
    snippet = f"return {shown}.all('span')[0].textContent;"
    view = [{"name": "bid", "label": "Bid of Player 2", "kind": "number"}]
    assert node(snippet, view=view, names=["Ann", "Bo"]) == "Bid of Bo"
