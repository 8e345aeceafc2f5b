"""Games of one file in the browser: from the front page to the end, with everything that the others have."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Route, expect

from numberquest.client import Client
from tests.browser.conftest import PATIENCE
from tests.browser.people import People, Person, friends
from tests.browser.test_accessibility import OUTSIDE, SMALL, axe, complaints
from tests.conftest import in_ci
from tests.own.files import FOLDER
from tests.server.running import Running
from tests.server.test_own_games import GAME_FILES


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("own"), games=(*GAME_FILES, FOLDER / "wide.py")) as running:
        yield running


@pytest.fixture
def client(own: Running) -> Iterator[Client]:
    with own.client() as one:
        yield one


@pytest.fixture
def people(browser: Browser, own: Running) -> Iterator[People]:
    everybody = People(browser, own.url, PATIENCE)
    yield everybody
    everybody.leave()


@pytest.mark.parametrize("slug", ["nim", "dice_race", "high_word"])
def test_without_marks_the_general_board_says_no_more_than_the_moves(people: People, client: Client, slug: str) -> None:
    one = client.create(slug, opponent="screen", marks=False)
    both = people.at(one)
    buttons = both.region("Board").get_by_role("group", name="Moves").get_by_role("button")
    names = buttons.evaluate_all("all => all.map(one => one.ariaLabel)")
    assert names
    assert set(names) <= {option.move for option in one.state.moves}
    expect(both.region("Board").locator(".badge, .choice small")).to_have_count(0)


@in_ci
def test_from_the_front_page_to_the_end_of_a_game_by_mouse_and_by_key(people: People, client: Client) -> None:
    both = people.new("Ann")
    both.page.goto("/")
    expect(both.page.get_by_role("heading", level=1)).to_have_text("Nine number games for two")
    both.button("Two at this screen: Nim").click()
    both.waits_for_the_board()
    turns = 0
    state = client.look(both.match)
    while state.turn is not None:
        both.waits_until_it_can_be_pressed()
        board = both.region("Board")
        if turns % 2:
            # The first button has the key 1.
            both.page.keyboard.press("1")
        else:
            board.get_by_role("group", name="Moves").get_by_role("button").first.click()
        turns += 1
        expect(both.history).to_have_count(turns)
        state = client.look(both.match)
        expect(both.history.last).to_have_text(re.compile(rf"^\w.* plays {state.history[-1].entry}\.$"))
    expect(both.region("The end")).to_contain_text("took the last one")


def test_a_game_in_one_file_has_a_lesson_that_leads_into_it(me: Person, client: Client) -> None:
    me.page.goto("/")
    me.page.get_by_role("link", name="Learn it: Nim").click()
    for step in client.lesson("nim").steps:
        if step.answers:
            move = next(answer.move for answer in step.answers if answer.right)
            moves = me.region("Board").get_by_role("group", name="Moves")
            moves.get_by_role("button", name=re.compile(f"^{move}(,|:? |$)")).first.click()
            expect(me.region("Lesson").get_by_role("heading")).to_contain_text("✓")
        me.button("Go on").click()
    me.button("Play the computer, easy").click()
    me.waits_for_the_board()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Nim")


def test_a_die_is_seen_its_draws_are_checked_and_a_draw_is_a_draw(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "dice_race", rounds=2)
    for turn, person in enumerate((ann, bo, ann, bo)):
        person.waits_until_it_can_be_pressed()
        person.region("Board").get_by_role("button", name="roll" if turn == 0 else "take 3").first.click()
        expect(person.history).to_have_count(turn + 2)
        if turn == 0:
            came = client.look(ann.match).history[-1].entry
            expect(bo.region("Board").get_by_role("img", name=f"Came up: {came}")).to_be_visible()
            expect(bo.history.last).to_have_text(f"{came} comes up.")
    came_up = int(came)
    expected = {3: "A draw"}.get(came_up, "You win!" if came_up > 3 else "Bo wins")
    expect(ann.region("The end").get_by_role("heading")).to_have_text(expected)
    ann.button("Check the draws").click()
    expect(ann.page.get_by_role("complementary").get_by_role("status")).to_contain_text("✓ The secret fits")
    ann.page.get_by_role("link", name="Review the game").click()
    expect(ann.page.get_by_role("slider")).to_have_attribute("aria-valuemax", "5")
    ann.button("Check the draws").click()
    expect(ann.page.get_by_role("status").filter(has_text="every draw is the one")).to_be_visible()


def test_a_drawn_round_is_half_a_point_for_both(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sharing", rounds=2)
    ann.region("Board").get_by_role("button", name="share").click()
    for one in (ann, bo):
        expect(one.region("The end").get_by_role("heading")).to_have_text("A draw")
        expect(one.region("The end")).to_contain_text("Both have half of it.")
        expect(one.region("The end")).to_contain_text("After round 1 of 2: Ann ½ : ½ Bo.")
    expect(ann.page.get_by_role("list", name="Players")).to_contain_text("draw")
    ann.page.get_by_role("link", name="Review the game").click()
    expect(ann.page.get_by_role("main")).to_contain_text("The game is drawn: both have half of it.")
    expect(ann.region("This step")).to_contain_text("it is a draw")


def test_many_moves_are_found_by_typing(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "high_word")
    find = ann.page.get_by_role("textbox", name="100 moves are allowed.")
    find.fill("9")
    moves = ann.region("Board").get_by_role("group", name="Moves").get_by_role("button")
    expect(moves).to_have_count(19)
    find.fill("say 42")
    expect(moves).to_have_count(1)
    ann.page.keyboard.press("Enter")
    expect(bo.history).to_have_text(["Ann plays say 42."])
    expect(bo.page.get_by_role("textbox", name="58 moves are allowed.")).to_have_value("")


def test_hints_coach_rules_house_rules_and_the_computer_are_there(people: People, client: Client) -> None:
    me = people.new("Ann")
    me.page.goto("/")
    me.button("House rules: Dice race").click()
    me.page.get_by_role("spinbutton", name="How many turns there are").fill("6")
    me.button("Start").click()
    me.waits_for_the_board()
    expect(me.page.get_by_role("main")).to_contain_text("House rules: how many turns there are: 6")
    me.page.get_by_role("switch", name="Coach").check()
    for steps, name in enumerate(("Hint", "More of the hint", "More of the hint"), start=1):
        me.button(name).click()
        expect(me.page.locator(".note p")).to_have_count(steps)
    expect(me.page.locator(".note p").first).to_contain_text("Your chance to win is ")
    me.button("Rules").click()
    expect(me.page.get_by_role("dialog")).to_contain_text("After the last turn the higher score wins.")
    me.page.keyboard.press("Escape")
    me.region("Board").get_by_role("button", name="take 3").click()
    expect(me.page.get_by_text("Coach:")).to_be_visible()
    expect(me.page).to_have_title(re.compile("^Your turn"))
    assert client.look(me.match).players[1].kind == "easy"


def test_a_puzzle_of_ones_own_game_is_solved_and_a_spectator_sees_the_board(people: People, client: Client) -> None:
    puzzle = client.new_puzzle("nim", "7")
    answer = client.guess(puzzle.id, puzzle.moves[0].move).answers[0]
    me = people.new()
    me.page.goto(f"/puzzle#id={puzzle.id}")
    me.region("The puzzle").get_by_role("button", name=answer, exact=True).click()
    expect(me.region("Your answer").get_by_role("heading", level=2)).to_have_text("✓ Solved")
    seat = client.create("nim", opponent="screen")
    seat.play(seat.state.moves[0].move)
    watcher = people.new()
    watcher.page.goto(f"/m/{seat.match}")
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    expect(watcher.region("Board")).to_contain_text(f"last move: {seat.state.history[0].entry}")
    expect(watcher.region("Board").get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize("slug", ["nim", "dice_race", "sharing", "high_word"])
def test_the_general_board_fits_a_phone_and_anybody_can_use_it(people: People, client: Client, slug: str) -> None:
    ann, _ = friends(people, client, slug)
    for wide in (390, 320):
        ann.page.set_viewport_size({"width": wide, "height": 800})
        assert ann.page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}
        assert ann.page.evaluate(SMALL) == []
    ann.page.evaluate(axe())
    for scheme in ("light", "dark"):
        ann.page.emulate_media(color_scheme=scheme)
        assert complaints(ann.page) == []


def test_a_board_of_ones_own_that_does_not_load_leaves_the_general_one(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "rules.py").write_text(GAME_FILES[2].read_text())
    (folder / "board.js").write_text("this is no JavaScript")
    with Running(tmp_path, games=[folder]) as server:
        people = People(browser, server.url, PATIENCE)
        me = people.new()
        me.forgive("Unexpected identifier")
        me.page.goto("/")
        me.button("Two at this screen: Sharing").click()
        me.waits_for_the_board()
        expect(me.region("Board").get_by_role("button", name="share")).to_be_visible()
        people.leave()


def test_the_first_visitor_of_a_server_that_still_works_things_out_sees_the_games_and_later_the_rest(
    me: Person, client: Client
) -> None:
    waiting: list[Route] = []
    whole = client.games()
    for info in whole.games:
        info.proved = info.value = info.luck = None
        info.turns = (0, 0)
    whole.soon = True
    at_once = msgspec.json.encode(whole)

    def answer(route: Route) -> None:
        if route.request.url.endswith("?soon=yes"):
            route.fulfill(body=at_once, content_type="application/json")
        else:
            waiting.append(route)

    me.page.route(re.compile("/api/games"), answer)
    me.page.goto("/")
    expect(me.page.get_by_role("main")).to_contain_text("Loading …")
    play = me.button(re.compile("^▶ Play"))
    expect(play).to_be_visible()
    offered, turns = play.inner_text(), me.page.get_by_text(re.compile("^about .* turns$"))
    expect(turns).to_have_count(0)
    waiting.pop().continue_()
    expect(turns).to_have_count(len(whole.games))
    assert play.inner_text() == offered
