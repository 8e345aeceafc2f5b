"""How long a program or a model may take for one move."""

from __future__ import annotations

import math
import os
from typing import Final

from numberquest.evaluate.trouble import BadPlayer
from numberquest.settings import quoted

VARIABLE: Final = "NUMBERQUEST_SECONDS"
"""The environment variable that says how many seconds there are for one move."""


def seconds_for(usual: float) -> float:
    """What the variable says, or what is usual."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return usual
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 86_400:
        raise BadPlayer(f"{VARIABLE} is a number of seconds for one move, up to a day, not {quoted(text)}")
    return seconds
