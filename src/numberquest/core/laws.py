"""The laws of every game. Whatever a game is about, these hold at each of its positions, with all of its settings.

A short look is taken whenever somebody's own game is loaded (`check`), a long one by `numberquest check` (`report`),
and the longest by the tests. All three look at games that are played at random.
"""

import pickle
import re
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import mul
from random import Random
from typing import Any, Final, Literal, NamedTuple, NoReturn

from numberquest.core import secret_laws
from numberquest.core.contract import CHANCE, COMMON_RULINGS, IF, Field, Game, Outcome, ending
from numberquest.core.loading import BadGame, file_of, line_of, load, only_class, what_happened
from numberquest.core.names import printable
from numberquest.core.sentences import GAP, NAMES
from numberquest.core.settings import SHORT_NAME, BadSetting, SettingValue, UpTo, Whole, quoted, read_settings, whole_in
from numberquest.core.stream import WORDS
from numberquest.core.view import Pool, fields_of, number, view_of, would_add
from numberquest.core.walk import LONGEST_WALK, Broken, Walk

Kind = type[Game[Any]]

TEXTS: Final = ("slug", "title", "summary", "rules")
BRACES: Final = r"\{[A-Za-z_][^{}]*\}"
LONGEST_MOVE: Final = 20
"""How many characters a move may have: people type it."""
SHORT_LOOK: Final = 12
"""So many games are played whenever a game is loaded."""
LONG_LOOK: Final = 200
"""And so many, with each of several settings, when somebody wants to know."""
QUICK_LOOK: Final = 40
"""And so many, where somebody changes the rules and looks again and again."""
PATIENCE: Final = {SHORT_LOOK: 0.1, QUICK_LOOK: 0.6, LONG_LOOK: 3.0}
"""The seconds after which one has looked long enough, however many games that were."""
SMALL: Final = 1000
DEEP: Final = 20
AHEAD: Final = 60
"""To see what a position is worth, at most so many are searched, from so many moves before an end, so far ahead."""


class Law(NamedTuple):
    """Something that holds for every game: its name, the law in a sentence, and what looks whether it holds."""

    name: str
    sentence: str
    look: Callable[[Walk], None]
    concerns: Callable[[Game[Any]], object] = bool
    """Whether there is anything to look at in a game."""
    takes_long: bool = False

    def broken(self, game: Game[Any], random: Random) -> str | None:
        """How a game that is played at random breaks the law, and where; None where it keeps it."""
        walk = Walk(game, random)
        return _wrong(walk, walk.go) or self.broken_on(walk)

    def broken_on(self, walk: Walk) -> str | None:
        """How this game breaks the law, and where; None where it keeps it."""
        walk.at = 0
        return _wrong(walk, lambda: self.look(walk) if self.concerns(walk.game) else None)


def _wrong(walk: Walk, look: Callable[[], None]) -> str | None:
    """What a look at a walk finds wrong, and where; whatever somebody's code does there is told in a sentence."""
    try:
        look()
    except Broken as wrong:
        return f"{wrong}, {wrong.place or walk.place}"
    except BadGame as wrong:
        return f"{wrong}, {walk.place}"
    except Exception as error:
        walk.line = line_of(error, file_of(walk.game))
        return f"{what_happened(error, file_of(walk.game))}, {walk.place}"
    return None


def _is_player(value: object) -> bool:
    return type(value) is int and value in (0, 1)


def _over_exactly_with_an_outcome(walk: Walk) -> None:
    for p in walk:
        moves, outcome = walk.game.moves(p), walk.game.outcome(p)
        if outcome is None and not moves:
            raise Broken("nobody can move, but there is no outcome")
        if outcome is not None and moves:
            raise Broken("there is an outcome, but moves are still allowed")


def _outcomes(walk: Walk) -> None:
    for p in walk:
        outcome: Any = walk.game.outcome(p)
        if outcome is None:
            continue
        if not isinstance(outcome, Outcome):
            raise Broken(f"outcome is an Outcome or None, not {quoted(outcome)}")
        if outcome.winner is not None and not _is_player(outcome.winner):
            raise Broken(f"the winner of an outcome is 0 or 1, or None in a draw, not {quoted(outcome.winner)}")
        reason: Any = outcome.reason
        if not isinstance(reason, str) or not reason.strip():
            raise Broken("an outcome has no reason")
        try:
            words = ending(walk.game, outcome)
        except KeyError as gap:
            raise Broken(f"the ending {outcome.reason!r} has a gap {gap}, and nothing says what goes there") from None
        if not printable(words):
            raise Broken(f"an ending is one line of words, not {quoted(words)}")


