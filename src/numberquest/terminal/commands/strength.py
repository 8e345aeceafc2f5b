"""What `levels` and `match` print: how strong the computer players are, worked out and played out."""

import sys
from functools import partial
from typing import Annotated, Any

from numberquest.core import dealer
from numberquest.core.contract import Game
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.play_out import BEGINS
from numberquest.core.rulebook import rules_in_force
from numberquest.players.asking import aside, closing
from numberquest.players.levels import PLAYERS
from numberquest.players.named import is_level, maker
from numberquest.report.report import Block, Column, Paragraph, Report, Table, TableRow, counted, in_lines
from numberquest.solver import TooLarge
from numberquest.study.levels import Levels, levels, results
from numberquest.study.policy_values import Pair
from numberquest.study.tournament import Matchup, Standing, expected_share, play_matchup, tournament
from numberquest.terminal.commands.arguments import game_with, whole_number
from numberquest.terminal.commands.progress import Progress
from numberquest.terminal.commands.report import answer
from numberquest.terminal.options import Begins, GameName, Json, SameGames, Set, option, positional
from numberquest.terminal.prompt.console import columns

MOST_GAMES = 10_000_000
SEATS = {
    "turns": "changing seats after each",
    "loser": "the loser begins the next",
    "winner": "the winner begins the next",
    "first": "the first always begins",
}
COUNTED = (
    *("games", "wins_a", "wins_b", "draws"),
    *("a_first_wins", "a_first_games", "a_second_wins", "a_second_games", "share_a"),
)


def run_levels(name: GameName, changes: Set = (), json: Json = False) -> None:
    game = game_with(name, changes)
    try:
        with Progress("Working out how strong the levels are") as progress:
            known = levels(game, progress=progress, warn=progress.tell)
    except TooLarge as error:
        raise UsageError(f"how strong the levels are cannot be worked out: {error}", FAILURE) from None
    answer(levels_report(known, columns(sys.stdout)), json=json)


def run_match(
    name: GameName,
    a: Annotated[str, positional("PLAYER", "a level, FILE.py:NAME, module:NAME, cmd:PROGRAM or llm:MODEL")],
    b: Annotated[str, positional("PLAYER", "another, or the same")],
    n: Annotated[str, option("so many games (1000)", "N", name="-n")] = "1000",
    seed: SameGames = None,
    begins: Begins = None,
    changes: Set = (),
    json: Json = False,
) -> None:
    game = game_with(name, changes)
    with aside():
        begins = begins or BEGINS[0]
        matchup, seed = played(game, a, b, n, seed, begins)
    answer(match_report(game, matchup, expected(game, matchup.standing, begins), seed, begins), json=json)


def levels_report(known: Levels, width: int | None = None) -> Report:
    title = f"{known.game.title}, {rules_in_force(known.game)}: how often each level wins, worked out exactly"
    chances = [
        (
            f"The row is Player {seat + 1}, the column Player {2 - seat}; how often the row wins",
            f"How often each wins as Player {seat + 1}",
            partial(known.chance, seat=seat),
        )
        for seat in (0, 1)
    ]
    if _can_be_drawn(known):
        drawn = "The row is Player 1, the column Player 2; how often nobody wins"
        chances.append((drawn, "How often nobody wins, by who is Player 1", partial(known.drawn)))
    narrow = width is not None and width < 9 * (len(known.names) + 1)
    tables: list[Block] = []
    for caption, short, chance in chances:
        shares = {row: {one: f"{100 * chance(row, one):.2f} %" for one in known.names} for row in known.names}
        if narrow:
            lines = [f"{short}:"]
            for row, against in shares.items():
                lines += [f"{row} against", *(f"  {one:<9}{share:>9}" for one, share in against.items())]
            tables.append([Paragraph(line) for line in lines])
        else:
            columns = [Column("", 9, left=True), *(Column(name, 9) for name in known.names)]
            rows = [TableRow([row, *against.values()]) for row, against in shares.items()]
            tables.append([Table(columns, [rows], caption)])
    slips = ", ".join(f"{level.name} {level.any_move}" for level in PLAYERS.values())
    slips = f"Of 100 moves, so many are just any move: {slips}. All the others are best moves."
    blocks = [[Paragraph(title)], *tables, [Paragraph(slips), Paragraph(_sentence(known))]]
    figures = {
        "game": known.game.slug,
        "settings": known.game.settings,
        "shares": {name: PLAYERS[name].any_move / 100 for name in known.names},
        "levels": list(known.names),
        "first": [list(row) for row in known.first],
        "draws": [list(row) for row in known.draws],
    }
    return Report(title, blocks, figures)


def _can_be_drawn(known: Levels) -> bool:
    return any(draw for row in known.draws for draw in row)


