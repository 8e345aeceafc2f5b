"""Grid learnt by playing it."""

from typing import Final

from numberquest.explain.lesson import Step

STEPS: Final = (
    Step(
        "The numbers 1 to 9 lie covered, each once. Open a cell: its number is added to your total. "
        "Try the middle one.",
        (),
        ("2,2",),
        ("7",),
        then="A 7: your total is 7.",
    ),
    Step(
        "Your opponent opened a 5. Whoever reaches exactly 15 wins. Open the middle one of the top row.",
        ("2,2", "7", "1,1", "5"),
        ("1,2",),
        ("6",),
        then="A 6: now you have 13.",
    ),
    Step(
        "Going past 15 loses at once, and you must open a cell. You have 13, and 1, 2, 3, 8 and 9 are still covered: "
        "the 2 wins, and the 1 keeps you in the game. Try your luck.",
        ("2,2", "7", "1,1", "5", "1,2", "6", "3,3", "4"),
        ("1,3", "2,1", "2,3", "3,1", "3,2"),
        ("2",),
        then="The 2: exactly 15. You win.",
    ),
    Step(
        "That was luck, and so is the whole game: a covered cell tells nobody what it holds. With the house rule "
        "that a player may stand instead of opening a cell, there is something to decide.",
    ),
)