def _actions(walk: Walk) -> None:
    actions: object = walk.game.actions
    if not isinstance(actions, tuple) or not actions or not all(isinstance(action, str) for action in actions):
        raise Broken("actions is a tuple of texts, one for each move there can be")
    twice = [action for action, times in Counter(actions).items() if times > 1]
    if twice:
        raise Broken(f"actions has {quoted(twice[0])} twice")
    for action in actions:
        if not 1 <= len(action) <= LONGEST_MOVE or action != " ".join(action.split()) or not action.isprintable():
            raise Broken(f"an action is a text of 1 to {LONGEST_MOVE} visible characters, not {quoted(action)}")
        if re.search(r"[#()\[\]]|^\d+\.$|^resign-\d$", action):
            raise Broken(f"the action {quoted(action)} would mean something else in a record")
        if type(walk.game.binding(action)) is not bool:
            raise Broken(f"binding is True or False, which it is not for {quoted(action)}")


def _moves(walk: Walk) -> None:
    order = {action: at for at, action in enumerate(walk.game.actions)}
    for p in walk:
        if walk.game.player(p) == CHANCE:
            continue
        moves = walk.game.moves(p)
        strange = [move for move in moves if move not in order]
        if strange:
            raise Broken(f"the move {quoted(strange[0])} is allowed, which actions does not have")
        ids = [order[move] for move in moves]
        if ids != sorted(set(ids)):
            raise Broken("the moves are not in the order of actions, each once")


def _play(walk: Walk) -> None:
    game = walk.game
    for p in walk:
        for move in game.moves(p):
            after, again = game.play(p, move), game.play(p, move)
            if type(after) is not type(p):
                raise Broken(f"play gives {type(after).__name__} and no {type(p).__name__} for {move}")
            if after != again or hash(after) != hash(again):
                raise Broken(f"playing {move} twice gives two different positions")
            if after == p and game.longest is not None:
                raise Broken(f"{move} changes nothing, so the game could go on for ever, but longest is not None")
            if bool(game.moves(after)) == (game.outcome(after) is not None):
                raise Broken(f"after {move} there must be either moves or an outcome")


def _positions(walk: Walk) -> None:
    for p, move in walk.steps():
        _check_immutable(p)
        before = repr(p)
        walk.game.play(p, move)
        walk.game.moves(p)
        if repr(p) != before:
            raise Broken(f"playing {move} has changed the position that it was played from")


def _check_immutable(p: object) -> None:
    for name, value in fields_of(p).items():
        try:
            hash(value)
        except TypeError:
            kind = type(value).__name__
            raise Broken(f"a position must never change, but {name} is a {kind}: make it a tuple") from None
    changes = Broken(f"a position must never change: write @dataclass(frozen=True) above {type(p).__name__}")
    try:
        hash(p)
        setattr(p, next(iter(fields_of(p))), None)
    except (AttributeError, StopIteration):
        return
    except TypeError:
        # What compares by its fields and can be changed has no hash.
        raise changes from None
    raise changes


def _players(walk: Walk) -> None:
    game = walk.game
    for p in walk:
        player, turn = game.player(p), game.turn(p)
        if player != CHANCE and not _is_player(player):
            raise Broken(f"player is 0, 1 or CHANCE, not {quoted(player)}")
        if player == CHANCE and not game.chance:
            raise Broken("chance moves, but the game has no weights")
        if not _is_player(turn):
            raise Broken(f"turn says whose turn it is also while chance moves, 0 or 1, not {quoted(turn)}")
        if player not in (CHANCE, turn):
            raise Broken(f"player is {player}, but turn is {turn}")


