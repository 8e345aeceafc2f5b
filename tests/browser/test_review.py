"""A game looked at again in the browser."""

import re
from itertools import groupby

import pytest
from playwright.sync_api import expect

import numberquest as nq
from numberquest.client import Client
from numberquest.core.record import RecordError, read
from numberquest.core.sentences import per_cent
from tests.browser.people import People, Person
from tests.browser.screens import RECORD
from tests.conftest import in_ci


def reviews(person: Person, record: str) -> None:
    """Bring a record as a file."""
    person.page.goto("/review")
    person.page.get_by_label("Choose a file").set_input_files(
        {"name": "game.nq", "mimeType": "text/plain", "buffer": record.encode()}
    )
    expect(person.page.get_by_role("slider")).to_be_visible()


@in_ci
def test_arrow_keys_step_through_and_every_move_has_its_value_in_whole_per_cent(me: Person) -> None:
    reviews(me, RECORD)
    match = read(RECORD).match
    solution = nq.solve(match.game)
    slider, step = me.page.get_by_role("slider"), me.region("This step")
    # It opens at the move that its headline names.
    expect(slider).to_have_attribute("aria-valuenow", "12")
    me.page.keyboard.press("Home")
    expect(step.get_by_role("heading", level=2)).to_have_text("The start")
    for at, (position, entry) in enumerate(zip(match.positions, match.history, strict=False), 1):
        me.page.keyboard.press("ArrowRight")
        expect(slider).to_have_attribute("aria-valuenow", str(at))
        expect(me.region("Board")).to_contain_text(f"Step {at} of {len(match.history)}")
        if match.game.player(position) == nq.CHANCE:
            continue
        expect(step.get_by_role("heading", name="What if?")).to_be_visible()
        # Moves that are worth the same share a bar; the one that was played is marked.
        bars = step.get_by_role("listitem").filter(has=me.page.get_by_role("list"))
        told = [(bar.get_by_role("strong").inner_text(), bar.get_by_role("list").inner_text()) for bar in bars.all()]
        groups = [
            (value, list(moves)) for value, moves in groupby(solution.moves(position).items(), lambda one: one[1])
        ]
        assert len(told) == len(groups)
        before = ""
        for (figure, names), (value, moves) in zip(told, groups, strict=True):
            # Whole figures can be the same where one move is better by a little.
            assert figure == ("a bit less" if per_cent(value) == before else per_cent(value))
            assert set(names.split("\n")) == {f"{move} played" if move == entry else move for move, _ in moves}
            before = per_cent(value)
    me.page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuenow", str(len(match.history) - 1))


@pytest.mark.everywhere
def test_the_chart_the_verdicts_and_luck_and_skill_are_told_in_words(me: Person) -> None:
    reviews(me, RECORD)
    seen = nq.review(read(RECORD).match)
    rows = me.region("All moves").get_by_role("button")
    for verdict in seen:
        row = rows.filter(has_text=re.compile(f"Move {verdict.number}, (Ann|Bo) "))
        expect(row).to_contain_text(verdict.verdict)
    me.page.get_by_text("Show as table").click()
    expect(me.page.get_by_role("table").get_by_role("row")).to_have_count(len(read(RECORD).match.history) + 2)
    # What is shown adds up, from the chance at the start to that at the end.
    causes = [row.split("\n") for row in me.region("Luck and skill").locator("dl > div").all_inner_texts()]
    assert [words.lstrip("●◆■") for words, _ in causes] == [
        "Ann’s chance at the start",
        "Ann’s mistakes",
        "Bo’s mistakes",
        "Luck",
        "At the end",
    ]
    start, *changes, end = [int(figure.replace("−", "-").split()[0]) for _, figure in causes]
    assert start == round(100 * float(seen.start))
    assert start + sum(changes) == end == 100
    expect(me.page.get_by_role("main")).not_to_contain_text(re.compile(r"\d\.\d+ %"))
    expect(me.page.get_by_role("main")).to_contain_text("past 21 to 24")
    # It opens at the move that its headline names.
    expect(me.region("Board")).to_contain_text("Step 12 of 14")
    # On the smallest telephone the step stays on one line, within its sheet.
    me.page.set_viewport_size({"width": 360, "height": 800})
    walk = me.page.get_by_role("group", name="Step through the game")
    assert walk.evaluate("it => it.scrollWidth <= it.clientWidth")
    where = walk.get_by_text("Step 12 of 14")
    assert where.evaluate("it => it.getClientRects()[0].height < 2 * parseFloat(getComputedStyle(it).fontSize)")


def test_a_mistake_is_tried_again_from_its_position(people: People, client: Client) -> None:
    me = people.new("Ann")
    reviews(me, RECORD)
    match = read(RECORD).match
    mistake = nq.review(match).first_mistake()
    assert mistake is not None
    me.button("Show the first mistake").click()
    me.button(f"Try move {mistake.number} again").click()
    me.waits_for_the_board()
    expect(me.page).to_have_title(re.compile("^Your turn"))
    expect(me.page.get_by_role("main")).to_contain_text("Practice")
    state = client.look(me.match)
    entries = [line.entry for line in state.history]
    assert entries == list(match.history[: len(entries)])
    assert match.history[len(entries)] == mistake.move
    assert state.turn == mistake.player + 1
    me.plays("mystic", mistake.best[0])


