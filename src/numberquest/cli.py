"""The command line: parses, then calls the rooms that do the work."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from numberquest.mistake import FAILURE, INTERRUPTED, Gone, Mistake, Stopped

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    Option = tuple[tuple[str, ...], dict[str, Any]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except Mistake as mistake:
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
        options = build_parser(arguments).parse_args(arguments)
        files = [*options.with_files, *getattr(options, "with_more", ())]
        if files:
            _bring(files)
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except (Mistake, Gone):
        raise
    except Exception as error:
        from numberquest.terminal.brought import what_went_wrong

        sentence = what_went_wrong(error)
        if sentence is None:
            raise
        raise Mistake(*sentence) from None


def _bring(files: Sequence[str]) -> None:
    """Make the games in these files known, here and in the processes that are started from here."""
    import os

    from numberquest.games import VARIABLE, bring

    for path in files:
        bring(path)
    named = filter(None, [os.environ.get(VARIABLE)])
    os.environ[VARIABLE] = os.pathsep.join([*named, *map(os.path.abspath, files)])


def build_parser(words: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Every command with its options; of words that name one, that one alone, which takes half the time."""
    import argparse

    from numberquest.terminal.folding import columns

    wide = min(88, columns(sys.stdout) or 88)

    class Parser(argparse.ArgumentParser):
        """Says what is wrong in one sentence, and where help is."""

        def __init__(self, **options: Any) -> None:
            # Without a width, argparse asks the terminal for one each time an option is added: 5 ms.
            super().__init__(formatter_class=lambda prog: argparse.HelpFormatter(prog, width=wide), **options)

        def error(self, message: str) -> Any:
            raise Mistake(f"{message}. See: {self.prog} --help")

    brought: dict[str, Any] = {
        "metavar": "FILE",
        "action": "append",
        "default": [],
        "help": "a game of somebody's own, in a file",
    }
    parser = Parser(prog="numberquest", description="Number games for two.", epilog="Alone: a menu.")
    parser.add_argument("--version", action="store_true", help="show the version")
    parser.add_argument("--with", dest="with_files", **brought)
    words_alone = "just the words: no colours, and where the game stands at every turn"
    parser.add_argument("--plain", action="store_true", help=words_alone)
    parser.set_defaults(run=_without_command)
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)

    def add(command: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int], options: list[Option]) -> None:
        command.add_argument("--with", dest="with_more", **brought)
        # Left out, it leaves what was said before the command as it is.
        command.add_argument("--plain", action="store_true", default=argparse.SUPPRESS, help="just the words")
        for names, how in options:
            command.add_argument(*names, **how)
        command.set_defaults(run=run)

    for name in COMMANDS if words is None else _needed(words):
        what, run, options = COMMANDS[name]
        command = commands.add_parser(name, help=what)
        if isinstance(options, list):
            add(command, run, options)
            continue
        *some, last = options
        one_of = f"{', '.join(some)} or {last}"
        parts = command.add_subparsers(metavar=one_of, dest="what", required=True, parser_class=Parser)
        for part, (help_, more) in options.items():
            add(parts.add_parser(part, help=help_), run, more)
    return parser


def _needed(words: Sequence[str]) -> Iterable[str]:
    """The command that the words name; where they name none, any of them."""
    before = [None, *words]
    for word, last in zip(words, before, strict=False):
        if not word.startswith("-") and last != "--with":
            return [word] if word in COMMANDS else COMMANDS
    return COMMANDS


def _version() -> int:
    from numberquest import __version__

    print(f"numberquest {__version__}")
    return 0


def _without_command(options: argparse.Namespace) -> int:
    return _version() if options.version else _menu(plain=options.plain)


def _menu(*, plain: bool) -> int:
    from numberquest.terminal.console import Console
    from numberquest.terminal.menu import menu

    menu(Console.standard(plain=plain))
    return 0


