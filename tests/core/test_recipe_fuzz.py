"""Whatever a recipe says, it is a lawful game or refused in one sentence; whatever a file holds, nothing breaks."""

from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import numberquest as nq
from numberquest.core import laws
from numberquest.core.recipe import RecipeGame, link, load, text_of
from numberquest.core.recipe.rules import NumbersGame
from tests.recipes.written import recipes
from tests.torture.campaign import length

QUIET = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), max_examples=length(25, 4000))


def loaded(text: str) -> type[RecipeGame[object]] | None:
    """The game, or None where it is refused: in one sentence that can be printed."""
    try:
        return load(text)
    except nq.BadGame as refusal:
        told = str(refusal)
        assert told.isprintable()
        assert 10 < len(told) < 400
        return None


def at_random(game: nq.Game[Any], random: Random) -> Any:
    """Return where a game ends that is played at random, or is after 200 moves."""
    p = game.start()
    for _ in range(200):
        if moves := game.moves(p):
            p = game.play(p, random.choice(moves))
    return p


@QUIET
@given(recipes(), st.randoms(use_true_random=False))
def test_a_recipe_keeps_all_laws_or_is_refused_in_a_sentence(text: str, random: Random) -> None:
    kind = loaded(text)
    if kind is None:
        return
    assert text_of(link(text)) == text
    for chosen in ({}, laws.some_settings(kind, random)):
        try:
            game = kind(**chosen)
        except nq.BadSetting as refusal:
            assert chosen, refusal
            continue
        assert "{" not in game.told(game.rules) + game.summary + game.how_to_win
        for law in laws.LAWS:
            assert law.broken(game, random) is None, law.name
        if isinstance(game, NumbersGame):
            for _ in range(8):
                p = at_random(game, random)
                assert game.can_reach or not p.over.startswith("reached")
                assert game.may_pass or not p.over.startswith("passed")


@QUIET
@given(recipes(), st.data())
def test_a_recipe_with_anything_cut_out_or_put_in_is_no_traceback(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    to = data.draw(st.integers(at, min(at + 30, len(text))))
    changed = text[:at] + data.draw(st.text(max_size=20)) + text[to:]
    assert loaded(changed) is None or "title" in changed


@QUIET
@given(
    st.text(alphabet=st.characters(), max_size=200) | st.binary(max_size=300).map(lambda data: data.decode("latin-1"))
)
def test_any_text_is_refused_in_a_sentence(text: str) -> None:
    assert loaded(text) is None or "title" in text


@QUIET
@given(st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=", max_size=200))
def test_any_name_is_refused_in_a_sentence(letters: str) -> None:
    try:
        nq.game(f"recipe:{letters}")
    except nq.BadSetting as refusal:
        assert str(refusal).isprintable()
