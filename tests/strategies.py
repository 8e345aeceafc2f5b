"""What Hypothesis draws: games with any rule settings, and matches played at random."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from numberquest.dealer import sealed
from numberquest.contract import Game
from numberquest.games import game
from numberquest.match import Match

SETTINGS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "showdown": st.integers(2, 13).flatmap(
        lambda high: st.fixed_dictionaries({"high": st.just(high), "picks": st.integers(1, high)})
    ),
    "fifty": st.fixed_dictionaries(
        {
            "target": st.integers(2, 200),
            "high": st.integers(2, 9),
            "copies": st.integers(1, 4),
            "ops": st.sets(st.sampled_from("-*/")).map(lambda signs: "+" + "".join(sorted(signs))),
        }
    ),
    "grid": st.fixed_dictionaries({"target": st.integers(2, 99), "side": st.integers(2, 4), "stand": st.booleans()}),
    "sumquest": st.fixed_dictionaries({"target": st.integers(2, 999), "high": st.integers(2, 9)}),
    "mystic": st.fixed_dictionaries(
        {"target": st.integers(2, 60), "high": st.integers(2, 9), "copies": st.integers(1, 4)}
    ),
}
"""For each game, its settings over their whole ranges."""


@st.composite
def games(draw: st.DrawFn) -> Game[Any]:
    """Any game: the classic rules half of the time, any settings otherwise."""
    slug = draw(st.sampled_from(sorted(SETTINGS)))
    settings = draw(st.one_of(st.just({}), SETTINGS[slug]))
    return game(slug, **settings)


@st.composite
def matches(draw: st.DrawFn) -> Match[Any]:
    """A match of any game, with any kind of deal, played at random for a while or to the end."""
    rules = draw(games())
    kind = draw(st.sampled_from(["seed", "deal", "sealed"] if rules.deck else ["seed", "none"]))
    if kind == "seed":
        match = Match(rules, seed=draw(st.integers(0, 10**9)))
    elif kind == "deal":
        match = Match(rules, deal=draw(st.permutations(rules.deck)))
    elif kind == "sealed":
        match = Match(rules, dealer=sealed(rules, draw(st.binary(min_size=16, max_size=16)).hex()))
    else:
        match = Match(rules)
    length = draw(st.integers(0, rules.longest))
    random = draw(st.randoms(use_true_random=False))
    while match.moves and len(match.history) < length:
        match.play(random.choice(match.moves))
    if match.moves and draw(st.integers(0, 9)) == 0:
        match.resign(draw(st.integers(0, 1)))
    return match