def _list(options: argparse.Namespace) -> int:
    from numberquest.games import GAMES
    from numberquest.terminal.solving import proved_of
    from numberquest.wording import sentence

    if options.json:
        import json

        rows = []
        for slug, kind in GAMES.items():
            value, proved = proved_of(kind())
            row = {"game": slug, "title": kind.title, "summary": kind.summary}
            rows.append({**row, "value": value, "proved": proved})
        print(json.dumps(rows, indent=2))
    else:
        wide = max(map(len, GAMES)) + 1
        for slug, kind in GAMES.items():
            _, proved = proved_of(kind())
            line = f"{slug:<{wide}} {sentence(kind.summary)} {sentence(proved)}"
            if options.plain:
                # One line each, however narrow the terminal is.
                print(line, flush=True)
            else:
                _show(line)
    return 0


def _rules(options: argparse.Namespace) -> int:
    from numberquest import rulebook
    from numberquest.terminal.arguments import game_with
    from numberquest.terminal.solving import proved_of

    if options.json and options.html:
        raise Mistake("--json is for programs and --html for paper: choose one")
    game = game_with(options.game, options.set)
    value, proved = proved_of(game)
    if options.html:
        from numberquest.terminal.handout import handout

        print(handout(game, proved if value is not None else None), end="")
    elif options.json:
        import json

        print(json.dumps({**rulebook.rulebook_data(game), "proved": proved}, indent=2))
    else:
        from shutil import get_terminal_size

        how = "Not proved" if value is None else "Proved by looking at every position"
        print(f"{rulebook.rulebook(game, get_terminal_size().columns)}\n\n{how}: {proved}.")
    return 0


def _play(options: argparse.Namespace) -> int:
    from numberquest.terminal.console import Console
    from numberquest.terminal.play import PlayOptions, run, series_for

    series = series_for(PlayOptions(**{name: getattr(options, name) for name in PlayOptions._fields}))
    run(series, Console.standard(plain=options.plain))
    return 0


def _solve(options: argparse.Namespace) -> int:
    from numberquest.terminal import solving
    from numberquest.terminal.arguments import game_with
    from numberquest.terminal.position import position_after

    game = game_with(options.game, options.set)
    entries, position = position_after(game, options.after)
    solution = solving.solved(game, device=options.device)
    if options.json:
        import json

        print(json.dumps(solving.as_data(solution, entries, position)))
    else:
        _show(solving.solution_in_words(solution, entries, position))
    return 0


def _review(options: argparse.Namespace) -> int:
    from numberquest.terminal import review as reviews
    from numberquest.terminal.arguments import check_players, read_record
    from numberquest.terminal.console import Console
    from numberquest.terminal.play import play_on

    _check_review(options)
    console = Console.standard(plain=options.plain)
    if options.retry:
        path = options.files[0]
        record = read_record(path)
        found = reviews.reviewed(record)
        check_players(path, record)
        play_on(reviews.retry(console, record, found), console)
        return 0
    from numberquest.terminal import many_reviews

    if options.json:
        return many_reviews.print_data(options.files, options.svg, force=options.force)
    if options.csv:
        return many_reviews.print_table(options.files)
    return many_reviews.show(options.files, console, options.svg, force=options.force)


def _check_review(options: argparse.Namespace) -> None:
    """`Mistake` where what was asked for does not go together."""
    if options.retry and (options.json or options.csv or options.svg):
        raise Mistake("--retry plays on: leave --json, --csv and --svg out")
    if options.json and options.csv:
        raise Mistake("--json and --csv are two ways to write the same: choose one")
    if options.csv and options.svg:
        raise Mistake("--csv makes one table and --svg one picture: choose one")
    if options.force and not options.svg:
        raise Mistake("--force writes over a picture, so say which: --svg FILE")
    if options.retry and "-" in options.files:
        raise Mistake("--retry asks at the keyboard, so the record must be in a file")
    for option, asked in (("--retry", options.retry), ("--svg", options.svg)):
        if asked and len(options.files) > 1:
            raise Mistake(f"{option} is for one game: name one file")