def _chance(walk: Walk) -> None:
    game = walk.game
    for p, _ in walk.chance():
        moves = game.moves(p)
        weights: Any = game.weights(p)
        if not isinstance(weights, tuple) or not all(type(weight) is int and weight > 0 for weight in weights):
            raise Broken(f"weights is a tuple of whole numbers above 0, not {quoted(weights)}")
        if len(weights) != len(moves):
            raise Broken(f"there are {len(weights)} weights for {len(moves)} reveals")
        if sum(weights) >= WORDS:
            raise Broken("the weights sum to more than can be drawn from: divide them all by the same number")
        if len(set(moves)) < len(moves):
            raise Broken("the same reveal is listed twice")
        for move in moves:
            if not re.fullmatch(r"[^\s,()#]{1,20}", move) or not move.isprintable():
                raise Broken(f"a reveal is a short text without a space, a comma or a bracket, not {quoted(move)}")
        if sum(game.odds(p)) != 1:
            raise Broken("the odds of the reveals are not 1 together")


def _deck(walk: Walk) -> None:
    game = walk.game
    deck: object = game.deck
    if not isinstance(deck, tuple) or not all(type(card) is int and card >= 0 for card in deck):
        raise Broken(f"deck is a tuple of whole numbers from 0 on, not {quoted(deck)}")
    unseen, places = Counter(map(str, deck)), set()
    for p, move in walk.chance():
        if type(game).slot is Game.slot:
            raise Broken("there is a deck, but no slot that says which place of it is uncovered")
        slot = game.slot(p)
        if type(slot) is not int or not 0 <= slot < len(deck):
            raise Broken(f"slot is a place of the deck, 0 to {len(deck) - 1}, not {quoted(slot)}")
        if slot in places:
            raise Broken(f"place {slot} of the deck is uncovered a second time")
        places.add(slot)
        odds = {card: Fraction(times, unseen.total()) for card, times in unseen.items()}
        if dict(zip(game.moves(p), game.odds(p), strict=True)) != odds:
            raise Broken("the reveals and their weights are not those of the numbers that are still unseen")
        unseen -= Counter([move])


def _deals(walk: Walk) -> None:
    game = walk.game
    dealt = Walk(game, walk.random)
    try:
        dealt.go(walk.random.sample(game.deck, len(game.deck)))
    except Broken as wrong:
        raise Broken(str(wrong), dealt.place) from None


def _hidden(walk: Walk) -> None:
    """What was not seen is dealt anew: with the same decisions, the same happens."""
    game = walk.game
    seen = {game.slot(p): move for p, move in walk.chance()}
    left = Counter(map(str, game.deck)) - Counter(seen.values())
    rest = iter(walk.random.sample(sorted(left.elements()), left.total()))
    deal = [seen[at] if at in seen else next(rest) for at in range(len(game.deck))]
    p = game.start()
    for expected, move in walk.steps():
        if p != expected or game.moves(p) != game.moves(expected):
            raise Broken("another deal of what is still covered changes the position")
        p = game.play(p, deal[game.slot(p)] if game.player(p) == CHANCE else move)


def _length(walk: Walk) -> None:
    longest = walk.game.longest
    if type(longest) is not int or longest < 1:
        raise Broken(f"longest is a whole number, or None, not {quoted(longest)}")
    walk.at = len(walk.moves)
    if len(walk.moves) > longest:
        raise Broken(f"longest is {longest}, but the game goes on")


def _replay(walk: Walk) -> None:
    # Another object, so that nothing remembered from the first walk helps.
    again = type(walk.game)(**walk.game.settings)
    p = again.start()
    for expected, move in walk.steps():
        if p != expected or move not in again.moves(p):
            raise Broken("the same moves lead somewhere else in an equal game that is made anew")
        p = again.play(p, move)
    if p != walk.positions[-1] or again.outcome(p) != walk.game.outcome(p):
        raise Broken("the same moves come to another end in an equal game that is made anew")


def _settings(walk: Walk) -> None:
    game = walk.game
    typed = read_settings(game.settings_text.split())
    parsed = {name: game.fields[name].parse(text) for name, text in typed.items()}
    again = type(game)(**parsed)
    if again != game or hash(again) != hash(game):
        raise Broken(f"the settings {game.settings_text} are typed, and another game comes of it")


def _frozen(walk: Walk) -> None:
    game = walk.game
    if pickle.loads(pickle.dumps(game)) != game:  # noqa: S301  # the bytes are our own
        raise Broken("a game that is sent to another process comes out as another one")
    for name in (*game.fields, "actions", "anything"):
        try:
            setattr(game, name, 3)
        except AttributeError:
            continue
        raise Broken(f"the game is not frozen: {name} could be set")


