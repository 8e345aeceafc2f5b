"""All commands for `argparse`: only the file of the command that is named is imported."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from numberquest.core.errors import UsageError
from numberquest.core.names import near
from numberquest.core.registry import GAMES
from numberquest.core.sentences import sentence
from numberquest.core.settings import quoted
from numberquest.terminal.commands import COMMANDS, Entry, command
from numberquest.terminal.options import GENERAL, OF_ALL_COMMANDS, arguments_of
from numberquest.terminal.prompt.console import columns


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, and where help is."""

    def __init__(self, **options: Any) -> None:
        # Without a width, argparse asks the terminal for one each time an option is added: 5 ms.
        wide = min(88, columns(sys.stdout) or 88)
        super().__init__(formatter_class=lambda prog: argparse.HelpFormatter(prog, width=wide), **options)

    def format_help(self) -> str:
        # Only now: to know the games takes longer than the rest of a start.
        self.epilog = (self.epilog or "").replace("GAME", next(iter(GAMES.own)))
        return super().format_help()

    def error(self, message: str) -> Any:
        raise UsageError(f"{message}. See: {self.prog} --help")


def _described(entry: Entry) -> dict[str, Any]:
    return {"help": entry.help, "description": sentence(entry.help), "epilog": f"Example: numberquest {entry.example}"}


def _declare(parser: argparse.ArgumentParser, name: str, part: str = "") -> None:
    declared = command(name, part)
    for names, how in (*OF_ALL_COMMANDS, *arguments_of(declared.options)):
        parser.add_argument(*names, **how)
    parser.set_defaults(command=declared)


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """All commands, of which the one that the words name has its options: only its file is imported."""
    menu = f"Alone: a menu. Example: numberquest {COMMANDS['play'].example}"
    parser = Parser(prog="numberquest", description="Number games for two.", epilog=menu)
    for names, how in GENERAL:
        parser.add_argument(*names, **how)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    first = _first_word(words)
    if first and first not in COMMANDS:
        better = f" Did you mean play {first}?" if first in GAMES.own else near(first, COMMANDS)
        raise UsageError(f"there is no command called {quoted(first)}.{better} See: numberquest --help")
    for name in [first] if first in COMMANDS else COMMANDS:
        entry = COMMANDS[name]
        its_parser = commands.add_parser(name, **_described(entry))
        if name in words and not entry.parts:
            _declare(its_parser, name)
        elif name in words:
            *some, last = entry.parts
            one_of = f"{', '.join(some)} or {last}"
            parts = its_parser.add_subparsers(metavar=one_of, required=True, parser_class=Parser)
            for part, what in entry.parts.items():
                _declare(parts.add_parser(part, **_described(what)), name, part)
    return parser


def _first_word(words: Sequence[str]) -> str:
    """The first that is no option, nor the file of `--with`."""
    pairs = zip(["", *words], words, strict=False)
    return next((word for before, word in pairs if not word.startswith("-") and before != "--with"), "")