def _puzzle(options: argparse.Namespace) -> int:
    from numberquest.terminal import puzzle
    from numberquest.terminal.console import Console

    asked = puzzle.PuzzleOptions(**{name: getattr(options, name) for name in puzzle.PuzzleOptions._fields})
    puzzle.run(asked, lambda: Console.standard(plain=options.plain))
    return 0


def _levels(options: argparse.Namespace) -> int:
    from numberquest.terminal import strength
    from numberquest.terminal.arguments import game_with

    known = strength.known_levels(game_with(options.game, options.set))
    if options.json:
        import json

        print(json.dumps(strength.levels_data(known)))
    else:
        from numberquest.terminal.folding import columns

        _show(strength.levels_in_words(known, columns(sys.stdout)))
    return 0


def _measure(options: argparse.Namespace) -> int:
    from numberquest.terminal import measure
    from numberquest.terminal.arguments import game_with

    game = game_with(options.game, options.set)
    pairs = measure.pairs_named(options.players)
    if options.json:
        import json

        # A program that names nobody means best play.
        players = pairs[0]
        print(json.dumps(measure.as_data(game, players, measure.measured(game, [players])[players])))
        return 0
    from numberquest.terminal.console import Console
    from numberquest.terminal.folding import columns

    console = Console.standard(plain=options.plain)
    found = measure.measured(game, pairs)
    looked_at = not options.plain and sys.stdout.isatty()
    print(measure.in_words(game, found, columns(sys.stdout) or 80, console.paint if looked_at else None), flush=True)
    return 0


def _match(options: argparse.Namespace) -> int:
    from numberquest.evaluate.asking import aside
    from numberquest.terminal import strength
    from numberquest.terminal.arguments import game_with

    game = game_with(options.game, options.set)
    with aside():
        bout, seed = strength.played(game, options.a, options.b, options.n, options.seed)
    share = strength.expected(game, bout.standing)
    if options.json:
        import json

        print(json.dumps(strength.match_data(game, bout, share, seed)))
    else:
        _show(strength.match_in_words(game, bout, share, seed))
    return 0


def _exam(options: argparse.Namespace) -> int:
    from numberquest.terminal import exam
    from numberquest.terminal.console import Console

    asked = exam.ExamOptions(**{name: getattr(options, name) for name in exam.ExamOptions._fields})
    return exam.run(asked, lambda: Console.standard(plain=options.plain), _show)


def _evaluate(options: argparse.Namespace) -> int:
    from numberquest.terminal import evaluation

    return _measured(options, evaluation.evaluated, evaluation.evaluation_in_words)


def _league(options: argparse.Namespace) -> int:
    from numberquest.terminal import evaluation

    return _measured(options, evaluation.league, evaluation.league_in_words)


def _measured(options: argparse.Namespace, measure: Callable[[Any], Any], in_words: Callable[[Any], str]) -> int:
    from numberquest.evaluate.asking import aside
    from numberquest.terminal.evaluation import EvaluateOptions

    asked = {name: getattr(options, name) for name in EvaluateOptions._fields if hasattr(options, name)}
    with aside():
        data = measure(EvaluateOptions(**asked))
    if options.json:
        import json

        print(json.dumps(data))
    else:
        _show(in_words(data))
    return 0


def _sweep(options: argparse.Namespace) -> int:
    from numberquest.terminal import sweep

    if options.json and options.out == sweep.STDOUT:
        raise Mistake("--json and --out - both go to standard output: choose one")
    found = sweep.swept(sweep.SweepOptions(**{name: getattr(options, name) for name in sweep.SweepOptions._fields}))
    if options.json:
        import json

        print(json.dumps(found.data()))
    elif options.out == sweep.STDOUT:
        print(found.csv(), end="")
    else:
        _show(sweep.sweep_in_words(found))
    return 0


