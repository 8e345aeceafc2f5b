"""The report of `evaluate`: the wins of an agent, its losses and their places, from the data alone."""

import shlex
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final
from urllib.parse import quote

from numberquest.core.contract import Game
from numberquest.core.play_out import positions_of
from numberquest.core.rulebook import rules_in_force
from numberquest.core.sentences import either, per_cent, percent
from numberquest.players.asking import LEAVE, LOSE, MOST_LEFT_OUT, RANDOM, TOKENS
from numberquest.players.levels import PLAYERS
from numberquest.report import charts
from numberquest.report.board import BEST, CHOSEN, SIGNS, board, position_command
from numberquest.report.html import element
from numberquest.report.report import (
    PAGE,
    WORDS,
    Block,
    Box,
    Column,
    Drawing,
    Estimate,
    Heading,
    Items,
    Key,
    Markup,
    Paragraph,
    Part,
    Report,
    Table,
    TableRow,
    Terms,
    counted,
    percentage,
    rough,
    whole,
)
from numberquest.report.words import short
from numberquest.study.decisions import FORFEIT
from numberquest.study.evaluation import BY_BEST_PLAY, BY_LEVELS, ENOUGH

FEW: Final = 10
"""An average of fewer than this says little, and is drawn as an outline."""
MOST_COLUMNS: Final = 30
"""More moves than this are put together by twos, threes and so on."""
MEANINGS: Final = {
    RANDOM: "counts as a random move",
    LOSE: "loses the game",
    LEAVE: "leaves its game out",
}
"""Words for the treatment of a missing answer."""
SERVER: Final = "http://localhost:8000"
"""Address of the page on the reader's computer while `serve` runs."""
SEATS: Final = {1: "one", 2: "two", None: "both"}
AGAINST: Final = (Column("against", 14, left=True), Column("as Player", 9))
Data = Mapping[str, Any]


def evaluation_report(game: Game[Any], data: Data, named: str | None = None) -> Report:
    """The answer of `evaluate`. `named` is how the game was asked for, for the commands in it."""
    # Where nothing was dealt, no seed plays a part.
    dealt = f"{counted(data['deals'], 'deal')}, each in both seats (seed {data['seed']})"
    what = f"{game.title}, {rules_in_force(game)}: {data['agent']}, {dealt if data['deals'] else 'without one game'}"
    blocks: list[Block] = [[Paragraph(what, "faint")]]
    if data["deals"]:
        blocks += [_head(data), _shares(data), *_wins(data), *_choices(data), _went_wrong(data)]
        if data["rows"][0]["decisions"] is not None:
            blocks.append(_where(data))
    blocks += [*_exactly(data), _worst(data), worst_moves(game, data, named), _meaning(data)]
    return Report(f"{data['agent']} in {game.title}", blocks, data)


def _head(data: Data) -> Block:
    """The answer in a few sentences, before any figure."""
    lines = []
    for row in data["rows"]:
        if row["seat"] is None and row["luck_free"] is not None:
            best = (
                "" if row["best"] is None else f", and {percentage(row['best'])} of its choices that mattered were best"
            )
            lines.append(f"Against {row['opponent']} it wins {percentage(row['luck_free'])} without luck{best}.")
    missing = sum(one["missing"] for one in data["more"] if one["seat"] is None)
    games = missing + sum(row["games"] for row in data["rows"] if row["seat"] is None)
    shares = {row["opponent"]: row["answered"] for row in data["rows"] if row["seat"] is None}
    each = ", ".join(f"{per_cent(share or 0)} against {opponent}" for opponent, share in shares.items())
    answered = "all" if min(share or 0 for share in shares.values()) == 1 else each
    return [*left_out(missing, games), Items(lines), Paragraph(f"Of its questions it answered {answered}.")]


def left_out(missing: int, games: int) -> list[Part]:
    """Say how many games were left out for a missing answer, and that many of them leave no interval."""
    if not missing:
        return []
    told = f"Left out, because an answer was missing: {missing:,} of {games:,} games."
    more = missing > MOST_LEFT_OUT * games
    why = " That is more than 2 %, so nobody can be 95 % sure of anything: no interval is told."
    return [Paragraph(told + why * more)]


def cut_off_sentence(count: int) -> list[Part]:
    """How many answers were cut off, and what helps."""
    if not count:
        return []
    told = f"Answers that were cut off before there was a move in them: {count:,}."
    return [Paragraph(f"{told} They are no wrong moves: raise how long an answer may be (max_tokens).")]


