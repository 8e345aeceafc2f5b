"""What went wrong in a game that somebody brought, in one sentence."""

from __future__ import annotations

from traceback import walk_tb
from typing import TYPE_CHECKING

from numberquest.contract import Game
from numberquest.loading import BadGame, what_happened
from numberquest.mistake import FAILURE, USAGE

if TYPE_CHECKING:
    from types import FrameType


def what_went_wrong(error: Exception) -> tuple[str, int] | None:
    """The sentence and the exit code for an error of somebody's game; None where it is an error of ours."""
    if isinstance(error, BadGame):
        return str(error), USAGE
    theirs = [frame for frame, _ in walk_tb(error.__traceback__) if _is_of_a_game(frame)]
    if not theirs:
        return None
    file = theirs[-1].f_code.co_filename
    return f"{file}: {what_happened(error, file)}", FAILURE


def _is_of_a_game(frame: FrameType) -> bool:
    """Whether code of somebody's game was running: of a file that holds or uses a game and is not ours."""
    names = frame.f_globals
    if names.get("__name__", "").partition(".")[0] == "numberquest":
        return False
    return any(isinstance(value, type) and issubclass(value, Game) for value in list(names.values()))
