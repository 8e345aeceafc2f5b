"""Training of language models, with what only a solved game can tell: the exact regret of every move.

`prompt` words a position, `read` finds the move that a text means, `reward` says what that move is worth, and `Episode`
plays whole games against anybody. Nothing of any framework is needed. docs/training.md shows how they go together.

>>> import numberquest as nq
>>> from numberquest.envs import llm
>>> game = nq.game("sumquest", target=10)
>>> position = game.start()
>>> asked = llm.prompt(game, position)
>>> [message["role"] for message in asked]
['system', 'user']
>>> answer = llm.read("Five leaves my opponent nothing good: [5]", game, position)
>>> answer.move, llm.reward(game, position, answer)
('5', 1.0)
>>> llm.reward(game, position, "[4]"), llm.reward(game, position, "I resign")
(0.0, -1.0)
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

from numberquest.core.contract import Game
from numberquest.core.registry import GAMES
from numberquest.core.settings import quoted
from numberquest.envs.arguments import AnyGame, check_listed, opponent_for, rules_for, seat_for
from numberquest.envs.episode import Judged, Regret
from numberquest.envs.seated import SeatedMatch
from numberquest.players import prompt as wording
from numberquest.players.answers import read_move
from numberquest.players.asking import TRIES, Illegal, close
from numberquest.players.levels import PLAYERS, Player

ILLEGAL: Final = 0.5
"""Cost of an answer that names a move of the game which is not allowed now."""
UNREADABLE: Final = 1.0
"""Cost of an answer in which no move of the game can be read."""

Messages = list[dict[str, str]]


class Answer(NamedTuple):
    """The meaning of a text: an allowed move; or None, and then why."""

    move: str | None
    why: str = ""
    """Why the text names no allowed move, as a sentence for its writer; empty where it names one."""
    named: str | None = None
    """The move of the game that it names, though that may not be allowed now; None where none can be read."""
    said: str = ""
    """The text itself."""

    @property
    def illegal(self) -> bool:
        """Whether it names a move of the game that is not allowed now."""
        return self.move is None and self.named is not None

    @property
    def unreadable(self) -> bool:
        """Whether no move of the game can be read in it, or several."""
        return self.named is None


def prompt(
    game: Game[Any],
    position: Any,
    history: Sequence[str] | None = None,
    refused: Answer | None = None,
    *,
    list_moves: bool = True,
) -> Messages:
    """The messages of a chat that ask for a move: the rules, where the game stands, and what is allowed.

    `history`, the moves and reveals so far, is told where it is given; `refused` is the wrong answer that was given
    to the same question before; `list_moves=False` leaves out which moves are allowed.
    """
    wrong = None if refused is None else Illegal(refused.said, refused.why)
    return wording.messages(game, position, history, wrong, list_moves=list_moves)


def read(text: str | None, game: Game[Any], position: Any) -> Answer:
    """Read the move in a text, or in a message without content (None); no move where two can be read."""
    text = text or ""
    reading = read_move(text, game.moves(position), game.actions)
    if reading.move is not None:
        return Answer(reading.move, "", reading.move, text)
    return Answer(None, reading.why, read_move(text, game.actions).move, text)


def judged(game: Game[Any], position: Any, move: str | None) -> Judged:
    """Return the regret of a move for the player to move, the value before it, and whether the choice mattered.

    Without a move all that can be won is lost. `TooLarge` where the game cannot be solved.
    """
    return Regret(game).of(position, game.player(position), move)


def reward(
    game: Game[Any],
    position: Any,
    answer: Answer | str | None,
    *,
    illegal: float = ILLEGAL,
    unreadable: float = UNREADABLE,
) -> float:
    """Return 1 - regret of an allowed move, so from 0 to 1; and below 0 what any other answer costs.

    Regret is what a move gives away of the chance of winning: a best move has 1, also in a lost position.
    """
    read_as = answer if isinstance(answer, Answer) else read(answer, game, position)
    if read_as.move is None:
        return -(illegal if read_as.illegal else unreadable)
    return 1.0 - float(judged(game, position, read_as.move).regret)


class Episode(SeatedMatch):
    """A whole game against one opponent: `messages` to the model, `answer` with its text, until `over`."""

    def __init__(
        self,
        game: AnyGame,
        opponent: str | Player = "hard",
        *,
        seat: int | str = 1,
        seed: int | str | None = None,
        tries: int = TRIES,
        list_moves: bool = True,
        illegal: float = ILLEGAL,
        unreadable: float = UNREADABLE,
        **settings: Any,
    ) -> None:
        """`game` is a slug, the path of a file, a class or an object; `opponent` is any WHO but `human`.

        `seat` is 1, who begins, 2 or "random"; the same `seed` gives the same game again, as long as the answers are
        the same. After so many wrong answers in a row, `tries`, the game is forfeited. `settings` are rule settings.
        """
        rules = rules_for(game, settings, ("opponent", "seat", "seed", "tries", "list_moves", "illegal", "unreadable"))
        self._made_here = isinstance(opponent, str)
        self._tries, self._list_moves = tries, list_moves
        self._costs = {"illegal": illegal, "unreadable": unreadable}
        self._refused: list[Answer] = []
        self.rewards: list[float] = []
        """The reward of each answer."""
        self.forfeited = False
        """Whether the game was lost by wrong answers."""
        super().__init__(rules, opponent_for(opponent, rules), seat_for(seat), seed)

    @classmethod
    def by_name(cls, game: str, opponent: str = "hard", **options: Any) -> Self:
        """Begin an episode whose `game` and `opponent` come from a client or a row of data.

        `UsageError` for all names but those of `GAMES` and of the five levels: a file or a command is never run.
        """
        check_listed(game, GAMES, "game")
        check_listed(opponent, PLAYERS, "opponent")
        return cls(game, opponent, **options)

    @property
    def game(self) -> Game[Any]:
        """The rules."""
        return self.match.game

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.outcome is not None

    @property
    def score(self) -> float | None:
        """1 for a game that was won, 0 for one that was lost, 0.5 for a draw; None while it goes on."""
        return None if self.match.outcome is None else self.match.outcome.worth(self.seat)

    @property
    def mean_reward(self) -> float:
        """The mean of `rewards`; 0 where there was no answer."""
        return sum(self.rewards) / len(self.rewards) if self.rewards else 0.0

    @property
    def messages(self) -> Messages:
        """The prompt for the next move, with what was wrong with the last answer."""
        self._check_going_on()
        match, refused = self.match, self._refused[-1] if self._refused else None
        return prompt(match.game, match.position, match.history, refused, list_moves=self._list_moves)

    def answer(self, text: str | None) -> float:
        """Take the model's answer, let the opponent reply to its move, and return the reward of the answer.

        A wrong answer changes nothing but that the question is asked again.
        """
        self._check_going_on()
        match = self.match
        answer = read(text, match.game, match.position)
        self.rewards.append(reward(match.game, match.position, answer, **self._costs))
        if answer.move is None:
            self._refused.append(answer)
            if len(self._refused) >= self._tries:
                self.forfeited = True
                match.resign(self.seat)
        else:
            self._refused.clear()
            match.play(answer.move)
            self.reply()
        return self.rewards[-1]

    def close(self) -> None:
        """End what the opponent has started, such as a process; one that you have made yourself is yours to close."""
        if self._made_here:
            close(self.opponent)

    def _check_going_on(self) -> None:
        if self.over:
            raise ValueError(f"this game of {quoted(self.game.slug)} is over: begin another episode")