def token_sentence(tokens: Mapping[str, int]) -> list[Part]:
    """Tell how many tokens language models used, where their provider counts them."""
    of_each = " and ".join(f"{tokens[name]:,} for {what}" for name, what in TOKENS.items() if name in tokens)
    return [Paragraph(f"Tokens, as the provider counts them: {of_each}.")] if tokens else []


def _rows(data: Data, opponent: str) -> list[dict[str, Any]]:
    both = zip(data["rows"], data["more"], strict=True)
    return [{**more, **row} for row, more in both if row["opponent"] == opponent]


def _shares(data: Data) -> Block:
    marks = [("one", "as Player 1"), ("two", "as Player 2"), ("both", "in both seats"), ("raw", "with luck")]
    if any(one["exact"] is not None for one in data["more"]):
        marks.append(("exact", "worked out exactly"))
    drawn = []
    for opponent in data["opponents"]:
        rows = []
        for row in _rows(data, opponent):
            free, share = Estimate.of(row, "luck_free"), Estimate.of(row, "share", "")
            told = f"without luck {' '.join(free.told())}, with luck {' '.join(share.told())}"
            name = f"as Player {row['seat']}" if row["seat"] else "in both seats"
            raw = (row["share"], row["low"], row["high"]) if row["share"] is not None else None
            rows.append(charts.Dot(name, SEATS[row["seat"]], told, *free, raw, row["exact"]))
        title = f"What it wins against {opponent}, with 95 % intervals"
        drawn.append(Drawing(charts.Dots(title, rows), f"Against {opponent}"))
    return [Heading("What it wins, without luck"), Key(marks), Box(drawn, "charts")]


def _table(data: Data, columns: Sequence[tuple[Column, Callable[[Data], str | Estimate]]]) -> Table:

    def line(row: Data) -> TableRow:
        cells = [row["opponent"], str(row["seat"] or "both"), *(cell(row) for _, cell in columns)]
        return TableRow(cells, "" if row["seat"] else "both")

    groups = [[line(row) for row in _rows(data, opponent)] for opponent in data["opponents"]]
    return Table([*AGAINST, *(column for column, _ in columns)], groups)


def _wins(data: Data) -> list[Block]:
    columns: list[tuple[Column, Callable[[Data], str | Estimate]]] = [
        (Column("games", 8), lambda row: whole(row["games"])),
        (Column("share", 17), lambda row: Estimate.of(row, "share", "")),
        (Column("without luck", 20), lambda row: Estimate.of(row, "luck_free")),
    ]
    if any(one["exact"] is not None for one in data["more"]):
        columns.append((Column("exactly", 10), lambda row: percentage(row["exact"])))
    draws = " Draws are half a win." if any(one["draws"] for one in data["more"]) else ""
    between = "In brackets: where the truth lies in 95 of 100 such evaluations."
    told = between if any(row["low"] is not None for row in data["rows"]) else ""
    notes = [*filter(None, [f"{told}{draws}".strip()]), _luck_sentence(data)]
    fewer = [one["fewer"] for one in data["more"] if one["seat"] is None and one["fewer"]]
    # A handful of deals does not tell how far results scatter.
    if fewer and max(fewer) >= 1.2 and data["deals"] >= ENOUGH:
        low, high = min(fewer), max(fewer)
        times = " to ".join(dict.fromkeys((rough(low), rough(high))))
        notes.append(f"Without luck as much is known from {times} times fewer games.")
    return [[Heading("All figures"), _table(data, columns)], [Paragraph(note, "faint") for note in notes]]


def _luck_sentence(data: Data) -> str:
    by = {one["by"] for one in data["valued"]}
    if BY_LEVELS in by:
        near = [one["agent_as"] for one in data["valued"] if one["by"] == BY_LEVELS]
        names = " or ".join(name for name in PLAYERS if name in near)
        how = f"by the exact chances of {names}, the level that plays most like it"
    elif BY_BEST_PLAY in by:
        how = "by the chances under best play, as no more is known of these rules"
    else:
        return "Luck could not be taken out: nobody knows what positions are worth, or it did not help."
    return f"Luck is what chance and the opponent's dice brought, valued {how}."


