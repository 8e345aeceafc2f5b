"""The report of `evaluate`: what an agent wins, what it gives away and where, from the data alone."""

from __future__ import annotations

import shlex
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from numberquest.evaluate.decisions import FORFEIT
from numberquest.evaluate.report.board import BEST, CHOSEN, SIGNS, board
from numberquest.evaluate.report.charts import Column, Dot, columns, dots, key
from numberquest.evaluate.report.command import position_command
from numberquest.evaluate.report.figures import percentage, ranged, table, told, whole
from numberquest.paper import element, page
from numberquest.paper.style import STYLE
from numberquest.rulebook import rules_in_force
from numberquest.sentences import per_cent, percent
from numberquest.wording import either

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.report.figures import Cell

FEW: Final = 10
"""An average of fewer than this says little, and is drawn as an outline."""
MOST_COLUMNS: Final = 30
"""More moves than this are put together by twos, threes and so on."""
SERVER: Final = "http://localhost:8000"
"""Where the page is on the reader's own computer while it is served."""
SEATS: Final = {1: "one", 2: "two", None: "both"}


def evaluation_report(game: Game[Any], data: Mapping[str, Any], named: str | None = None) -> str:
    """The whole file. `named` is how the game was asked for, for the commands in it."""
    title = f"{data['agent']} in {game.title}"
    parts = [element("h1", title), element("p", _what(game, data), class_="faint")]
    if data["deals"]:
        parts += [*_head(data), *_shares(data), *_table(data), *_went_wrong(data)]
        if data["rows"][0]["decisions"] is None:
            parts.append(element("p", "What its choices are worth nobody knows: these rules are too large to solve."))
        else:
            parts += _where(data)
    parts += [*_exactly(data), *worst_moves(game, data, named), *_meaning(data)]
    return page(title, "\n".join(parts), STYLE)


def _what(game: Game[Any], data: Mapping[str, Any]) -> str:
    if not data["deals"]:
        return f"Worked out without one game; {rules_in_force(game)}."
    deals = f"{data['deals']:,} deal{'' if data['deals'] == 1 else 's'}, each in both seats"
    return f"{deals}; {rules_in_force(game)}; seed {data['seed']}."


def _head(data: Mapping[str, Any]) -> list[str]:
    """The answer in a few sentences, before any figure."""
    lines = []
    for row in data["rows"]:
        if row["seat"] is None and row["luck_free"] is not None:
            won = f"Against {row['opponent']} it wins {percentage(row['luck_free'])} without luck"
            best = (
                "" if row["best"] is None else f", and {percentage(row['best'])} of its choices that mattered were best"
            )
            lines.append(element("li", f"{won}{best}."))
    return ["<ul>", *lines, "</ul>"] if lines else []


def _shares(data: Mapping[str, Any]) -> list[str]:
    parts = [element("h2", "What it wins, without luck")]
    marks = [("one", "as Player 1"), ("two", "as Player 2"), ("both", "in both seats"), ("raw", "with luck")]
    if any(one["exact"] is not None for one in data["more"]):
        marks.append(("exact", "worked out exactly"))
    parts += [f"<p>{key(*marks)}</p>", '<div class="charts">']
    for opponent in data["opponents"]:
        rows = []
        for row, more in zip(data["rows"], data["more"], strict=True):
            if row["opponent"] != opponent:
                continue
            raw = (row["share"], row["low"], row["high"]) if row["share"] is not None else None
            free = told(ranged(row, "luck_free", "luck_free_low", "luck_free_high"))
            said = f"without luck {free}, with luck {told(ranged(row, 'share', 'low', 'high'))}"
            name = f"as Player {row['seat']}" if row["seat"] else "in both seats"
            figures = row["luck_free"], row["luck_free_low"], row["luck_free_high"]
            rows.append(Dot(name, SEATS[row["seat"]], said, *figures, raw, more["exact"]))
        parts.append(f"<figure>{element('figcaption', f'Against {opponent}')}")
        parts.append(f"{dots(f'What it wins against {opponent}, with 95 % intervals', rows)}</figure>")
    return [*parts, "</div>"]