def _view(walk: Walk) -> None:
    for field in view_of(walk.game):
        try:
            _look_at(field, walk)
        except TypeError:
            value = fields_of(walk.positions[walk.at])[field.name]
            raise Broken(
                f"view says that {field.name} is {type(field).__name__}, which {quoted(value)} is not"
            ) from None


def _look_at(field: Field, walk: Walk) -> None:
    game = walk.game
    read, parts = field.reader(game), field.parts(game)
    field.looks(game)
    for p in walk:
        if not isinstance(field.said(game, p, NAMES), str):
            raise Broken("view does not come to words")
        field.shown(game, p)
        if isinstance(field, Pool) and not all(0 < one <= number(game, field.high) for one in getattr(p, field.name)):
            raise Broken(
                f"view says that {field.name} holds numbers from 1 to {number(game, field.high)}, each as often as it "
                f"is there, such as (1, 1, 2), which {quoted(getattr(p, field.name))} does not"
            )
        for player in (0, 1):
            _check_row(field, parts, list(read(p, player)))


def _check_row(field: Field, parts: tuple[Any, ...], row: list[int]) -> None:
    allowed = [part for part in parts for _ in range(part.size)]
    if len(row) != len(allowed):
        raise Broken(
            f"{field.name} has {len(row)} numbers here, and {len(allowed)} at the start: say in view what it is"
        )
    for value, part in zip(row, allowed, strict=True):
        if not isinstance(value, int):
            raise Broken(f"{field.name} is {quoted(value)}, which is no number: say in view what it is")
        if not part.low <= value <= part.high:
            raise Broken(f"view says that {field.name} is from {part.low} to {part.high}, but it comes to {value}")


def _canonical(walk: Walk) -> None:
    game = walk.game
    for p in walk:
        if game.turn(game.canonical(p)) != game.turn(p):
            raise Broken("the canonical position is the other player's turn")
    for here, there in _searched(walk, game.canonical):
        if here.best != there.best:
            raise Broken(f"the position is worth {here.best} to Player 1, and its canonical one {there.best}")


def _alike(walk: Walk) -> None:
    game = walk.game
    for p in walk:
        same = game.alike(p)
        if (game.player(same), game.turn(same)) != (game.player(p), game.turn(p)):
            raise Broken("the position that stands for all that are alike is another player's turn")
        winners = [outcome and (outcome.winner,) for outcome in map(game.outcome, (p, same))]
        if winners[0] != winners[1]:
            raise Broken("the position that stands for all that are alike ends otherwise")
        if _led_to(game, p) != _led_to(game, same):
            raise Broken("the moves here do not lead to what those of the position lead to that stands for all alike")
    for here, there in _searched(walk, game.alike):
        if here != there:
            raise Broken(
                f"at random Player 1 makes {here.blind} of the points, and {there.blind} from the position that "
                f"stands for all alike; where every other move is a best one {here.erring}, and {there.erring}"
            )


def _led_to(game: Game[Any], p: Any) -> dict[Any, Fraction]:
    """Where the moves of a position lead, of all that are alike to one: by how many of them, or how likely."""
    moves = game.moves(p)
    odds = game.odds(p) if moves and game.player(p) == CHANCE else (Fraction(1),) * len(moves)
    led: dict[Any, Fraction] = {}
    for move, odd in zip(moves, odds, strict=True):
        after = game.alike(game.play(p, move))
        led[after] = led.get(after, 0) + odd
    return led


class _Worth(NamedTuple):
    """What a position is worth to Player 1."""

    best: Fraction
    """Under best play."""
    blind: Fraction
    """Where both make any move, each alike."""
    erring: Fraction
    """Where both make any move half of the time, and otherwise any of the best ones."""


def _searched(walk: Walk, same: Callable[[Any], Any]) -> Iterator[tuple[_Worth, _Worth]]:
    """What positions of a walk are worth, and what those are worth that stand for them.

    From the end backwards, as far as what follows is little enough to be searched.
    """
    known: dict[Any, _Worth | None] = {}
    for at in reversed(range(max(len(walk.positions) - DEEP, 0), len(walk.positions))):
        p, walk.at = walk.positions[at], at
        here, there = _worth(walk.game, p, known), _worth(walk.game, same(p), known)
        if here is None or there is None:
            return
        yield here, there


