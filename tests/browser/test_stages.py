"""Turns can be followed: the move, a moment of thinking, what is drawn, what is done, and only then the result."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from numberquest.client import Client, Seat
from tests.browser.people import People, Person, friends

WATCH = """() => {
  const main = document.querySelector('main');
  const look = () => ({
    entries: main.querySelectorAll('.history li').length,
    words: [...main.querySelectorAll('.player .words')].map((one) => one.textContent.replace('▸ ', '')),
    card: main.querySelector('.drawn .face')?.textContent ?? '',
    open: main.querySelectorAll('.card.open').length,
    over: !!main.querySelector('.end'),
  });
  window.seen = [];
  const note = () => {
    const now = look();
    const { at, ...last } = window.seen.at(-1) ?? {};
    if (JSON.stringify(now) !== JSON.stringify(last)) window.seen.push({ ...now, at: performance.now() });
  };
  note();
  new MutationObserver(note).observe(main, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
FEEL = """() => {
  window.felt = [];
  navigator.vibrate = (taps) => window.felt.push(taps.length);
  window.heard = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) { window.heard.push(this.frequency.value); start.call(this, at); };
}"""


class Sight(NamedTuple):
    """What was to be seen, and since when, in milliseconds."""

    at: float
    entries: int
    words: list[str]
    card: str
    open: int
    over: bool


def sights(person: Person) -> list[Sight]:
    """All that was to be seen, one after the other."""
    seen: list[dict[str, Any]] = person.page.evaluate("window.seen")
    return [Sight(**one) for one in seen]


def in_motion(people: People, **kept: bool) -> Person:
    """Somebody who wants to follow the turns, as most people do."""
    one = people.new(reduced_motion="no-preference")
    one.context.add_init_script(
        ";".join(f"localStorage.setItem('nq.{name}', '{str(on).lower()}')" for name, on in kept.items())
    )
    return one


def in_slow_motion(people: People, seat: Seat) -> Person:
    """Somebody before a board on which time passes only when a test lets it: then no machine is too slow."""
    one = in_motion(people)
    one.page.clock.install()
    one.sits(seat.match, seat.token)
    one.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    one.page.evaluate(WATCH)
    return one


def until(person: Person, done: Callable[[], bool]) -> None:
    """Let time pass on that page."""
    while not done():
        person.page.clock.run_for(50)


def test_a_turn_of_the_computer_is_shown_step_by_step(people: People, client: Client) -> None:
    # Nobody reaches a target of 60 with so small numbers in two moves.
    seat = client.create("mystic", opponent="easy", settings={"target": 60})
    me = in_slow_motion(people, seat)
    me.choices("mystic", "add")[0].click()
    until(me, lambda: me.history.count() == 5)
    seen = sights(me)
    own = next(one for one in seen if one.entries == 2)
    draws = next(one for one in seen if one.entries == 3)
    does = next(one for one in seen if one.entries == 4)
    mine = next(one for one in seen if one.entries == 5)
    numbers = [line.entry for line in client.look(seat.match).history if not line.player]
    assert (own.card, own.words) == ("", ["", ""])
    assert (draws.card, draws.words) == (numbers[1], ["", "thinking …"])
    assert (does.card, does.words) == ("", ["", ""])
    assert (mine.card, mine.words) == (numbers[2], ["Your turn", ""])
    for before, after in pairwise((own, draws, does, mine)):
        assert after.at - before.at >= 400


@pytest.mark.parametrize("how", ["switch", "system"])
def test_who_wants_it_fast_sees_every_move_at_once(people: People, client: Client, how: str) -> None:
    seat = client.create("mystic", opponent="easy", settings={"target": 60})
    me = people.new() if how == "system" else in_motion(people)
    me.sits(seat.match, seat.token)
    me.page.get_by_text("Speed and sound").click()
    fast = me.page.get_by_role("switch", name="Fast")
    if how == "switch":
        expect(fast).not_to_be_checked()
        fast.check()
    expect(fast).to_be_checked()
    me.waits_until_it_can_be_pressed()
    me.page.evaluate(WATCH)
    me.choices("mystic", "add")[0].click()
    expect(me.history).to_have_count(5)
    assert {one.entries for one in sights(me)} <= {1, 3, 5}
    # Whoever switches it off follows the turns, without anything that moves.
    fast.uncheck()
    me.choices("mystic", "add")[0].click()
    expect(me.history).to_have_count(9)
    assert {one.entries for one in sights(me)} >= {6, 7, 8, 9}


def test_who_does_something_else_meanwhile_is_not_kept_waiting(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="easy")
    me = in_motion(people)
    me.page.clock.install()
    me.sits(seat.match, seat.token)
    # From now on no time passes there: what the computer did is never shown by itself.
    me.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    me.choices("sumquest", "5")[0].click()
    seat.wait(lambda state: len(state.history) == 2)
    expect(me.page.get_by_role("list", name="Players")).to_contain_text("thinking …")
    me.button("Take back").click()
    expect(me.history).to_have_count(0)
    assert client.look(seat.match).history == []


def test_moves_reveals_and_a_win_are_heard_and_felt_by_who_wants_that(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", settings={"target": 4})
    me = in_motion(people)
    me.sits(seat.match, seat.token)
    me.page.evaluate(FEEL)
    me.plays("sumquest", "1")
    me.page.wait_for_function("() => window.felt.length === 1")
    # Off until somebody wants it.
    assert me.page.evaluate("window.heard") == []
    me.page.get_by_text("Speed and sound").click()
    me.page.get_by_role("switch", name="Sound").check()
    me.page.get_by_role("switch", name="Vibration").uncheck()
    me.plays("sumquest", "3")
    expect(me.region("The end")).to_be_visible()
    # One note for the move, and a fanfare.
    me.page.wait_for_function("() => window.heard.length === 5")
    assert me.page.evaluate("window.felt.length") == 1
    expect(me.page.locator(".confetti i").first).to_be_attached()


def test_after_the_end_the_focus_is_on_the_rematch(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", settings={"target": 4})
    both = people.at(seat)
    both.plays("sumquest", "1")
    both.waits_until_it_can_be_pressed()
    both.choices("sumquest", "3")[0].focus()
    both.page.keyboard.press("Enter")
    expect(both.button("Rematch")).to_be_focused()
    both.waits_until_it_can_be_pressed()
    before = both.match
    both.page.keyboard.press("Enter")
    both.page.wait_for_url(lambda address: before not in address)


def test_the_last_key_pressed_twice_starts_no_new_game(people: People, client: Client) -> None:
    seat = client.create("sumquest", opponent="screen", settings={"target": 4})
    both = people.at(seat)
    both.plays("sumquest", "1")
    both.waits_until_it_can_be_pressed()
    # As soon as the button is there, in the same moment.
    both.page.evaluate(
        """() => new MutationObserver((_, observer) => {
          const again = document.querySelector('.end .go');
          if (again) (observer.disconnect(), again.click());
        }).observe(document.querySelector('main'), { subtree: true, childList: true })"""
    )
    both.choices("sumquest", "3")[0].click()
    expect(both.region("The end")).to_be_visible()
    both.waits_until_it_can_be_pressed()
    assert client.look(seat.match).next is None


def test_who_resigned_is_not_told_to_have_played_well(people: People, client: Client) -> None:
    ann, bo = friends(people, client, "sumquest")
    bo.resigns()
    expect(bo.region("The end")).to_contain_text("Bo resigned. Another go?")
    expect(bo.region("The end")).not_to_contain_text("Well played")
    expect(ann.region("The end")).to_contain_text("You win!")
