"""What `levels` and `match` print: how strong the computer players are, worked out and played out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from numberquest import dealer
from numberquest.evaluate.asking import closing
from numberquest.evaluate.bout import Bout, bout
from numberquest.evaluate.trouble import ProviderError
from numberquest.evaluate.who import is_level, maker
from numberquest.lab.levels import Levels, chances, levels
from numberquest.lab.mixed import Pair
from numberquest.lab.tournament import Standing, tournament
from numberquest.mistake import FAILURE, Mistake
from numberquest.players import PLAYERS
from numberquest.rulebook import rules_in_force
from numberquest.settings import BadSetting, whole_in
from numberquest.solver import TooLarge
from numberquest.terminal.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numberquest.contract import Game
    from numberquest.players import Player

MOST_GAMES = 10_000_000


def known_levels(game: Game[Any]) -> Levels:
    """How often each level wins against each, with progress shown; `Mistake` where it is too large."""
    try:
        with Progress("Working out how strong the levels are") as progress:
            return levels(game, progress=progress, warn=progress.tell)
    except TooLarge as error:
        raise Mistake(f"how strong the levels are cannot be worked out: {error}", FAILURE) from None


def levels_data(known: Levels) -> dict[str, object]:
    """The answer of `levels` with exactly the fields that programs rely on."""
    return {
        "game": known.game.slug,
        "settings": known.game.settings,
        "shares": {name: PLAYERS[name].any_move / 100 for name in known.names},
        "levels": list(known.names),
        "first": [list(row) for row in known.first],
        "draws": [list(row) for row in known.draws],
    }


def levels_in_words(known: Levels, width: int | None = None) -> str:
    """The answer of `levels` for a person, at a terminal that is so wide."""
    names = known.names
    lines = [f"{known.game.title}, {rules_in_force(known.game)}: how often each level wins, worked out exactly", ""]
    narrow = width is not None and width < 9 * (len(names) + 1)
    table = _list if narrow else _table
    for seat, other in ((0, 1), (1, 0)):
        lines.append(f"The row is Player {seat + 1}, the column Player {other + 1}; how often the row wins:")
        if narrow:
            lines[-1] = f"How often each wins as Player {seat + 1}:"
        lines += [*table(names, partial(known.chance, seat=seat)), ""]
    if _can_be_drawn(known):
        lines.append("The row is Player 1, the column Player 2; how often nobody wins:")
        if narrow:
            lines[-1] = "How often nobody wins, by who is Player 1:"
        lines += [*table(names, known.drawn), ""]
    lines.append(_slips())
    lines.append(_sentence(known))
    return "\n".join(lines)


def _table(names: Sequence[str], chance: Callable[[str, str], float]) -> list[str]:
    head = f"{'':<9}" + "".join(f"{name:>9}" for name in names)
    return [head, *(f"{row:<9}" + "".join(f"{100 * chance(row, one):>7.2f} %" for one in names) for row in names)]


def _list(names: Sequence[str], chance: Callable[[str, str], float]) -> list[str]:
    """The same where a terminal is too narrow for a table."""
    lines = []
    for row in names:
        lines += [f"{row} against", *(f"  {one:<9}{100 * chance(row, one):>7.2f} %" for one in names)]
    return lines


def _can_be_drawn(known: Levels) -> bool:
    return any(draw for row in known.draws for draw in row)


def _slips() -> str:
    parts = [f"{level.name} {level.any_move}" for level in PLAYERS.values()]
    return f"Of 100 moves, so many are just any move: {', '.join(parts)}. All the others are best moves."


def _sentence(known: Levels) -> str:
    """What the table says, in plain words."""
    weakest, strongest = known.names[0], known.names[-1]
    drawn = f", and {100 * known.draws[0][0]:.2f} % are drawn" if _can_be_drawn(known) else ""
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


def played(game: Game[Any], a: str, b: str, games_text: str, seed: str | None) -> tuple[Bout, str]:
    """Play the games that were asked for; `Mistake` where they cannot be. Returns the seed too."""
    games = whole_in(games_text)
    if games is None or not 1 <= games <= MOST_GAMES:
        raise Mistake(f"-n wants a whole number of games from 1 to {MOST_GAMES}, not {games_text}")
    try:
        # Two of a kind are two players, each with a memory of its own.
        first, second = maker(a), maker(b)
        seed = dealer.new_seed() if seed is None else dealer.seed_text(seed)
        ready = [first(), second()]
    except (BadSetting, dealer.BadDeal) as error:
        raise Mistake(str(error)) from None
    with closing(*ready):
        try:
            return _played(game, ready[0], ready[1], games, seed), seed
        except ProviderError as error:
            raise Mistake(str(error), FAILURE) from None


def _played(game: Game[Any], a: Player, b: Player, games: int, seed: str) -> Bout:
    for one in dict.fromkeys((a, b)):
        with Progress(f"Solving {game.slug}") as progress:
            one.prepare(game, progress.tell, progress)
    with Progress("Playing") as progress:
        if is_level(a.name) and is_level(b.name):
            return Bout(tournament(game, a.name, b.name, games, seed, progress))
        return bout(game, a, b, games, seed, progress)


def expected(game: Game[Any], standing: Standing) -> float | None:
    """Which share of these games `a` wins on average, exactly; None where that cannot be worked out."""
    if not (is_level(standing.a) and is_level(standing.b)):
        return None
    first, second = Pair(standing.a, standing.b), Pair(standing.b, standing.a)
    try:
        with Progress("Working out what to expect") as progress:
            known = chances(game, [first, second], progress=progress, warn=progress.tell)
    except TooLarge:
        return None
    wins = standing.a_first_games * known[first] + standing.a_second_games * (1 - known[second])
    return wins / standing.games


def match_data(game: Game[Any], bout: Bout, share: float | None, seed: str) -> dict[str, object]:
    """The answer of `match` with exactly the fields that programs rely on."""
    standing = bout.standing
    low, high = standing.interval
    return {
        "game": game.slug,
        "settings": game.settings,
        "a": standing.a,
        "b": standing.b,
        "seed": seed,
        "games": standing.games,
        "wins_a": standing.wins_a,
        "wins_b": standing.wins_b,
        "draws": standing.draws,
        "a_first_wins": standing.a_first_wins,
        "a_first_games": standing.a_first_games,
        "a_second_wins": standing.a_second_wins,
        "a_second_games": standing.a_second_games,
        "share_a": standing.share_a,
        "low": low,
        "high": high,
        "expected": share,
        "illegal_a": bout.illegal[0],
        "illegal_b": bout.illegal[1],
        "forfeits_a": bout.forfeits[0],
        "forfeits_b": bout.forfeits[1],
        "errors": bout.errors,
        "missing": bout.missing,
        "seconds": round(standing.seconds, 6),
        "games_per_second": round(_speed(standing)),
    }


def _speed(standing: Standing) -> float:
    return standing.games / max(standing.seconds, 1e-9)


def match_in_words(game: Game[Any], bout: Bout, share: float | None, seed: str) -> str:
    """The answer of `match` for a person."""
    standing = bout.standing
    low, high = standing.interval
    a = standing.a if standing.a != standing.b else f"the first {standing.a}"
    lines = [
        f"{game.title}, {rules_in_force(game)}: {standing.a} against {standing.b}, "
        f"{_games(standing.games)}, changing seats after each (seed {seed})",
        f"  {a} won {standing.wins_a:,} ({100 * standing.share_a:.2f} %{' of the points' if standing.draws else ''}): "
        f"{standing.a_first_wins:,} of {standing.a_first_games:,} as Player 1, "
        f"{standing.a_second_wins:,} of {standing.a_second_games:,} as Player 2",
        f"  95 % sure: the true share lies between {100 * low:.2f} % and {100 * high:.2f} %",
    ]
    if standing.draws:
        other = standing.b if standing.a != standing.b else f"the second {standing.b}"
        drawn = f"{standing.draws:,} {'was' if standing.draws == 1 else 'were'} drawn, half a point each"
        lines.insert(2, f"  {other} won {standing.wins_b:,}; {drawn}")
    lines += _troubles(bout)
    if share is None and is_level(standing.a) and is_level(standing.b):
        lines.append("  What to expect exactly cannot be worked out: these rules are too large")
    elif share is not None:
        lines.append(f"  Worked out exactly: {100 * share:.2f} %")
    lines.append(f"  {standing.seconds:.2f} s, {_speed(standing):,.0f} games a second")
    return "\n".join(lines)


def _troubles(bout: Bout) -> list[str]:
    """What went wrong with programs, a line each."""
    lines = []
    for name, illegal, forfeits in zip((bout.standing.a, bout.standing.b), bout.illegal, bout.forfeits, strict=True):
        if illegal:
            answers = "1 answer" if illegal == 1 else f"{illegal:,} answers"
            lines.append(f"  {answers} of {name} were no allowed moves; {_games(forfeits)} lost by that")
    if bout.errors:
        times = "once" if bout.errors == 1 else f"{bout.errors:,} times"
        lines.append(f"  An error broke a game off {times}; it was played again")
    if bout.missing:
        lines.append(f"  {_games(bout.missing)} could not be played to the end, and count for nobody")
    return lines


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number:,} games"