def _design(options: argparse.Namespace) -> int:
    from numberquest.terminal import design

    asked = {name: getattr(options, name) for name in design.DesignOptions._fields}
    found = design.designed(design.DesignOptions(**asked))
    if options.json:
        import json

        print(json.dumps(found.data()))
    else:
        _show(design.design_in_words(found, options.game))
    return 0


def _mcp(options: argparse.Namespace) -> int:
    from numberquest.terminal import mcp

    mcp.run(mcp.McpOptions(**{name: getattr(options, name) for name in mcp.McpOptions._fields}))
    return 0


def _check(options: argparse.Namespace) -> int:
    from numberquest.games import GAMES
    from numberquest.games.laws import report

    lines, holds = report(options.file, GAMES.own)
    for line in lines:
        _show(line)
    return 0 if holds else FAILURE


def _cache(options: argparse.Namespace) -> int:
    from numberquest.terminal import cache

    print(cache.cleared() if options.clear else cache.shown())
    return 0


def _games(options: argparse.Namespace) -> int:
    from numberquest.terminal import kept_games
    from numberquest.terminal.console import Console
    from numberquest.terminal.play import PlayOptions, run, series_for

    deed = options.what or "list"
    if options.json and deed not in ("list", "review"):
        raise Mistake(f"games {deed} has no data to show: leave --json out")
    if options.file is not None and deed != "export":
        raise Mistake(f"games {deed} takes one game, and no file")
    if options.which is not None and deed == "list":
        raise Mistake("games list lists all games: leave the name out, or say show, resume, review, export or delete")
    console = Console.standard(plain=options.plain)
    if deed == "resume":
        run(series_for(PlayOptions(resume=kept_games.to_resume(options.which))), console)
    elif deed == "show":
        kept_games.show(console, options.which)
    elif deed == "review":
        kept_games.review(console, options.which, json=options.json)
    elif deed == "export":
        kept_games.export(options.which, options.file)
    elif deed == "delete":
        kept_games.delete(options.which)
    elif options.json:
        import json

        print(json.dumps(kept_games.as_data(), indent=2))
    else:
        kept_games.listed(console)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from numberquest.terminal.verify import verify

    return verify(options.files)


def _serve(options: argparse.Namespace) -> int:
    from numberquest.server import serve

    asked = {wish: getattr(options, wish) for wish in serve.ServeOptions._fields}
    return serve.run(serve.ServeOptions(**{wish: value for wish, value in asked.items() if value is not None}))


def _db(options: argparse.Namespace) -> int:
    from numberquest.server import db

    asked = {wish: getattr(options, wish) for wish in db.DbOptions._fields if hasattr(options, wish)}
    return db.run(db.DbOptions(**asked))


def _completion(options: argparse.Namespace) -> int:
    from numberquest.completion import SCRIPTS

    print(SCRIPTS[options.shell], end="")
    return 0


def _complete(words: Sequence[str]) -> int:
    from numberquest.completion import candidates

    for word in candidates(build_parser(), words[1:] if words[:1] == ["--"] else words):
        print(word)
    return 0


def _show(text: str) -> None:
    """Print text for people: where they look at a terminal, long lines are broken between words."""
    from numberquest.terminal.folding import columns, folded

    print(folded(text, columns(sys.stdout)), flush=True)


def _open_streams() -> None:
    """Give closed streams somewhere to go, and characters that a stream cannot show something to show instead."""
    import os

    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
        if hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors="replace")


def _let_go_of_output() -> None:
    """Whoever read our output is gone; Python must not complain about it when it ends."""
    import os

    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _option(*names: str, **how: Any) -> Option:
    return names, how


