"""A record looked at again: what is said of it, as words or as data, and the way back to a mistake."""

from itertools import islice
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game, in_words
from numberquest.core.errors import FAILURE, UsageError
from numberquest.core.names import cells
from numberquest.core.record import Record, result_of
from numberquest.core.rulebook import rulebook, titled
from numberquest.core.sentences import Said, either, in_points, per_cent, told
from numberquest.explain import review as facts
from numberquest.explain.review import RESIGNS, Review, Verdict, review
from numberquest.report import words
from numberquest.report.report import Column, Table, TableRow
from numberquest.solver.solution import ALIKE, Value, loses, wins
from numberquest.terminal.commands.solve import solved
from numberquest.terminal.prompt.console import Console, folded
from numberquest.terminal.prompt.dialogue import Refused, yes_no
from numberquest.terminal.prompt.keyboard_match import save


class ReviewRow(NamedTuple):
    """One line of the table: a move with its verdict, or a reveal with its luck."""

    number: str
    player: str
    move: str
    before: str
    after: str
    verdict: str
    best: str


WANTED: Final = "Type yes or no; save FILE writes the game to a file, rules shows the rules."
HEADINGS: Final = ("Player", "Move", "Before", "After", "Verdict", "Better was")
WIDEST_CHART: Final = 72
MOST_EXPLAINED: Final = 5
"""Number of mistakes that are explained, from the first one on."""


def reviewed(record: Record) -> Review:
    """The review of a record; `UsageError` where its game is too large to solve."""
    return review(record.match, solved(record.match.game), given=record.given)


def offer(console: Console, record: Record, *, kept: bool) -> Record | None:
    """Offer the review after a game; return the record for playing on from the first mistake."""
    console.say()
    if kept:
        console.say(
            "The game is kept: numberquest games lists it. To write it to a file as well, type save FILE.", "hint"
        )
    else:
        console.say("The game could not be kept. To write it to a file, type save FILE.", "refusal")
    if not _wanted(console, "See how it went? (yes/no): ", record):
        return None
    try:
        found = reviewed(record)
    except UsageError as why:
        console.refuse(f"This game cannot be reviewed: {why}.")
        return None
    console.say()
    show(console, found, record)
    mistake = found.first_mistake(record.people)
    if mistake is None:
        return None
    console.say()
    wanted = _wanted(console, f"Try again from move {mistake.number}, the first mistake? (yes/no): ", record)
    return retry(console, record, found) if wanted else None


def _wanted(console: Console, question: str, record: Record) -> bool:
    """A yes or a no; Enter alone is a no, and so is quit. The game that has just ended can still be saved."""
    while True:
        answer = console.question(question, WANTED, lambda _: rulebook(record.match.game, console.width))
        word, _, rest = answer.removeprefix("/").partition(" ")
        if word.lower() == "save":
            save(console, rest.strip(), record)
            continue
        if word.lower() in ("", "q", "quit", "exit"):
            return False
        try:
            return yes_no(answer)
        except Refused as refusal:
            console.refuse(refusal)


def show(console: Console, found: Review, record: Record) -> None:
    names = record.names

    def say(*sentences: Said) -> None:
        for one in sentences:
            console.say(in_words(found.game, one, names))

    console.say(titled(found.game), "heading")
    console.say(f"{names[0]} against {names[1]}. {in_words(found.game, facts.result(found), names)}")
    say(*facts.set_up(record.given))
    if not found.steps:
        say(*facts.turning_point(found))
        return
    console.say()
    for line in table(rows(found, names), console.room):
        console.say(line)
    console.say()
    if console.rich:
        from numberquest.terminal.commands.review_chart import chart

        for line in chart(found, names, min(WIDEST_CHART, console.width), console.paint):
            console.say(line)
    else:
        chances = [_worth(found.game, chance) for chance in (found.start, *(step.after for step in found.steps))]
        console.say(f"{facts.whose_chance(found, names[0])}, from the start on: {', '.join(chances)}.")
    console.say()
    say(*facts.turning_point(found), facts.key_moments(found), *facts.looked_ahead(record.ahead))
    for told_of in islice(facts.mistakes(found), MOST_EXPLAINED):
        console.say()
        say(*told_of)
    console.say()
    console.say("Luck and skill", "heading")
    say(*facts.luck_and_skill(found))


def rows(found: Review, names: tuple[str, str]) -> list[ReviewRow]:
    """The table, one row for each move and each reveal. Chances are those of the player in the row."""
    made, shown = iter(found), []
    for step in found.steps:
        if step.player == CHANCE:
            was, now = facts.seen_by(step.turn, step)
            change = round(100 * now) - round(100 * was)
            luck = f"luck, {'+' if change > 0 else '-'}{in_points(change / 100)}" if change else "luck, no change"
            row = ReviewRow("", names[step.turn], f"({step.entry})", per_cent(was), per_cent(now), luck, "")
        else:
            verdict = next(made)
            before, after = _told_apart(found.game, verdict)
            best = either(verdict.best) if verdict.loss > ALIKE and verdict.best else ""
            # What gave away less than anybody can see is no slip to people.
            judged = "nearly best" if best and before == after else told(Said(verdict.verdict))
            row = ReviewRow(str(verdict.number), names[verdict.player], verdict.move, before, after, judged, best)
        shown.append(row)
    return shown


