"""The texts of a game that is made of a recipe: its rules, its goal and its endings."""

from collections.abc import Iterator
from typing import Any, Final

from numberquest.core.recipe.game import RecipeGame
from numberquest.core.recipe.rules import NumbersGame

TIMES: Final = {1: "once", 2: "twice"}
BY_LAST: Final = {
    "last wins": "the player who moved last wins",
    "last loses": "the player who moved last loses",
    "draw": "nobody wins",
}
ENDINGS: Final = {
    "reached": "{winner} reached {target}",
    "reached and lost": "{loser} reached {target}, which loses",
    "reached by a pass": "{winner} reached {target} with the number passed to them",
    "reached and lost by a pass": "{loser} reached {target} with the number passed to them, which loses",
    "passed": "{winner} went past {target}",
    "passed and lost": "{loser} went past {target}",
    "passed by a pass": "{winner} went past {target} with the number passed to them",
    "passed and lost by a pass": "{loser} went past {target} with the number passed to them",
    "stuck": "{loser} had no move left",
    "closer": "{why}, and {winner} with {winners} is closer to {target} than {loser} with {losers}",
    "higher": "{why}, and {winner} with {winners} has more than {loser} with {losers}",
    "lower": "{why}, and {winner} with {winners} has less than {loser} with {losers}",
    "tie last wins": "{why}, both are as good, and {winner} moved last and wins the tie",
    "tie last loses": "{why}, both are as good, and {loser} moved last and loses the tie",
    "tie draw": "{why}, and both are as good",
    "nothing left last wins": "{winner} made the last move",
    "nothing left last loses": "{loser} had to make the last move",
    "nothing left draw": "{why}, and nobody wins",
    "line": "{winner} has {line} in a line",
    "line lost": "{loser} made {line} in a line, which loses",
}


def rules(game: RecipeGame[Any]) -> str:
    """Return the rules, a paragraph each."""
    paragraphs = _number_rules(game) if isinstance(game, NumbersGame) else _line_rules(game)
    return "\n".join(" ".join(sentences) for sentences in paragraphs if sentences)


def goal(game: Any) -> str:
    """Return the goal in a sentence."""
    wins = game.at("end.exactly") == "wins"
    if game.recipe.says("cells.line"):
        return f"Get {game.at('cells.line')} in a line{'' if wins else ', and you lose'}."
    target, past = game.at("end.target"), game.at("end.past")
    if isinstance(game, NumbersGame) and target is None:
        return _sentence(_nothing_left(game))
    if wins and past == "wins" and game.may_pass:
        return f"Reach {target} or go past it to win."
    first = f"reach exactly {target} {'to win' if wins else 'and you lose'}" if game.can_reach else ""
    passed = f"past {target} you {'win' if past == 'wins' else 'lose'}" if game.may_pass and past != "refused" else ""
    return _sentence("; ".join(filter(None, [first, passed])) or _nothing_left(game))


def summary(game: RecipeGame[Any]) -> str:
    """The game in one sentence."""
    own = game.at("words.goal")
    return game.told(own) if own else goal(game)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _several(things: list[str], last: str = "or") -> str:
    return f" {last} ".join(filter(None, [", ".join(things[:-1]), things[-1]]))


def _line_rules(game: Any) -> Iterator[list[str]]:
    line, falling = game.at("cells.line"), game.at("cells.falling")
    yield [f"The board has {_cells(game)}, all of them free."]
    if falling:
        yield ["On your turn choose a column: your mark falls to the lowest free cell in it."]
    else:
        yield [f"On your turn mark a free cell by its row and column, such as 1,{game.row_width}."]
    wins = "wins" if game.at("end.exactly") == "wins" else "loses"
    full = {"draw": "nobody wins", **BY_LAST}[game.at("end.nothing_left") or "draw"]
    yield [f"Who has {line} in a line, across, down or slanting, {wins}. When the board is full, {full}."]


def _cells(game: Any) -> str:
    """How many cells there are: `1 row of 8 cells`."""
    rows, wide = game.at("cells.rows"), game.row_width
    return f"{rows} row{'s' if rows > 1 else ''} of {wide} cell{'s' if wide > 1 else ''}"


def _number_rules(game: NumbersGame) -> Iterator[list[str]]:
    yield list(_table(game))
    yield list(_turn(game))
    yield list(_end(game))


def _table(game: NumbersGame) -> Iterator[str]:
    """Yield sentences about the table at the start."""
    kind, numbers = game.at("numbers.kind"), game.numbers
    which = _range(game).replace(" or ", " and ")
    copies = game.at("numbers.copies")
    each = f", each {TIMES.get(copies, f'{copies} times')}," if copies > 1 or kind == "pool" else ""
    many = "numbers" if len(numbers) > 1 else "number"
    if game.recipe.has("cells"):
        if len(game.deck) < len(numbers) * copies:
            # There are no more cells.
            which, each = _several([*map(str, game.deck)], "and"), ""
        yield f"The {many} {which}{each} lie covered in {_cells(game)}."
    elif kind == "pool":
        yield f"The {many} {which}{each} lie open in a pool."
    elif kind == "pile":
        yield f"The {many} {which}{each} are shuffled into a covered pile."
    elif kind == "die":
        yield f"There is a die with the {many} {which}."
    begin = game.begins
    if game.at("totals.whose") == "heaps":
        yield f"There {'is a heap' if len(begin) == 1 else 'are heaps'} of {_several([*map(str, begin)], 'and')}."
    elif game.at("totals.whose") == "each":
        yield f"Both totals start at {begin[0]}."
        if game.at("totals.secret"):
            yield f"Each player draws a secret number, {_range(game)}, which only they see."
    else:
        yield f"There is one total for both, which starts at {begin[0]}."


