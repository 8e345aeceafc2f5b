"""What the server asks its workers, and what they answer: one line of JSON each. Private; the public one is wire.py.

No task has a deal in it: a worker knows what the players know.
"""

from typing import Final, Literal

import msgspec
from msgspec import Struct

from numberquest.core.loading import RECIPE
from numberquest.server import wire

LARGEST_TASK: Final = 512 * 1024
"""A task may be this long, in bytes; a record of the largest size fits in whatever is escaped in it."""
LARGEST_ANSWER: Final = 16 * 1024 * 1024
MEMORY: Final = 1 << 30
"""How much address space a worker may take, in bytes, unless it is told otherwise."""


class Asked(Struct, kw_only=True, omit_defaults=True):
    """What every task has."""

    patience: float = 0.0
    """So many seconds of work for a first try, after which the answer is that it is too large; 0: in earnest."""


class OfRules(Asked):
    """What is asked about a rule set."""

    game: str
    settings: str
    """As typed: `target=50 high=9 copies=2 ops=+-*/`."""


class AtPosition(OfRules):
    """What is asked about a position: the one after these moves and reveals."""

    entries: list[str]


class Choose(AtPosition, tag_field="task", tag="choose"):
    """Choose a move for a computer player. Answered by `Chosen`."""

    level: str
    dice: str
    """The seed of what is random in the choice."""
    ahead: bool = False
    """Whether to look ahead without trying to work the rules out: that has taken too long before."""


class Hint(AtPosition, tag_field="task", tag="hint"):
    """A hint, of three steps. Answered by a `wire.Hint`."""

    step: int


class Comment(AtPosition, tag_field="task", tag="comment"):
    """What the coach says about a move made there. Answered by a `wire.Comment`."""

    move: str


class AskReview(Asked, tag_field="task", tag="review"):
    """A record looked at again, as it went or as it would have gone with another move. Answered by a `wire.Review`."""

    record: str
    at: int = 0
    move: str = ""
    """Not empty: after so many entries this move is played, and then the best ones."""


class AskPuzzle(Asked, tag_field="task", tag="puzzle"):
    """A puzzle: the one of that id, or of a date, or the first of a seed. Answered by a `wire.Puzzle`."""

    id: str = ""
    date: str = ""
    game: str = ""
    """Empty: the game of the day, or of the seed."""
    seed: str = ""
    step: int = 0
    """Which of the three of that date, from easy to hard; 0: the puzzle of the day."""


class Judge(Asked, tag_field="task", tag="judge"):
    """Whether a guess is right. Answered by a `wire.Judged`."""

    id: str
    move: str


class Games(Asked, tag_field="task", tag="games"):
    """All games, with what is proved about them. Answered by a `wire.Games`."""


class AskLesson(Asked, tag_field="task", tag="lesson"):
    """A game learnt by playing it. Answered by a `wire.Lesson`."""

    game: str


class Measure(OfRules, tag_field="task", tag="measure"):
    """What a rule set is like between two players. Answered by a `wire.Measures`."""

    players: tuple[str, str]


class Map(Asked, tag_field="task", tag="map"):
    """Every rule set of a game. Answered by a `wire.Map`."""

    game: str


class BestLine(OfRules, tag_field="task", tag="best-line"):
    """A game under these rules in which both play as well as they can. Answered by a `wire.BestLine`."""


class QrCode(Asked, tag_field="task", tag="qr-code"):
    """A text for a camera. Answered by a `wire.QrCode`."""

    text: str


class Weigh(AtPosition, tag_field="task", tag="weigh"):
    """What every move is worth there, and why the best is. Answered by `Weighed`."""


class LookBack(Asked, tag_field="task", tag="look-back"):
    """The decisions of a game that is over, for the figures of a class. Answered by `Decisions`."""

    record: str


class OfDraft(Asked):
    """What is asked about a game that somebody is making."""

    text: str
    """The game: a recipe, or what `drafts.reads` reads besides."""


