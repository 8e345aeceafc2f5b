"""One table of sentences by code for all rooms, and the functions that fill their gaps.

Rooms hand each other a code and values (`Said`); whoever shows them makes the words, from this table and from those
of the games. The page gets the same table, and fills the gaps by the same kinds (`server/page/parts/words.js`);
`tests/page` holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.core.settings import as_text, quoted

if TYPE_CHECKING:
    from fractions import Fraction

NAMES: Final = ("Player 1", "Player 2")
"""The names of players who gave none: players are 0 and 1 only in Python."""
PEOPLE: Final = ("Player A", "Player B")
"""The names of people who gave none where seats change from round to round: each keeps the name."""
MOST_NAMED: Final = 3
"""How many moves are named one by one."""
GAP: Final = r"\{(\w+)(?::(\w+))?\}"
"""The pattern of a gap in a template: `{winner}`, or with the kind of the value, `{chance:percent}`."""
Ending = Callable[[Mapping[str, Any]], str]
"""Tells how a game ended, in the words of that game."""


class Said(NamedTuple):
    """Something to be told: the code of a sentence, and what belongs into its gaps.

    The facts are plain data that any message can hold, with players as 1 and 2; a sentence inside another is a fact
    of it, `{"code": ..., "facts": ...}`.
    """

    code: str
    """Which sentence."""
    facts: Mapping[str, Any] = {}
    """The values for the gaps, by name."""


def inside(code: str, **facts: Any) -> dict[str, Any]:
    """Return a sentence that stands inside another."""
    return {"code": code, "facts": facts}


SENTENCES: Final[dict[str, str]] = {
    # How a game can end besides its own rules, and how it stands.
    "resigned": "{loser} resigned",
    "without-result": "{name} ended the game without a result: {other} had not moved for a long time",
    "class-stopped": "the class went on, and this game has no result",
    "endless": "nobody has won after {bound} moves",
    "result-won": "{winner:name} won: {outcome:ending}.",
    "result-drawn": "The game is drawn: {outcome:ending}.",
    "not-over": "The game is not over yet.",
    # Why a move cannot be taken back.
    "resigned-is-final": "A player has resigned: that is final.",
    "no-move-yet": "There is no move to take back yet.",
    "revealed-since": "A number has been revealed since: what has been seen cannot be taken back.",
    "secrets-stay": "In a game with secrets no move is taken back: what has been seen cannot be made unseen.",
    "drawn-since": "Chance has moved since: what has been seen cannot be taken back.",
    "binding-move": "{move:quoted} is final: it can never be taken back.",
    # What is proved about a game.
    "proved-alike": "no choice matters: {player:name} wins {chance:percent}",
    "proved-chance": "with best play {player:name} wins {chance:percent}",
    "proved-alike-drawn": "no choice matters: {player:name} gets {chance:percent} of the points, "
    "half of one for a draw",
    "proved-chance-drawn": "with best play {player:name} gets {chance:percent} of the points, half of one for a draw",
    "proved-between": "with best play {player:name} wins between {low:percent} and {high:percent}",
    "proved-between-drawn": "with best play {player:name} gets between {low:percent} and {high:percent} of the points, "
    "half of one for a draw",
    "proved-sure": "no choice matters: {player:name} always wins",
    "proved-won-any": "{player:name} wins with any first move",
    "proved-won": "{player:name} wins by {how} {moves:either}",
    "proved-lost": "{winner:name} wins, whatever {player:name} starts with",
    "proved-draw": "with best play it is a draw",
    "proved-endless": "with best play nobody can force a win: it is never decided",
    # Why a move cannot be made.
    "not-allowed": "{move:quoted} is not allowed here. Allowed: {allowed:short}.",
    "not-allowed-over": "{move:quoted} is not allowed here. The game is over.",
    "resign-over": "The game is over: nobody can resign now.",
    "resign-nobody": "Player 0 or player 1 can resign, not {player:quoted}.",
    "nothing-undone": "No move has been taken back.",
    # The first step of a hint: whether there is something to find.
    "nudge-chance": "Your chance to win is {chance:whole}.",
    "nudge-alike": "All moves are alike here.",
    "nudge-mix": "Best play mixes several moves here: what counts is how often you play each of them.",
    "nudge-lost": "Every move loses; make it hard.",
    "nudge-all-win": "You are winning, and every move keeps the win.",
    "nudge-one-wins": "There is a winning move, just one.",
    "nudge-some-win": "There is a winning move.",
    "nudge-all-draw": "Nobody can force a win here, and every move keeps the draw.",
    "nudge-one-draws": "No move wins, and just one keeps the draw.",
    "nudge-some-draw": "No move wins, but there are moves that keep the draw.",
    # The second step: what to play.
    "tip-any": "Take any move, they are all alike.",
    "tip-play": "Play {move:move}.",
    "tip-play-because": "Play {move:move}: {why:said}.",
    "tip-mix": "Mix: {mix:mix}.",
    "tip-lost": "Any move will do: all of them lose.",
    "tip-hardest": "{move:move} makes it hardest: then {right} of {answers} answers win.",
    "tip-hardest-one": "{move:move} makes it hardest: then 1 of {answers} answers wins.",
    # The third step: what every move is worth, and why the best one is.
    "proof-chances": "the chance to win with each move, best first.",
    "proof-results": "what comes of each move.",
    "proof-chance": "{moves:short}: {chance:percent}",
    "proof-wins": "{moves:short}: wins",
    "proof-draws": "{moves:short}: draws",
    "proof-loses": "{moves:short}: loses",
    "proof-mix": "best play mixes: {mix:mix}",
    "proof-why": "Why {move:move}? {why:Said}.",
    # Why a move is good or bad: what it makes of the numbers, and what each answer to it leads to.
    "the-mover": "you",
    "the-player": "{player:name}",
    "they-do": "they {answering}",
    "they-may": "{player:name} may {answering}",
    "reason-why": "{why:Said}.",
    "reason-sum": "{sum:sums}",
    "reason-both": "{sum:sums}. {then:Said}",
    "reason-past": "{sum:sums}: past {target}",
    "reason-exactly": "{sum:sums}: exactly {target}",
    "reason-ends": "{sum:sums}, and {outcome:ending}",
    "reason-ending": "{outcome:ending}",
    "no-win": "no answer wins",
    "answer-draws": "the answer {move:move} holds a draw",
    "answer-wins": "the answer {move:move} wins at once",
    "answer-wins-by": "the answer {move:move} wins: {sum:sums}",
    "answer-leaves": "the answer {move:move} leaves {left}, from which every move loses",
    "answer-beats": "after the answer {move:move} every move loses",
    "answer-can-win": "with the answer {move:move} the game can be won, whatever is played then",
    "plan-left": "leave {left}: {plan:said}",
    "plan-lost": "every answer loses at once",
    "plan-reach": "whatever {rival:said}, {me:said} can reach {target}",
    "plan-leave": "whatever {rival:said}, {me:said} can leave {leaves:either}",
    "plan-reach-leave": "whatever {rival:said}, {me:said} can reach {target} or leave {leaves:either}",
    "plan-now": "whatever {rival:said}, {me:said} can win with the next move",
    "plan-now-leave": "whatever {rival:said}, {me:said} can win with the next move or leave {leaves:either}",
    "plan-with": "whatever {rival:said}, {me:said} can win with {moves:either}",
    "plan-win-after": "whatever {rival:said}, {me:said} can win: after {answer:move} with {moves:either}",
    "after-answer": "after the answer {move:move}: {then:said}",
    "all-win": "whatever comes up lets {me:said} win",
    "all-lose": "whatever comes up makes {me:said} lose",
    "unseen-both": "{wins} of {of} unseen numbers would let {me:said} win ({won:short}), "
    "{losses} would beat {me:said} ({lost:short})",
    "unseen-win": "{wins} of {of} unseen numbers would let {me:said} win ({won:short})",
    "unseen-lose": "{losses} of {of} unseen numbers would beat {me:said} ({lost:short})",
    "unseen-lose-least": "only {losses} of {of} unseen numbers would beat {me:said} ({lost:short})",
    "draw-both": "{wins} of {of} draws would let {me:said} win ({won:short}), "
    "{losses} would beat {me:said} ({lost:short})",
    "draw-win": "{wins} of {of} draws would let {me:said} win ({won:short})",
    "draw-lose": "{losses} of {of} draws would beat {me:said} ({lost:short})",
    "draw-lose-least": "only {losses} of {of} draws would beat {me:said} ({lost:short})",
    # What a move gave away.
    "lost-already": "The game was lost already, so nothing was given away.",
    "cost-alone": "{cost:said}.",
    "cost-because": "{cost:said}. {why:Said}.",
    "best-was": "Best was {best:either}.",
    "best-was-because": "Best was {best:either}: {why:said}.",
    "cost-little": "that cost less than 1 point",
    "cost-chance": "that cost {loss:difference}, your chance is now {after:whole} instead of {before:whole}",
    "cost-win": "{move:move} gave the win away",
    "cost-win-for-draw": "{move:move} gave the win away for a draw",
    "cost-draw": "{move:move} gave the draw away",
    # A review: the verdict on each move, and why it is what it is; `drawn` is what became of it, `over` at the end.
    "set up": "set up",
    "win kept": "win kept",
    "win thrown away": "win thrown away",
    "draw kept": "draw kept",
    "draw thrown away": "draw thrown away",
    "still lost": "still lost",
    "only move": "only move",
    "all alike": "all alike",
    "best": "best",
    "small slip": "small slip",
    "mistake": "mistake",
    "blunder": "blunder",
    "why set up": "Nobody played this move: the game began after it.",
    "why win kept": "{player:name} can still win, whatever {rival:name} does.",
    "why win kept over": "That wins the game for {player:name}.",
    "why win thrown away": "{player:name} could have won; now {rival:name} can.",
    "why win thrown away over": "{player:name} could have won; now {rival:name} has.",
    "why win thrown away drawn": "{player:name} could have won; now it is only a draw.",
    "why win thrown away drawn over": "{player:name} could have won; now it is a draw.",
    "why draw kept": "{player:name} can still hold the draw, whatever {rival:name} does.",
    "why draw kept over": "That makes a draw.",
    "why draw thrown away": "{player:name} could have held the draw; now {rival:name} can win.",
    "why draw thrown away over": "{player:name} could have held the draw; now {rival:name} has won.",
    "why still lost": "{rival:name} can win, whatever {player:name} does.",
    "why still lost over": "{rival:name} has won: {player:name} could do nothing about it any more.",
    "why only move": "Nothing else was allowed.",
    "why all alike": "Every move was worth the same.",
    "why best": "No move was better.",
    "why not best": "It gave away {loss:difference}.",
    # When the game was decided.
    "review-set-up": "The position was set up; from move {number} on it was played.",
    "review-nothing": "No move has been made, so there is nothing to review.",
    "nothing-changed": "Nothing has changed so far.",
    "never-turned": "There was no turning point: {winner:name} could win from the start and never let go.",
    "never-turned-drawn": "There was no turning point: nobody ever let the draw go.",
    "turned-luck-rose": "The turning point was luck: {entry} came up {where:said}, "
    "and {player:name}'s chance rose from {before:whole} to {after:whole}.",
    "turned-luck-fell": "The turning point was luck: {entry} came up {where:said}, "
    "and {player:name}'s chance fell from {before:whole} to {after:whole}.",
    "turned-win": "The turning point was move {number}: {did:said} and threw the win away.",
    "turned-draw": "The turning point was move {number}: {did:said} and threw the draw away.",
    "turned-chance": "The turning point was move {number}: {did:said}, "
    "and {player:name}'s chance fell from {before:whole} to {after:whole}.",
    "turned-chance-rose": "The turning point was move {number}: {did:said}, "
    "and {player:name}'s chance rose from {before:whole} to {after:whole}.",
    "turned-open": "The turning point was move {number}: {did:said}. Seen with all secrets open, "
    "{player:name}'s chance fell from {before:whole} to {after:whole}.",
    "turned-open-rose": "The turning point was move {number}: {did:said}. Seen with all secrets open, "
    "{player:name}'s chance rose from {before:whole} to {after:whole}.",
    "costliest-move": "The costliest move was move {number}: {did:said} and gave away {loss:difference}.",
    "costliest-best": "The costliest move was move {number}: {did:said} and gave away {loss:difference}; "
    "best was {best:either}.",
    "at-the-start": "at the start",
    "after-move": "after move {number}",
    "did-play": "{player:name} played {move:move}",
    "did-resign": "{player:name} resigned",
    "looked-ahead": "These rules were too large to work out during the game: {player:name} looked ahead as far as it "
    "could, and did not know the best move.",
    # How well each played.
    "key-moments": "Key moments, where at least half of the moves are mistakes: {one:said}, {two:said}.",
    "key-found": "{player:name} found {found} of {of}",
    "key-none": "{player:name} had none",
    "review-move": "Move {number}, {did:said}.",
    # Where the result came from, without chance.
    "could-win": "{player:name} could win from the start, whatever the other did.",
    "could-draw": "Both could hold a draw from the start, whatever the other did.",
    "threw-win": "{one:name} threw the win away {one_times:times}, {two:name} {two_times:times}.",
    "threw-draw": "{one:name} threw the draw away {one_times:times}, {two:name} {two_times:times}.",
    "threw-no-win": "Nobody threw a win away.",
    "threw-nothing": "Nobody threw a win or a draw away.",
    "no-luck": "There is no luck in this game: every change came from a move.",
    # Where the result came from, with chance.
    "began-with": "{player:name} began with a chance of {chance:points} %.",
    "gave-away": "{player:name}'s moves gave away {loss:points} points.",
    "gave-away-helped": "{player:name}'s moves gave away {loss:points} points, which helped {other:name}.",
    "gave-nothing": "{player:name}'s moves gave nothing away.",
    "luck-gave": "Luck gave {player:name} {luck:points} points.",
    "luck-took": "Luck took {luck:points} points from {player:name}.",
    "luck-nothing": "Luck did nothing.",
    "met-gave": "How the secret choices met gave {player:name} {luck:points} points.",
    "met-took": "How the secret choices met took {luck:points} points from {player:name}.",
    "sum-met": "{start:points} - {one:points} + {two:points} + ({luck:points}) + ({met:points}) = {end:points}",
    "sum-stands": "{sum:said}: that is where the game stands.",
    "sum-won": "{sum:said}: {player:name} won.",
    "sum-lost": "{sum:said}: {player:name} lost.",
    "sum-drawn": "{sum:said}: the game was drawn.",
    "sum-plus": "{start:points} - {one:points} + {two:points} + {luck:points} = {end:points}",
    "sum-minus": "{start:points} - {one:points} + {two:points} - {luck:points} = {end:points}",
    "luck-alone": "Luck alone decided this game.",
    "more-luck": "Luck counted for more than mistakes.",
    "more-mistakes": "Mistakes counted for more than luck.",
    "a-point": "A point is one game of a hundred.",
    # How each computer player plays, and how hard a puzzle is.
    "level-random": "plays any move",
    "level-easy": "slips often",
    "level-medium": "slips now and then",
    "level-hard": "hardly ever slips",
    "level-perfect": "never makes a mistake",
    "grade-1": "very easy",
    "grade-2": "easy",
    "grade-3": "medium",
    "grade-4": "hard",
    "grade-5": "very hard",
    # What earns a star over a computer player.
    "ladder-seat": "Three wins over a level earn its star, without hints, as {player:name}: that seat can be won.",
    "ladder-either": "Three wins over a level earn its star, without hints, in either seat: both are alike.",
    "ladder-held": "Nobody can beat {level} here, so three draws with it earn its star: holding out is what counts.",
    "ladder-luck": "No choice matters in this game, so its stars are luck.",
    # How much luck is in a game, from none to nothing else.
    "game-luck-0": "no luck: your moves decide",
    "game-luck-1": "a little luck",
    "game-luck-2": "luck and skill",
    "game-luck-3": "much luck",
    "game-luck-4": "luck alone",
    # A lesson: what is said at each step, and of what is tried there.
    "lesson-words": "{words}",
    "lesson-first": "{goal} It is your turn: make any move.",
    "lesson-again": "Your opponent has moved, and it is your turn again. Make another move.",
    "lesson-wins": "Here a move wins at once. Find it.",
    "lesson-safe": "Careful: here some moves lose at once. Find one that does not.",
    "lesson-rules": "That is how it goes. Here are all the rules:\n{rules}",
    "lesson-made": "That is how a move is made.",
    "lesson-right": "Right!",
    "lesson-not-yet": "That does not do it. Try another move.",
    "lesson-loses": "That loses: {outcome:ending}. Try another move.",
    # A puzzle: its rules, what is asked, whether an answer is right, and why.
    "puzzle-note": "{note}",
    "puzzle-rules": "The rules are changed: {settings:settings}",
    "puzzle-you": "You are {player:name}.",
    "puzzle-win": "One move wins, and all others lose. Which?",
    "puzzle-win-not-draw": "One move wins, and no other does. Which?",
    "puzzle-draw": "One move keeps the draw, and all others lose. Which?",
    "puzzle-best": "One move is better than all others. Which?",
    "puzzle-alike": "One of these is the best: {alike}, or {others:short}. Which?",
    "puzzle-win-several": "Several moves win, and all others lose. Find one of them.",
    "puzzle-win-not-draw-several": "Several moves win, and no others do. Find one of them.",
    "puzzle-draw-several": "Several moves keep the draw, and all others lose. Find one of them.",
    "puzzle-best-several": "Several moves are equally good, and better than all others. Find one of them.",
    "puzzle-all": "All moves are worth the same here.",
    "puzzle-right": "Right! {answer:Move} is {best:said}.",
    "puzzle-wrong": "Not this time. {best:Said} is {answer:move}, not {move:move}.",
    "the-best": "the best move",
    "the-only-win": "the only winning move",
    "the-only-draw": "the only move that keeps the draw",
    "puzzle-chances": "With best play from here on, {answer:move} wins {chance:whole} of the games, "
    "and the next best, {other:move}, {other_chance:whole}.",
    "puzzle-because": "{move:Move}: {why:said}.",
    "puzzle-goes-on": "After {move:move} you can win whatever your opponent does.",
    "puzzle-goes-on-draw": "After {move:move} you can hold the draw whatever your opponent does.",
    "puzzle-goes-wrong": "After {move:move} your opponent can win whatever you do.",
    "puzzle-only-draws": "{move:move} only draws.",
}
"""Every sentence by its code; the server adds its own (`server/refusal.py`).