def _turn(game: NumbersGame) -> Iterator[str]:
    """Yield sentences about a turn."""
    kind, ops = game.at("numbers.kind"), game.ops_in_use
    whose = "your" if game.at("totals.whose") == "each" else "the"
    stop, roll = game.at("words.stop"), game.at("words.roll")
    if game.at("turn.roll_or_stop"):
        limit = game.at("turn.rolls")
        often = f"up to {TIMES.get(limit, f'{limit} times')}" if limit else "as often as you like"
        yield f"On your turn throw the die {often} ({roll}), or stop ({stop})."
        bust, bank = game.at("turn.bust"), game.at("turn.bank")
        yield f"What you throw counts for {whose} total {'when you stop' if bank else 'at once'}."
        if bust:
            lost = ", and what you have thrown in it is lost" if bank else " and adds nothing"
            yield f"A {bust} ends your turn{lost}."
        if bank and game.at("end.target") is not None:
            yield "When your turn has brought enough for the target, you can only stop."
        return
    if game.recipe.has("cells"):
        shown = ". The number of the cell" if game.at("turn.stand") else "; its number"
        yield f"On your turn choose a covered cell by its row and column{_or_stand(game)}{shown} is uncovered."
    elif kind in ("pile", "die"):
        drawn = "draw the top number" if kind == "pile" else "throw the die"
        yield f"On your turn {'you ' if not game.at('turn.stand') else ''}{drawn}{_or_stand(game)}."
    if kind in ("pile", "die"):
        yield _used(game, whose)
    elif game.at("turn.at_once"):
        yield f"Both choose {_range(game, 'a number ')} at the same time, and each adds theirs to their own total."
        if game.at("turn.clash") == "same":
            yield "Where both have chosen the same, it counts for nobody."
        elif game.at("turn.clash") == "one less":
            yield "But a number that is one less than the other takes both."
    elif game.at("totals.whose") == "heaps":
        most = game.at("numbers.to")
        some = f"{_range(game)} " if game.recipe.says("numbers.list") or most else "as many as you like "
        several, move = (
            game.how_many_heaps > 1,
            next((move for move, use in game.uses.items() if use.op in ops), game.actions[0]),
        )
        heap = "it" if several else "the heap"
        how = f"take {some}from {heap}" if ops == "-" else f"{_joined(ops, _range(game), heap)}"
        if several:
            yield f"On your turn choose a heap and {how}: {move} for heap 1{_or_stand(game)}."
        else:
            yield f"On your turn {how}, such as {move}{_or_stand(game)}."
    else:
        of = "a number out of the pool" if kind == "pool" else f"{_range(game, 'a number ')}"
        yield f"On your turn choose {of} and {_joined(ops, 'it', f'{whose} total')}{_or_stand(game)}."
    if "/" in ops:
        yield "Division drops the remainder."
    if game.goes_down and "*" in ops:
        yield "No total may grow."
    if "-" in ops and game.at("turn.below") == "stays":
        yield "A subtraction that would go below 0 loses your turn: the total stays."
    elif "-" in ops:
        yield "Nothing goes below 0."
    if game.at("turn.barred") == "last":
        yield "The number that the other player has just used is barred."
    if game.at("turn.stand"):
        yield "Who stands plays no more, and the other player goes on alone."


def _or_stand(game: NumbersGame) -> str:
    word = game.at("words.stand")
    return f", or stand{'' if word == 'stand' else f' ({word})'}" if game.at("turn.stand") else ""


def _range(game: NumbersGame, what: str = "") -> str:
    """The numbers there are: `1 to 6`, `1, 4 or 9`."""
    numbers = game.numbers
    row = len(numbers) > 2 and numbers == tuple(range(numbers[0], numbers[-1] + 1))
    return f"{f'{what}from ' if what else ''}{numbers[0]} to {numbers[-1]}" if row else _several([*map(str, numbers)])


def _used(game: NumbersGame, whose: str) -> str:
    """Return the sentence about the use of a number that comes by chance."""
    words = {use.op: word for word, use in game.uses.items()}
    to = f"{whose} total"
    if len(words) == 1:
        return f"Then {_joined(game.ops_in_use, 'it', to)}."
    ways = [f"{_joined(op, 'it', to)} ({word})" for op, word in words.items() if op in game.ops_in_use]
    if "pass" in words and not game.goes_down:
        ways.append(f"pass it on ({words['pass']}): then it is added to the other player's total at once")
    return f"Then {_several(ways)}."


