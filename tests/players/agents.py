"""Players as somebody writes them."""

from typing import Any

MADE: list[object] = []


class First:
    """The first move there is."""

    def __init__(self) -> None:
        MADE.append(self)

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        return game.moves(position)[0]


class Whole(First):
    """One that has all that a player may have."""

    words = "takes the first move"
    closed = 0

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def prepare(self, game: Any, tell: Any, progress: Any = None) -> None:
        tell(f"ready for {game.slug}")

    def follow(self, history: Any) -> None:
        self.heard.append(tuple(history))

    def odds(self, game: Any, position: Any) -> dict[str, float]:
        return {game.moves(position)[0]: 1.0}

    def close(self) -> None:
        self.closed += 1


class Wrong(First):
    """Never right."""

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        return "nonsense"


class Number(First):
    """Answers a number, which is no text."""

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        return 5


class Nothing(First):
    """Gives no answer."""

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        return None


class Fails(First):
    """Cannot."""

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        raise ZeroDivisionError("oh no")


class FailsAtTimes(First):
    """Fails at every eleventh question."""

    asked = 0

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        self.asked += 1
        if self.asked % 11 == 0:
            raise OSError("the line is down")
        return dice.choose(game.moves(position))


class CannotBeMade:
    """Wants more than it is given."""

    def __init__(self, strength: int) -> None:
        self.strength = strength

    def choose(self, game: Any, position: Any, dice: Any) -> Any:
        return game.moves(position)[self.strength]


class Outer:
    """Holds another."""

    inner = First()


first = First()
number = 3