def _choices(data: Data) -> list[Block]:
    if data["rows"][0]["decisions"] is None:
        return [[Paragraph("What its choices are worth nobody knows: these rules are too large to solve.")]]
    columns: list[tuple[Column, Callable[[Data], str | Estimate]]] = [
        (Column("choices", 9), lambda row: whole(row["decisions"])),
        (Column("mattered", 10), lambda row: whole(row["mattered"])),
        (Column("given away", 19), lambda row: Estimate.of(row, "regret")),
        (Column("best move", 12), lambda row: percentage(row["best"])),
    ]
    meaning = (
        "Given away: how much of its winning chance a choice lost on average, against best play,\n"
        "where the choice mattered. It depends on the opponent, who leads into other positions."
    )
    return [[Heading("What its choices gave away"), _table(data, columns)], [Paragraph(meaning, "faint")]]


def _went_wrong(data: Data) -> Block:
    both = [{**row, **more} for row, more in zip(data["rows"], data["more"], strict=True) if row["seat"] is None]
    illegal, forfeits, errors, missing = (
        sum(one[name] for one in both) for name in ("illegal", "forfeits", "errors", "missing")
    )
    block: list[Part] = []
    if illegal:
        sentence = f"{illegal:,} answers were no allowed moves; after {data['tries']} of them in a row a game is lost"
        block.append(Paragraph(f"{sentence}: {forfeits:,} were."))
    block += cut_off_sentence(sum(one["cut_off"] for one in both))
    if errors or missing:
        often = "once" if errors == 1 else f"{errors:,} times"
        told = data["said_by_providers"]
        why = f" ({told[0]}{'; and more' if len(told) > 1 else ''})" if told else ""
        meaning = MEANINGS[data["errors"]]
        block.append(Paragraph(f"No answer came {often}{why}. One that stays missing {meaning}."))
        block.append(Items(told[1:]))
    return block + token_sentence(data["tokens"] or {})


