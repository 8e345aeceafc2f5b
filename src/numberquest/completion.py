"""Shell completion: scripts for three shells that ask the program itself what can follow."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

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


FILES: Final = "FILES"
"""Stands for the names of files, which the shell knows best."""


def candidates(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """What can stand in place of the last word, after the words before it."""
    *before, current = words or [""]
    slug, waiting, filled = None, None, 0
    for word in before:
        if waiting is not None:
            if "--with" in waiting.option_strings:
                _bring(word)
            waiting = None
            continue
        option = parser._option_string_actions.get(word)
        if option is not None:
            waiting = option if option.nargs != 0 else None
            continue
        commands = _commands(parser)
        if word in commands:
            parser = commands[word]
        else:
            slug = slug or word
            filled += 1
    if waiting is not None and (waiting.metavar in ("FILE", "DIR") or _is_file_of_players(waiting, current)):
        return [FILES]
    if waiting is not None:
        offered = _values(waiting, slug)
    elif current.startswith("-"):
        offered = [option for option in parser._option_string_actions if option.startswith("--")]
    else:
        offered = list(_commands(parser))
        if not offered:
            positionals = parser._get_positional_actions()
            # Of the last one there may be many.
            many = bool(positionals) and positionals[-1].nargs == "+" and filled >= len(positionals)
            positionals = positionals[-1:] if many else positionals[filled : filled + 1]
            if any(action.metavar == "FILE" or _is_file_of_players(action, current) for action in positionals):
                return [FILES]
            offered = [value for action in positionals for value in _values(action, None)]
    return [word for word in offered if word.startswith(current)]


def _is_file_of_players(action: argparse.Action, current: str) -> bool:
    """Whether a player is being named by the file that it is in: `./agents.py:…`."""
    return action.metavar in ("WHO", "PLAYER") and current.startswith((".", "/", "~"))


def _bring(path: str) -> None:
    """Make a game in a file known, so that it is offered too; what is wrong with it is told when it is used."""
    from numberquest.games import bring
    from numberquest.loading import BadGame

    with suppress(BadGame):
        bring(path)


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if action.nargs == "A..." and isinstance(action.choices, dict):
            return action.choices
    return {}


def _values(action: argparse.Action, slug: str | None) -> list[str]:
    """The values that an option or an argument can take, where they can be listed."""
    from numberquest.evaluate.who import COMMAND, MODEL
    from numberquest.games import GAMES
    from numberquest.players import PLAYERS
    from numberquest.record import HUMAN

    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    if action.metavar == "GAME":
        return list(GAMES)
    if action.metavar == "WHO":
        return [HUMAN, *PLAYERS, COMMAND, MODEL]
    if action.metavar == "PLAYER":
        return [*PLAYERS, COMMAND, MODEL]
    if action.metavar == "PLAYER,PLAYER":
        return list(PLAYERS)
    if action.metavar == "LEVEL,LEVEL":
        return [f"{first},{second}" for first in PLAYERS for second in PLAYERS]
    if action.metavar == "WHICH":
        from numberquest.terminal.kept_games import names

        return names()
    if action.metavar in ("MEASURES", "COLUMN"):
        return _columns(slug, measures_alone=action.metavar == "MEASURES")
    if action.metavar == "NAME=VALUE":
        kinds = [GAMES[slug]] if slug is not None and slug in GAMES else list(GAMES.values())
        return sorted({f"{name}=" for kind in kinds for name in kind.fields})
    return []


def _columns(slug: str | None, *, measures_alone: bool) -> list[str]:
    """What can stand in a column of a sweep."""
    from numberquest.games import GAMES
    from numberquest.lab.measures import MEASURES
    from numberquest.lab.row import FIXED
    from numberquest.lab.sweep import LADDER
    from numberquest.lab.where import FAIRNESS

    measures = [name for name in MEASURES if name not in (*FIXED, LADDER)]
    if measures_alone:
        return measures
    return [FAIRNESS, *(GAMES[slug].fields if slug is not None and slug in GAMES else ()), *FIXED, *measures]