def _sentence(known: Levels) -> str:
    weakest, strongest = known.names[0], known.names[-1]
    drawn = f", and {100 * known.draws[0][0]:.2f} % are drawn" if _can_be_drawn(known) else ""
    if not known.matters and known.game.has_secrets:
        return (
            f"The five levels are equally strong in this game: Player 1 wins {100 * known.first[0][0]:.2f} % of the "
            f"games{drawn}. Choices can matter all the same: a player whose choices can be foreseen may win less."
        )
    if not known.matters:
        return (
            f"No choice matters in this game: however well anybody plays, Player 1 wins "
            f"{100 * known.first[0][0]:.2f} % of the games{drawn}."
        )
    wins, draws = (
        (count(strongest, weakest) + count(strongest, weakest, 1)) / 2 for count in (known.chance, known.drawn)
    )
    drawn = f", and {100 * draws:.2f} % are drawn" if drawn else ""
    return (
        f"Skill matters: if the two change seats after each game, {strongest} wins {100 * wins:.2f} % "
        f"of the games against {weakest}{drawn}."
    )


def played(
    game: Game[Any], a: str, b: str, games_text: str, seed: str | None, begins: str = "turns"
) -> tuple[Matchup, str]:
    games = whole_number("-n", games_text, 1, MOST_GAMES, what="a whole number of games")
    # Two of a kind are two players, each with a memory of its own.
    makers = maker(a), maker(b)
    seed = dealer.new_seed() if seed is None else dealer.seed_text(seed)
    first, second = (make() for make in makers)
    with closing(first, second):
        for one in dict.fromkeys((first, second)):
            with Progress(f"Solving {game.slug}") as progress:
                one.prepare(game, progress.tell, progress)
        with Progress("Playing") as progress:
            if is_level(first.name) and is_level(second.name):
                return Matchup(tournament(game, first.name, second.name, games, seed, progress, begins)), seed
            return play_matchup(game, first, second, games, seed, progress, begins), seed


def expected(game: Game[Any], standing: Standing, begins: str = "turns") -> float | None:
    """Which share of these games `a` wins on average, exactly; None where that cannot be worked out."""
    if not (is_level(standing.a) and is_level(standing.b)):
        return None
    first, second = Pair(standing.a, standing.b), Pair(standing.b, standing.a)
    try:
        with Progress("Working out what to expect") as progress:
            known = results(game, [first, second], progress=progress, warn=progress.tell)
    except TooLarge:
        return None
    return expected_share(begins, standing.games, known[first], known[second])


def match_report(game: Game[Any], matchup: Matchup, share: float | None, seed: str, begins: str = "turns") -> Report:
    standing = matchup.standing
    (low, high), speed = standing.interval, standing.games / max(standing.seconds, 1e-9)
    a = standing.a if standing.a != standing.b else f"the first {standing.a}"
    lines = [
        f"{game.title}, {rules_in_force(game)}: {standing.a} against {standing.b}, "
        f"{counted(standing.games, 'game')}, {SEATS[begins]} (seed {seed})",
        f"  {a} won {standing.wins_a:,} ({100 * standing.share_a:.2f} %{' of the points' if standing.draws else ''}): "
        f"{standing.a_first_wins:,} of {standing.a_first_games:,} as Player 1, "
        f"{standing.a_second_wins:,} of {standing.a_second_games:,} as Player 2",
        f"  95 % sure: the true share lies between {100 * low:.2f} % and {100 * high:.2f} %",
    ]
    if standing.draws:
        other = standing.b if standing.a != standing.b else f"the second {standing.b}"
        drawn = f"{standing.draws:,} {'was' if standing.draws == 1 else 'were'} drawn, half a point each"
        lines.insert(2, f"  {other} won {standing.wins_b:,}; {drawn}")
    lines += _troubles(matchup)
    if share is None and is_level(standing.a) and is_level(standing.b):
        why = "need not end" if game.has_secrets and game.longest is None else "are too large"
        lines.append(f"  What to expect exactly cannot be worked out: these rules {why}")
    elif share is not None:
        lines.append(f"  Worked out exactly: {100 * share:.2f} %")
    lines.append(f"  {standing.seconds:.2f} s, {speed:,.0f} games a second")
    figures = {
        "game": game.slug,
        "settings": game.settings,
        "a": standing.a,
        "b": standing.b,
        "seed": seed,
        **({} if begins == BEGINS[0] else {"begins": begins}),
        **{name: getattr(standing, name) for name in COUNTED},
        "low": low,
        "high": high,
        "expected": share,
        **dict(zip(("illegal_a", "illegal_b"), matchup.illegal, strict=True)),
        **dict(zip(("forfeits_a", "forfeits_b"), matchup.forfeits, strict=True)),
        "errors": matchup.errors,
        "missing": matchup.missing,
        "seconds": round(standing.seconds, 6),
        "games_per_second": round(speed),
    }
    return in_lines(lines[0], [lines], figures)


def _troubles(matchup: Matchup) -> list[str]:
    lines = []
    for name, illegal, forfeits in zip(
        (matchup.standing.a, matchup.standing.b), matchup.illegal, matchup.forfeits, strict=True
    ):
        if illegal:
            answers, lost = counted(illegal, "answer"), counted(forfeits, "game")
            lines.append(f"  {answers} of {name} were no allowed moves; {lost} lost by that")
    if matchup.errors:
        times = "once" if matchup.errors == 1 else f"{matchup.errors:,} times"
        lines.append(f"  An error broke a game off {times}; it was played again")
    if matchup.missing:
        lines.append(f"  {counted(matchup.missing, 'game')} could not be played to the end, and count for nobody")
    return lines