def _worth(game: Game[Any], p: Any, known: dict[Any, _Worth | None], ahead: int = AHEAD) -> _Worth | None:
    """What a position is worth to Player 1, by playing all that can be played; None where that is too much."""
    if p in known:
        return known[p]
    outcome = game.outcome(p)
    if outcome is not None:
        return _Worth(*[Fraction(outcome.worth(0))] * 3)
    if len(known) >= SMALL or not ahead:
        return None
    known[p] = None
    values = [_worth(game, game.play(p, move), known, ahead - 1) for move in game.moves(p)]
    told = [value for value in values if value is not None]
    if len(told) == len(values):
        known[p] = _mixed(game, p, told)
    return known[p]


def _mixed(game: Game[Any], p: Any, after: Sequence[_Worth]) -> _Worth:
    """From what the positions are worth that its moves lead to."""
    if game.player(p) == CHANCE:
        odds = game.odds(p)
        return _Worth(*(sum(map(mul, odds, column), Fraction()) for column in zip(*after, strict=True)))
    best = (min if game.player(p) else max)(one.best for one in after)
    chosen = [one.erring for one in after if one.best == best]
    blind, erring = (sum(column, Fraction()) / len(after) for column in list(zip(*after, strict=True))[1:])
    return _Worth(best, blind, (erring + sum(chosen, Fraction()) / len(chosen)) / 2)


LAWS: Final = (
    Law("playing", "It can be played, by any moves that are allowed.", lambda _: None),
    Law("actions", "Every move is a short text that people can type, each once.", _actions),
    Law("ends", "There are no moves exactly where there is an outcome.", _over_exactly_with_an_outcome),
    Law("outcomes", "An outcome has a winner, or is a draw, and a reason that comes to words.", _outcomes),
    Law("players", "It is always somebody's turn; chance moves only in games that have weights.", _players),
    Law("moves", "What a player may do is among the actions, in their order.", _moves),
    Law("positions", "A position never changes, whatever is played from it.", _positions),
    Law("play", "Every allowed move can be played, and always gives the same position.", _play, takes_long=True),
    Law(
        "length",
        "No game has more moves and reveals than longest says.",
        _length,
        lambda game: game.longest is not None,
    ),
    Law("replay", "The same moves lead to the same positions again.", _replay, takes_long=True),
    Law("chance", "Each reveal has a weight, and the odds are 1 together.", _chance, lambda game: game.chance),
    Law("deck", "Reveals are as likely as the unseen numbers say, each place once.", _deck, lambda game: game.deck),
    Law("deals", "Any order of the deck can be dealt.", _deals, lambda game: game.deck),
    Law("hidden", "What is covered makes no difference before it is uncovered.", _hidden, lambda game: game.deck),
    Law("view", "The view can be read at every position, within its bounds.", _view),
    Law(
        "seen",
        "What is seen of a position is the same when it is seen again.",
        secret_laws.seen,
        lambda game: game.has_secrets,
    ),
    Law(
        "watched",
        "Who watches sees nothing that a player does not.",
        secret_laws.watched,
        lambda game: game.has_secrets,
    ),
    Law(
        "known",
        "To those who know the same, it is the same player's turn.",
        secret_laws.known,
        lambda game: game.has_secrets,
    ),
    Law(
        "allowed", "Nothing that is hidden decides what is allowed.", secret_laws.allowed, lambda game: game.has_secrets
    ),
    Law("settings", "Settings that are typed come to the same game.", _settings, lambda game: game.fields),
    Law("frozen", "The game itself never changes, and can be sent to another process.", _frozen),
    Law(
        "canonical",
        "A position is worth what its canonical one is worth.",
        _canonical,
        lambda game: type(game).canonical is not Game.canonical,
        takes_long=True,
    ),
    Law(
        "alike",
        "Positions that are alike are the same whoever plays.",
        _alike,
        lambda game: type(game).alike is not Game.alike,
        takes_long=True,
    ),
)
"""Every law, in the order in which they are looked at."""