def _joined(ops: str, number: str, total: str) -> str:
    """Return the words for an operation on a total with a number."""
    ways = {
        "+": f"add {number} to {total}",
        "-": f"subtract {number} from {total}",
        "*": f"multiply {total} by {number}",
        "/": f"divide {total} by {number}",
    }
    return ways.get(ops, f"an operation, {_several([*ops])}: what comes of {total} and {number} is the new total")


def _end(game: NumbersGame) -> Iterator[str]:
    """Yield sentences about the end of the game."""
    target, past, turns = game.at("end.target"), game.at("end.past"), game.at("end.turns")
    heap = "a heap" if game.how_many_heaps > 1 else "the heap"
    verb = {"each": "Reach", "heaps": f"Bring {heap} to"}.get(game.at("totals.whose"), "Bring the total to")
    wins = "win" if game.at("end.exactly") == "wins" else "lose"
    if target is not None and (wins, past) == ("win", "wins") and game.may_pass:
        yield f"{verb} {target} or go past it and you win."
    elif target is not None:
        yield f"{verb} exactly {target} and you {wins}." if game.can_reach else f"No total comes to exactly {target}."
        if game.may_pass and past == "refused":
            rolled = game.at("turn.roll_or_stop")
            yield f"What would go past {target} does not count." if rolled else f"Nobody may go past {target}."
        elif game.may_pass:
            yield f"Go past {target} and you {'win' if past == 'wins' else 'lose'} at once."
    free = ", and then no number is barred" if game.at("turn.barred") == "last" else ""
    if game.within:
        then = "you have lost" if game.stuck_loses else f"your turn passes{free}"
        yield f"If no number stays within {target}, {then}."
    elif game.at("numbers.kind") in ("pile", "die") and not game.at("turn.roll_or_stop") and _may_be_of_no_use(game):
        none = "Who cannot use the number loses" if game.stuck_loses else "A number that cannot be used is lost"
        yield f"{none}{'' if game.stuck_loses else ', and the turn passes'}."
    elif game.at("numbers.kind") in ("any", "pool") and _may_be_stuck(game):
        yield f"Who cannot move {'loses' if game.stuck_loses else f'misses a turn{free}'}."
    stands = game.at("turn.stand")
    if turns:
        sooner = _sooner(game, 2 * turns)
        yield f"Each player has {turns} turn{'s' if turns > 1 else ''}; then{sooner} {_nothing_left(game)}."
    elif game.at("numbers.kind") == "any" and not stands:
        if target is None:
            what = "all heaps are empty" if game.how_many_heaps > 1 else "nothing is left"
            yield _sentence(f"when {what}, {_nothing_left(game)}")
    elif stands or game.at("numbers.kind") in ("pile", "pool"):
        left = "nothing is left" if game.at("numbers.kind") in ("pile", "pool") else ""
        when = " or ".join(filter(None, [left, "both stand" if stands else ""]))
        yield _sentence(f"when {when}, {_nothing_left(game)}")


def _sooner(game: NumbersGame, turns: int) -> str:
    """Return the words for another end of a game of `turns` turns, where one can come sooner."""
    kind, whose = game.at("numbers.kind"), game.at("totals.whose")
    if kind in ("pool", "pile"):
        return ", or as soon as nothing is left," if len(game.numbers) * game.most_copies < turns else ""
    shrinks = set(game.at("turn.operations")) & set("-/")
    if kind != "any" or game.at("end.target") is not None or game.at("turn.at_once") or not shrinks:
        return ""
    heaps = "all heaps are empty" if game.how_many_heaps > 1 else "the heap is empty"
    empty = {"heaps": heaps, "each": "both totals are 0"}.get(whose, "the total is 0")
    return f", or as soon as {empty},"


def _may_be_stuck(game: NumbersGame) -> bool:
    """Return whether a player may find no number to choose."""
    if game.at("turn.stand"):
        return False
    target, barred = game.at("end.target"), game.at("turn.barred") == "last"
    if barred and (game.at("numbers.kind") == "pool" or len(game.numbers) == 1):
        return True
    if target is not None and (game.recipe.says("end.stuck") or game.at("end.past") == "refused"):
        return True
    downwards = game.ops_in_use == "-" and game.at("turn.below") == "refused"
    return downwards and (game.numbers[0] > 1 or target is not None or barred)


def _may_be_of_no_use(game: NumbersGame) -> bool:
    """Return whether a number that comes by chance may have no use."""
    if game.at("end.target") is not None and game.at("end.past") == "refused":
        return True
    passes = game.at("turn.pass_on") and not game.goes_down
    return game.ops_in_use == "-" and game.at("turn.below") == "refused" and not passes


def _nothing_left(game: NumbersGame) -> str:
    how = game.at("end.nothing_left") or game.usual_end
    if how in BY_LAST:
        return BY_LAST[how]
    tie = BY_LAST[game.tie]
    what = f"the total closer to {game.at('end.target') or 0}" if how == "closer" else f"the {how} total"
    added = "the secret numbers are added to the totals, and " if game.at("totals.secret") else ""
    return f"{added}{what} wins; on a tie {tie}"
