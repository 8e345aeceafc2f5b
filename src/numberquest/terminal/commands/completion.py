"""`completion`: scripts for three shells that ask the program itself what can follow."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Final

from numberquest.core.loading import BadGame
from numberquest.core.record import HUMAN
from numberquest.core.registry import GAMES, bring
from numberquest.terminal.commands import COMMANDS, command
from numberquest.terminal.options import GENERAL, OF_ALL_COMMANDS, Argument, arguments_of, positional

SCRIPTS: Final = {
    "bash": """\
_numberquest() {
    local IFS=$'\\n'
    COMPREPLY=($("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    if [[ ${COMPREPLY[0]} == FILES ]]; then
        COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
        compopt -o filenames
    elif [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -F _numberquest numberquest nq
""",
    "zsh": """\
#compdef numberquest nq
_numberquest() {
    local -a found
    found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ ${found[1]} == FILES ]]; then _files; elif [[ -n ${found[1]} ]]; then compadd -- $found; fi
}
compdef _numberquest numberquest nq
""",
    "fish": """\
function __numberquest_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)
    if test "$found[1]" = FILES
        __fish_complete_path $words[-1]
    else
        string join \\n $found
    end
end
complete -c numberquest -f -a '(__numberquest_complete)'
complete -c nq -f -a '(__numberquest_complete)'
""",
}
"""What to put into the shell's start-up file, by shell."""


def run_completion(shell: Annotated[str, positional(choices=("bash", "zsh", "fish"))]) -> None:
    print(SCRIPTS[shell], end="")


FILES: Final = "FILES"
"""Stands for the names of files, which the shell knows best."""
HELP: Final[Argument] = ("-h", "--help"), {"action": "store_true"}


How = Mapping[str, Any]


def _level(path: Sequence[str]) -> tuple[Sequence[str], dict[str, How], list[How]]:
    """What can be typed after a command, or a part of one, or nothing yet: words, options, and other arguments."""
    words: Sequence[str] = list(COMMANDS[path[0]].parts) if len(path) == 1 else []
    if not path:
        words, arguments = list(COMMANDS), [HELP, *GENERAL]
    else:
        arguments = [HELP] if words else [HELP, *OF_ALL_COMMANDS, *arguments_of(command(*path).options)]
    options: dict[str, How] = {name: how for names, how in arguments for name in names if name.startswith("-")}
    return words, options, [how for names, how in arguments if not names[0].startswith("-")]


def candidates(typed: Sequence[str]) -> list[str]:
    """What can stand in place of the last word, after the words before it."""
    *before, current = typed or [""]
    path: list[str] = []
    words, options, positionals = _level(path)
    slug, waiting, filled = None, None, 0
    for word in before:
        if waiting is not None:
            if waiting.get("dest", "").startswith("with_"):
                # So that it is offered too; what is wrong with it is told when it is used.
                with suppress(BadGame):
                    bring(word)
            waiting = None
        elif word in options:
            waiting = options[word] if options[word].get("action") != "store_true" else None
        elif word in words:
            path.append(word)
            words, options, positionals = _level(path)
        else:
            slug = slug or word
            filled += 1
    if waiting is not None:
        expected = [waiting]
    elif current.startswith("-"):
        return [name for name in options if name.startswith("--") and name.startswith(current)]
    elif words:
        return [word for word in words if word.startswith(current)]
    else:
        expected, slug = positionals, None
        # Of the last one there may be many.
        many = bool(expected) and expected[-1].get("nargs") == "+" and filled >= len(expected)
        expected = expected[-1:] if many else expected[filled : filled + 1]
    for how in expected:
        metavar = how.get("metavar")
        # A player can be named by the file that it is in: `./agents.py:…`.
        if metavar in ("FILE", "DIR") or (metavar in ("WHO", "PLAYER") and current.startswith((".", "/", "~"))):
            return [FILES]
    return [value for how in expected for value in _values(how, slug) if value.startswith(current)]


def _values(how: How, slug: str | None) -> list[str]:
    """The values that an option or an argument can take, where they can be listed."""
    from numberquest.players.levels import PLAYERS
    from numberquest.players.named import COMMAND, MODEL

    metavar = how.get("metavar")
    kinds = [GAMES[slug]] if slug is not None and slug in GAMES else []
    if metavar == "WHICH":
        from numberquest.terminal.prompt import saves

        return [kept.name for kept in saves.every()]
    if metavar in ("MEASURES", "COLUMN"):
        from numberquest.study.measures import MEASURES
        from numberquest.study.row import FIXED
        from numberquest.study.rule_sets import FAIRNESS
        from numberquest.study.sweep import LADDER

        measures = [name for name in MEASURES if name not in (*FIXED, LADDER)]
        settings = [name for kind in kinds for name in kind.fields]
        return measures if metavar == "MEASURES" else [FAIRNESS, *settings, *FIXED, *measures]
    known = {
        "GAME": list(GAMES),
        "WHO": [HUMAN, *PLAYERS, COMMAND, MODEL],
        "PLAYER": [*PLAYERS, COMMAND, MODEL],
        "PLAYER,PLAYER": list(PLAYERS),
        "LEVEL,LEVEL": [f"{first},{second}" for first in PLAYERS for second in PLAYERS],
        "NAME=VALUE": sorted({f"{name}=" for kind in kinds or GAMES.values() for name in kind.fields}),
    }
    return list(how.get("choices", known.get(metavar or "", ())))
