"""Everything that Inspect is to find: importing this makes it known."""

from __future__ import annotations

from numberquest.evaluate.adapters.missing import needing

with needing("inspect_ai"):
    from numberquest.evaluate.adapters.inspect.scorers import exam_score, given_away, lost_value, play
    from numberquest.evaluate.adapters.inspect.solvers import text, tools
    from numberquest.evaluate.adapters.inspect.tasks import exam, games

__all__ = ["exam", "exam_score", "games", "given_away", "lost_value", "play", "text", "tools"]
