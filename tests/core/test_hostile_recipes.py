"""A recipe comes from anybody: whatever it says, little is done before it is refused."""

import contextlib
import time
import tomllib
import traceback

import pytest

import numberquest as nq
from numberquest.core.recipe import load
from tests.recipes.hostile import DEEP, LARGEST_GAME, LONG

HEAPS = """\
title = "Heaps"
settings.m.usual = true
numbers = { kind = "any", to = 3 }
totals = { whose = "heaps", begin = BEGIN }
turn = { operations = "-" }
"""
LOOKS = "a.b.c.d.e = [[[[1]]]]"
QUOTED = rf"""
[words] # {LOOKS} '''
goal = "{LOOKS} ' # \"" # "
rules = '''{LOOKS} \""" ' ''
{LOOKS}''''
total . 'is' . "not" = 1
"""


@pytest.mark.parametrize("form", DEEP)
def test_what_goes_deeper_than_a_recipe_can_never_reaches_the_parser(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tomllib, "loads", lambda _: pytest.fail("it was parsed"))
    with pytest.raises(nq.BadGame, match="goes deeper than"):
        load(DEEP[form])


def test_what_stands_in_quotes_or_behind_a_hash_is_not_deep() -> None:
    with pytest.raises(nq.BadGame, match=r"^line \d+: words.total is a text"):
        load(HEAPS.replace("BEGIN", "[3, 5]") + QUOTED)


def test_no_recipe_is_dear_to_refuse() -> None:
    def seconds(text: str) -> float:
        """The processor's time for it, the least of three; each is new, for what was read is remembered."""
        times = []
        for at in range(3):
            began = time.thread_time()
            with contextlib.suppress(nq.BadGame):
                load(f"{text}\n#{at}")
            times.append(time.thread_time() - began)
        return min(times)

    largest = seconds(LARGEST_GAME)
    dear = {form: seconds(text) / largest for form, text in (DEEP | LONG).items()}
    assert max(dear.values()) < 4, dear


def test_a_recipe_that_is_none_is_read_once_and_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read, parse = list[str](), tomllib.loads

    def reading(text: str) -> dict[str, object]:
        read.append(text)
        return parse(text)

    monkeypatch.setattr(tomllib, "loads", reading)
    places = set[int]()
    for _ in range(3):
        with pytest.raises(nq.BadGame, match="line 1: hue is no key") as refused:
            load("hue = 3\n# nobody has this")
        assert refused.value.line == 1
        places.add(len(traceback.extract_tb(refused.tb)))
    assert len(read) == 1
    assert len(places) == 1, "what is told does not grow"


@pytest.mark.parametrize("name", ["recipe", "remake", "title", "short_title", "rules", "slug", "summary", "moves"])
def test_a_setting_is_not_called_like_what_every_game_has(name: str) -> None:
    with pytest.raises(nq.BadGame, match=f"line 1: settings.{name} cannot be called so"):
        load(f"settings.{name} = {{ usual = true }}\n{HEAPS.replace('BEGIN', '[3, 5]')}")


def test_one_number_of_several_does_not_hang_on_a_setting_by_itself() -> None:
    with pytest.raises(nq.BadGame, match=r"line 4: totals\.begin hangs on a setting as a whole"):
        load(HEAPS.replace("BEGIN", "[{ when = 'm', is = 3, otherwise = 4 }, 5]"))
    whole = load(HEAPS.replace("BEGIN", "{ when = 'm', is = [3, 5], otherwise = 4 }"))
    assert [whole(m=m).start().totals for m in (True, False)] == [(3, 5), (4,)]
