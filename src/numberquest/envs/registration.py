"""The ids under which Gymnasium and PettingZoo know the games: `NumberQuest/Last-v0`, if the slug is `last`.

Importing `numberquest.envs.gymnasium` or `numberquest.envs.pettingzoo` registers those of all games that are known by
then; `register` there, called again, those that have been brought since. `gymnasium.make` imports by itself when the
id says where: `gymnasium.make("numberquest.envs.gymnasium:NumberQuest/Last-v0")`. Gymnasium before 1.0 could also be
told by an entry point of the package, which then called `register`.
"""

from __future__ import annotations

from numberquest.games import GAMES


def id_of(slug: str) -> str:
    """The id of a game."""
    return f"NumberQuest/{slug.capitalize()}-v0"


def register() -> None:
    """Tell Gymnasium the ids of all games; once more does no harm."""
    import gymnasium

    for slug in GAMES:
        if id_of(slug) not in gymnasium.registry:
            gymnasium.register(
                id_of(slug),
                entry_point="numberquest.envs.gymnasium:SoloEnv",
                vector_entry_point="numberquest.envs.vector:NumberQuestVectorEnv",
                kwargs={"game": slug},
            )


def register_with_pettingzoo() -> None:
    """Tell PettingZoo the ids of all games; once more does no harm."""
    import pettingzoo

    for slug in GAMES:
        if id_of(slug) not in pettingzoo.aec_registry:
            pettingzoo.register(
                "aec", id_of(slug), entry_point="numberquest.envs.pettingzoo:env", kwargs={"game": slug}
            )