class Look(NamedTuple):
    """What was seen of a game."""

    games: Sequence[Game[Any]]
    """The rule sets that were looked at."""
    states: Mapping[Law, Literal["holds", "broken", "unseen", "-"]]
    """Of every law; `-` where it has nothing to say of this game."""
    wrong: Mapping[Law, str]
    """What is wrong, by the law that is broken."""
    lines: Mapping[Law, int | None]
    """And where in the file of the rules, as far as that is known."""
    rounds: int
    """How often each was played."""
    ended: bool
    """Whether one of them came to its end."""


def check(kind: Kind, where: str) -> None:
    """A short look: `BadGame` with one sentence where the class breaks the contract."""
    laws = [law for law in LAWS if not law.takes_long]
    for what in _look([_made(kind, where)], laws, SHORT_LOOK).wrong.values():
        raise BadGame(f"{where}: {what}")


def look(kind: Kind, where: str, most: int = LONG_LOOK) -> Look:
    """All laws, with several settings, in so many games of each; `BadGame` where the class cannot even be looked at."""
    _made(kind, where)
    return _look(_rule_sets(kind), LAWS, most)


def _look(games: Sequence[Game[Any]], laws: Sequence[Law], most: int) -> Look:
    random, started = Random(0), time.monotonic()  # noqa: S311  # the same look every time
    wrong: dict[Law, str] = {}
    lines: dict[Law, int | None] = {}
    rounds, ended = 0, False
    while rounds < most and time.monotonic() - started < PATIENCE[most]:
        rounds += 1
        for game in games:
            walk = Walk(game, random)
            unplayable = _wrong(walk, walk.go)
            if unplayable is not None:
                wrong.setdefault(laws[0], _at(game, unplayable))
                lines.setdefault(laws[0], walk.line)
                continue
            ended = ended or not game.moves(walk.positions[-1])
            for law in laws:
                broken = None if law in wrong else law.broken_on(walk)
                if broken is not None:
                    wrong[law], lines[law] = _at(game, broken), walk.line
    return Look(games, {law: _state(law, games, wrong) for law in laws}, wrong, lines, rounds, ended)


def _at(game: Game[Any], wrong: str) -> str:
    return wrong if game.is_classic else f"{wrong}, with {game.changes}"


def _made(kind: Kind, where: str) -> Game[Any]:
    """The classic game of a class; `BadGame` where what does not depend on positions is wrong."""

    def wrong(what: str) -> NoReturn:
        raise BadGame(f"{where}: {what}")

    for name in TEXTS:
        value = getattr(kind, name, None)
        if value is None:
            wrong(f"{kind.__name__} has no {name}")
        if not isinstance(value, str) or not value.strip():
            wrong(f"{name} of {kind.__name__} is a text, not {quoted(value)}")
    if re.fullmatch(SHORT_NAME, kind.slug) is None:
        wrong(f"the slug is a short name of small letters, digits and _, such as nim, not {quoted(kind.slug)}")
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        wrong(f"{kind.__name__} has no {' and no '.join(missing)}")
    for at, (name, field) in enumerate(kind.fields.items()):
        if hasattr(Game, name):
            wrong(f"a setting cannot be called {name}: every game has something else of that name")
        if isinstance(field, UpTo):
            other = kind.fields.get(field.other)
            if not isinstance(other, Whole | UpTo) or field.other not in list(kind.fields)[:at]:
                wrong(f"{name} is up to {field.other!r}, which is no whole number among the settings before it")
        if isinstance(field, Whole) and None in map(whole_in, map(str, (field.low, field.high))):
            wrong(f"{name} is from {field.low} to {field.high}: a setting is a whole number from 0 to 999999999")
    for name in ("endings", "rulings"):
        texts: Any = getattr(kind, name)
        if not isinstance(texts, Mapping) or not all(isinstance(text, str) for text in (*texts, *texts.values())):
            wrong(f"{name} is a dictionary of texts, not {quoted(texts)}")
    for reason, text in kind.endings.items():
        if re.search("[{}]", re.sub(GAP, "", text)):
            wrong(f"the ending {quoted(reason)} has a gap that is not written like {{winner}}: {quoted(text)}")
    alike: Any = kind.alike
    if not callable(alike):
        wrong("alike is a method, alike(p); what moves that differ only in their place are called is interchangeable")
    order: Any = kind.order
    if type(order) is not int:
        wrong(f"order is a whole number, not {quoted(order)}")
    strange = sorted(set(kind.common) - set(COMMON_RULINGS))
    if strange:
        wrong(f"there is no common ruling {quoted(strange[0])}; there are {', '.join(COMMON_RULINGS)}")
    view: Any = kind.view
    if not isinstance(view, tuple) or not all(isinstance(field, Field) for field in view):
        wrong("view is a tuple of fields, such as (nq.Scores(...),)")
    try:
        game, _ = kind(), [kind(**settings) for settings in (kind.puzzle_settings, *kind.exam_settings)]
        methods = [name for name in ("actions", "deck", "longest") if callable(getattr(game, name))]
        start = game.start()
        _check_immutable(start)
    except (Broken, BadGame, BadSetting) as error:
        wrong(str(error))
    except Exception as error:
        wrong(what_happened(error, file_of(kind)))
    if methods:
        wrong(f"{methods[0]} is a method: write @property above it")
    for name in (*TEXTS[2:], "how_to_win", *kind.rulings):
        for gap in _unfilled(game, kind.rulings.get(name) or getattr(game, name)):
            wrong(f"{name} has a gap {gap}, and there is no setting or property of that name")
    for name in ("title", "short_title"):
        if braces := re.search(BRACES, getattr(game, name)):
            wrong(f"{name} has a gap {braces[0]} that nothing fills: only in titled has a title gaps, for settings")
    if kind.landmark and kind.landmark not in fields_of(start):
        wrong(f"landmark is {kind.landmark!r}, but a position has {', '.join(fields_of(start))}")
    return game


