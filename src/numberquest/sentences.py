"""What is said to people, by code: one table for all, and how its gaps are filled.

Rooms hand each other a code and values (`Said`); whoever shows them makes the words, from this table and from those
of the games. The page gets the same table, and fills the gaps by the same kinds (`server/web/static/words.js`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from numberquest.settings import as_text, quoted
from numberquest.wording import either, in_short, sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

NAMES: Final = ("Player 1", "Player 2")
"""What people call players who gave no name: players are 0 and 1 only in Python."""


class Said(NamedTuple):
    """Something to be told: the code of a sentence, and what belongs into its gaps.

    The facts are plain data that any message can hold, with players as 1 and 2; a sentence inside another is a fact
    of it, `{"code": ..., "facts": ...}`.
    """

    code: str
    """Which sentence."""
    facts: Mapping[str, Any] = {}
    """What belongs into its gaps, by name."""


SENTENCES: Final[Mapping[str, str]] = {
    # How a game can end besides its own rules, and how it stands.
    "resigned": "{loser} resigned",
    "endless": "nobody has won after {bound} moves",
    "result-won": "{winner:name} won: {outcome:ending}.",
    "result-drawn": "The game is drawn: {outcome:ending}.",
    "not-over": "The game is not over yet.",
    # Why a move cannot be taken back.
    "resigned-is-final": "A player has resigned: that is final.",
    "no-move-yet": "No move has been made yet.",
    "revealed-since": "A number has been revealed since: what has been seen cannot be taken back.",
    "drawn-since": "Chance has moved since: what has been seen cannot be taken back.",
    "binding-move": "{move:quoted} is final: it can never be taken back.",
    "game-over": "The game is over.",
    "deed-unknown": "This version of Number Quest does not know what was done there.",
    "asked-already": "The other player has been asked already.",
    "answer-first": "Answer the question first.",
    # What is proved about a game.
    "proved-alike": "no choice matters: {player:name} wins {chance:percent}",
    "proved-chance": "with best play {player:name} wins {chance:percent}",
    "proved-alike-drawn": "no choice matters: {player:name} gets {chance:percent} of the points, "
    "half of one for a draw",
    "proved-chance-drawn": "with best play {player:name} gets {chance:percent} of the points, half of one for a draw",
    "proved-won": "{player:name} wins by {how} {moves:either}",
    "proved-lost": "{winner:name} wins, whatever {player:name} starts with",
    "proved-draw": "with best play it is a draw",
    "proved-endless": "with best play nobody can force a win: it is never decided",
    # Why a move cannot be made.
    "not-allowed": "{move:quoted} is not allowed here. Allowed: {allowed:short}.",
    "not-allowed-over": "{move:quoted} is not allowed here. The game is over.",
    "not-allowed-here": "{move:quoted} is not allowed here.",
    "nothing-to-decide": "Nobody has to decide anything here.",
    "not-your-turn": "It is not your turn.",
    "other-missing": "The other player is not here yet.",
    "resign-over": "The game is over: nobody can resign now.",
    "resign-nobody": "Player 0 or player 1 can resign, not {player:quoted}.",
    "nothing-undone": "No move has been taken back.",
    # What else the server refuses in a match.
    "stands": "The match is not where you think: {stands} things have happened in it, not {ply}.",
    "gone-on": "Something else happened first: by now {stands} things have happened in this match, not {ply}.",
    "watching": "You are watching this match: that needs a seat.",
    "seat-needed": "That needs a seat: send its token in the header Authorization: Bearer TOKEN.",
    "seat-taken": "That seat is taken already.",
    "seat-taken-watch": "Somebody has taken that seat already. You can watch.",
    "invitation-withdrawn": "{name} has withdrawn this invitation.",
    "nobody-awaited": "Nobody is awaited here: there is no invitation to withdraw.",
    "seat-of-other": "That is the other player's seat.",
    "token-wrong": "This token opens no seat in this match.",
    "invitation-wrong": "This invitation opens no seat here.",
    "rematch-early": "There is a rematch when the game is over, not before.",
    "rematch-asked": "You have asked for a rematch already.",
    "nobody-asked": "Nobody has asked you to take a move back.",
    "no-hints": "There are no hints in a game against a friend.",
    "no-hints-wished": "Whoever started this game wants it played without marks, hints and coach.",
    "no-coach": "The coach is there in games against the computer only.",
    "record-early": "The record is there when the game is over.",
    "match-asked-much": "So much has been asked in this match that only moves are taken now.",
    "match-unknown": "There is no match of that name. It may have been removed after a long time.",
    "match-of-game": "This match is of the game {game}, which this server does not have now.",
    # What a new match cannot be.
    "at-without-record": "at says how much of a record is played; there is no record here.",
    "game-missing": "A match needs a game, or a record to go on from.",
    "seed-of-nothing": "Nothing is dealt in {game}, so there is nothing for a seed to decide.",
    "at-beyond": "The record ends after entry {length}, so at cannot be {at}.",
    "record-with-friend": "A record is gone on with against the computer or at one screen.",
    "record-has-rules": "The rules are in the record: leave the settings out.",
    "record-has-deal": "The deal is in the record: leave the seed out.",
    "record-over": "The game of that record is over there: choose an earlier place.",
    "record-none": "This is no record of a game: {why:Sentence}",
    "record-wrong": "This is not a record of a game: {why}.",
    "opponent-unknown": "An opponent is one of {allowed:list}.",
    "other-name": "Only at one screen do you give the other player a name.",
    "much-kept": "As many matches are kept for this address as it may have. Finish some, or try again later.",
    "server-full": "This server has as many open matches as it can hold. Try again later.",
    # What a request cannot be; the reasons of others come as they are.
    "because": "{why:Sentence}",
    "unreadable": "That cannot be read: {why}.",
    "nested": "That is nested too deeply to be a message of ours.",
    "too-long": "The request may have {largest} bytes, not more.",
    "not-json": "Send JSON, and say so in the header Content-Type: application/json.",
    "token-none": "This is no token of a seat: one has 32 to 64 letters, digits, - and _.",
    "key-none": "A key has 1 to 64 characters, and no zero character among them.",
    "seat-key-none": "A key for a seat has 22 to 64 letters, digits, - and _, and is picked at random.",
    "settings-none": "A rule is changed by its name, such as target, to a whole number, to true or false, "
    "or to a few signs.",
    "hello-first": "The first frame must be a hello.",
    "header-wrong": "The header Authorization is written: Bearer TOKEN.",
    "address-long": "The address is too long.",
    "address-unknown": "There is nothing at this address.",
    "not-http": "This is no request of HTTP that can be understood.",
    "head-long": "The head of a request may have {largest} bytes, not more.",
    "headers-many": "A request may have {most} headers, not more.",
    "live-long": "A request for a live connection is shorter, and has no body.",
    "not-live": "This is no request for a live connection that can be understood.",
    "address-does-not": "{method} is not something this address does.",
    "parameters-unreadable": "The parameters in the address cannot be read.",
    "parameters-allowed": "The parameters of this address are: {allowed:list}, each once.",
    "parameter-needed": "The address needs the parameter {name}: {meaning}",
    "parameter-wrong": "The parameter {name} is not as it should be: {meaning}",
    "wrong-host": "This server does not answer to that name. Ask whoever gave you the address for the right one.",
    "wrong-origin": "Only this server's own page may ask this.",
    # What is too much, and what went wrong.
    "much-at-once": "That was too much at once. Wait a moment and try again.",
    "much-in-a-minute": "That was too much at once. Wait a minute and try again.",
    "much-in-match": "Too much is happening in this match at once. Wait a moment.",
    "much-signed": "One sign after the other: wait a moment.",
    "sign-alone": "Signs are for two friends who play each other.",
    "much-thought": "Much has been thought about for this address in the last minute. Wait a moment and try again.",
    "much-open": "There are too many open connections from this address.",
    "much-from-address": "There is too much from this address at once. Wait a moment and try again.",
    "computer-thinking": "The computer is still thinking. You can wait, or come back later: the game is kept.",
    "computer-looks-ahead": "These rules are too large to work out completely, so the computer looks ahead as far as "
    "it can and may miss the best move.",
    "computer-could-not": "The computer could not choose a move yet, and tries again. You can wait, take your move "
    "back, resign, or start a game with smaller rules.",
    "thinking-much": "The computer has too much to do just now. Please try again in a moment.",
    "thinking-not": "The computer cannot think just now. Please try again in a moment.",
    "thinking-long": "This takes longer than anybody would wait, so it was given up.",
    "stopping": "The server is stopping. Please try again in a moment.",
    "too-large": "These rules are too large to work out completely, so nothing exact can be said about them.",
    "longer-than-games": "That is more than any game is long.",
    "went-wrong": "Something went wrong here. It is not your fault; please try again.",
    "went-wrong-again": "Something went wrong here. Please try again.",
    "went-wrong-noted": "Something went wrong here. It has been noted.",
    # The first step of a hint: whether there is something to find.
    "nudge-chance": "Your chance to win is {chance:whole}.",
    "nudge-alike": "All moves are alike here.",
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
    "proof-why": "Why {move:move}? {why:Said}.",
    "wins-at-once": "{move:move} wins at once",
    "draws-at-once": "{move:move} makes a draw at once",
    "leaves-lost": "{move:move} leaves {left}, from which every answer loses",
    "no-answer": "after {move:move} every answer loses",
    # What a move gave away.
    "lost-already": "The game was lost already, so nothing was given away.",
    "cost-alone": "{cost:said}.",
    "cost-because": "{cost:said}: {why:said}.",
    "best-was": "Best was {best:either}.",
    "best-was-because": "Best was {best:either}: {why:said}.",
    "cost-little": "that cost less than 1 %",
    "cost-chance": "that cost {points} %, your chance is now {after:whole} instead of {before:whole}",
    "cost-win": "{move:move} gave the win away",
    "cost-win-for-draw": "{move:move} gave the win away for a draw",
    "cost-draw": "{move:move} gave the draw away",
    "loses-at-once": "it loses at once",
    "opponent-wins": "now your opponent can win with {moves:either}",
    "unseen-loses": "the one unseen number loses for you now",
    "unseen-one-loses": "1 of the {of} unseen numbers loses for you now",
    "unseen-lose": "{lost} of the {of} unseen numbers lose for you now",
    "draws-lose": "{chance:whole} of all draws lose for you now",
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
    "why not best": "It gave away {loss:whole}.",
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
    "costliest-move": "The costliest move was move {number}: {did:said} and gave away {loss:whole}.",
    "costliest-best": "The costliest move was move {number}: {did:said} and gave away {loss:whole}; "
    "best was {best:either}.",
    "at-the-start": "at the start",
    "after-move": "after move {number}",
    "did-play": "{player:name} played {move:move}",
    "did-resign": "{player:name} resigned",
    "looked-ahead": "These rules were too large to work out during the game: {player:name} looked ahead as far as it "
    "could, and did not know the best move.",
    # How well each played.
    "accuracy-both": "Accuracy (100 is perfect): {one:said}, {two:said}.",
    "accuracy-share": "{player:name} {share}",
    "accuracy-none": "{player:name} had nothing to get wrong",
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
    "gave-away": "{player:name}'s moves gave away {loss:points} %.",
    "gave-away-helped": "{player:name}'s moves gave away {loss:points} %, which helped {other:name}.",
    "gave-nothing": "{player:name}'s moves gave nothing away.",
    "luck-gave": "Luck gave {player:name} {luck:points} %.",
    "luck-took": "Luck took {luck:points} % from {player:name}.",
    "luck-nothing": "Luck did nothing.",
    "sum-stands": "{sum:said}: that is where the game stands.",
    "sum-won": "{sum:said}: {player:name} won.",
    "sum-lost": "{sum:said}: {player:name} lost.",
    "sum-drawn": "{sum:said}: the game was drawn.",
    "sum-plus": "{start:points} - {one:points} + {two:points} + {luck:points} = {end:points}",
    "sum-minus": "{start:points} - {one:points} + {two:points} - {luck:points} = {end:points}",
    "luck-alone": "Luck alone decided this game.",
    "more-luck": "Luck counted for more than mistakes.",
    "more-mistakes": "Mistakes counted for more than luck.",
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
    "puzzle-best": "One move is clearly the best. Which?",
    "puzzle-alike": "One of these is clearly the best: {alike}, or {others:short}. Which?",
    "puzzle-right": "Right! {answer:Move} is {best:said}.",
    "puzzle-wrong": "Not this time. {best:Said} is {answer:move}, not {move:move}.",
    "the-best": "the best move",
    "the-only-win": "the only winning move",
    "the-only-draw": "the only move that keeps the draw",
    "puzzle-chances": "With best play from here on, {answer:move} wins {chance:whole} of the games, "
    "and the next best, {other:move}, {other_chance:whole}.",
    "puzzle-wins-at-once": "{move:move} wins at once: {outcome:ending}.",
    "puzzle-draws-at-once": "{move:move} makes a draw at once: {outcome:ending}.",
    "puzzle-loses-at-once": "{move:move} loses at once: {outcome:ending}.",
    "puzzle-goes-on": "After {move:move} you can win whatever your opponent does.",
    "puzzle-goes-on-draw": "After {move:move} you can hold the draw whatever your opponent does.",
    "puzzle-goes-wrong": "After {move:move} your opponent can win whatever you do.",
    "puzzle-leaves": "{move:move} leaves {left}, and then every answer of your opponent loses.",
    "puzzle-no-answer": "After {move:move} every answer of your opponent loses.",
    "puzzle-no-win": "After {move:move} no answer of your opponent wins.",
    "puzzle-opponent-wins": "After {move:move} your opponent wins with {answer:move}.",
    "puzzle-opponent-draws": "After {move:move} your opponent can draw with {answer:move}.",
    "puzzle-only-draws": "{move:move} only draws.",
}
"""Every sentence by its code. A gap is `{name}` or `{name:kind}`; a kind with a capital letter begins with one."""


def percent(chance: float | Fraction) -> str:
    """A chance as people read it: `41.23 %`."""
    return f"{100 * float(chance):.2f} %"


def per_cent(chance: float | Fraction) -> str:
    """A chance in whole per cent; 0 and 100 only where it is certain."""
    if 0 < chance < 0.01:
        return "under 1 %"
    if 0.99 < chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _ending(outcome: Mapping[str, Any]) -> str:
    raise LookupError(f"nobody said how to tell the ending {outcome['reason']!r}")


KINDS: Final[Mapping[str, Callable[[Any, tuple[str, str]], str]]] = {
    "": lambda value, names: as_text(value),
    "quoted": lambda value, names: quoted(value),
    "percent": lambda value, names: percent(value),
    "whole": lambda value, names: per_cent(value),
    "points": lambda value, names: f"{round(100 * float(value), 1)}",
    "times": lambda value, names: _times(value),
    "name": lambda value, names: names[value - 1],
    "move": lambda value, names: value,
    "either": lambda value, names: either(value),
    "short": lambda value, names: in_short(value),
    "list": lambda value, names: ", ".join(value) or "none",
    "sentence": lambda value, names: sentence(value),
    "settings": lambda value, names: " ".join(f"{name}={as_text(each)}" for name, each in value.items()),
}
"""How a value is written: as it is; a chance in per cent, whole or to a tenth; how often; a player's name; a move or
several; words in a list, and as a sentence; rule settings. Two more are not in this table: `said`, another sentence,
and `ending`, how a game ended."""


GAP: Final = r"\{(\w+)(?::(\w+))?\}"
"""What a template leaves open: `{winner}`, or with how it is written, `{chance:percent}`."""


def fill(
    template: str,
    facts: Mapping[str, Any],
    names: tuple[str, str] = NAMES,
    ending: Callable[[Mapping[str, Any]], str] = _ending,
) -> str:
    """The template with its gaps filled; `ending` tells an outcome, which takes the words of its game."""

    def value(gap: re.Match[str]) -> str:
        fact, kind = facts[gap[1]], gap[2] or ""
        if kind.lower() == "said":
            text = told(Said(**fact), names, ending)
        else:
            text = ending(fact) if kind == "ending" else KINDS[kind.lower()](fact, names)
        return f"{text[:1].upper()}{text[1:]}" if kind[:1].isupper() else text

    return re.sub(GAP, value, template)


def told(said: Said, names: tuple[str, str] = NAMES, ending: Callable[[Mapping[str, Any]], str] = _ending) -> str:
    """What was said, in words, with the players' names."""
    return fill(SENTENCES[said.code], said.facts, names, ending)