def _where(data: Data) -> Block:
    """Show the losses of an agent by the number of the move and by the stake."""
    wide = -(-max((one["move"] for one in data["by_move"]), default=1) // MOST_COLUMNS)

    def number(one: Data) -> tuple[float, str]:
        first = (one["move"] - 1) // wide * wide + 1
        return first, str(first) if wide == 1 else f"{first} to {first + wide - 1}"

    def stake(one: Data) -> tuple[float, str]:
        return one["up_to"], f"up to {per_cent(one['up_to'])}"

    risky = [one for one in data["by_stake"] if one["up_to"]]
    return [
        Heading("By the number of the move", 3),
        *_columned(data["by_move"], data["opponents"], number, "number of the move"),
        Heading("By what was at stake", 3),
        Paragraph("How much the worst move would have given away.", "faint", PAGE),
        *_columned(risky, data["opponents"], stake, "at stake"),
    ]


def _columned(
    groups: Sequence[Data], opponents: Sequence[str], place: Callable[[Data], tuple[float, str]], below: str
) -> list[Part]:
    drawn, tables = [], []
    for opponent in opponents:
        together: dict[tuple[float, str, int], list[Data]] = {}
        for one in groups:
            if one["opponent"] == opponent:
                together.setdefault((*place(one), one["seat"]), []).append(one)
        columns, lines = [], []
        for (_, name, seat), some in sorted(together.items()):
            mattered = sum(one["mattered"] for one in some)
            regret, best = (
                sum((one[field] or 0.0) * one["mattered"] for one in some) / mattered if mattered else None
                for field in ("regret", "best")
            )
            title = f"{below} {name}, as Player {seat}: {percentage(regret)} given away, over {mattered:,} choices"
            columns.append(charts.Column(name, SEATS[seat], f"{title} that mattered", regret, mattered < FEW))
            lines.append(TableRow([opponent, name, str(seat), whole(mattered), percentage(regret), percentage(best)]))
        if columns:
            chart = charts.Columns(f"What it gave away against {opponent}, by {below}", below, columns)
            drawn.append(Drawing(chart, f"Against {opponent}"))
            tables.append(lines)
    if not drawn:
        return [Paragraph("No choice mattered.", only=PAGE)]
    heads = ("against", below, "as Player", "choices that mattered", "given away", "best")
    return [
        Key([("plain", "as Player 1"), ("striped", "as Player 2"), ("few", f"fewer than {FEW} choices")]),
        Box(drawn, "charts"),
        Box([Table([Column(head) for head in heads], tables)], tag="details", summary="The same as figures"),
    ]


def _exactly(data: Data) -> list[Block]:
    exact = data["exact"]
    if exact is None:
        nothing = "Without games nothing can be said: it does not tell its odds here."
        return [] if data["deals"] else [[Paragraph(nothing)]]
    shares: dict[str, list[float]] = {}
    for one in exact["against"]:
        shares.setdefault(one["opponent"], []).append(one["share"])
    shares["a best response"] = [one["share"] for one in exact["best_response"]]
    lines = [
        TableRow([name, percentage(one), percentage(two), percentage((one + two) / 2)])
        for name, (one, two) in shares.items()
    ]
    heads = [Column("worked out exactly against", 28, left=True), Column("as Player 1", 13), Column("as Player 2", 13)]
    best = (
        "A best response knows how it plays, and plays as well against it as one can. So much less than "
        f"best play it gets then: {percentage(exact['exploitable'])}."
    )
    table = Table([*heads, Column("both", 10)], [lines])
    return [[Heading("Worked out exactly, without playing"), table], [Paragraph(best)]]


def _worst(data: Data) -> Block:
    if not data["worst"]:
        return []
    lines = ["Its worst moves:"]
    for number, one in enumerate(data["worst"], start=1):
        best = " or ".join(one["best"][:3]) + (" or …" if len(one["best"]) > 3 else "")
        often = "" if one["times"] == 1 else f", {one['times']:,} times"
        where = f"against {short(one['opponent'], 20)}, deal {one['deal']}, move {one['number']}"
        cost = f"from {percentage(one['before'])} to {percentage(one['with_move'])}"
        lines.append(f"{number:>3}. {where}: {one['move']} instead of {best}, {cost}{often}")
    files = [one["file"] for one in data["worst"] if one.get("file")]
    if files:
        lines.append(f"Each can be reviewed: numberquest review {files[0]}")
    else:
        lines.append(
            "To review them: --out DIR keeps each as a file, and --report FILE.html shows them on their boards."
        )
    return [Paragraph(line, only=WORDS) for line in lines]


def worst_moves(game: Game[Any], data: Data, named: str | None) -> Block:
    """The moves that gave most away, each drawn on its board."""
    if not data.get("worst"):
        return []
    cards = [_move(game, number, one, named) for number, one in enumerate(data["worst"], start=1)]
    # Where moves take no number and no cell there is nothing to mark, and nothing to explain.
    drawn = any(f'class="{mark}"' in card for card in cards for mark in SIGNS)
    marks = [Key([(CHOSEN, "✕ what it chose"), (BEST, "✓ what was best")])] if drawn else []
    return [Heading("The worst moves"), *marks, Box([Markup(card) for card in cards], "moves")]


def _move(game: Game[Any], number: int, one: Data, named: str | None) -> str:
    """A card: the board, what was chosen and what was best, and how to look further."""
    p = positions_of(game, one["after"])[-1]
    names = (one["who"], one["opponent"]) if one["seat"] == 1 else (one["opponent"], one["who"])
    often = "" if one["times"] == 1 else f" Made {one['times']:,} times."
    chose = "no allowed move" if one["move"] == FORFEIT else one["move"]
    title = f"{number}. {chose} instead of {either(one['best'])}"
    where = f"{one['who']} against {one['opponent']}, deal {one['deal']}, as Player {one['seat']}"
    cost = f"The winning chance fell from {percentage(one['before'])} to {percentage(one['with_move'])}."
    file = one.get("file") or f"worst-{number:02}.nq"
    record = b64encode(one["record"].encode()).decode()
    short = file.replace("\\", "/").rsplit("/", 1)[-1]
    card = [
        '<article class="answer">',
        element("h3", title),
        element("p", f"{where}, move {one['number']}.{often} {cost}"),
        board(game, p, one["move"], one["best"], names),
        f"<p>All moves here: {element('code', position_command(game, one['after'], named))}</p>",
        f'<p>The game: <a download="{escape(short)}" href="data:text/plain;base64,{record}">{escape(short)}</a>, '
        f"{element('code', f'numberquest review {shlex.quote(file)}')}, or, while numberquest serve runs, "
        f'<a href="{SERVER}/review#record={quote(one["record"], safe="")}">on its page</a></p>',
        "</article>",
    ]
    return "\n".join(card)


def _meaning(data: Data) -> Block:
    meanings = {
        "Without luck": "What chance and the opponent's own dice brought is taken out, exactly. It estimates the same "
        "share as the games won, and scatters less.",
        "Mattered": "The moves that were allowed differed in what they are worth.",
        "Given away": "How much of its winning chance against best play a choice lost. It depends on the opponent and "
        "the seat, which decide what positions come up: compare it only where they are the same.",
        "Intervals": "95 %, clustered by deal: games with the same deal are not independent.",
    }
    if data["value"] is not None:
        best = f"With best play on both sides Player 1 wins {percent(data['value'])}."
        meanings = {"Best play": best, **meanings}
    return [Heading("What the words mean"), Terms(meanings)]
