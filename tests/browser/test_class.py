"""A class from the front page to its end: one teacher, six pupils with a phone each, and one who loses theirs."""

import csv
import re
from collections.abc import Sequence
from contextlib import closing

from playwright.sync_api import Page, ViewportSize, expect

from numberquest.client import Client, new_key
from numberquest.server.classroom import wire as messages
from tests.browser.classroom import ClassRoom
from tests.browser.people import People, Person
from tests.browser.test_accessibility import OUTSIDE, SMALL, axe, complaints
from tests.server.running import Running

PUPILS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
NARROW: ViewportSize = {"width": 320, "height": 640}
PHONE: ViewportSize = {"width": 390, "height": 664}
LAPTOP: ViewportSize = {"width": 1366, "height": 650}
PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}


def is_well_made(page: Page, *sizes: ViewportSize) -> None:
    """axe finds nothing, and at no size anything sticks out, or is too small for a finger."""
    page.evaluate(axe())
    assert complaints(page) == []
    for size in sizes or (page.viewport_size or PHONE,):
        page.set_viewport_size(size)
        assert page.evaluate(OUTSIDE) == {"sideways": 0, "out": []}
        assert page.evaluate(SMALL) == []


def opens(teacher: Person, way: str, *roster: str) -> str:
    """From the front page to a class with a very short game; its code."""
    page = teacher.page
    page.goto("/")
    page.get_by_role("link", name="Have a class?").click()
    expect(page.get_by_role("heading", name="Open a class")).to_be_visible()
    page.get_by_text("Sum Quest: Race to 23", exact=True).click()
    page.get_by_text("Change the rules").click()
    page.get_by_role("spinbutton", name="the sum to reach").fill("10")
    expect(page.get_by_text(re.compile("^Between two who err at times"))).to_be_visible()
    page.get_by_role("radio", name=re.compile(f"^{way} ")).check(force=True)
    if roster:
        page.get_by_text("My list", exact=True).click()
        page.get_by_role("textbox", name="Your list").fill("\n".join(roster))
    else:
        page.get_by_text("By points", exact=True).click()
    is_well_made(page, NARROW, PHONE, LAPTOP)
    teacher.button("Open the class").click()
    letters = page.get_by_role("img", name="The letters")
    expect(letters).to_be_visible()
    return (letters.get_attribute("aria-label") or "").removeprefix("The letters ").replace(" ", "")


def comes_in(pupil: Person, code: str, name: str) -> None:
    pupil.page.goto(f"/class/{code}")
    pupil.page.get_by_role("textbox", name="Your name").fill(name)
    pupil.button("Come in").click()


def at_table(pupils: Sequence[Person], number: int) -> dict[int, Person]:
    """Who sits there, by their seat."""
    there = [one for one in pupils if one.page.get_by_text(f"Table {number}", exact=True).is_visible()]
    mine = {one: one.page.get_by_role("list", name="Players").locator("li", has_text="you") for one in there}
    return {1 if "p1" in (where.get_attribute("class") or "") else 2: one for one, where in mine.items()}


