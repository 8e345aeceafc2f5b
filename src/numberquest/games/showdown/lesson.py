"""Showdown learnt by playing it."""

from typing import Final

from numberquest.explain.lesson import Step
from numberquest.games.showdown.rules import PREDICTIONS

STEPS: Final = (
    Step(
        "In turns you both take numbers from one pool, and all of them are added up until none is left. Take the 7.",
        (),
        ("7",),
        then="The 7 stands in the sequence. Now your opponent takes a number.",
    ),
    Step(
        "What counts is not the numbers but a prediction: once in the game, before you take a number, you may say what "
        "they will all come to in the end. Say a number from 1 to 99.",
        ("7", "2"),
        tuple(f"predict {guess}" for guess in PREDICTIONS),
        then="Both of you see it, and it stands: nobody can change a prediction.",
    ),
    Step(
        "After a prediction you go on as always. In this game you have just said 40. Take a number.",
        ("5", "8", "predict 40"),
        ("1", "2", "3", "4", "6", "7", "9"),
        then="Now your opponent can predict too, or wait.",
    ),
    Step(
        "In the end, whoever predicted the sum exactly wins, otherwise whoever came closer. If both are right, the "
        "first one to say it wins; if both are equally far away, the first one loses. Who never predicts loses to "
        "who does. So when is it best to speak, and what to say? (There is a house rule, secret: then both write a "
        "prediction down before the first number, and the two are uncovered at the end.)",
        ("7", "2", "predict 40", "9", "predict 50", "1"),
    ),
)
