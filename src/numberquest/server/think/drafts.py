"""A game that somebody is making: whether it keeps the laws, what it is like, how it goes; as messages.

A server makes games of recipes alone, which run no code. Where Python harms nobody, `site/guest.py` reads that too.
"""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from numberquest.core.contract import CHANCE, Game, IllegalMove, ending
from numberquest.core.errors import UsageError
from numberquest.core.laws import QUICK_LOOK, Kind, look
from numberquest.core.loading import BadGame, file_of, line_of, what_happened
from numberquest.core.match import Match
from numberquest.core.recipe import load
from numberquest.core.registry import name_of
from numberquest.core.sentences import NAMES, Said
from numberquest.core.stream import Stream
from numberquest.players.levels import player
from numberquest.server import wire
from numberquest.server.boards import EVERYTHING, Viewer, shown
from numberquest.server.think import tasks
from numberquest.server.think.catalogue import offer
from numberquest.server.think.messages import measures_message

DRAFT: Final = "this game"
"""What a game is called in sentences about its text."""
LONGEST: Final = 400
"""So many moves are played at most: a game that need not end is tried no longer."""


reads: Callable[[str], Kind] = load
"""How the text of a game becomes a game."""


def checked(task: tasks.CheckDraft) -> wire.CheckedDraft:
    """The game as it is shown, and every law with what is wrong."""
    kind = reads(task.text)
    with _told(kind):
        seen = look(kind, DRAFT, QUICK_LOOK)
        laws = [wire.LawSeen(law.name, state, seen.wrong.get(law)) for law, state in seen.states.items()]
        line = next((line for line in seen.lines.values() if line is not None), None)
        recipe = getattr(kind, "recipe", None)
        says = {} if recipe is None else tomllib.loads(recipe.text)
        return wire.CheckedDraft(offer(kind()), laws, line, seen.ended, says, name_of(kind()))


def tried(task: tasks.TryDraft) -> wire.TriedDraft:
    """How it stands after these moves and those that the computer answers with."""
    kind = reads(task.text)
    with _told(kind):
        match = _played(kind(), task)
        return _tried(match, 0 if task.level else match.player)


def measured(task: tasks.MeasureDraft) -> wire.Measures:
    """What it is like between two players, exactly."""
    kind = reads(task.text)
    with _told(kind):
        return measures_message(kind(), task.players)


def _played(game: Game[Any], task: tasks.TryDraft) -> Match[Any]:
    match = Match(game, seed=task.seed)
    for move in task.moves[:LONGEST]:
        match.play(move)
    dice = Stream(f"{task.seed} {len(task.moves)}", "draft")
    for _ in range(LONGEST):
        if not task.level or match.outcome is not None or match.player == 0:
            break
        match.play(player(task.level).choose(game, match.position, dice, match.history))
    if len(match.history) > LONGEST:
        raise IllegalMove(Said("because", {"why": f"a game is tried for {LONGEST} moves and reveals at most"}))
    return match


def _tried(match: Match[Any], who: int) -> wire.TriedDraft:
    """`who`: as whom it is seen; when it is over, nothing is secret."""
    game, outcome, look = match.game, match.outcome, shown(match.game)
    viewer: Viewer = EVERYTHING if outcome is not None or not game.has_secrets else who
    entries = zip(match.positions, match.history, strict=False)
    return wire.TriedDraft(
        view=look.view,
        board=look.board_for(match.line, viewer),
        moves=[] if outcome is not None else look.options(match.position),
        turn=None if outcome is not None else match.player + 1,
        history=look.lines_for(match.line, viewer),
        ending=None if outcome is None else ending(game, outcome, NAMES),
        winner=None if outcome is None or outcome.winner is None else outcome.winner + 1,
        played=[entry for position, entry in entries if game.player(position) != CHANCE],
    )


@contextmanager
def _told(kind: Kind) -> Iterator[None]:
    """Whatever somebody's rules do wrong is one sentence, with its line."""
    file = file_of(kind)
    try:
        yield
    except (UsageError, IllegalMove, MemoryError):
        raise
    except Exception as error:
        line = line_of(error, file)
        if line is None:
            raise
        raise BadGame(f"{DRAFT}: {what_happened(error, file)}", line) from None