def saved(page: Page, name: str) -> str:
    """What is in the file that a button saves."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return waiting.value.path().read_text("utf-8")


def test_a_class_of_six_from_the_front_page_to_the_end(people: People) -> None:
    teacher = people.new(viewport=LAPTOP)
    board = teacher.page
    code = opens(teacher, "Rounds")
    expect(board.get_by_text("Names are gone tomorrow.")).to_be_visible()
    expect(board.get_by_role("img", name=f"QR code of class {code}")).to_be_visible()
    is_well_made(board, PHONE, PROJECTOR, LAPTOP)

    pupils = [people.new(viewport=PHONE, has_touch=True) for _ in PUPILS]
    # One types the letters, as they stand on the board; the others have read the code with their cameras.
    pupils[0].page.goto("/class")
    pupils[0].page.get_by_role("textbox", name="The four letters").fill(code.lower())
    pupils[0].page.get_by_role("textbox", name="Your name").fill(PUPILS[0])
    pupils[0].button("Come in").click()
    for pupil, name in list(zip(pupils, PUPILS, strict=True))[1:]:
        comes_in(pupil, code, name)
    expect(board.get_by_role("heading", name="6 are here")).to_be_visible()
    is_well_made(pupils[0].page)
    pupils[1].button("Rules").click()
    expect(pupils[1].page.get_by_role("dialog")).to_contain_text("the sum to reach: 10")
    pupils[1].page.keyboard.press("Escape")

    teacher.button("Begin with 6").click()
    tables = board.get_by_role("list", name="Tables").get_by_role("heading")
    expect(tables).to_have_count(3)
    for pupil in pupils:
        expect(pupil.page.get_by_text("Round 1 of", exact=False)).to_be_visible()
        pupil.waits_for_the_board()
    is_well_made(board, PHONE, PROJECTOR, LAPTOP)
    is_well_made(pupils[0].page)

    # A hand goes up, and is taken down.
    pupils[3].button("Raise hand").click()
    expect(board.get_by_text("Dan raises a hand.")).to_be_visible()
    teacher.button("Done").click()
    expect(pupils[3].button("Raise hand")).to_be_visible()

    # Nobody moves in a pause; a table is watched meanwhile.
    teacher.button("❚❚ Pause all").click()
    expect(pupils[0].page.get_by_text("Paused")).to_be_visible()
    expect(pupils[0].region("Board").locator("button:not([aria-disabled])")).to_have_count(0)
    board.get_by_role("button", name=re.compile("^Watch table 1: ")).click()
    expect(board.get_by_text("You are watching.", exact=False).first).to_be_visible()
    expect(teacher.region("Board")).to_be_visible()
    is_well_made(board)
    teacher.button("Back to the tables").click()
    teacher.button("▶ Play on").click()
    expect(pupils[0].page.get_by_text("❚❚ Paused")).to_be_hidden()
    for number in (1, 2, 3):
        seats = at_table(pupils, number)
        for seat, move in ((1, "9"), (2, "1")):
            expect(seats[seat].page.get_by_role("list", name="Players")).to_contain_text("Your turn")
            seats[seat].choices("sumquest", move)[0].click()
        expect(seats[2].region("The end")).to_contain_text("You win!")

    # The figures of the class come before any ranking; then a guess by phones, and the exact answer.
    expect(board.get_by_role("heading", name="Who began won 0 of 3 games. Chance?")).to_be_visible()
    expect(board.get_by_role("list", name="Ranking by points")).to_be_hidden()
    is_well_made(board, PHONE, PROJECTOR, LAPTOP)
    teacher.button("Let everybody guess").click()
    for pupil, guess in zip(pupils, ("0", "50", "100", "100", "75", "100"), strict=True):
        pupil.button(guess).click()
    expect(board.get_by_text("6 have answered")).to_be_visible()
    expect(board.get_by_text("What the class says")).to_be_hidden()
    teacher.button("Show the exact answer").click()
    expect(board.get_by_text("With best play Player 1 always wins.")).to_be_visible()
    expect(pupils[0].page.get_by_text("With best play Player 1 always wins.")).to_be_visible()
    teacher.button("Close it").click()

    # What most got wrong, large, and answered by all.
    missed = teacher.region("Most missed so far")
    expect(missed).to_contain_text("3 of 3 answers were a mistake")
    missed.get_by_role("button", name="Freeze and discuss").click()
    for pupil, move in zip(pupils, "559185", strict=True):
        pupil.page.get_by_role("region", name="The question").get_by_role("button", name=re.compile(f"^{move}")).click()
        expect(pupil.page.get_by_text(f"You chose {move}.")).to_be_visible()
    is_well_made(pupils[5].page)
    expect(board.get_by_text("6 have answered")).to_be_visible()
    is_well_made(board, PROJECTOR, LAPTOP)
    teacher.button("Show the answers").click()
    answers = board.get_by_role("region", name="The question").get_by_role("listitem")
    expect(answers.filter(has=board.get_by_role("img", name="right:"))).to_contain_text("5")
    expect(pupils[2].page.get_by_text("Why?")).to_be_visible()
    is_well_made(board, PHONE, PROJECTOR, LAPTOP)
    teacher.button("Close it").click()

    # A phone is lost: another one has the seat with one tap of the teacher, and the first has it no longer.
    other = people.new(viewport=PHONE)
    for one in (teacher, other, *pupils):
        one.forgive("status of 4")
    teacher.button("Lock").click()
    comes_in(other, code, "Gus")
    expect(other.page.get_by_text("Nobody new may come in now.")).to_be_visible()
    other.page.get_by_role("textbox", name="Your name").fill("Ben")
    other.button("Come in").click()
    other.button("I am Ben, and this is another device").click()
    asks = other.page.get_by_role("heading", name=re.compile("^Ben, show your teacher this number: [1-9][0-9]{2}$"))
    digits = asks.inner_text()[-3:]
    expect(board.get_by_text(f"Another device asks for the seat of Ben. Is {digits} on Ben's screen?")).to_be_visible()
    is_well_made(other.page)
    is_well_made(board, PHONE, PROJECTOR, LAPTOP)
    teacher.button("No").click()
    expect(other.page.get_by_role("heading", name="This place is no longer yours.")).to_be_visible()
    comes_in(other, code, "Ben")
    other.button("I am Ben, and this is another device").click()
    teacher.button("Yes, give Ben the seat").click()
    expect(other.page.get_by_role("heading", name="Round 1 is over.")).to_be_visible()
    expect(pupils[1].page.get_by_role("heading", name="This place is no longer yours.")).to_be_visible()

    # A name that should not stand there is changed, and somebody is sent out.
    board.get_by_text("Pupils (6)").click()
    teacher.button("Rename Eva").click()
    board.get_by_role("textbox", name="The new name").fill("Ella")
    teacher.button("Rename").click()
    expect(teacher.button("Rename Ella")).to_be_visible()
    teacher.button("Remove Finn").click()
    teacher.button("Yes, remove").click()
    expect(pupils[5].page.get_by_role("heading", name="You are no longer in this class.")).to_be_visible()

    teacher.button("End").click()
    teacher.button("Yes, end it").click()
    report = board.get_by_role("region", name="Every pupil")
    expect(report.get_by_role("row")).to_have_count(6)
    is_well_made(board, PHONE, LAPTOP)
    assert saved(board, "Table for a spreadsheet (CSV)").count("\n") == 6
    assert "</html>" in saved(board, "Make a worksheet of these")
    teacher.button("Remove everything now").click()
    teacher.button("Yes, remove it").click()
    for one in (teacher, pupils[0]):
        expect(one.page.get_by_role("heading", name="This class is gone.")).to_be_visible()
        assert one.page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('nq.class.'))") == []


def test_a_list_stays_in_one_browser_and_the_next_game_against_the_computer_comes_by_itself(people: People) -> None:
    teacher, pupil = people.new(viewport=LAPTOP), people.new(viewport=PHONE)
    pupil.page.goto("/")
    # Of yesterday's class a browser forgets the list, too.
    pupil.page.evaluate(
        "localStorage.setItem('nq.class.BCDF', JSON.stringify({ code: 'BCDF', roster: ['Eve'], at: 0 }))"
    )
    code = opens(teacher, "Against the computer", "Zoe", '=Yann "Y" Ölm, Ärger')
    comes_in(pupil, code, "2")
    expect(pupil.page.get_by_role("heading", name="You are in, 2.")).to_be_visible()
    assert pupil.page.evaluate("Object.keys(localStorage).filter((one) => one.startsWith('nq.class.'))") == [
        f"nq.class.{code}"
    ]
    expect(teacher.page.get_by_role("listitem").filter(has_text="Yann")).to_be_visible()

    # The secret link opens the desk on another device, to which the list has not come.
    teacher.page.get_by_text("Your second device").click()
    other = people.new(viewport=PHONE)
    other.page.goto(teacher.page.get_by_role("textbox", name="Your secret link").input_value())
    expect(other.page.get_by_role("listitem").filter(has_text=re.compile("^2"))).to_be_visible()
    assert "teacher=" not in other.page.url
    other.button("Begin with 1").click()

    expect(pupil.page.get_by_role("timer", name="Time left")).to_have_text(re.compile("^1[45]:"))
    expect(pupil.button("Hint")).to_have_count(0)
    pupil.resigns()
    first = teacher.page.get_by_role("button", name="Watch table 1: ", exact=False)
    expect(first).to_have_accessible_name(re.compile("Yann"))
    pupil.button("To the next game").click()
    pupil.waits_for_the_board()
    expect(pupil.region("The end")).to_have_count(0)
    other.button("❚❚ Pause all").click()
    expect(pupil.page.get_by_text("❚❚ Paused")).to_be_visible()

    # A puzzle is put to everybody.
    other.button("Ask everybody …").click()
    other.button("Put it to everybody").click()
    question = pupil.region("The question")
    expect(question.get_by_role("heading", level=2)).to_contain_text("Which")
    free = question.get_by_role("button", name=re.compile("^[1-9]"), disabled=False)
    free.locator("visible=true").first.click()
    expect(pupil.page.get_by_text(re.compile("^You chose"))).to_be_visible()
    expect(teacher.page.get_by_text("1 has answered")).to_be_visible()
    teacher.button("Close it, and play on").click()
    teacher.button("End").click()
    teacher.button("Yes, end it").click()
    # The table has the names of the list, which the server never had, and a spreadsheet reads it as what it is.
    table = saved(teacher.page, "Table for a spreadsheet (CSV)")
    assert table.startswith("\ufeffnumber,name,")
    assert [row[1] for row in csv.reader(table.splitlines())] == ["name", '\'=Yann "Y" Ölm, Ärger']


def test_who_types_a_name_where_everybody_is_an_animal_is_told_so(people: People, client: Client) -> None:
    wish = messages.NewClass(game="sumquest", names="animals", key=new_key())
    pupil = people.new(viewport=PHONE)
    comes_in(pupil, client.post("/api/classes", wish, messages.ClassOpened).code, "Realname")
    expect(pupil.page.get_by_role("heading", name=re.compile("^You are in, "))).not_to_contain_text("Realname")
    expect(pupil.page.get_by_text("called by the name of an animal")).to_be_visible()
    is_well_made(pupil.page, NARROW, PHONE)


def test_of_a_class_of_thirty_every_table_is_in_sight_on_a_projector_whatever_they_are_called(
    people: People, client: Client, place: Running
) -> None:
    names = ["<b>Ann</b>", "W" * 30, *(f"Pupil {number}" for number in range(3, 31))]
    with closing(ClassRoom(client, place.url, "sumquest", names)) as room:
        room.teaches("begin")
        for seats in room.tables():
            seats[1].play("9")
        room.raises_a_hand(room.pupils[0])
        teacher = people.new(viewport=PROJECTOR)
        room.looks_on(teacher.page)
        tables = teacher.page.get_by_role("list", name="Tables").get_by_role("heading")
        expect(tables).to_have_count(15)
        expect(teacher.page.get_by_text("<b>Ann</b> raises a hand.")).to_be_visible()
        expect(teacher.page.locator(".small-board .felt")).to_have_count(15)
        is_well_made(teacher.page, PROJECTOR)
        lowest = teacher.page.locator(".table-card").last.bounding_box()
        bar = teacher.page.locator(".controls").bounding_box()
        assert lowest is not None
        assert bar is not None
        assert lowest["y"] + lowest["height"] <= bar["y"]