class CheckDraft(OfDraft, tag_field="task", tag="check-draft"):
    """Whether it keeps the laws, and what it looks like. Answered by a `wire.CheckedDraft`."""


class TryDraft(OfDraft, tag_field="task", tag="try-draft"):
    """How it stands after these moves, and what the computer does then. Answered by a `wire.TriedDraft`."""

    seed: str
    """What all that is random follows from."""
    moves: list[str] = []
    """Of both players."""
    level: str = ""
    """The computer plays Player 2 like this; empty: somebody plays both."""


class MeasureDraft(OfDraft, tag_field="task", tag="measure-draft"):
    """What it is like between two players. Answered by a `wire.Measures`."""

    players: tuple[str, str]


class Worksheet(OfRules, tag_field="task", tag="worksheet"):
    """These positions on paper. Answered by a page of HTML, as text."""

    positions: list[list[str]]


class Prepare(OfRules, tag_field="task", tag="prepare"):
    """Work out and keep what computer players need to know of a game. Answered by null."""


OfPuzzle = AskPuzzle | Judge
OfClass = Weigh | LookBack | Worksheet
OfGames = Games | AskLesson | Measure | Map | BestLine | Prepare
Drafted = CheckDraft | TryDraft | MeasureDraft
Task = Choose | Hint | Comment | AskReview | OfPuzzle | OfClass | OfGames | QrCode | Drafted


class Weighed(Struct):
    """What the moves of a position are worth."""

    chance: float
    """That whoever's turn it is wins under best play."""
    values: list[wire.Worth]
    """Best first; none where chance is to move."""
    best: list[str]
    why: list[wire.Said]


class Decision(Struct):
    """One decision of a game."""

    at: int
    """After so many entries of the history."""
    seat: int
    position: str
    """The same for positions that are worth the same."""
    move: str
    wrong: bool
    """Whether it was a mistake."""
    key: bool
    """Whether it was a key moment."""
    why: list[wire.Said] = []


class Decisions(Struct):
    """The decisions of a game, and of its mistakes what all moves were worth there."""

    decisions: list[Decision]
    values: dict[str, list[wire.Worth]]
    """By position, best first."""


class Chosen(Struct, tag_field="answer", tag="chosen", omit_defaults=True):
    """The move that was chosen."""

    move: str
    how: Literal["solved", "ahead", "any"]
    """From what is known of every position, by looking ahead, or any move, as weaker levels make them at times."""
    last: bool = False
    """The worker ends with this answer, and another takes its place."""


class Made(Struct, tag_field="answer", tag="made", omit_defaults=True):
    """A message of wire.py, ready to be passed on as it is."""

    json: msgspec.Raw
    last: bool = False


class Failed(Struct, tag_field="answer", tag="failed", omit_defaults=True):
    """Why it cannot be: a word for programs, one of those of `wire.Problem`, and what is to be told."""

    code: str
    said: wire.Said
    line: int | None = None
    """Where a record goes wrong."""
    last: bool = False


def rules_of(task: Task) -> str:
    """What tasks have in common that take about as long; empty where nothing can be learnt from one for another."""
    if isinstance(task, AtPosition):
        return f"{task.game} {task.settings}"
    if isinstance(task, OfPuzzle):
        game = task.game if isinstance(task, AskPuzzle) else ""
        # An id is a game, numbers, and after a colon the rules; a recipe is a game up to the dot.
        recipe, _, rest = task.id.partition(".") if task.id.startswith(RECIPE) else ("", "", task.id)
        of = game or recipe or rest.partition("-")[0]
        return f"puzzle {of} {rest.partition(':')[2]}"
    return ""


Answer = Chosen | Made | Failed


def gave_up(answer: Answer) -> bool:
    """Whether the rules were too large to be worked out."""
    if isinstance(answer, Chosen):
        return answer.how == "ahead"
    return isinstance(answer, Failed) and answer.code == "too-large"
