"""A match as text that people can read and edit, and back: tags, then the moves, one a line.

docs/records.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from numberquest.core import dealer as dealers
from numberquest.core.contract import CHANCE, Game, IllegalMove, ending, player_name
from numberquest.core.dealer import Dealer
from numberquest.core.line import Line
from numberquest.core.loading import RECIPE, BadGame
from numberquest.core.match import Match
from numberquest.core.names import bad_old_name, printable
from numberquest.core.registry import GAMES, game, kind_for
from numberquest.core.sentences import in_short
from numberquest.core.settings import BadSetting, quoted, read_settings, shortened, whole_in

HUMAN = "human"
LONGEST_TEXT = 100_000
MOST_TAGS = 20
LONGEST_TAG, LONGEST_VALUE = 30, 200
"""Limits on tags that the format does not know: characters of a name and of a value."""
MOST_WORDS = 10
"""No move has more, because none has more than 20 characters."""
GIVEN = "Given"
"""Tag of a game that began at a chosen position: the number of moves that had led to this position."""
PRACTICE = ("Practice", "yes")
"""Tag of a game that was resumed from a record: the player who started the game could know the hidden numbers."""
# As text, and compiled when first used: a game starts without them.
_TAG = r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\])*)"\]'
_LEVEL = r"[a-z][a-z0-9-]{0,19}"
_PROGRAM = r"\S.*:.*\S"
_NUMBER = r"[0-9]{1,9}\."
_REVEAL = r"\(([^()\s]{1,20})\)"
SEALED = "Sealed"
"""The tag of secret choices: of each the place in the history, and what was shown of it before it was uncovered."""
_KNOWN = {SEALED, "Game", "Settings", "Date", "Result", "Ending", "Deal", "Seed", "Commitment"}
_KNOWN |= {"Player1", "Player2", "Player1Type", "Player2Type"}


class RecordError(ValueError):
    """A text that is no record: the line, counted from 1, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class UnknownGame(RecordError):
    """A record of a game that the registry lacks: a game of a file that was not named."""

    def __init__(self, line: int, reason: str, tags: Mapping[str, str]) -> None:
        super().__init__(line, reason)
        self.tags = tags
        """All tags of the record, by name."""


