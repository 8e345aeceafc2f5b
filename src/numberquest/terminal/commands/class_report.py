"""`review --by player`: a row for each pupil of many records, and the slips that came most often."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from numberquest.core.contract import in_words
from numberquest.core.names import cells
from numberquest.core.record import Record
from numberquest.core.view import said
from numberquest.explain.review import MISTAKES, Review, Verdict
from numberquest.report import words
from numberquest.report.report import Column, Table, TableRow

HEADINGS: Final = ("Player", "Games", "Won", "Key moments", "Mistakes")
MOST_SLIPS: Final = 5
"""So many slips are told, the commonest first; one that came only once is nobody's habit."""


def pupils(reviewed: Iterable[tuple[Record, Review]]) -> list[tuple[str, int, int, str, int]]:
    """Of each person by name: games, games won, key moments found, and mistakes."""
    totals: dict[str, list[int]] = {}
    for record, found in reviewed:
        for seat in (seat for seat in (0, 1) if record.people[seat]):
            won = found.outcome is not None and found.outcome.winner == seat
            wrong = sum(one.player == seat and one.verdict in MISTAKES for one in found)
            now = (1, won, *found.key_moments[seat], wrong)
            totals[record.names[seat]] = list(map(sum, zip(totals.get(record.names[seat], [0] * 5), now, strict=True)))
    return [
        (name, games, won, f"{right} of {of}", wrong) for name, (games, won, right, of, wrong) in sorted(totals.items())
    ]


def slips(reviewed: Iterable[tuple[Record, Review]]) -> list[tuple[Record, Verdict, int]]:
    """The mistakes that people made more than once in a position, and how often, the commonest first."""
    times: Counter[object] = Counter()
    last: dict[object, tuple[Record, Verdict]] = {}
    for record, review in reviewed:
        for verdict in review:
            if verdict.verdict in MISTAKES and verdict.why and record.people[verdict.player]:
                game, p = review.game, record.match.positions[verdict.at]
                key = (game, game.canonical(p), verdict.move)
                times[key] += 1
                last[key] = record, verdict
    return [(*last[key], count) for key, count in times.most_common(MOST_SLIPS) if count > 1]


def class_report(reviewed: Sequence[tuple[Record, Review]], room: int | None = None) -> list[str]:
    """The table, or where there is no room for it a list; and the commonest slips with the reasons."""
    columns = [Column(head, left=at == 0) for at, head in enumerate(HEADINGS)]
    rows = [TableRow(tuple(map(str, row))) for row in pupils(reviewed)]
    if not rows:
        return ["Nobody but computers played these games."]
    lines = words.table(Table(columns, [rows]))
    if room is not None and max(map(cells, lines)) > room:
        heads = [head.lower() for head in HEADINGS[1:]]
        lines = [
            f"{name}: {', '.join(f'{head} {one}' for head, one in zip(heads, figures, strict=True))}"
            for name, *figures in pupils(reviewed)
        ]
    lines += ["", "The commonest slips"]
    for record, verdict, times in slips(reviewed):
        game = record.match.game
        where = "; ".join(said(game, record.match.positions[verdict.at]))
        lines += ["", f"{times} times in {game.short_title}: {verdict.move}, where it stood {where}."]
        lines.append(in_words(game, verdict.why))
    return lines if lines[-1] != "The commonest slips" else [*lines, "No mistake was made twice."]
