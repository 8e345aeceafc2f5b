"""Pages that the program itself tells: the rules of every game, and every command with its options."""

from collections.abc import Iterable, Iterator
from typing import Any


def games() -> Iterator[str]:
    """The rules of every game that comes with Number Quest, as Markdown."""
    from numberquest.core import rulebook
    from numberquest.core.registry import GAMES
    from numberquest.core.sentences import sentence
    from numberquest.core.settings import as_text
    from numberquest.terminal.commands.solve import proved_of

    for slug, kind in GAMES.own.items():
        game = kind()
        data: dict[str, Any] = rulebook.rulebook_data(game)
        yield f"## {game.title}"
        yield f"![{game.title} on the page](/src/numberquest/games/{slug}/preview.png)"
        yield f"`numberquest play {slug}`"
        yield from rulebook.rules_of(game)
        yield f"**Proved by looking at every position:** {sentence(proved_of(game)[1])}"
        yield "**What the rules leave open** is decided like this:"
        yield table(("", "ruling"), game.rulings_told().items())
        yield "**Rules that you can change:**"
        rows = (
            (f"`{name}`", said["meaning"], said["allowed"], f"`{as_text(said['classic'])}`")
            for name, said in data["settings"].items()
        )
        yield table(("`--set`", "what it is", "may be", "classic"), rows)


def commands() -> Iterator[str]:
    """Every command with its options, as Markdown."""
    from numberquest.core.sentences import sentence
    from numberquest.terminal.commands import COMMANDS, command
    from numberquest.terminal.options import arguments_of

    for name, entry in COMMANDS.items():
        yield f"## {name}"
        yield sentence(entry.help)
        for part, its in (entry.parts or {"": entry}).items():
            its_options = list(arguments_of(command(name, part).options))
            words = " ".join(filter(None, [name, part]))
            if part:
                yield f"### {words}"
                yield sentence(its.help)
            yield f"```\n{usage(words, its_options)}\n```"
            yield f"For example: `numberquest {its.example}`"
            told = [(_named(names, how), how["help"]) for names, how in its_options if "help" in how]
            if told:
                yield table(("", "meaning"), told)


def usage(words: str, options: Iterable[tuple[tuple[str, ...], dict[str, Any]]]) -> str:
    """How a command is typed: what must be said, and that there are options."""
    asked = [_placed(names[0], how) for names, how in options if not names[0].startswith("-")]
    more = ["[OPTIONS]"] if any(names[0].startswith("-") for names, _ in options) else []
    return " ".join(["numberquest", words, *asked, *more])


def _placed(name: str, how: dict[str, Any]) -> str:
    word = "|".join(how["choices"]) if "choices" in how else how.get("metavar", name.upper())
    return f"[{word}]" if how.get("nargs") == "?" else f"{word} ..." if how.get("nargs") == "+" else word


def _named(names: tuple[str, ...], how: dict[str, Any]) -> str:
    if not names[0].startswith("-"):
        return f"`{how.get('metavar', names[0].upper())}`"
    taken = f" {how['metavar']}" if "metavar" in how else ""
    return f"`{names[-1]}{taken}`"


def table(heads: tuple[str, ...], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx what stands where a page says `{games}` or `{commands}`."""
    from sphinx.util.docutils import SphinxDirective

    def directive(tell: Any) -> Any:
        class Told(SphinxDirective):  # type: ignore[misc]
            def run(self) -> list[Any]:
                # What the program says may have changed, though the page has not.
                self.env.note_reread()
                nodes: list[Any] = self.parse_text_to_nodes("\n\n".join(tell()), allow_section_headings=True)
                return nodes

        return Told

    app.add_directive("games", directive(games))
    app.add_directive("commands", directive(commands))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