class Record(NamedTuple):
    """A match with what is told about it.

    Where a program plays, the record only names it: nothing here loads or runs it.
    """

    match: Match[Any]
    """The game, played as far as the record goes."""
    names: tuple[str, str] = (player_name(0), player_name(1))
    """Names of Player 1 and Player 2."""
    kinds: tuple[str, str] = (HUMAN, HUMAN)
    """Kinds of the two players: `human`, the name of a computer player, or a program such as `./file.py:name`."""
    date: str = ""
    """Date as `2026-01-31`; empty in a record without a date."""
    other: tuple[tuple[str, str], ...] = ()
    """Further tags, each with its value."""

    @staticmethod
    def read(text: str | bytes) -> Record:
        """The record that a text holds; `RecordError` says in which line it goes wrong, and why."""
        tags, words = _split(text)
        match = _match(tags, words)
        _check_result(match, tags)
        _check_sealed(match, tags)
        other = _other(tags)
        line, date = tags.get("Date", _Word(1, ""))
        if date and not _is_date(date):
            raise RecordError(line, f"a date is written 2026-01-31, not {_shown(date)}")
        _check_series(tags)
        one, two = (_player(tags, seat) for seat in (0, 1))
        return Record(match, (one[0], two[0]), (one[1], two[1]), date, other)

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` for a draw, or `*` while the game goes on."""
        return result_of(self.match)

    @property
    def people(self) -> tuple[bool, bool]:
        """Which of the two are people."""
        return self.kinds[0] == HUMAN, self.kinds[1] == HUMAN

    @property
    def hints(self) -> tuple[int, int]:
        """How many hints each player has used, as the tags `Hints1` and `Hints2` say."""
        tags = dict(self.other)
        return whole_in(tags.get("Hints1", "")) or 0, whole_in(tags.get("Hints2", "")) or 0

    @property
    def ahead(self) -> tuple[bool, bool]:
        """Which of the players are computers that had to look ahead, as the tags `Ahead1` and `Ahead2` say."""
        tags = dict(self.other)
        return "Ahead1" in tags, "Ahead2" in tags

    @property
    def practice(self) -> bool:
        """Whether the game was taken up from a record, or from an earlier move of the same game."""
        return any(tag in (PRACTICE[0], "Retry") for tag, _ in self.other)

    @property
    def given(self) -> int | None:
        """Number of moves before the chosen start, from the tag `Given`; None where the tag holds no such number."""
        tag = dict(self.other).get(GIVEN)
        return None if tag is None else whole_in(tag)

    @property
    def moves(self) -> int:
        """How many moves have been made, reveals not counted."""
        return sum(self.match.game.player(position) != CHANCE for position in self.match.positions[:-1])

    def begun_here(self) -> Record:
        """The record of a game that begins where this one stands."""
        return self.with_tag(GIVEN, str(self.moves))

    def with_hint(self, seat: int) -> Record:
        """The record with one more hint counted for that player."""
        return self.with_tag(f"Hints{seat + 1}", str(self.hints[seat] + 1))

    def cut_back(self, at: int) -> Record:
        """Return the record cut after `at` entries of the history, with the same deal."""
        match = self.match
        again = Match(match.game, dealer=match.dealer)
        for position, entry in zip(match.positions[:at], match.history, strict=False):
            if match.game.player(position) != CHANCE:
                again.play(entry)
        # A game of its own: the series it was a round of, and the hints used in it, stay behind.
        behind = ("Round", "Points", "Hints1", "Hints2", "Ahead1", "Ahead2", "Retry")
        return self._replace(match=again)._without(*behind)

    def _without(self, *tags: str) -> Record:
        return self._replace(other=tuple((tag, value) for tag, value in self.other if tag not in tags))

    def with_tag(self, tag: str, value: str) -> Record:
        """The record with this tag behind the others, in place of one of that name."""
        return self._replace(other=(*self._without(tag).other, (tag, value)))

    def text(self, *, deal: bool = True) -> str:
        """The record as text; `read` gives an equal record back.

        Without the deal it tells only what was revealed, and who reads it has the rest shuffled anew.
        """
        for name in self.names:
            if why := bad_old_name(name):
                raise ValueError(f"{quoted(name)}: {why}")
        tags = "".join(
            f'[{tag} "{_quoted(value)}"]\n'
            for tag, value in self._tags()
            if deal or tag not in ("Deal", "Seed", "Commitment", SEALED)
        )
        moves = "".join(f"{line}\n" for line in _move_lines(self.match))
        return f"{tags}\n{moves}"

    def _tags(self) -> Iterator[tuple[str, str]]:
        match, dealer = self.match, self.match.dealer
        yield "Game", match.game.full_name
        yield "Settings", match.game.settings_text
        for seat in (0, 1):
            yield f"Player{seat + 1}", self.names[seat]
        for seat in (0, 1):
            yield f"Player{seat + 1}Type", self.kinds[seat]
        if self.date:
            yield "Date", self.date
        yield "Result", self.result
        if match.outcome is not None:
            yield "Ending", ending(match.game, match.outcome)
        if dealer.given:
            yield "Deal", ",".join(map(str, dealer.deal))
        if dealer.seed is not None:
            yield "Seed", dealer.seed
        # A game that was taken up somewhere was sealed by nobody, whatever the one before it was.
        if dealer.commitment is not None and not self.practice:
            yield "Commitment", dealer.commitment
            if sealed := sealed_choices(match.line):
                yield SEALED, " ".join(f"{at}:{seal}" for at, seal in sealed.items())
        yield from self.other


def sealed_choices(line: Line[Any]) -> dict[int, str]:
    """Return the seal of each secret choice, by its index in the history; empty without a commitment."""
    if not line.game.has_secrets or line.dealer.commitment is None:
        return {}
    from numberquest.core.seen_history import secret_choices

    history, seed = line.history, line.dealer.seed or ""
    return {at: dealers.choice_seal(seed, at, history[at]) for at in secret_choices(line.game, history)}


def result_of(match: Match[Any]) -> str:
    """How a match stands, from Player 1's side: `1-0`, `0-1`, `1/2-1/2` for a draw, or `*` while it goes on."""
    outcome = match.outcome
    return "*" if outcome is None else {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome.winner]


read = Record.read


def match_in(text: str) -> Match[Any]:
    """The match in a text that was read when it was kept: what else it tells is not looked at again."""
    return _match(*_split(text))


class _Word(NamedTuple):
    """A word of the moves, or the value of a tag, and where it stands."""

    line: int
    text: str


_Tags = dict[str, _Word]


def _move_lines(match: Match[Any]) -> Iterator[str]:
    # Where the game opens with a reveal, one stands before the move it is for; elsewhere after it.
    reveals_first = match.game.player(match.positions[0]) == CHANCE
    words: list[str] = []
    number, moved = 1, False
    for position, entry in zip(match.positions, match.history, strict=False):
        revealed = match.game.player(position) == CHANCE
        if moved and (reveals_first or not revealed):
            yield f"{number}. {' '.join(words)}"
            number, words, moved = number + 1, [], False
        words.append(f"({entry})" if revealed else entry)
        moved = moved or not revealed
    if words:
        yield f"{number}. {' '.join(words)}"
    if match.resigned is not None:
        yield f"resign-{match.resigned + 1}"


def _split(text: str | bytes) -> tuple[_Tags, list[_Word]]:
    """The tags by name, and the words of the moves, each with its line."""
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise RecordError(error.object.count(b"\n", 0, error.start) + 1, "this is not text in UTF-8") from None
    # Some editors put an invisible mark at the start of a text.
    text = text.removeprefix("\ufeff")
    if len(text) > LONGEST_TEXT:
        raise RecordError(1, f"the text is longer than {LONGEST_TEXT} characters, which no game is")
    tags: _Tags = {}
    words: list[_Word] = []
    for line, content in enumerate(text.split("\n"), start=1):
        content = content.strip()
        if content.startswith("["):
            if words:
                raise RecordError(line, "a tag stands after the moves; all tags come first")
            found = re.fullmatch(rf"{_TAG}\s*(?:#.*)?", content)
            if found is None:
                raise RecordError(line, f'a tag is written [Name "value"], not {_shown(content)}')
            name, value = found[1], re.sub(r"\\(.)", r"\1", found[2])
            if name in tags:
                raise RecordError(line, f"the tag {name} stands twice; it is in line {tags[name].line} already")
            if not printable(value):
                raise RecordError(line, f"the value of {name} holds an invisible character")
            tags[name] = _Word(line, value)
        else:
            words += [_Word(line, word) for word in content.partition("#")[0].split()]
    return tags, words


def _match(tags: _Tags, words: list[_Word]) -> Match[Any]:
    """The game played again by its rules, with the deal that the tags tell."""
    game = _game(tags)
    return _replayed(game, _dealer(game, tags, words), words)


def _game(tags: _Tags) -> Game[Any]:
    if "Game" not in tags:
        raise RecordError(1, 'there is no [Game "…"] tag, so this is no record of a game')
    line, slug = tags["Game"]
    try:
        # A record never says which file to load: whoever reads it has brought the game, or has not.
        if slug.startswith(RECIPE):
            kind_for(slug)
        elif slug not in GAMES:
            raise UnknownGame(
                line,
                f"there is no game called {quoted(slug)}; the games are {', '.join(GAMES)}; "
                "if it is somebody's own, name its file as well: numberquest --with FILE …",
                {name: value.text for name, value in tags.items()},
            )
    except (BadGame, BadSetting) as error:
        raise RecordError(line, str(error)) from None
    line, text = tags.get("Settings", _Word(1, ""))
    try:
        return game(slug, **read_settings(text.split()))
    except BadSetting as error:
        raise RecordError(line, str(error)) from None


def _dealer(game: Game[Any], tags: _Tags, words: list[_Word]) -> Dealer:
    seed, deal = tags.get("Seed"), tags.get("Deal")
    try:
        if deal is not None:
            dealer = dealers.given(game, read_deal(game, deal.text), seed and seed.text)
        elif seed is not None:
            dealer = dealers.seeded(game, seed.text)
        else:
            dealer = dealers.completed(game, _seen(game, words)) if game.chance else Dealer(())
    except dealers.BadDeal as error:
        raise RecordError((deal or seed or _Word(1, "")).line, str(error)) from None
    if "Commitment" in tags:
        line, promised = tags["Commitment"]
        if seed is None or dealers.commitment_of(seed.text) != promised:
            raise RecordError(line, "the commitment is not the SHA-256 of the seed: this is not the deal promised")
        if dealer.given:
            raise RecordError(line, "a commitment seals the deal of a seed, but the deal is given here")
        dealer = dealer._replace(commitment=promised)
    return dealer


def read_deal(game: Game[Any], text: str) -> list[int | str]:
    """A deal as it is written, `3,1,2`, or draws in order; `BadDeal` where it is not."""
    parts = text.replace(",", " ").split()
    deal = [part if game.chance == "draws" else whole_in(part) for part in parts]
    if not deal or None in deal:
        raise dealers.BadDeal(f"a deal is written 3,1,2, not {_shown(text)}")
    return [part for part in deal if part is not None]


def _seen(game: Game[Any], words: list[_Word]) -> dict[int, str]:
    """Return the numbers that the moves reveal, by their slot in the deal, for a record without a deal."""
    seen: dict[int, str] = {}
    position = game.start()
    for word in _entries(game, words):
        revealed = re.fullmatch(_REVEAL, word.text)
        entry = revealed[1] if revealed else word.text
        if not revealed and game.player(position) == CHANCE and game.moves(position):
            raise RecordError(word.line, "no tag tells the deal, so write what was revealed before this, such as (5)")
        possible = game.moves(position)
        if bool(revealed) != (game.player(position) == CHANCE) or (entry not in possible and not revealed):
            # The replay says what is wrong with it.
            break
        if revealed:
            if entry not in possible:
                raise RecordError(word.line, f"{word.text} cannot be revealed here; possible is {in_short(possible)}")
            seen[dealers.place_of(game, position, len(seen))] = entry
        position = game.play(position, entry)
    return seen


def _entries(game: Game[Any], words: list[_Word]) -> Iterator[_Word]:
    """The moves and reveals among the words. Numbers before moves are checked and dropped."""
    number, at, written = 0, 0, None
    while at < len(words):
        word = words[at]
        at += 1
        if re.fullmatch(_NUMBER, word.text):
            if written is not None:
                raise RecordError(word.line, f"a move is missing between {written.text} and {word.text}")
            written = word
            continue
        if re.fullmatch(_REVEAL, word.text):
            yield word
            continue
        text = _move(game, [other.text for other in words[at - 1 : at + MOST_WORDS]])
        at += text.count(" ")
        number += 1
        if written is not None and written.text != f"{number}.":
            raise RecordError(written.line, f"this is move {number}, not {_shown(written.text)}")
        written = None
        yield _Word(word.line, text)
    # A number may stand before a draw that nobody has answered yet.
    if written is not None and written.text != f"{number + 1}.":
        raise RecordError(written.line, f"the next move is {number + 1}, not {_shown(written.text)}")


def _move(game: Game[Any], words: list[str]) -> str:
    """The move that the words begin with: the longest there is, or what was meant to be one."""
    alike = [action for action in game.actions if action.startswith(f"{words[0]} ")]
    lengths = sorted({action.count(" ") + 1 for action in alike}, reverse=True)
    for length in lengths:
        if " ".join(words[:length]) in alike:
            return " ".join(words[:length])
    return words[0] if not alike or words[0] in game.actions else " ".join(words[: lengths[0]])


def _replayed(game: Game[Any], dealer: Dealer, words: list[_Word]) -> Match[Any]:
    try:
        match = Match(game, dealer=dealer)
    except dealers.BadDeal as error:
        raise RecordError(1, str(error)) from None
    known = 0
    for word in _entries(game, words):
        revealed = re.fullmatch(_REVEAL, word.text)
        if revealed:
            # What the last move has uncovered: to list the whole game for each would take its square.
            after = next(iter(match.line.since(known)), None)
            if after is None or after.last_player != CHANCE:
                raise RecordError(word.line, f"nothing is revealed here, but it says {word.text}")
            if after.entry != revealed[1]:
                raise RecordError(word.line, f"the deal reveals {after.entry} here, but it says {word.text}")
            known += 1
            continue
        resigns = re.fullmatch(r"resign-([12])", word.text)
        try:
            if resigns:
                match.resign(int(resigns[1]) - 1)
            else:
                # A reveal may be left out where the deal tells it.
                known = match.line.length + 1
                match.play(word.text)
        except (IllegalMove, dealers.BadDeal) as error:
            raise RecordError(word.line, str(error)) from None
    return match


def _check_result(match: Match[Any], tags: _Tags) -> None:
    if "Result" not in tags:
        return
    line, said = tags["Result"]
    if said not in ("1-0", "0-1", "1/2-1/2", "*"):
        raise RecordError(line, f"a result is 1-0, 0-1, 1/2-1/2 or *, not {_shown(said)}")
    if said != result_of(match):
        raise RecordError(line, f"the result says {said}, but the moves come to {result_of(match)}")


def _check_sealed(match: Match[Any], tags: _Tags) -> None:
    if SEALED not in tags:
        return
    line, text = tags[SEALED]
    promised = dict(each.partition(":")[::2] for each in text.split())
    due = {str(at): seal for at, seal in sealed_choices(match.line).items()}
    for at, seal in promised.items():
        if due.get(at) != seal:
            raise RecordError(line, f"the seal {_shown(f'{at}:{seal}')} is not that of the move that was made there")


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _other(tags: _Tags) -> tuple[tuple[str, str], ...]:
    """The tags that are kept as they are: a few, and short."""
    other = [(name, tag) for name, tag in tags.items() if name not in _KNOWN]
    for number, (name, tag) in enumerate(other, start=1):
        if number > MOST_TAGS:
            raise RecordError(tag.line, f"a record has at most {MOST_TAGS} tags of other kinds; this is one too many")
        if len(name) > LONGEST_TAG:
            raise RecordError(tag.line, f"the name of a tag has at most {LONGEST_TAG} characters")
        if len(tag.text) > LONGEST_VALUE:
            raise RecordError(tag.line, f"the value of {name} is longer than {LONGEST_VALUE} characters")
    return tuple((name, tag.text) for name, tag in other)


def _check_series(tags: _Tags) -> None:
    """Which round of how many, and the points before it: both or neither, and fitting together."""
    if "Round" not in tags and "Points" not in tags:
        return
    line, text = tags.get("Round", _Word(1, ""))
    rounds = re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)", text)
    if rounds is None or int(rounds[1]) > int(rounds[2]):
        raise RecordError(line, f"a round is written 2/3, not {_shown(text) or 'left out'}")
    line, text = tags.get("Points", _Word(1, ""))
    points = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", text)
    # Rounds that nobody won are drawn.
    if points is None or int(points[1]) + int(points[2]) > int(rounds[1]) - 1:
        raise RecordError(line, f"before round {rounds[1]} at most {int(rounds[1]) - 1} are won in all, written 1-0")


def _player(tags: _Tags, seat: int) -> tuple[str, str]:
    """Return the name and the kind of the player in this seat."""
    line, name = tags.get(f"Player{seat + 1}", _Word(1, player_name(seat)))
    if why := bad_old_name(name):
        raise RecordError(line, why)
    line, kind = tags.get(f"Player{seat + 1}Type", _Word(1, HUMAN))
    if not re.fullmatch(_LEVEL, kind) and not (re.fullmatch(_PROGRAM, kind) and len(kind) <= LONGEST_VALUE):
        raise RecordError(line, f"a player is human, or a computer player such as random, not {_shown(kind)}")
    return name, kind


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _shown(text: str) -> str:
    return shortened(text if text.isprintable() else ascii(text))
