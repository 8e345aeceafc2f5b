"""The games. `GAMES` is the only registry: a new game is one file and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from numberquest.games.fifty import Fifty
from numberquest.games.grid import Grid
from numberquest.games.mystic import Mystic
from numberquest.games.showdown import Showdown
from numberquest.games.sumquest import SumQuest
from numberquest.settings import BadSetting

if TYPE_CHECKING:
    from numberquest.game import Game

GAMES: Final[dict[str, type[Game[Any]]]] = {kind.slug: kind for kind in (Showdown, Fifty, Grid, SumQuest, Mystic)}
"""Every game by its short name."""


def game(slug: str, /, **settings: object) -> Game[Any]:
    """The game of that name: `game("fifty", target=30)`. Settings may also be text: `stand="yes"`."""
    kind = GAMES.get(slug)
    if kind is None:
        raise BadSetting(f"there is no game called {slug!r}; the games are {', '.join(GAMES)}")
    values = {}
    for name, value in settings.items():
        allowed = kind.ranges.get(name)
        if allowed is None:
            known = ", ".join(kind.ranges)
            raise BadSetting(f"{slug} has no setting {name!r}; it has {known}")
        if isinstance(value, str):
            # What cannot be read is left as it is: the check refuses it, and shows it.
            parsed = allowed.parse(value)
            value = value if parsed is None else parsed
        values[name] = value
    return kind(**values)