GAME: Final = _option("game", metavar="GAME", help="its short name, or its file")
FILE: Final = _option("file", metavar="FILE")
FILES: Final = _option("files", metavar="FILE", nargs="+", help="a record, or several; - is standard input")
SET: Final = _option("--set", metavar="NAME=VALUE", action="append", default=[], help="change a rule")
HTML: Final = _option("--html", action="store_true", help="as a handout to print")
FORCE: Final = _option("--force", action="store_true", help="write over a file of that name")
JSON: Final = _option("--json", action="store_true", help="as data")
DB: Final = _option("--db", metavar="WHERE", help="as for serve: a file, or postgresql://...")
DEVICE: Final = _option(
    "--device", choices=("cpu", "cuda"), default="cpu", help="where to solve it: cuda is a graphics card"
)
MEASURING: Final = [
    _option("--deals", metavar="N", default="100", help="so many deals, each played in both seats (100)"),
    _option("--seed", metavar="N", help="the same number gives the same games again"),
    SET,
    _option("--out", metavar="DIR", help="keep every game there; the same command goes on where it was"),
    _option("--jobs", metavar="N", default="1", help="so many games at a time, each on a core (1)"),
    _option("--cluster", metavar="ADDRESS", help="play on a cluster of Dask: tcp://host:8786"),
    _option("--tries", metavar="N", default="3", help="who answers so often with no allowed move loses (3)"),
    _option("--report", metavar="FILE", help="write it to this file of HTML, and the figures beside it as JSON"),
    FORCE,
    JSON,
]
SWEEPING: Final = [
    _option(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="values of a setting: target=20..60, copies=1,2, target=20..60..10, ops=all; others stay classic",
    ),
    _option("--most", metavar="N", help="leave out what has more positions than this (1,000,000,000)"),
    _option("--from", metavar="FILE", dest="start", help="take what a sweep has found before from its table"),
    _option("--plot", metavar="FILE", help="draw it into this file of SVG"),
    _option("--report", metavar="FILE", help="write it to this file of HTML, and the figures beside it as JSON"),
    _option("--server", metavar="ADDRESS", help="a server to play on, for the report: https://example.org"),
    _option("--jobs", metavar="N", default="1", help="so many settings at a time, each on a core (1)"),
    _option("--cluster", metavar="ADDRESS", help="work on a cluster of Dask: tcp://host:8786"),
    FORCE,
]