def _table(data: Mapping[str, Any]) -> list[str]:
    exact = any(one["exact"] is not None for one in data["more"])
    heads = ["as Player", "games", "won", "without luck", *(["exactly"] if exact else [])]
    heads += ["choices", "mattered", "given away", "best"]
    groups = []
    for opponent in data["opponents"]:
        lines = []
        for row, more in zip(data["rows"], data["more"], strict=True):
            if row["opponent"] != opponent:
                continue
            cells: list[Cell] = [str(row["seat"] or "both"), whole(row["games"]), ranged(row, "share", "low", "high")]
            cells.append(ranged(row, "luck_free", "luck_free_low", "luck_free_high"))
            cells += [percentage(more["exact"])] if exact else []
            cells += [whole(row["decisions"]), whole(row["mattered"])]
            cells += [ranged(row, "regret", "regret_low", "regret_high"), percentage(row["best"])]
            lines.append((opponent, cells, "" if row["seat"] else "both"))
        groups.append(lines)
    caption = "In brackets: where the truth lies in 95 of 100 such evaluations."
    if any(one["draws"] for one in data["more"]):
        caption += " Draws are half a win."
    return [element("h2", "All figures"), table(caption, ["against", *heads], groups)]


def _went_wrong(data: Mapping[str, Any]) -> list[str]:
    """What went wrong, if anything did."""
    both = [{**row, **more} for row, more in zip(data["rows"], data["more"], strict=True) if row["seat"] is None]
    illegal, errors = sum(one["illegal"] for one in both), sum(one["errors"] for one in both)
    lines = []
    if illegal:
        lost = sum(one["forfeits"] for one in both)
        sentence = f"{illegal:,} answers were no allowed moves; after {data['tries']} of them in a row a game is lost"
        lines.append(element("p", f"{sentence}: {lost:,} were."))
    if errors:
        missing = sum(one["missing"] for one in both)
        often = "once" if errors == 1 else f"{errors:,} times"
        are = "game is" if missing == 1 else "games are"
        sentence = f"A provider failed {often}, which is no move and no loss; {missing:,} {are} missing."
        lines += [element("p", sentence), *(element("p", said, class_="faint") for said in data["said_by_providers"])]
    return lines


