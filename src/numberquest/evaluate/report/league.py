"""The report of `league`: how strong each is, who beat whom in which seat, and what everybody gave away."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from numberquest.evaluate.report.charts import Dot, dots, key
from numberquest.evaluate.report.evaluation import worst_moves
from numberquest.evaluate.report.figures import percentage, ranged, table, told, whole
from numberquest.paper import element, page
from numberquest.paper.style import STYLE
from numberquest.rulebook import rules_in_force

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numberquest.contract import Game
    from numberquest.evaluate.report.figures import Cell


def league_report(game: Game[Any], data: Mapping[str, Any], named: str | None = None) -> str:
    """The whole file. `named` is how the game was asked for, for the commands in it."""
    title = f"A league in {game.title}"
    deals = f"{data['deals']:,} deal{'' if data['deals'] == 1 else 's'}, each in both seats"
    what = f"{data['games']:,} games, {deals}; {rules_in_force(game)}; seed {data['seed']}."
    parts = [element("h1", title), element("p", what, class_="faint"), *_players(data), *_strengths(data)]
    parts += [*_seats(data), *_regrets(data), *_went_wrong(data), *worst_moves(game, data, named)]
    return page(title, "\n".join(parts), STYLE)


def _players(data: Mapping[str, Any]) -> list[str]:
    lines: list[tuple[str, list[Cell], str]] = []
    for number, one in enumerate(data["players"], start=1):
        points = f"{one['points']:,.1f}".removesuffix(".0")
        cells: list[Cell] = [points, whole(one["games"]), percentage(one["share"]), _strength(one)]
        cells += [ranged(one, "regret", "regret_low", "regret_high"), percentage(one["best"])]
        lines.append((f"{number}. {one['who']}", cells, ""))
    tiers = [
        [line for line, one in zip(lines, data["players"], strict=True) if one["tier"] == tier] for tier in _tiers(data)
    ]
    caption = "In brackets: where the truth lies in 95 of 100 such leagues."
    heads = ["player", "points", "games", "share", "strength", "given away", "best"]
    parts = [element("h2", "The table"), table(caption, heads, tiers)]
    if len(tiers) > 1:
        sentence = (
            "A thicker line stands below those who have won every game against all who follow. By how much they are "
            "stronger such games cannot tell: strength is told only among those who took games off each other."
        )
        parts.append(element("p", sentence))
    return parts


def _tiers(data: Mapping[str, Any]) -> list[int]:
    return list(dict.fromkeys(one["tier"] for one in data["players"]))


def _strength(one: Mapping[str, Any]) -> Cell:
    if one["rating"] is None:
        return "cannot be told"
    return f"{one['rating']:+.0f}", f"({one['low']:+.0f} to {one['high']:+.0f})"


def _strengths(data: Mapping[str, Any]) -> list[str]:
    """The strengths drawn, tier by tier."""
    parts = []
    for tier in _tiers(data):
        rows = [
            Dot(one["who"], "both", told(_strength(one)), one["rating"], one["low"], one["high"])
            for one in data["players"]
            if one["tier"] == tier and one["rating"] is not None
        ]
        ends = [end for row in rows for end in (row.mean, row.low, row.high) if end is not None and isfinite(end)]
        if not rows:
            continue
        low, high = min(ends), max(ends)
        parts.append(
            f"<figure>{dots('How strong each is, with 95 % intervals', rows, low, high, percent=False)}</figure>"
        )
    if parts:
        parts.insert(0, element("h2", "How strong each is"))
        sentence = (
            "400 points more win ten times for each loss. It is 0 on average, and says nothing about anybody who has "
            "not played here."
        )
        parts.append(element("p", sentence, class_="faint"))
    return parts


def _seats(data: Mapping[str, Any]) -> list[str]:
    names = [one["who"] for one in data["players"]]
    parts = [element("h2", "Who beat whom")]
    for one in data["seats"]:
        said = "Who sits where decides too much here: no strengths fit these games."
        if one["rating"] is not None:
            said = f"To be Player 1 is worth {told(_strength(one))} points."
        parts.append(element("p", said))
    if data["nothing_by_chance"]:
        same = "Every deal went the same way: these players leave nothing to chance, and more deals tell no more."
        parts.append(element("p", same))
    second = [
        [None if (share := data["as_player_1"][b][a]) is None else 1 - share for b in range(len(names))]
        for a in range(len(names))
    ]
    parts.append(_cross("What the row made against the column, in both seats", names, data["crosstable"]))
    # Side by side where there is room.
    first = _cross("The row as Player 1", names, data["as_player_1"])
    parts.append(f'<div class="charts">{first}{_cross("The row as Player 2", names, second)}</div>')
    return parts


def _cross(caption: str, names: Sequence[str], shares: Sequence[Sequence[float | None]]) -> str:
    heads = ["player", *(str(number) for number in range(1, len(names) + 1))]
    lines = [
        (f"{number}. {name}", [percentage(share) if share is not None else "" for share in row], "")
        for number, (name, row) in enumerate(zip(names, shares, strict=True), start=1)
    ]
    return table(caption, heads, [lines])


def _regrets(data: Mapping[str, Any]) -> list[str]:
    rows = [
        Dot(
            one["who"],
            "both",
            told(ranged(one, "regret", "regret_low", "regret_high")),
            one["regret"],
            one["regret_low"],
            one["regret_high"],
        )
        for one in data["players"]
        if one["regret"] is not None
    ]
    if not rows:
        return []
    top = max(0.01, *(row.high or 0.0 for row in rows))
    sentence = (
        "On average over the choices that mattered, of the winning chance against best play. It depends on whom one "
        "plays: here everybody played the same others, but nobody played themselves."
    )
    return [
        element("h2", "What their choices gave away"),
        f"<p>{key(('both', 'in both seats'))}</p>",
        f"<figure>{dots('What choices gave away, with 95 % intervals', rows, 0.0, top)}</figure>",
        element("p", sentence, class_="faint"),
    ]


def _went_wrong(data: Mapping[str, Any]) -> list[str]:
    lines = []
    wrong = [f"{one['who']} {one['illegal']:,}" for one in data["players"] if one["illegal"]]
    if wrong:
        lines.append(element("p", f"Answers that were no allowed moves: {', '.join(wrong)}."))
    if data["missing"]:
        lines.append(element("p", f"{data['missing']:,} games are missing, because a provider failed."))
    return lines