COMMANDS: Final[
    dict[str, tuple[str, Callable[[argparse.Namespace], int], list[Option] | dict[str, tuple[str, list[Option]]]]]
] = {
    "list": ("the games, one line each", _list, [JSON]),
    "rules": ("the rules of a game, and what they leave open", _rules, [GAME, SET, HTML, JSON]),
    "play": (
        "play a game",
        _play,
        [
            _option("game", metavar="GAME", nargs="?", help="its short name, or its file"),
            _option("--p1", metavar="WHO", help="Player 1: human, a level, FILE.py:NAME, cmd:PROGRAM or llm:MODEL"),
            _option("--p2", metavar="WHO", help="Player 2, in the same way"),
            _option("--names", metavar="A,B", help="the names of Player 1 and Player 2"),
            _option("--toss", action="store_true", help="a coin decides who is Player 1"),
            _option("--rounds", metavar="N", help="so many rounds, with points; seats change each round"),
            _option("--seed", metavar="N", help="the same number gives the same game again"),
            _option("--deal", metavar="3,7,1,...", help="fixes every reveal, or the first draws"),
            SET,
            _option("--coach", action="store_true", help="say after a move of yours what it gave away"),
            _option("--record", metavar="FILE", help="write the game to this file"),
            _option("--resume", metavar="FILE", help="go on with a saved game"),
            _option("--after", metavar="MOVES", help="start after these moves and reveals, with blanks between"),
            _option("--from", metavar="FILE", dest="start", help="start where the game in this file stands"),
        ],
    ),
    "games": (
        "your games, in progress and finished: list, resume, show, review, export, delete",
        _games,
        [
            _option(
                "what",
                nargs="?",
                choices=("list", "resume", "show", "review", "export", "delete"),
                help="what to do (list)",
            ),
            _option("which", metavar="WHICH", nargs="?", help="its number in the list, or its name; else the newest"),
            _option("file", metavar="FILE", nargs="?", help="where to export to; otherwise it is printed"),
            _option("--json", action="store_true", help="the list, or a review, as data"),
        ],
    ),
    "solve": (
        "the exact value of a position, and of every move",
        _solve,
        [
            GAME,
            SET,
            _option("--after", metavar="MOVES", default="", help="moves and reveals so far, with blanks between"),
            DEVICE,
            JSON,
        ],
    ),
    "review": (
        "what every move of a game was worth, and what was luck",
        _review,
        [
            FILES,
            JSON,
            _option("--csv", action="store_true", help="one table of all moves, for a spreadsheet"),
            _option("--svg", metavar="FILE", help="draw a picture of it into this file"),
            FORCE,
            _option("--retry", action="store_true", help="go back to the first mistake and play on from there"),
        ],
    ),
    "puzzle": (
        "find the only right move",
        _puzzle,
        [
            _option("game", metavar="GAME", nargs="?", help="a game, or the name of one certain puzzle"),
            _option("--daily", action="store_true", help="the puzzle of the day (UTC), the same for everybody"),
            _option("--date", metavar="YYYY-MM-DD", help="the daily puzzle of another day"),
            _option("--seed", metavar="N", help="the same number gives the same puzzles again"),
            _option("--count", metavar="N", dest="how_many", help="so many puzzles"),
            SET,
            _option("--sheet", metavar="FILE", help="write them to this file of HTML, to print, with the answers"),
            FORCE,
            _option("--json", action="store_true", help="as data, with the answer"),
        ],
    ),
    "levels": ("how often each computer player wins against each, exactly", _levels, [GAME, SET, JSON]),
    "measure": (
        "length, luck, skill, drama and fairness of a rule set, exactly",
        _measure,
        [
            GAME,
            _option("--players", metavar="LEVEL,LEVEL", help="between these two; otherwise perfect, medium and random"),
            SET,
            JSON,
        ],
    ),
    "match": (
        "computer against computer, many games",
        _match,
        [
            GAME,
            _option("a", metavar="PLAYER", help="a level, FILE.py:NAME, module:NAME, cmd:PROGRAM or llm:MODEL"),
            _option("b", metavar="PLAYER", help="another, or the same"),
            _option("-n", metavar="N", default="1000", help="so many games (1000)"),
            _option("--seed", metavar="N", help="the same number gives the same games again"),
            SET,
            JSON,
        ],
    ),
    "exam": (
        "positions that matter, one question each: how well does somebody play?",
        _exam,
        [
            _option("--list", action="store_true", help="the questions"),
            _option("--key", action="store_true", help="with what every move is worth"),
            _option("--who", metavar="WHO", help="who sits it: human, a computer player, an agent"),
            _option("--game", metavar="GAME", help="the questions of this game alone"),
            _option("--only", metavar="IDS", help="these questions alone, with commas between"),
            _option("--count", metavar="N", dest="how_many", help="so many questions of each game, easy and hard"),
            _option("--seed", metavar="N", help="another exam, as hard: the same number gives the same one again"),
            _option(
                "--tries", metavar="N", help="an answer that is no allowed move is asked for again, N times in all"
            ),
            _option("--report", metavar="FILE", help="write how it went to this file of HTML"),
            FORCE,
            JSON,
        ],
    ),
    "evaluate": (
        "how good an agent is, exactly: wins without luck, and what its choices give away",
        _evaluate,
        [
            GAME,
            _option("who", metavar="PLAYER", help="whom to measure: a level, ./file.py:name, or cmd:./engine"),
            _option(
                "--against",
                metavar="PLAYER,PLAYER",
                default="random,hard,perfect",
                help="the opponents (random,hard,perfect)",
            ),
            *MEASURING,
        ],
    ),
    "league": (
        "all against all, both seats, the same deals: how strong each is",
        _league,
        [GAME, _option("who", metavar="PLAYER", nargs="+", help="the players, two or more"), *MEASURING],
    ),
    "sweep": (
        "every combination of settings: who wins, how to begin, and what it is like",
        _sweep,
        [
            GAME,
            *SWEEPING,
            _option(
                "--players",
                metavar="PLAYER,PLAYER",
                default="perfect,perfect",
                help="the measures are those of games between these two (perfect,perfect)",
            ),
            _option("--measure", metavar="MEASURES", default="", help="further columns: length,luck,skill ..."),
            _option("--where", metavar="CONDITION", help="such rows alone: 'value>0.45 and copies==2'"),
            _option("--sort", metavar="COLUMN", help="by a column; fairness: nearest to one half first; length,down"),
            DEVICE,
            _option("--out", metavar="FILE", help="write the table there, .csv or .parquet; - is standard output"),
            JSON,
        ],
    ),
    "design": (
        "the settings that come nearest to what you wish",
        _design,
        [
            GAME,
            _option("--fair", metavar="X", help="so near to one half is Player 1's chance: 0.01"),
            _option("--length", metavar="A..B", help="so many moves has a game: 6..12, 6.. or ..12"),
            _option("--skill", metavar="X", help="such a share has skill in who wins, at least: 0.2"),
            *SWEEPING,
            _option(
                "--players",
                metavar="PLAYER,PLAYER",
                default="medium,medium",
                help="length and skill are those of games between these two (medium,medium)",
            ),
            JSON,
        ],
    ),
    "mcp": (
        "the games as tools for language models (Model Context Protocol)",
        _mcp,
        [
            _option("--http", metavar="PORT", help="over HTTP, for this computer; otherwise standard input and output"),
            _option("--analysis", action="store_true", help="also tell what positions and moves are worth"),
            _option("--seed", metavar="N", help="the same number deals the same games again"),
        ],
    ),
    "check": ("whether a game in a file keeps the laws of every game", _check, [FILE]),
    "cache": ("the solved games kept on disk", _cache, [_option("--clear", action="store_true", help="remove them")]),
    "verify": ("check that a record keeps the rules and its sealed deal", _verify, [FILES]),
    "serve": (
        "the web page and the API, for this computer and its network",
        _serve,
        [
            _option("--host", metavar="ADDRESS", help="listen there; otherwise the whole network can come"),
            _option("--port", metavar="N", help="listen on this port (8000)"),
            _option("--db", metavar="WHERE", help="a file, or postgresql://...; otherwise in your data folder"),
            _option("--log", metavar="FILE", help="write what happens there; - is standard error, none is nowhere"),
            _option("--rate", metavar="N", help="requests a second from one address, a quarter in one match (200)"),
            _option("--connections", metavar="N", help="open connections from one address (500)"),
            _option("--matches", metavar="N", help="open matches (20000)"),
            _option("--proxy", metavar="ADDRESS", help="a proxy at this address says where requests come from"),
            _option("--hosts", metavar="NAMES", help="answer to these names alone: example.org,play.example.org"),
            _option("--prefix", metavar="PATH", help="all addresses begin with this: /games"),
            _option("--metrics", metavar="WHOM", help="who may read /metrics: all, local or none (all)"),
            _option("--export", metavar="FOLDER", help="write finished and abandoned matches there, and end"),
        ],
    ),
    "db": (
        "the server's database: a backup, a check, a backup put back",
        _db,
        {
            "backup": (
                "one file with everything, also while a server runs",
                [FILE, DB, _option("--force", action="store_true", help="write over a backup of that name")],
            ),
            "check": ("whether everything in it is whole", [DB]),
            "restore": ("put a backup in its place, while no server runs", [FILE, DB]),
        },
    ),
    "completion": (
        "a script that completes commands in your shell",
        _completion,
        [_option("shell", choices=("bash", "zsh", "fish"))],
    ),
}
"""Each command: what it does, the function that does it, and its options; or what can be done, each with its own."""


if __name__ == "__main__":
    sys.exit(main())
