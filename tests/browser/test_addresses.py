"""What is at an address, and which addresses are handed on."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from numberquest.server.listening import EVERYWHERE
from tests.browser.people import People, Person
from tests.server.running import Running


@pytest.mark.parametrize("path", ["/nothing", "/m/", "/m/one/two", "/reviews"])
def test_a_mistyped_address_leads_home(me: Person, path: str) -> None:
    me.forgive("Failed to load resource")
    me.page.goto(path)
    expect(me.page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address.")
    me.page.get_by_role("link", name="To the games").click()
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Five number games for two")


def test_links_say_so_where_only_this_computer_can_open_them(people: People, me: Person) -> None:
    match = me.starts("Play a friend", "sumquest")
    expect(me.region("Invitation")).to_contain_text("This link works on this computer only.")
    assert me.page.get_by_role("textbox", name="Invitation").input_value().startswith(f"{people.url}/m/{match}#")


def test_links_from_localhost_open_on_other_devices(people: People, tmp_path: Path) -> None:
    with Running(tmp_path, "--host", EVERYWHERE) as server, server.client() as client:
        address = client.games().address
        if address is None:
            pytest.skip("this computer has no network")
        assert "127.0.0.1" not in address
        me = people.new(url=f"http://localhost:{server.port}")
        match = me.starts("Play a friend", "sumquest")
        me.page.get_by_text("Links", exact=True).click()
        for name, path in (("Invitation", "#invite="), ("Link to watch", ""), ("Link to your seat", "#seat=")):
            field = me.page.get_by_role("textbox", name=name)
            assert field.input_value().startswith(f"{address}/m/{match}{path}")
        expect(me.page.get_by_role("main")).not_to_contain_text("on this computer only")
        me.page.goto("/puzzle#id=fifty-1-2")
        me.button("Copy a link to this puzzle").click()
        expect(me.page.get_by_role("textbox", name="The link")).to_have_value(f"{address}/puzzle#id=fifty-1-2")
        friend = people.new("Bo", url=address)
        # A browser says so on every page without https, but for localhost.
        friend.forgive("Cross-Origin-Opener-Policy")
        friend.page.goto(f"/m/{match}")
        friend.page.get_by_text("Links", exact=True).click()
        expect(friend.page.get_by_role("textbox", name="Link to watch")).to_have_value(f"{address}/m/{match}")


def test_a_link_is_copied_with_one_click(people: People) -> None:
    ann = people.new("Ann")
    ann.starts("Play a friend", "sumquest")
    invitation = ann.page.get_by_role("textbox", name="Invitation")
    ann.region("Invitation").get_by_role("button", name="Copy").click()
    expect(ann.page.get_by_role("status").filter(has_text="The link is copied.")).to_be_visible()
    wanted = invitation.input_value()
    ann.page.goto("/review")
    ann.page.get_by_role("textbox", name="Or paste it here").focus()
    ann.page.keyboard.press("Control+V")
    expect(ann.page.get_by_role("textbox", name="Or paste it here")).to_have_value(wanted)
