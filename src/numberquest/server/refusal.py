"""A request that cannot be done, and the sentences that only a server says: with this module they are in the table."""

from typing import Final

from numberquest.core.sentences import SENTENCES, Said, told

__all__ = ["OF_REQUESTS", "OF_THE_SERVER", "SENTENCES", "Refusal"]

OF_REQUESTS: Final = {
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
    # What a class refuses.
    "class-late": "Something else happened in the class first. Please try again.",
    "class-unchanged": "That is so already.",
    "class-unknown": "There is no such class, or it has been removed.",
    "class-code": "No class has that code now. Look at the board again: a code is four letters.",
    "class-guessed": "Too many wrong codes were typed here. Wait a minute and try again.",
    "class-teacher": "Only the teacher of this class may do that, with the link that opened it.",
    "class-seat-gone": "This seat in the class belongs to another device now. Ask your teacher.",
    "class-over": "The class is over.",
    "class-locked": "Nobody new may come in now. Ask your teacher.",
    "class-full": "All places of this class are taken. Ask your teacher.",
    "class-busy": "So much has happened in this class that no more is taken down but games.",
    "class-many": "This server has as many classes as it can hold. Try again later.",
    "class-share": "As many classes are open for this address as it may have. Erase one, or try again later.",
    "class-opened": "Many classes were opened here in a short time. Wait a minute and try again.",
    "class-name-none": "Say what you are called.",
    "class-name-taken": "{name} is in the class already. If that is you at another device, ask for your seat; "
    "otherwise choose another name.",
    "class-name-unknown": "Nobody of that name is in this class.",
    "class-roster": "Type your number in the teacher's list: a whole number from 1 to {most}.",
    "class-roster-none": "Say how long the list is: from 1 to {most} names.",
    "class-device": "As many have come in from this device as the teacher allows.",
    "class-address": "As many have come in from this address as the teacher allows.",
    "class-removed": "The teacher has sent you out of this class.",
    "class-pupil": "There is no such pupil in this class.",
    "class-nobody-knocks": "Nobody asks for this seat.",
    "class-begun": "The class has begun already.",
    "class-round": "The next round begins when this one is over, and as long as there is one.",
    "class-no-time": "Only an arena, and games against the computer, have a time: add 1 to 180 minutes.",
    "class-ask": "Ask one thing: a puzzle, a position, or a guess.",
    "class-position": "That is no position of this game in which somebody has to decide.",
    "class-question-gone": "That question is not asked any more.",
    "class-uncovered": "The answers have been uncovered already.",
    "class-answer": "That is none of the answers that can be given.",
    "class-asked-already": "Another device asks for this seat already. Your teacher answers that one first.",
    "class-asked-much": "This seat was asked for too often. Wait 20 seconds and try again.",
    "class-seat-waits": "This seat is not yours yet. Ask your teacher.",
    "class-much": "That was too much at once. Wait a moment.",
    "class-paused": "The teacher has paused the class: nobody moves until it goes on.",
    "class-no-hints": "The teacher wants this class to play without hints.",
    "class-nothing-wrong": "Nobody has made a mistake yet that could be put on a worksheet.",
    "class-no-rematch": "In a class you are put at the next table by itself.",
    # What is too much, and what went wrong.
    "much-at-once": "That was too much at once. Wait a moment and try again.",
    "much-in-a-minute": "That was too much at once. Wait a minute and try again.",
    "much-in-match": "Too much is happening in this match at once. Wait a moment.",
    "much-signed": "One sign after the other: wait a moment.",
    "sign-alone": "Signs are for two friends who play each other.",
    "much-thought": "Much has been thought about for this address in the last minute. Wait a moment and try again.",
    "much-open": "There are too many open connections from this address.",
    "much-from-address": "There is too much from this address at once. Wait a moment and try again.",
    "thinking-much": "The computer has too much to do just now. Please try again in a moment.",
    "thinking-not": "The computer cannot think just now. Please try again in a moment.",
    "thinking-long": "This takes longer than anybody would wait, so it was given up.",
    "task-stopped": "A part of this server has stopped and is being started again: {tasks:list}.",
    "stopping": "The server is stopping. Please try again in a moment.",
    "longer-than-games": "That is more than any game is long.",
    "went-wrong": "Something went wrong here. It is not your fault; please try again.",
    "went-wrong-again": "Something went wrong here. Please try again.",
    "went-wrong-noted": "Something went wrong here. It has been noted.",
}
"""What a request cannot be, and what is too much: only ever told as a refusal, which brings its words along."""
OF_THE_SERVER: Final = OF_REQUESTS | {
    # What the server refuses in a match.
    "game-over": "The game is over.",
    "deed-unknown": "This version of Number Quest does not know what was done there.",
    "asked-already": "The other player has been asked already.",
    "answer-first": "Answer the question first.",
    "not-your-turn": "It is not your turn.",
    "other-missing": "The other player is not here yet.",
    "not-allowed-here": "{move:quoted} is not allowed here.",
    "nothing-to-decide": "Nobody has to decide anything here.",
    "stands": "The match is not where you think: {stands} things have happened in it, not {ply}.",
    "gone-on": "Something else happened first: by now {stands} things have happened in this match, not {ply}.",
    "watching": "You are watching this match: that needs a seat.",
    "seat-needed": "That needs a seat: send its token in the header Authorization: Bearer TOKEN.",
    "seat-taken": "That seat is taken already.",
    "seat-taken-watch": "Somebody has taken that seat already. You can watch.",
    "invitation-withdrawn": "{name} has withdrawn this invitation.",
    "nobody-awaited": "Nobody is awaited here: there is no invitation to withdraw.",
    "nobody-waited-for": "Nobody is waited for: a match ends without a result only while the friend is to move.",
    "end-early": "{name} still has time: in {minutes} min you can end the match without a result.",
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
    "computer-thinking": "The computer is still thinking. You can wait, or come back later: the game is kept.",
    "computer-looks-ahead": "These rules are too large to work out completely, so the computer looks ahead as far as "
    "it can and may miss the best move.",
    "computer-could-not": "The computer could not choose a move yet, and tries again. You can wait, take your move "
    "back, resign, or start a game with smaller rules.",
    "too-large": "These rules are too large to work out completely, so nothing exact can be said about them.",
}
SENTENCES.update(OF_THE_SERVER)


class Refusal(Exception):
    """A word for programs, and what is to be told to people. Nothing has changed.

    `line` is where a record goes wrong, if that is what it is about.
    """

    def __init__(self, code: str, said: Said, line: int | None = None) -> None:
        super().__init__(told(said))
        self.code = code
        self.said = said
        self.line = line
