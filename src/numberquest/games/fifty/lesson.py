"""Fifty learnt by playing it."""

from typing import Final

from numberquest.explain.lesson import Step

STEPS: Final = (
    Step(
        "Each of you has a score, and both begin with 0. Whoever reaches exactly 50 wins. Take the 8 and add it.",
        (),
        ("8+",),
        then="0 + 8 = 8. That 8 is gone from the pool; there is one more.",
    ),
    Step(
        "Your opponent took a 9. You can also subtract, multiply and divide. Take a big step: multiply by 6.",
        ("8+", "9+"),
        ("6*",),
        then="8 × 6 = 48: nearly there.",
    ),
    Step(
        "You have 48. Which number, and what to do with it, makes exactly 50?",
        ("8+", "9+", "6*", "5*"),
        "wins",
        then="48 + 2 = 50: you win.",
    ),
    Step(
        "Going past 50 loses at once. You have 45: find a move that stays within 50.",
        ("9+", "8+", "5*", "5*"),
        "safe",
        then="You are still in the game. Dividing drops what is left over: 45 ÷ 2 = 22. "
        "Subtracting more than you have loses the turn.",
    ),
)