def _unfilled(game: Game[Any], text: str) -> list[str]:
    """The gaps of a text that nothing fills, also where what stands there is not said under these rules."""
    whether = [gap[0] for gap in re.finditer(IF, text) if getattr(game, gap[1], None) is None]
    return whether + re.findall(BRACES, game.told(re.sub(IF, r"\2", text)))


def report(
    path: str, others: Mapping[str, Kind] = {}, kind_in: Callable[[str], Kind] | None = None
) -> tuple[list[str], bool]:
    """What `numberquest check FILE` says of a game, line by line, and whether all laws hold among the other games."""
    try:
        kind = kind_in(path) if kind_in else only_class(load(path), Game, path)  # type: ignore[type-abstract]
        _made(kind, path)
        known = others.get(kind.slug)
        if known is not None and file_of(known) != file_of(kind):
            raise BadGame(f"{path}: the slug {kind.slug!r} is taken already, by {known.__module__}")
    except BadGame as error:
        return [str(error)], False
    seen = look(kind, path)
    games, wrong = seen.games, seen.wrong
    lines = [f"{kind.title} ({path})", ""]
    for law, state in seen.states.items():
        lines.append(f"{state:<8}{law.name:<11}{law.sentence}")
        if law in wrong:
            lines.append(f"{'':<19}{wrong[law]}")
    played = f"{seen.rounds} games" if seen.rounds > 1 else "a game"
    lines += ["", f"Looked at {played} played at random with each of these rules:"]
    lines += [f"  {game.changes or 'classic'}" for game in games]
    if not wrong and not seen.ended:
        lines += ["", f"None of them came to an end within {LONGEST_WALK} moves and reveals: can it end at all?"]
    return lines + ([] if wrong else would_add(games[0])), not wrong


def _state(law: Law, games: Sequence[Game[Any]], wrong: Container[Law]) -> Literal["holds", "broken", "unseen", "-"]:
    if law in wrong:
        return "broken"
    if LAWS[0] in wrong:
        return "unseen"
    return "holds" if any(law.concerns(game) for game in games) else "-"


def _rule_sets(kind: Kind) -> list[Game[Any]]:
    """The classic game; each whole number at both ends of its range; and a few at random."""
    found: list[Game[Any]] = [kind()]
    for name, field in kind.fields.items():
        if isinstance(field, Whole):
            found += [kind(**{name: field.low}), kind(**{name: field.high})]
    random = Random(0)  # noqa: S311  # the same look every time
    found += [kind(**some_settings(kind, random)) for _ in range(4)]
    return list(dict.fromkeys(found))


def some_settings(kind: Kind, random: Random) -> dict[str, SettingValue]:
    """Any settings that are allowed."""
    settled: dict[str, SettingValue] = {}
    for name, field in kind.fields.items():
        settled[name] = field.some(random, settled)
    return settled
