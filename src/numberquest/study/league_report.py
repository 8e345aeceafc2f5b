"""The report of `league`: strengths, results by seat, and what each player gave away."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.rulebook import rules_in_force
from numberquest.core.sentences import per_cent
from numberquest.report.charts import Dot, Dots
from numberquest.report.report import (
    PAGE,
    Block,
    Box,
    Column,
    Drawing,
    Estimate,
    Figure,
    Heading,
    Key,
    Paragraph,
    Part,
    Rating,
    Report,
    Share,
    Table,
    TableRow,
    counted,
    percentage,
    whole,
)
from numberquest.study.evaluation_report import cut_off_sentence, left_out, token_sentence, worst_moves

Data = Mapping[str, Any]
NUMBER: Final = Column("", 4, left=True)


def league_report(game: Game[Any], data: Data, named: str | None = None) -> Report:
    """The answer of `league`. `named` is how the game was asked for, for the commands in it."""
    dealt = f"{counted(data['deals'], 'deal')}, each in both seats (seed {data['seed']})"
    what = f"{game.title}, {rules_in_force(game)}: a league, {data['games']:,} games, {dealt}"
    # A name as long as this needs no more room.
    wide = min(24, max(7, *(len(one["who"]) + 1 for one in data["players"])))
    blocks: list[Block] = [
        [Paragraph(what, "faint")],
        [Heading("The table"), *left_out(data["missing"], data["games"] + data["missing"]), _players(data, wide)],
        _sentences(data),
        _strengths(data),
        [Heading("Who beat whom"), *_seats(data, wide)],
        _regrets(data),
        *_went_wrong(data),
        worst_moves(game, data, named),
    ]
    return Report(f"A league in {game.title}", blocks, data)


def _players(data: Data, wide: int) -> Table:
    tiers: dict[int, list[TableRow]] = {}
    for number, one in enumerate(data["players"], start=1):
        points = f"{one['points']:,.1f}".removesuffix(".0")
        strength = Rating(one["rating"], one["low"], one["high"])
        made = Figure(points, one["points"])
        cells = [f"{number:>3}", one["who"], made, whole(one["games"]), percentage(one["share"]), strength]
        answered = Figure(per_cent(one["answered"]), one["answered"])
        line = TableRow([*cells, Share.of(one, "regret"), percentage(one["best"]), answered])
        tiers.setdefault(one["tier"], []).append(line)
    columns = [Column("points", 9), Column("games"), Column("share", 10), Column("strength", 20)]
    columns += [Column("given away", 12), Column("best"), Column("answered", 10)]
    between = "    -- those above have won every game against those below --"
    return Table([NUMBER, Column("player", wide, left=True), *columns], list(tiers.values()), between=between, named=1)


def _sentences(data: Data) -> Block:
    lines = [
        "Strength: 400 points more win ten times for each loss; in brackets where it lies in 95 of 100 leagues.",
        "It is 0 on average, and says nothing about anybody who has not played here.",
    ]
    if len({one["tier"] for one in data["players"]}) > 1:
        lines.append(
            "Who has won every game is stronger, but by how much such games cannot tell: there strength is told only "
            "among those who took games off each other."
        )
    for one in data["seats"]:
        if one["rating"] is None:
            lines.append("Who sits where decides too much here: no strengths fit these games.")
        else:
            strength, between = Rating(one["rating"], one["low"], one["high"]).told()
            lines.append(f"{f'To be Player 1 is worth {strength} points {between}'.rstrip()}.")
    if data["nothing_by_chance"]:
        lines.append(
            "Every deal went the same way: these players leave nothing to chance, and more deals tell no more."
        )
    return [Paragraph(line) for line in lines]


def _strengths(data: Data) -> Block:
    parts: list[Part] = []
    for tier in dict.fromkeys(one["tier"] for one in data["players"]):
        known = {
            one["who"]: Rating(one["rating"], one["low"], one["high"])
            for one in data["players"]
            if one["tier"] == tier and one["rating"] is not None
        }
        rows = [Dot(name, "both", str(strength), *strength) for name, strength in known.items()]
        ends = [end for strength in known.values() for end in strength if end is not None and isfinite(end)]
        if rows:
            title = "How strong each is, with 95 % intervals"
            parts.append(Drawing(Dots(title, rows, min(ends), max(ends), percent=False)))
    return [Heading("How strong each is"), *parts] if parts else []


def _seats(data: Data, wide: int) -> Block:
    first = data["as_player_1"]
    places = range(len(first))
    second = [[None if (share := first[b][a]) is None else 1 - share for b in places] for a in places]
    made = "What the row made against the column, in both seats, in percent"
    # Side by side where there is room.
    apart = [_cross(data, "The row as Player 1", first, wide), _cross(data, "The row as Player 2", second, wide)]
    return [_cross(data, made, data["crosstable"], wide), Box(apart, "charts")]


def _cross(data: Data, caption: str, shares: Sequence[Sequence[float | None]], wide: int) -> Table:
    names = [one["who"] for one in data["players"]]
    lines = [
        TableRow(
            [f"{number:>3}", name, *("" if share is None else Figure(f"{100 * share:.1f}", share) for share in row)]
        )
        for number, (name, row) in enumerate(zip(names, shares, strict=True), start=1)
    ]
    columns = [NUMBER, Column("", wide, left=True), *(Column(str(number + 1), 7) for number in range(len(names)))]
    return Table(columns, [lines], caption, named=1)


def _regrets(data: Data) -> Block:
    known = {one["who"]: Estimate.of(one, "regret") for one in data["players"] if one["regret"] is not None}
    if not known:
        return []
    rows = [Dot(name, "both", " ".join(regret.told()), *regret) for name, regret in known.items()]
    top = max(0.01, *(regret.high or 0.0 for regret in known.values()))
    sentence = (
        "On average over the choices that mattered, of the winning chance against best play. It depends on whom one "
        "plays: here everybody played the same others, but nobody played themselves."
    )
    return [
        Heading("What their choices gave away"),
        Key([("both", "in both seats")]),
        Drawing(Dots("What choices gave away, with 95 % intervals", rows, 0.0, top)),
        Paragraph(sentence, "faint", PAGE),
    ]


def _went_wrong(data: Data) -> list[Block]:
    wrong = [f"{one['who']} {one['illegal']:,}" for one in data["players"] if one["illegal"]]
    blocks = [[Paragraph(f"Answers that were no allowed moves: {', '.join(wrong)}.")]] if wrong else []
    used = sum((Counter(one["tokens"]) for one in data["players"]), Counter[str]())
    return [*blocks, [*cut_off_sentence(sum(one["cut_off"] for one in data["players"])), *token_sentence(used)]]