def _worth(game: Game[Any], value: Value) -> str:
    """A chance to win; without luck a position is won, lost or a draw."""
    return per_cent(value) if game.uncertain or wins(value) or loses(value) else "draw"


def _told_apart(game: Game[Any], verdict: Verdict) -> tuple[str, str]:
    """The chance before and after a move; where something was given away, with as many digits as it takes to see it."""
    before, after = _worth(game, verdict.before), _worth(game, verdict.after)
    if verdict.loss > ALIKE and before == after:
        for digits in (1, 2):
            before, after = (f"{100 * float(chance):.{digits}f} %" for chance in (verdict.before, verdict.after))
            if before != after:
                break
    return before, after


def table(shown: list[ReviewRow], room: int | None = None) -> list[str]:
    """The rows under their headings, in columns as wide as they need to be; where there is no room for them, a list."""
    columns = [Column("No"), *(Column(head, left=True) for head in HEADINGS)]
    lines = words.table(Table(columns, [[TableRow(row) for row in shown]]))
    return lines if room is None or max(map(cells, lines)) <= room else _listed(shown, room)


def _listed(shown: list[ReviewRow], room: int) -> list[str]:
    """Each row on two lines or three, for a narrow terminal."""
    lines = []
    for row in shown:
        lines += [f"{row.number:>2}  {row.player}: {row.move}", f"    {row.before} → {row.after}, {row.verdict}"]
        if row.best:
            lines.append(f"    better was {row.best}")
    return [piece for line in lines for piece in folded(line, room).split("\n")]


def as_data(record: Record, found: Review) -> dict[str, object]:
    """The review with the fields that docs/review.md describes; players are 1 and 2."""
    match = record.match
    turning, values = found.turning_point, (found.start, *found.given_away, found.luck, found.end)
    exact = None if any(isinstance(value, float) for value in values) else [str(value) for value in values]
    return {
        "game": match.game.slug,
        "settings": match.game.settings,
        "names": list(record.names),
        "result": result_of(match),
        "hints": list(record.hints),
        "start": float(found.start),
        "end": float(found.end),
        "given_away": [float(given) for given in found.given_away],
        "luck": float(found.luck),
        **({} if found.mixing is None else {"mixing": [float(part) for part in found.mixing]}),
        "exact": exact and dict(zip(("start", "given_away_1", "given_away_2", "luck", "end"), exact, strict=True)),
        "accuracy": list(found.accuracy),
        "key_moments": [{"found": right, "of": of} for right, of in found.key_moments],
        "moves": [
            {**verdict.data, "key": verdict.key, "why": in_words(match.game, verdict.why, record.names)}
            for verdict in found
        ],
        "steps": [
            {
                "entry": step.entry,
                "reveal": step.player == CHANCE,
                "player": step.turn + 1,
                "before": float(step.before),
                "after": float(step.after),
            }
            for step in found.steps
        ],
        "turning_point": None if turning is None else found.steps.index(turning) + 1,
    }


def before_mistake(record: Record, mistake: Verdict) -> Record:
    """Return the match with the same deal up to the mistake, for playing on from there."""
    again = record.cut_back(mistake.at)
    return again._replace(other=(*again.other, ("Retry", str(mistake.number))))


def retry(console: Console, record: Record, found: Review) -> Record:
    """Say where it goes back to, and what is the same as before; the record to play on with."""
    mistake = found.first_mistake(record.people)
    if mistake is None:
        raise UsageError("no person made a mistake in this game, so there is nothing to try again", FAILURE)
    name = record.names[mistake.player]
    did = "resigned" if mistake.move == RESIGNS else f"played {mistake.move}"
    console.say(f"Back to move {mistake.number}, where {name} {did}: {told(Said(mistake.verdict))}.", "heading")
    seen = [step.entry for step in found.steps[mistake.at - found.began :] if step.player == CHANCE]
    if seen and record.match.game.chance == "draws":
        console.say(f"Luck stays the same ({', '.join(seen)} came up since then): this try is for learning.")
    elif seen:
        console.say(
            f"The deal stays the same, and so the numbers seen since ({', '.join(seen)}) "
            "come up again from the same places: this try is for learning."
        )
    elif record.match.game.chance:
        console.say("The deal stays the same, and no number has been seen since.")
    console.say()
    return before_mistake(record, mistake)