A gap is `{name}` or `{name:kind}`; a kind with a capital letter begins with one.
"""


def sentence(words: object) -> str:
    """Words as a sentence: with a capital letter and a full stop."""
    text = str(words)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


LONGEST_LIST: Final = 60
"""A question that lists more characters of moves than this is hard to read."""


def in_short(moves: Sequence[str]) -> str:
    """The moves on one line, with runs of numbers shortened: `1 to 9, predict 1 to predict 99`."""
    between = _between(moves, " ")
    return between.join(f"{run[0]} to {run[-1]}" if len(run) > 2 else between.join(run) for run in _runs(moves))


def _between(moves: Sequence[str], tight: str) -> str:
    """Return the separator of several moves; moves that contain a comma, such as cells, need another one."""
    if any(", " in move for move in moves):
        return " · "
    return tight if any("," in move for move in moves) else ", "


def _runs(moves: Sequence[str]) -> list[list[str]]:
    """The moves, those together of which each is one higher than the one before."""
    runs: list[list[str]] = []
    for move in moves:
        if runs and _follows(runs[-1][-1], move):
            runs[-1].append(move)
        else:
            runs.append([move])
    return runs


def _follows(move: str, following: str) -> bool:
    """Whether two moves differ only in that their last number is one higher."""
    # A cell is a place, not a number.
    one, two = re.fullmatch(r"([^,]*?)([0-9]+)", move), re.fullmatch(r"([^,]*?)([0-9]+)", following)
    return bool(one and two and one[1] == two[1] and int(one[2]) + 1 == int(two[2]))


def either(moves: Sequence[str]) -> str:
    """Some moves as a choice: `1 or 6`, `2+, 3+, 5+ or 4 others`."""
    if len(moves) > MOST_NAMED:
        # Numbers in a row are short however many they are.
        short = in_short(moves)
        if len(short) <= 20 and any(len(run) > 2 for run in _runs(moves)):
            return short
        moves = [*moves[:MOST_NAMED], f"{len(moves) - MOST_NAMED} others"]
    *others, last = moves
    return f"{_between(others, ' or ').join(others)} or {last}" if others else last


def mix(parts: Sequence[tuple[str, int, int]]) -> str:
    """Return moves with their odds: `2 of 3 times 1, else 3`; the last move has the odds that are left."""
    *first, (last, _, _) = parts
    return ", ".join(
        [*(f"{share} of {of} times {move}" for move, share, of in first), f"else {last}" if first else last]
    )


def percent(chance: float | Fraction) -> str:
    """A chance as people read it: `41.23 %`."""
    return f"{100 * float(chance):z.2f} %"


def per_cent(chance: float | Fraction) -> str:
    """A chance in whole per cent; 0 and 100 only where it is certain."""
    # What a search has added up is certain but for the rounding of its last digits.
    chance = float(chance)
    if 1e-9 < chance < 0.01:
        return "under 1 %"
    if 0.99 < chance < 1 - 1e-9:
        return "over 99 %"
    return f"{100 * chance:.0f} %"


def in_points(difference: float | Fraction) -> str:
    """Return how far two chances lie apart, in whole points: one point is one game of a hundred."""
    apart = abs(float(difference))
    if 1e-9 < apart < 0.01:
        return "under 1 point"
    points = f"{100 * apart:.0f}"
    return "1 point" if points == "1" else f"{points} points"


def _ending(outcome: Mapping[str, Any]) -> str:
    raise LookupError(f"nobody said how to tell the ending {outcome['reason']!r}")


KINDS: Final[Mapping[str, Callable[[Any, tuple[str, str]], str]]] = {
    "": lambda value, names: as_text(value),
    "quoted": lambda value, names: quoted(value),
    "percent": lambda value, names: percent(value),
    "whole": lambda value, names: per_cent(value),
    "difference": lambda value, names: in_points(value),
    "points": lambda value, names: f"{100 * float(value):z.1f}",
    "times": lambda value, names: {0: "never", 1: "once", 2: "twice"}.get(value, f"{value} times"),
    "name": lambda value, names: names[value - 1],
    "move": lambda value, names: value,
    "sums": lambda value, names: value,
    "either": lambda value, names: either(value),
    "mix": lambda value, names: mix(value),
    "short": lambda value, names: in_short(value),
    "list": lambda value, names: ", ".join(value) or "none",
    "sentence": lambda value, names: sentence(value),
    "settings": lambda value, names: " ".join(f"{name}={as_text(each)}" for name, each in value.items()),
}
"""How a value is written: as it is; a chance in per cent, whole or exact; the difference of two
chances in points, whole or as a number to a tenth; how often; a player's name; a move, a
calculation or several moves; words in a list, and as a sentence; rule settings. Two more are not in this table: `said`,
another sentence, and `ending`, how a game ended."""


def fill(template: str, facts: Mapping[str, Any], names: tuple[str, str] = NAMES, ending: Ending = _ending) -> str:
    """The template with its gaps filled; `ending` tells an outcome, which takes the words of its game."""

    def value(gap: re.Match[str]) -> str:
        fact, kind = facts[gap[1]], gap[2] or ""
        if kind.lower() == "said":
            text = told(Said(**fact), names, ending)
        else:
            text = ending(fact) if kind == "ending" else KINDS[kind.lower()](fact, names)
        return f"{text[:1].upper()}{text[1:]}" if kind[:1].isupper() else text

    return re.sub(GAP, value, template)


def told(said: Said, names: tuple[str, str] = NAMES, ending: Ending = _ending) -> str:
    """Return a message in words, with the players' names."""
    return fill(SENTENCES[said.code], said.facts, names, ending)
