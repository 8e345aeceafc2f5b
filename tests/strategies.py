"""What Hypothesis draws: games with any rule settings, and matches played at random."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from numberquest.core.contract import Game
from numberquest.core.dealer import sealed
from numberquest.core.laws import some_settings
from numberquest.core.match import Match
from numberquest.core.registry import GAMES, kind_in
from numberquest.games.fifty.rules import Fifty
from numberquest.games.grid.rules import Grid
from numberquest.games.mystic.rules import Mystic
from numberquest.games.showdown.rules import Showdown
from numberquest.games.sumquest.rules import SumQuest

FILES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
GAME_FILES = [path for path in FILES if "\n    rules = " in path.read_text()]
SECRET = [path for path in GAME_FILES if "def sees" in path.read_text()]
"""Of the examples the games with secrets."""
EXAMPLES = [path for path in GAME_FILES if path not in SECRET]
"""Of the examples the other games; the rest are players."""
OWN = tuple(GAMES.own.values())
FIVE = (Showdown, Fifty, Grid, SumQuest, Mystic)
"""The games of the five documents, in their order."""
KINDS = (*OWN, *(kind_in(str(path)) for path in EXAMPLES))
"""The games that come with Number Quest, and those of the examples."""
SECRET_KINDS = tuple(kind_in(str(path)) for path in SECRET)
"""Those of the examples in which something is secret."""


@st.composite
def games(draw: st.DrawFn, kinds: Sequence[type[Game[Any]]] = OWN) -> Game[Any]:
    """Any game: the classic rules half of the time, any settings otherwise."""
    kind = draw(st.sampled_from(kinds))
    random = draw(st.none() | st.randoms(use_true_random=False))
    settings = {} if random is None else some_settings(kind, random)
    if kind not in SECRET_KINDS:
        # Where something is secret, much is otherwise: such rules have tests of their own.
        settings = {name: value for name, value in settings.items() if not kind.fields[name].later}
    rules: Game[Any] = kind(**settings)
    return rules


@st.composite
def matches(draw: st.DrawFn, kinds: Sequence[type[Game[Any]]] = OWN) -> Match[Any]:
    """A match of any game, with any kind of deal, played at random for a while or to the end."""
    rules = draw(games(kinds))
    random = draw(st.randoms(use_true_random=False))
    dealt = {"deck": ["seed", "deal", "sealed"], "draws": ["seed", "deal", "sealed"], "": ["seed", "none"]}
    kind = draw(st.sampled_from(dealt[rules.chance]))
    if kind == "seed":
        match = Match(rules, seed=draw(st.integers(0, 10**9)))
    elif kind == "deal" and rules.deck:
        match = Match(rules, deal=draw(st.permutations(rules.deck)))
    elif kind == "deal":
        match = Match(rules, deal=first_draws(rules, random), seed=draw(st.integers(0, 10**9)))
    elif kind == "sealed":
        match = Match(rules, dealer=sealed(rules, draw(st.binary(min_size=16, max_size=16)).hex()))
    else:
        match = Match(rules)
    length = draw(st.integers(0, min(rules.bound, 700)))
    while match.moves and len(match.history) < length:
        match.play(random.choice(match.moves))
    if match.moves and draw(st.integers(0, 9)) == 0:
        match.resign(draw(st.integers(0, 1)))
    return match


def first_draws(rules: Game[Any], random: Any) -> list[str]:
    """A few draws that can come at any time: those of a die that never changes."""
    p = rules.start()
    while rules.player(p) in (0, 1):
        p = rules.play(p, random.choice(rules.moves(p)))
    return [random.choice(rules.moves(p)) for _ in range(3)]
