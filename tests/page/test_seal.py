"""The page's own check of a deal says what the dealer did."""

from hashlib import sha256
from typing import Any

import pytest

import numberquest as nq
from numberquest.core import dealer
from numberquest.core.match import Match
from numberquest.server.boards import shown as look
from tests.page.node import Node


def test_the_hash_is_sha_256_at_every_length(node: Node) -> None:
    texts = ["x" * length for length in (*range(130), 1000)] + ["ü😀" * 20]
    found = node("const { sha256 } = await page('parts/seal.js'); return texts.map(sha256);", texts=texts)
    assert found == [sha256(text.encode()).hexdigest() for text in texts]


def test_decks_lie_as_the_dealer_lays_them(node: Node) -> None:
    seeds, deck = [str(number) for number in range(40)], nq.game("grid").deck
    found = node(
        "const { dealt } = await page('parts/seal.js'); return seeds.map((s) => dealt(s, deck));",
        seeds=seeds,
        deck=deck,
    )
    assert found == [list(map(str, dealer.seeded(nq.game("grid"), seed).deal)) for seed in seeds]


def test_draws_are_those_of_the_dealer(node: Node) -> None:
    cases = [[str(seed), before, ["a", "b", "c"], [1, 5, 2]] for seed in range(30) for before in range(5)]
    found = node(
        "const { drawn } = await page('parts/seal.js'); return cases.map((one) => drawn(...one));", cases=cases
    )
    assert found == [dealer.drawn(*case) for case in cases]  # type: ignore[arg-type]


CHECK = "return (await page('parts/seal.js')).check(seal, history);"


@pytest.fixture
def played() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A game of Mystic Numbers that was sealed, and its history as the page gets it."""
    game = nq.game("mystic")
    match = Match(game, dealer=dealer.sealed(game, "secret"))
    for _ in range(4):
        match.play(match.moves[0])
    history = [
        {"player": line.player, "entry": line.entry, "place": line.place}
        for line in look(game).lines(match.positions, match.history)
    ]
    return {"seed": "secret", "commitment": dealer.commitment_of("secret"), "deck": game.deck}, history


def test_an_honest_deal_fits(node: Node, played: Any) -> None:
    seal, history = played
    assert node(CHECK, seal=seal, history=[{k: v for k, v in one.items() if v is not None} for one in history])["fits"]


def test_another_secret_another_number_and_no_secret_do_not_fit(node: Node, played: Any) -> None:
    seal, history = played
    history = [{k: v for k, v in one.items() if v is not None} for one in history]
    assert "does not fit the fingerprint" in node(CHECK, seal={**seal, "seed": "other"}, history=history)["words"]
    assert "when the game is over" in node(CHECK, seal={**seal, "seed": None}, history=history)["words"]
    at = max(place for place, one in enumerate(history) if not one["player"])
    was = history[at]["entry"]
    history[at] = {**history[at], "entry": "99"}
    found = node(CHECK, seal=seal, history=history)
    where = f"in place {history[at]['place'] + 1}"
    assert found == {"fits": False, "words": f"The secret puts {was} {where}, but 99 came up there."}


def test_a_draw_of_another_secret_is_noticed(node: Node) -> None:
    faces, weights = ["1", "2", "3", "4", "5", "6"], [1] * 6
    seal = {"seed": "7", "commitment": dealer.commitment_of("7"), "deck": []}
    right = [dealer.drawn("7", before, tuple(faces), tuple(weights)) for before in range(3)]
    wrong = [*right[:2], "2" if right[2] == "1" else "1"]
    honest, forged = (
        node(CHECK, seal=seal, history=[{"player": 0, "entry": e, "faces": faces, "weights": weights} for e in entries])
        for entries in (right, wrong)
    )
    assert honest["fits"]
    assert forged["words"].startswith(f"The secret puts {right[2]} as draw number 3, but {wrong[2]} ")


@pytest.mark.parametrize(
    ("seen", "told", "fits"), [("5", "5", True), ("5", "6", True), ("6", "5", False), ("", "6", False)]
)
def test_a_sealed_choice_is_held_against_the_seal_that_this_browser_saw_first(
    node: Node, seen: str, told: str, fits: bool
) -> None:
    seals = {entry: sha256(f"7/0/{entry}".encode()).hexdigest() for entry in "56"}
    found = node(
        "return (await page('parts/seal.js')).check(seal, history, seals);",
        seal={"seed": "7", "commitment": dealer.commitment_of("7"), "deck": []},
        history=[{"player": 1, "entry": "5", "sealed": seals[told]}],
        seals={0: seals[seen]} if seen else {},
    )
    assert found["fits"] is fits
