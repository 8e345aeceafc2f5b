"""Settings of every game that are small enough to be searched through in no time."""

from numberquest.core.registry import game

SMALL = [
    game("sumquest", target=9, high=3),
    game("sumquest", target=30, high=6),
    game("showdown", high=2),
    game("showdown", high=3, picks=2),
    game("showdown", high=4, picks=1),
    game("fifty", target=9, high=3, copies=2),
    game("fifty", target=70, high=3, copies=2, ops="+*"),
    game("grid", side=2, target=5),
    game("grid", side=2, target=8, stand=True),
    game("mystic", target=7, high=3, copies=2),
    game("mystic", target=4, high=5, copies=1),
]
