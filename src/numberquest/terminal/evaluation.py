"""What `evaluate` and `league` do at the terminal: ask for the games, and say what came out in plain words."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest import dealer
from numberquest.crew import crew_of
from numberquest.evaluate import evaluation as evaluations
from numberquest.evaluate import league as leagues
from numberquest.evaluate.evaluation import BY_BEST_PLAY, BY_LEVELS, Evaluation
from numberquest.evaluate.game import Contest, Job, Row
from numberquest.evaluate.jobs import play, ready
from numberquest.evaluate.league import League
from numberquest.evaluate.rows import Rows, kept_seed
from numberquest.files import write_whole
from numberquest.mistake import FAILURE, Mistake
from numberquest.players import PLAYERS
from numberquest.record import HUMAN
from numberquest.rulebook import rules_in_force
from numberquest.settings import whole_in
from numberquest.terminal.arguments import game_with
from numberquest.terminal.messages import tell
from numberquest.terminal.progress import Progress
from numberquest.terminal.report import check_report, write_report

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numberquest.players import Player

MOST_DEALS: Final = 1_000_000
MOST_JOBS: Final = 256
MOST_TRIES: Final = 100
LONGEST_SEED: Final = 80
"""The number of a deal, and who plays, must still fit behind it."""


class EvaluateOptions(NamedTuple):
    """What somebody asked for at the command line, as it was typed."""

    game: str
    who: str | Sequence[str]
    deals: str
    set: Sequence[str] = ()
    against: str = "random,hard,perfect"
    seed: str | None = None
    out: str | None = None
    jobs: str = "1"
    cluster: str | None = None
    tries: str = "3"
    report: str | None = None
    force: bool = False


def evaluated(asked: EvaluateOptions) -> dict[str, Any]:
    """Play what is missing of an evaluation, and return all its figures."""
    opponents = list(dict.fromkeys(filter(None, asked.against.split(","))))
    agent = str(asked.who)
    if not opponents:
        raise Mistake("--against wants opponents, such as random,hard,perfect")
    check_report(asked.report, force=asked.force)
    contest, deals = _contest(asked, fewest=0)
    players = _players(contest, [agent, *opponents])
    jobs = evaluations.jobs_for(agent, opponents, range(deals))
    rows = _rows(asked, contest, jobs)
    with Progress("Working out what luck was") as progress:
        found = Evaluation(contest, agent, opponents, rows, progress)
    with Progress("Working out what to expect exactly") as progress:
        found.add_exact(players[agent], progress)
    data = found.data()
    _keep(asked.out, "evaluation.json", data)
    for number, one in enumerate(data["worst"], start=1):
        one["file"] = None if asked.out is None else os.path.join(asked.out, f"worst-{number:02}.nq")
        _write(one["file"], one["record"])
    if asked.report is not None:
        from numberquest.evaluate.report.evaluation import evaluation_report

        write_report(asked.report, evaluation_report(contest.game, data, asked.game), data, force=asked.force)
    return data


def league(asked: EvaluateOptions) -> dict[str, Any]:
    """Play what is missing of a league, and return all its figures."""
    names = list(asked.who)
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise Mistake(f"{' and '.join(sorted(twice))} cannot play in a league twice")
    if len(names) < 2:
        raise Mistake("a league needs two players or more")
    check_report(asked.report, force=asked.force)
    contest, deals = _contest(asked, fewest=1)
    _players(contest, names)
    rows = _rows(asked, contest, leagues.jobs_for(names, range(deals)))
    with Progress("Working out how strong they are") as progress:
        data = League(contest, names, rows, progress).data()
    _keep(asked.out, "league.json", data)
    if asked.report is not None:
        from numberquest.evaluate.report.league import league_report

        write_report(asked.report, league_report(contest.game, data, asked.game), data, force=asked.force)
    return data


def _contest(asked: EvaluateOptions, fewest: int) -> tuple[Contest, int]:
    game = game_with(asked.game, asked.set)
    deals = _whole("--deals", asked.deals, fewest, MOST_DEALS)
    tries = _whole("--tries", asked.tries, 1, MOST_TRIES)
    _whole("--jobs", asked.jobs, 1, MOST_JOBS)
    try:
        seed = dealer.seed_text(asked.seed or kept_seed(asked.out) or dealer.new_seed())
    except dealer.BadDeal as error:
        raise Mistake(str(error)) from None
    if len(seed) > LONGEST_SEED:
        raise Mistake(f"here a seed has at most {LONGEST_SEED} characters")
    return Contest(game, seed, tries), deals


def _whole(option: str, text: str, fewest: int, most: int) -> int:
    number = whole_in(text)
    if number is None or not fewest <= number <= most:
        raise Mistake(f"{option} wants a whole number from {fewest} to {most}, not {text}")
    return number


def _players(contest: Contest, names: Sequence[str]) -> dict[str, Player]:
    """Everybody, ready; here too, so that what is wrong with one is told before the first game."""
    if HUMAN in names:
        raise Mistake("nobody wants to play so many games by hand: name computer players and agents")
    players = {}
    for name in dict.fromkeys(names):
        with Progress(f"Solving {contest.game.slug}") as progress:
            players[name] = ready(name, contest, progress.tell, progress)
    return players


def _rows(asked: EvaluateOptions, contest: Contest, jobs: Sequence[Job]) -> list[Row]:
    """Every game that was asked for: those that were kept, and the others played."""
    with Rows(contest, asked.out) as rows, _told_where(rows, jobs):
        kept = len(jobs) - len(rows.missing(jobs))
        if kept and asked.out is not None:
            tell(f"{kept:,} of {len(jobs):,} games are in {rows.path} already.")
        if kept < len(jobs):
            with (
                crew_of(int(asked.jobs), asked.cluster) as crew,
                Progress(f"Playing {len(jobs):,} games", estimate=True) as progress,
            ):
                play(contest, jobs, rows, crew, progress)
        rows.bring_into_order(jobs)
        found = [rows.known[job] for job in jobs]
    if found and all(row.result is None for row in found):
        raise Mistake(f"no game could be played: {found[0].error}", FAILURE)
    return found


@contextmanager
def _told_where(rows: Rows, jobs: Sequence[Job]) -> Iterator[None]:
    """Whoever interrupts is told what is kept."""
    try:
        yield
    except KeyboardInterrupt:
        done = len(jobs) - len(rows.missing(jobs))
        if rows.path is not None:
            tell(f"\n{done:,} of {len(jobs):,} games are kept in {rows.path}: the same command goes on from there.")
        raise


def _keep(folder: str | None, name: str, data: dict[str, Any]) -> None:
    if folder is not None:
        _write(os.path.join(folder, name), json.dumps(data, indent=1) + "\n")


def _write(path: str | None, text: str) -> None:
    if path is None:
        return
    try:
        write_whole(path, [text.encode()])
    except OSError as error:
        raise Mistake(f"{path} cannot be written: {error.strerror}. The games are kept", FAILURE) from None


def evaluation_in_words(data: dict[str, Any]) -> str:
    """The answer of `evaluate` for a person, at 80 columns."""
    rows, more = data["rows"], data["more"]
    if not data["deals"]:
        # Nothing was dealt, so no seed plays a part.
        lines = [_named(data, f"{data['agent']}, without one game")]
    else:
        lines = [_title(data, f"{data['agent']}, {_deals(data['deals'])}, each in both seats")]
        lines += ["", *_wins(data, rows, more), "", *_choices(rows), *_counted(data)]
    lines += _exactly(data)
    lines += _worst(data)
    return "\n".join(lines)


def _title(data: dict[str, Any], what: str) -> str:
    return f"{_named(data, what)} (seed {data['seed']})"


def _named(data: dict[str, Any], what: str) -> str:
    game = game_with(data["game"], ())
    game = type(game)(**data["settings"])
    return f"{game.title}, {rules_in_force(game)}: {what}"


def _deals(number: int) -> str:
    return "1 deal" if number == 1 else f"{number:,} deals"


def _wins(data: dict[str, Any], rows: list[dict[str, Any]], more: list[dict[str, Any]]) -> list[str]:
    exact = any(one["exact"] is not None for one in more)
    head = f"{'against':<14}{'as Player':>9}{'games':>8}{'wins':>17}{'without luck':>20}"
    lines = [head + ("   exactly" if exact else "")]
    for row, beside in zip(rows, more, strict=True):
        seat = row["seat"] or "both"
        line = f"{_short(row['opponent'], 14):<14}{seat:>9}{row['games']:>8,}"
        line += f"{_estimate(row['share'], row['low'], row['high']):>17}"
        line += f"{_estimate(row['luck_free'], row['luck_free_low'], row['luck_free_high']):>20}"
        if exact:
            line += f"{_percent(beside['exact']):>10}"
        lines.append(line)
    lines += [
        "",
        "In brackets: where the truth lies in 95 of 100 such evaluations."
        + (" Draws are half a win." if any(one["draws"] for one in more) else ""),
        _luck_sentence(data),
    ]
    fewer = [one["fewer"] for one in more if one["seat"] is None and one["fewer"]]
    # A handful of deals does not tell how far results scatter.
    if fewer and max(fewer) >= 1.2 and data["deals"] >= evaluations.ENOUGH:
        low, high = min(fewer), max(fewer)
        range_ = f"{low:.1f}" if high - low < 0.05 else f"{low:.1f} to {high:.1f}"
        lines.append(f"Without luck as much is known from {range_} times fewer games.")
    return lines


def _luck_sentence(data: dict[str, Any]) -> str:
    by = {one["by"] for one in data["valued"]}
    if BY_LEVELS in by:
        near = [one["agent_as"] for one in data["valued"] if one["by"] == BY_LEVELS]
        names = " or ".join(name for name in PLAYERS if name in near)
        how = f"by the exact chances of {names}, the level that plays most like it"
    elif BY_BEST_PLAY in by:
        how = "by the chances under best play, as these rules are too large for more"
    else:
        return "Luck could not be taken out: nobody knows what positions are worth, or it did not help."
    return f"Luck is what chance and the opponent's dice brought, valued {how}."


def _choices(rows: list[dict[str, Any]]) -> list[str]:
    if rows[0]["decisions"] is None:
        return ["What its choices are worth nobody knows: these rules are too large to solve."]
    lines = [f"{'against':<14}{'as Player':>9}{'choices':>9}{'mattered':>10}{'given away':>19}{'best move':>12}"]
    for row in rows:
        given = _estimate(row["regret"], row["regret_low"], row["regret_high"])
        lines.append(
            f"{_short(row['opponent'], 14):<14}{row['seat'] or 'both':>9}{row['decisions']:>9,}{row['mattered']:>10,}"
            f"{given:>19}{_percent(row['best']):>12}"
        )
    return [
        *lines,
        "",
        "Given away: how much of its winning chance a choice lost on average, against best play,",
        "where the choice mattered. It depends on the opponent, who leads into other positions.",
    ]


def _counted(data: dict[str, Any]) -> list[str]:
    """What went wrong, if anything did."""
    total = {
        name: sum(row[name] for row in (*data["rows"], *data["more"]) if row["seat"] is None and name in row)
        for name in ("illegal", "forfeits", "errors", "missing")
    }
    lines = []
    if total["illegal"]:
        lines.append(
            f"{total['illegal']:,} answers were no allowed moves; after {data['tries']} of them in a row a game "
            f"is lost: {total['forfeits']:,} were."
        )
    if total["errors"]:
        lines.append(
            f"A provider failed {_times(total['errors'])}, which is no move and no loss; {total['missing']:,} "
            f"{'game is' if total['missing'] == 1 else 'games are'} missing{_why(data['said_by_providers'])}."
        )
    return ["", *lines] if lines else []


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _why(said: Sequence[str]) -> str:
    """What a provider said, to stand behind a sentence; the first of several."""
    return f" ({said[0]}{'; and more' if len(said) > 1 else ''})" if said else ""


def _exactly(data: dict[str, Any]) -> list[str]:
    exact = data["exact"]
    if exact is None:
        return [] if data["deals"] else ["", "Without games nothing can be said: it does not tell its odds here."]
    shares: dict[str, list[float]] = {}
    for one in exact["against"]:
        shares.setdefault(one["opponent"], []).append(one["share"])
    shares["a best response"] = [one["share"] for one in exact["best_response"]]
    lines = ["", f"{'worked out exactly against':<28}{'as Player 1':>13}{'as Player 2':>13}{'both':>10}"]
    for name, (one, two) in shares.items():
        lines.append(f"{name:<28}{_percent(one):>13}{_percent(two):>13}{_percent((one + two) / 2):>10}")
    return [
        *lines,
        "",
        "A best response knows how it plays, and plays as well against it as one can. So much less than "
        f"best play it gets then: {_percent(exact['exploitable'])}.",
    ]


def _worst(data: dict[str, Any]) -> list[str]:
    if not data["worst"]:
        return []
    lines = ["", "Its worst moves:"]
    for number, one in enumerate(data["worst"], start=1):
        best = " or ".join(one["best"][:3]) + (" or …" if len(one["best"]) > 3 else "")
        often = "" if one["times"] == 1 else f", {one['times']:,} times"
        lines.append(
            f"{number:>3}. against {_short(one['opponent'], 20)}, deal {one['deal']}, move {one['number']}: "
            f"{one['move']} instead of {best}, from {_percent(one['before'])} to {_percent(one['with_move'])}{often}"
        )
    files = [one["file"] for one in data["worst"] if one.get("file")]
    if files:
        lines.append(f"Each can be reviewed: numberquest review {files[0]}")
    else:
        lines.append(
            "To review them: --out DIR keeps each as a file, and --report FILE.html shows them on their boards."
        )
    return lines


def league_in_words(data: dict[str, Any]) -> str:
    """The answer of `league` for a person, at 80 columns."""
    lines = [_title(data, f"a league, {data['games']:,} games, {_deals(data['deals'])}, each in both seats"), ""]
    wide = min(24, max(7, *(len(one["who"]) + 1 for one in data["players"])))
    lines.append(f"    {'player':<{wide}}{'points':>9}{'share':>10}{'strength':>20}{'given away':>12}")
    tiers = {one["tier"] for one in data["players"]}
    before = None
    for number, one in enumerate(data["players"], start=1):
        if before not in (None, one["tier"]):
            lines.append("    -- those above have won every game against those below --")
        before = one["tier"]
        strength = "" if one["rating"] is None else f"{one['rating']:+.0f} ({one['low']:+.0f} to {one['high']:+.0f})"
        points = f"{one['points']:,.1f}".removesuffix(".0")
        lines.append(
            f"{number:>3} {_short(one['who'], wide):<{wide}}{points:>9}{_percent(one['share']):>10}"
            f"{strength or 'cannot be told':>20}{_percent(one['regret']):>12}"
        )
    lines += ["", *_seat_sentences(data, len(tiers))]
    lines += ["", *_crosstable(data, wide)]
    lost = [f"{one['who']} {one['illegal']:,}" for one in data["players"] if one["illegal"]]
    if lost:
        lines += ["", f"Answers that were no allowed moves: {', '.join(lost)}."]
    if data["missing"]:
        lines += ["", f"{data['missing']:,} games are missing, because a provider failed."]
    return "\n".join(lines)


def _seat_sentences(data: dict[str, Any], tiers: int) -> list[str]:
    lines = [
        "Strength: 400 points more win ten times for each loss; in brackets where it lies in 95 of 100 leagues.",
        "It is 0 on average, and says nothing about anybody who has not played here.",
    ]
    if tiers > 1:
        lines.append(
            "Who has won every game is stronger, but by how much such games cannot tell: there strength is told only "
            "among those who took games off each other."
        )
    for one in data["seats"]:
        if one["rating"] is None:
            lines.append("Who sits where decides too much here: no strengths fit these games.")
        else:
            lines.append(
                f"To be Player 1 is worth {one['rating']:+.0f} points ({one['low']:+.0f} to {one['high']:+.0f})."
            )
    if data["nothing_by_chance"]:
        lines.append(
            "Every deal went the same way: these players leave nothing to chance, and more deals tell no more."
        )
    return lines


def _crosstable(data: dict[str, Any], wide: int) -> list[str]:
    names = [one["who"] for one in data["players"]]
    lines = ["What the row made against the column, in both seats, in percent:"]
    lines.append(f"    {'':<{wide}}" + "".join(f"{number:>7}" for number in range(1, len(names) + 1)))
    for number, (name, row) in enumerate(zip(names, data["crosstable"], strict=True), start=1):
        cells = "".join(f"{'' if share is None else f'{100 * share:.1f}':>7}" for share in row)
        lines.append(f"{number:>3} {_short(name, wide):<{wide}}{cells}")
    return lines


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * min(max(share, 0.0), 1.0):.2f} %"


def _estimate(mean: float | None, low: float | None, high: float | None) -> str:
    if mean is None or low is None or high is None:
        return "-"
    mean, low, high = (100 * min(max(one, 0.0), 1.0) for one in (mean, low, high))
    return f"{mean:.1f} ({low:.1f}-{high:.1f})"


def _short(name: str, wide: int) -> str:
    """The end of a long name, which is what tells it from others."""
    return name if len(name) <= wide - 1 else f"…{name[2 - wide :]}"
