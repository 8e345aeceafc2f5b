"""What ends a command early: a mistake of the user, or a word from the system."""

FAILURE, USAGE, INTERRUPTED = 1, 2, 130
"""Exit codes besides 0."""

PACKAGE = "."
"""What pip is told to install, also in the documents: this folder, until `numberquest` is on an index."""


def to_install(extra: str) -> str:
    """What to type for the packages of an extra."""
    return f"pip install '{PACKAGE}[{extra}]'{' in the folder of Number Quest' if PACKAGE == '.' else ''}"


class UsageError(Exception):
    """Something that the user asked for and that cannot be: told in one sentence. Kinds of it have their own class."""

    code = USAGE

    def __init__(self, sentence: str, code: int | None = None) -> None:
        super().__init__(sentence)
        self.code = self.code if code is None else code


class Unable(UsageError):
    """Something that was asked for well, and that cannot be done here."""

    code = FAILURE


class Stopped(BaseException):
    """The system told the program to end."""

    def __init__(self, signal: int) -> None:
        super().__init__(signal)
        self.code = 128 + signal


class Gone(Exception):
    """Nobody is there any more: the input has ended, or (then it has a cause) the output is closed."""
