"""Mystic Numbers learnt by playing it."""

from typing import Final

from numberquest.explain.lesson import Step

STEPS: Final = (
    Step(
        "Each of you has a total, and whoever reaches exactly 21 wins. You have drawn an 8 from the pile. Add it.",
        ("8",),
        ("add",),
        then="Your total is 8. Now your opponent draws.",
    ),
    Step(
        "You can also subtract the number, or pass it: then it is added to your opponent's total. Pass the 3.",
        ("8", "add", "7", "add", "3"),
        ("pass",),
        then="Now your opponent has 10, and you still have 8.",
    ),
    Step(
        "You have 17 and have drawn a 4. What wins?",
        ("8", "add", "7", "add", "9", "add", "8", "add", "4"),
        "wins",
        then="17 + 4 = 21: you win.",
    ),
    Step(
        "Going past 21 loses at once, for whoever it happens to. You have 17, your opponent has 15, "
        "and you have drawn a 9. What wins now?",
        ("8", "add", "7", "add", "9", "add", "8", "add", "9"),
        "wins",
        then="Your opponent must add the 9, has 24, and has lost.",
    ),
)
