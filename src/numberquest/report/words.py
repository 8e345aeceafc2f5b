"""A report as text for a terminal."""

from collections.abc import Sequence

from numberquest.core.names import cells, padded
from numberquest.report.report import PAGE, Column, Paragraph, Report, Table


def words(report: Report) -> str:
    """The whole text: a blank line between blocks, and nothing of what only a page can show."""
    blocks = [
        [
            line
            for part in block
            if isinstance(part, Paragraph | Table) and part.only != PAGE
            for line in ([part.text] if isinstance(part, Paragraph) else table(part))
        ]
        for block in report.blocks
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def table(part: Table) -> list[str]:
    """A table: its caption, the heads, and a line for each row."""
    groups = [[[str(cell) for cell in line.cells] for line in group] for group in part.groups]
    lines_of = [[column.head for column in part.columns], *(line for group in groups for line in group)]
    widths = [max(map(cells, column)) for column in zip(*lines_of, strict=True)]
    columns = [_room(column, [line[at] for line in lines_of[1:]]) for at, column in enumerate(part.columns)]
    lines = [f"{part.caption}:"] if part.caption else []
    lines.append(_line(lines_of[0], columns, widths))
    for at, group in enumerate(groups):
        lines += [part.between] if at and part.between else []
        lines += [_line(line, columns, widths) for line in group]
    return lines


def _room(column: Column, below: Sequence[str]) -> Column:
    """As wide as its figures need, with a blank before them; what stands at the left is shortened instead."""
    if column.wide is None or column.left:
        return column
    return column._replace(wide=max([column.wide, *(cells(cell) + 1 for cell in below)]))


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    """Columns of a width of their own stand side by side; where none has one, two blanks stand between them."""
    if all(column.wide is None for column in columns):
        sized = zip(cells, columns, widths, strict=True)
        return "  ".join(padded(cell, wide, left=column.left) for cell, column, wide in sized).rstrip()
    return "".join(
        padded(short(cell, wide) if left else cell, wide, left=left)
        for cell, (_, wide, left) in zip(cells, columns, strict=True)
        if wide is not None
    )


def short(name: str, wide: int) -> str:
    """The end of a long name, which is what tells it from others."""
    if cells(name) < wide:
        return name
    return "…" + next(name[at:] for at in range(len(name) + 1) if cells(name[at:]) <= wide - 2)