def _where(data: Mapping[str, Any]) -> list[str]:
    """What it gave away, by the number of the move and by what was at stake."""
    few = f"fewer than {FEW} choices"
    marks = f"<p>{key(('plain', 'as Player 1'), ('striped', 'as Player 2'), ('few', few))}</p>"
    wide = -(-max((one["move"] for one in data["by_move"]), default=1) // MOST_COLUMNS)

    def number(one: Mapping[str, Any]) -> tuple[float, str]:
        first = (one["move"] - 1) // wide * wide + 1
        return first, str(first) if wide == 1 else f"{first} to {first + wide - 1}"

    def stake(one: Mapping[str, Any]) -> tuple[float, str]:
        return one["up_to"], f"up to {per_cent(one['up_to'])}"

    risky = [one for one in data["by_stake"] if one["up_to"]]
    return [
        element("h2", "What its choices gave away"),
        element("p", "On average over the choices that mattered, of the winning chance against best play."),
        element("h3", "By the number of the move"),
        *_columned(data["by_move"], data["opponents"], number, "number of the move", marks),
        element("h3", "By what was at stake"),
        element("p", "How much the worst move would have given away.", class_="faint"),
        *_columned(risky, data["opponents"], stake, "at stake", marks),
    ]


def _columned(
    groups: Sequence[Mapping[str, Any]],
    opponents: Sequence[str],
    place: Callable[[Mapping[str, Any]], tuple[float, str]],
    below: str,
    marks: str,
) -> list[str]:
    charts, lines = [], []
    for opponent in opponents:
        found: dict[tuple[float, str, int], list[Mapping[str, Any]]] = {}
        for one in groups:
            if one["opponent"] == opponent:
                found.setdefault((*place(one), one["seat"]), []).append(one)
        drawn, rows = [], []
        for (_, name, seat), together in sorted(found.items()):
            mattered = sum(one["mattered"] for one in together)
            lost = sum((one["regret"] or 0.0) * one["mattered"] for one in together)
            right = sum((one["best"] or 0.0) * one["mattered"] for one in together)
            regret = lost / mattered if mattered else None
            best = right / mattered if mattered else None
            words = f"{percentage(regret)} given away, over {mattered:,} choices that mattered"
            drawn.append(
                Column(name, SEATS[seat], f"{below} {name}, as Player {seat}: {words}", regret, mattered < FEW)
            )
            rows.append((opponent, [name, str(seat), whole(mattered), percentage(regret), percentage(best)], ""))
        if drawn:
            title = f"What it gave away against {opponent}, by {below}"
            charts.append(
                f"<figure>{element('figcaption', f'Against {opponent}')}{columns(title, below, drawn)}</figure>"
            )
            lines.append(rows)
    if not charts:
        return [element("p", "No choice mattered.")]
    heads = ["against", below, "as Player", "choices that mattered", "given away", "best"]
    figures = table("", heads, lines)
    return [
        marks,
        '<div class="charts">',
        *charts,
        "</div>",
        f"<details><summary>The same as figures</summary>{figures}</details>",
    ]


def _exactly(data: Mapping[str, Any]) -> list[str]:
    exact = data["exact"]
    if exact is None:
        return [] if data["deals"] else [element("p", "Without games nothing can be said: it does not tell its odds.")]
    shares: dict[str, list[float]] = {}
    for one in exact["against"]:
        shares.setdefault(one["opponent"], []).append(one["share"])
    shares["a best response"] = [one["share"] for one in exact["best_response"]]
    lines = [
        (name, [percentage(one), percentage(two), percentage((one + two) / 2)], "")
        for name, (one, two) in shares.items()
    ]
    best = (
        "A best response knows how it plays, and plays as well against it as one can. So much less than best play it "
        f"gets then: {percentage(exact['exploitable'])}."
    )
    return [
        element("h2", "Worked out exactly, without playing"),
        table("", ["against", "as Player 1", "as Player 2", "both"], [lines]),
        element("p", best),
    ]


def worst_moves(game: Game[Any], data: Mapping[str, Any], named: str | None) -> list[str]:
    """The moves that gave most away, each drawn on its board."""
    if not data.get("worst"):
        return []
    cards = [line for number, one in enumerate(data["worst"], start=1) for line in _move(game, number, one, named)]
    # Where moves take no number and no cell there is nothing to mark, and nothing to explain.
    drawn = any(f'class="{mark}"' in card for card in cards for mark in SIGNS)
    marks = f"<p>{key((CHOSEN, '✕ what it chose'), (BEST, '✓ what was best'))}</p>" if drawn else ""
    return [element("h2", "The worst moves"), marks, '<div class="moves">', *cards, "</div>"]


def _move(game: Game[Any], number: int, one: Mapping[str, Any], named: str | None) -> list[str]:
    """A card: the board, what was chosen and what was best, and how to look further."""
    p = game.start()
    for entry in one["after"]:
        p = game.play(p, entry)
    names = (one["who"], one["opponent"]) if one["seat"] == 1 else (one["opponent"], one["who"])
    often = "" if one["times"] == 1 else f" Made {one['times']:,} times."
    chose = "no allowed move" if one["move"] == FORFEIT else one["move"]
    said = f"{number}. {chose} instead of {either(one['best'])}"
    where = f"{one['who']} against {one['opponent']}, deal {one['deal']}, as Player {one['seat']}"
    cost = f"The winning chance fell from {percentage(one['before'])} to {percentage(one['with_move'])}."
    file = one.get("file") or f"worst-{number:02}.nq"
    record = b64encode(one["record"].encode()).decode()
    short = file.replace("\\", "/").rsplit("/", 1)[-1]
    return [
        '<article class="answer">',
        element("h3", said),
        element("p", f"{where}, move {one['number']}.{often} {cost}"),
        board(game, p, one["move"], one["best"], names),
        f"<p>All moves here: {element('code', position_command(game, one['after'], named))}</p>",
        f'<p>The game: <a download="{escape(short)}" href="data:text/plain;base64,{record}">{escape(short)}</a>, '
        f"{element('code', f'numberquest review {shlex.quote(file)}')}, or, while numberquest serve runs, "
        f'<a href="{SERVER}/review#record={quote(one["record"], safe="")}">on its page</a></p>',
        "</article>",
    ]


def _meaning(data: Mapping[str, Any]) -> list[str]:
    lines = [
        (
            "Without luck",
            "What chance and the opponent's own dice brought is taken out, exactly. It estimates the same share as the "
            "games won, and scatters less.",
        ),
        ("Mattered", "The moves that were allowed differed in what they are worth."),
        (
            "Given away",
            "How much of its winning chance against best play a choice lost. It depends on the opponent and the seat, "
            "which decide what positions come up: compare it only where they are the same.",
        ),
        ("Intervals", "95 %, clustered by deal: games with the same deal are not independent."),
    ]
    if data["value"] is not None:
        lines.insert(0, ("Best play", f"With best play on both sides Player 1 wins {percent(data['value'])}."))
    said = "".join(f"<div>{element('dt', name)}{element('dd', text)}</div>" for name, text in lines)
    return [element("h2", "What the words mean"), f"<dl>{said}</dl>"]
