"""The coach: what a move has given away, and hints in three steps. Nothing is solved before somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numberquest.mistake import Mistake

if TYPE_CHECKING:
    from numberquest.match import Match
    from numberquest.terminal.console import Console


class Coach:
    """Hints and comments for the people who play one match."""

    def __init__(self, console: Console, match: Match[Any]) -> None:
        self._console = console
        self._match = match
        self._steps: dict[Any, int] = {}
        self._silent = False

    def hint(self) -> bool:
        """Say the next step of the hint for this position; False where none was new."""
        from numberquest.telling.facts import in_words
        from numberquest.telling.hints import STEPS, nudge, proof, tip
        from numberquest.terminal.progress import PATIENCE
        from numberquest.terminal.solving import solved

        try:
            solution = solved(self._match.game, PATIENCE)
        except Mistake as why:
            self._console.refuse(f"There are no hints here: {why}.")
            return False
        game, position = self._match.game, self._match.position
        given = self._steps.get(position, 0)
        step = min(given, STEPS - 1)
        if step == 0:
            text = f"{in_words(game, nudge(solution, position))} Type hint again for the move."
        elif step == 1:
            text = f"{in_words(game, tip(solution, position))} Type hint again for the proof."
        else:
            text = "\n  ".join(in_words(game, line) for line in proof(solution, position))
        self._console.say(f"Hint {step + 1} of {STEPS}: {text}", "hint")
        self._steps[position] = step + 1
        return given < STEPS

    def comment(self, at: int) -> None:
        """Say what the move at this place of the history has given away, if it has."""
        if self._silent:
            return
        from numberquest.telling.facts import in_words
        from numberquest.telling.hints import comment
        from numberquest.terminal.progress import PATIENCE
        from numberquest.terminal.solving import solved

        try:
            solution = solved(self._match.game, PATIENCE)
        except Mistake as why:
            self._silent = True
            self._console.refuse(f"The coach cannot help here: {why}.")
            return
        said = comment(solution, self._match.positions[at], self._match.history[at])
        if said:
            self._console.say(f"Coach: {in_words(self._match.game, said)}", "hint")
            if self._match.outcome is None:
                self._console.say()