def test_a_match_that_is_over_is_reviewed_with_one_click(people: People, me: Person) -> None:
    match = me.starts("Two at this screen", "sumquest")
    for move in ("9", "8", "6"):
        me.plays("sumquest", move)
    expect(me.region("The end")).to_contain_text("Player 1 wins!")
    me.page.get_by_role("link", name="Review the game").click()
    expect(me.page.get_by_role("slider")).to_have_attribute("aria-valuemax", "3")
    assert me.page.url == f"{people.url}/review#match={match}&at=2"
    me.page.keyboard.press("End")
    with me.page.expect_download() as download:
        me.page.get_by_role("link", name="Download the record").click()
    assert download.value.suggested_filename == f"sumquest-{match}.nq"
    assert read(download.value.path().read_bytes()).match.history == ("9", "8", "6")
    # The game is over: nobody can still do anything.
    expect(me.region("This step")).to_contain_text("That wins the game for")
    expect(me.region("This step")).not_to_contain_text("can still win")
    expect(me.page.get_by_role("main")).to_contain_text(re.compile(r"(.+) won: \1 reached 23\."))


@pytest.mark.parametrize("record", [RECORD.replace("4. (5)", "4. (6)"), '[Game "chess"]\n\n1. e4\n'])
def test_a_bad_record_gets_the_reason_with_its_line(me: Person, record: str) -> None:
    me.forgive("status of 400", "status of 422")
    with pytest.raises(RecordError) as wrong:
        read(record)
    me.page.goto("/review")
    me.page.get_by_role("textbox", name="Or paste it here").fill(record)
    me.button("Review it").click()
    said = me.page.get_by_role("alert")
    expect(said).to_contain_text(f"{wrong.value}.")
    assert f"line {wrong.value.line}: " in str(wrong.value)
    expect(said.locator("mark")).to_contain_text(record.split("\n")[wrong.value.line - 1])
    # What was pasted is still there, to be mended.
    expect(me.page.get_by_role("textbox", name="Or paste it here")).to_have_value(record)


def test_a_link_to_a_position_shows_it_to_anybody(people: People) -> None:
    me, friend = people.new(), people.new()
    reviews(me, RECORD)
    for _ in range(2):
        me.page.keyboard.press("ArrowLeft")
    expect(me.region("Board")).to_contain_text("Step 10 of 14")
    me.button("Copy a link to this position").click()
    friend.page.goto(me.page.get_by_role("textbox", name="The link").input_value())
    expect(friend.region("Board")).to_have_text(me.region("Board").inner_text(), use_inner_text=True)
    expect(friend.region("This step")).to_have_text(me.region("This step").inner_text(), use_inner_text=True)


def test_the_lesson_of_the_game_comes_first(me: Person, client: Client) -> None:
    reviews(me, RECORD)
    lesson = me.page.get_by_text("Bo had better odds until move 6: pass was worth 32 points more than add.")
    expect(lesson).to_be_visible()
    # Whoever played it is spoken to: here 1 wins, and 9 lets the computer win.
    seat = client.create("sumquest", opponent="perfect", name="Ann")
    seat.play("9")
    seat.look()
    seat.act("resign")
    me.page.goto(f"/review#match={seat.match}")
    me.page.reload()
    expect(me.page.get_by_text("You were winning until move 1: 1 or 6 kept it, 9 threw it away.")).to_be_visible()


def test_another_move_is_played_out_on_the_board(me: Person) -> None:
    reviews(me, RECORD)
    match = read(RECORD).match
    me.page.keyboard.press("End")
    me.region("This step").get_by_role("button", name="subtract", exact=True).click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("What if: subtract?")
    expect(me.region("This step").get_by_role("heading", level=2)).to_have_text("Ann subtracts 9: total 2.")
    slider = me.page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", str(len(match.history)))
    most = int(slider.get_attribute("aria-valuemax") or 0)
    assert most > len(match.history)
    me.button("▶ Play it out").click()
    # It goes on by itself: a busy machine may see it only when it is further.
    me.page.wait_for_function(
        "(two) => Number(document.querySelector('[role=slider]').ariaValueNow) >= two", arg=len(match.history) + 2
    )
    me.button("Stop").click()
    me.page.keyboard.press("End")
    expect(me.region("Board")).to_contain_text(f"Step {most} of {most}")
    me.button("Back to the game").click()
    expect(me.region("Board")).to_contain_text("Step 14 of 14")
    expect(me.region("This step")).to_contain_text("pass played")


def test_on_a_phone_the_review_is_short_and_the_rest_is_a_tap_away(people: People) -> None:
    me = people.new(color_scheme="light")
    me.page.set_viewport_size({"width": 375, "height": 800})
    reviews(me, RECORD)
    expect(me.region("This step")).to_contain_text("What if?")
    # It was 3,595 pixels long.
    assert me.page.evaluate("document.documentElement.scrollHeight") <= 1797
    row = me.region("All moves").get_by_role("button", name="adds 8")
    expect(row).to_be_hidden()
    me.region("All moves").get_by_text("All moves").click()
    row.click()
    expect(me.region("Board")).to_contain_text("Step 12 of 14")
