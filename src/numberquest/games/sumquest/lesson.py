"""Sum Quest learnt by playing it."""

from typing import Final

from numberquest.explain.lesson import Step

STEPS: Final = (
    Step(
        "There is one sum for both of you. You add to it in turns, and whoever brings it to exactly 23 wins. "
        "Begin: add 5.",
        (),
        ("5",),
        then="The sum is 5. Now your opponent adds a number.",
    ),
    Step(
        "Your opponent added 9, so for this one turn 9 is barred for you. Add any other number.",
        ("5", "9"),
        ("1", "2", "3", "4", "5", "6", "7", "8"),
        then="That is all there is to a turn. Now 9 can be used again, and your number is barred for your opponent.",
    ),
    Step(
        "Now the sum is 19. Which number wins?",
        ("9", "5", "3", "2"),
        "wins",
        then="19 + 4 = 23: you win.",
    ),
    Step(
        "The sum is 20, and 3 is barred: you cannot reach 23. Going past it loses at once. "
        "Find a number that does not.",
        ("8", "9", "3"),
        "safe",
        then="You are still in the game.",
    ),
    Step(
        "A trick: whoever has no number left that stays within 23 has lost. The sum is 21, and 2 is barred. "
        "Which number leaves your opponent without one?",
        ("5", "9", "5", "2"),
        "wins",
        then="The sum is 22, and 1 is barred for your opponent: every other number goes past 23. You win.",
    ),
)
