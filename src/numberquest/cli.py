"""The command line: finds the command that is named, reads its options, and calls it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from numberquest.core.errors import FAILURE, INTERRUPTED, Gone, Stopped, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except UsageError as mistake:
        print(f"numberquest: {mistake}", file=sys.stderr)
        return mistake.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Stopped as stopped:
        return stopped.code
    except (BrokenPipeError, Gone):
        _let_go_of_output()
        return FAILURE
    except OSError as error:
        _let_go_of_output()
        what = f"{error.filename} cannot be used" if error.filename else "the output cannot be written"
        print(f"numberquest: {what}: {error.strerror}", file=sys.stderr)
        return FAILURE
    return code


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        # By far the most frequent call of scripts; it need not build the parser first.
        return _version()
    try:
        if arguments[:1] == ["complete"]:
            # For the shell, not for people, so it is no command that they are shown.
            return _complete(arguments[1:])
        if not arguments:
            # The menu needs no parser, which takes longer than the rest of its start.
            return _menu(plain=False)
        return _run_command(arguments)
    except (UsageError, Gone):
        raise
    except Exception as error:
        from numberquest.terminal.commands.arguments import what_went_wrong

        sentence = what_went_wrong(error)
        if sentence is None:
            raise
        raise UsageError(*sentence) from None


def _run_command(arguments: list[str]) -> int:
    from numberquest.terminal.options import parameters_of
    from numberquest.terminal.parser import build_parser

    options = build_parser(arguments).parse_args(arguments)
    files = [*options.with_files, *getattr(options, "with_more", ())]
    if files:
        _bring(files)
    options.plain |= getattr(options, "plain_too", False)
    if not hasattr(options, "command"):
        return _version() if options.version else _menu(plain=options.plain)
    run, declared = options.command
    said = {name: getattr(options, name) for name in parameters_of(declared)}
    return (run(**said) if declared is run else run(declared(**said))) or 0


def _bring(files: Sequence[str]) -> None:
    """Make the games in these files known, here and in the processes that are started from here."""
    import os

    from numberquest.core.registry import VARIABLE, bring

    for path in files:
        bring(path)
    already = filter(None, [os.environ.get(VARIABLE)])
    os.environ[VARIABLE] = os.pathsep.join([*already, *map(os.path.abspath, files)])


def _version() -> int:
    from numberquest import __version__

    print(f"numberquest {__version__}")
    return 0


def _menu(*, plain: bool) -> int:
    from numberquest.terminal.prompt.console import Console
    from numberquest.terminal.prompt.menu import menu

    menu(Console.standard(plain=plain))
    return 0


def _complete(words: Sequence[str]) -> int:
    from numberquest.terminal.commands.completion import candidates

    for word in candidates(words[1:] if words[:1] == ["--"] else words):
        print(word)
    return 0


def _open_streams() -> None:
    """Give closed streams somewhere to go, and characters that a stream cannot show something to show instead."""
    import os

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _let_go_of_output() -> None:
    """Send standard output to nowhere after its reader has gone, so that Python ends without a complaint."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
