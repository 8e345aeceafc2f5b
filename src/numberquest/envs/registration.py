"""The ids under which Gymnasium and PettingZoo know the games: `NumberQuest/Fifty-v0` and so on.

Importing `numberquest.envs.gymnasium` or `numberquest.envs.pettingzoo` registers them. `gymnasium.make` does that by
itself when the id says where: `gymnasium.make("numberquest.envs.gymnasium:NumberQuest/Fifty-v0")`. Gymnasium before
1.0 could also be told by an entry point of the package, which then called `register`.
"""

from __future__ import annotations

from typing import Final

from numberquest.games import GAMES

IDS: Final = {slug: f"NumberQuest/{slug.capitalize()}-v0" for slug in GAMES}
"""The id of each game."""


def register() -> None:
    """Tell Gymnasium the ids, once."""
    import gymnasium

    for slug, name in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="numberquest.envs.gymnasium:SoloEnv",
                vector_entry_point="numberquest.envs.vector:NumberQuestVectorEnv",
                kwargs={"game": slug},
            )


def register_with_pettingzoo() -> None:
    """Tell PettingZoo the ids, once."""
    import pettingzoo

    for slug, name in IDS.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point="numberquest.envs.pettingzoo:env", kwargs={"game": slug})
