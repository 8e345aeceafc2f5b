"""The games of numbers and totals: a pool, a pile, a die or any numbers, and what a turn makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Outcome
from numberquest.core.recipe.game import RecipeGame, Unplayable, from_recipe

LARGEST: Final = 999_999
"""No total goes above this, where no target ends the game before."""
MOST_LISTED: Final = 2_000
"""No more moves are listed, to be counted or left out: of 20 heaps, each with 99 numbers to take."""
NOBODY: Final = -1
NO_CELL: Final = -1
SHARED: Final = -1
"""The place of the one total that both share; others are places of `totals`."""
WORDS: Final = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "pass": "pass"}


class Position(NamedTuple):
    """All that any of these games may know; what a recipe does not speak of stays as it is at the start."""

    left: tuple[int, ...]
    """The numbers of the pool, or still unseen, in ascending order."""
    total: int
    totals: tuple[int, ...]
    """One of each player, or the heaps."""
    cells: tuple[int, ...]
    turns: int
    """How many turns are left, of both together."""
    rolls: int
    mover: int
    last: int
    """Who has played last."""
    drawn: int = 0
    barred: int = 0
    bank: int = 0
    opening: int = NO_CELL
    stood: tuple[bool, bool] = (False, False)
    chance: bool = False
    secrets: tuple[int, ...] = ()
    """The secret number of each player; 0 is not drawn yet, or not seen."""
    choice: int | None = 0
    """The number of Player 1 while Player 2 chooses at the same time: 0 before the choice, None where unseen."""
    over: str = ""
    """A key of `endings`, or nothing while the game goes on."""
    winner: int = NOBODY


class Use(NamedTuple):
    """The effect of a move: a number, the place of a total, and an operation."""

    place: int
    number: int
    op: str


class NumbersGame(RecipeGame[Position]):
    """A game of numbers and totals."""

    _kind: str = from_recipe("numbers.kind")
    _each: bool = from_recipe("totals.whose", "each")
    _heaps: bool = from_recipe("totals.whose", "heaps")
    _secret: bool = from_recipe("totals.secret")
    _at_once: bool = from_recipe("turn.at_once")
    _ops: str = from_recipe("turn.operations")
    _stays: bool = from_recipe("turn.below", "stays")
    _passes_on: bool = from_recipe("turn.pass_on")
    _stands: bool = from_recipe("turn.stand")
    _rolls: bool = from_recipe("turn.roll_or_stop")
    _target: int | None = from_recipe("end.target")
    _refuses_past: bool = from_recipe("end.past", "refused")
    most_copies: int = from_recipe("numbers.copies")
    how_many_players = 2
    most_rolls: int = from_recipe("turn.rolls")

    @cached_property
    def begins(self) -> tuple[int, ...]:
        """The totals at the start."""
        begin = self.at("totals.begin")
        if isinstance(begin, tuple):
            return begin
        if self._heaps:
            return tuple(begin + at * self.at("totals.step") for at in range(self.at("totals.heaps")))
        return (begin, begin) if self._each else (begin,)

    @cached_property
    def goes_down(self) -> bool:
        """Return whether totals begin above the target: then none of them grows."""
        return self._target is not None and max(self.begins) > self._target

    @cached_property
    def ops_in_use(self) -> str:
        """Return the operations that some move may use: a total that begins above the target never grows."""
        grows = "+*" if self.numbers[0] > 1 and min(self.begins) else "+"
        return "".join(op for op in self._ops if not (self.goes_down and op in grows)) or self._ops

    @cached_property
    def may_pass(self) -> bool:
        """Return whether there is anything past the target, and these numbers may bring a total there."""
        return not (self.goes_down and self._target == 0) and any(self._brings(begin, 1) for begin in self.begins)

    @cached_property
    def can_reach(self) -> bool:
        """Return whether these numbers may bring a total to the target, or away from the target and back."""
        return self._target is None or any(self._brings(begin, 0) for begin in self.begins)

    @property
    def only_past(self) -> bool:
        """Return whether a total that begins elsewhere may come past the target."""
        return self.may_pass and not self._refuses_past and max(self.begins) != self._target

    @cached_property
    def _most_in_all(self) -> int:
        """No total gets more than this by adding, or less by subtracting."""
        alternate = self._each and not self._passes_on and (self._hidden or self.stuck_loses)
        turns = self.most_turns // (2 if alternate else 1) * (self.at("turn.rolls") if self._rolls else 1)
        return min(filter(None, (sum(self._pool), turns * self.largest_number)), default=LARGEST)

    def _brings(self, begin: int, past: int) -> bool:
        """Return whether these numbers may bring a total from `begin` to the target, or `past` beyond the target."""
        target = (self._target or 0) + (-past if self.goes_down else past)
        signs = {*self.ops_in_use, *("+" if self._passes_on and not self.goes_down else "")}
        factor, distance, sums = not signs <= {*"+-"}, abs(target - begin), 1
        up = "+" in signs or ("*" in signs and begin > 0 and self.largest_number > 1)
        down = ("-" in signs and self.numbers[0] <= begin) or ("/" in signs and self.largest_number > 1)
        if not ((up or begin > target) and (down or begin < target)):
            return False
        if factor or past or len(signs) > 1 or distance > self._most_in_all:
            return factor or distance <= self._most_in_all
        # All numbers go one way: a number that may be used again stands there once, twice, four times ... at once.
        for number in self._pool or (number << times for number in self.numbers for times in range(10)):
            sums |= sums << number & (2 << distance) - 1
        return bool(sums >> distance & 1)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers there are, each once."""
        listed = self.at("numbers.list")
        if listed is not None:
            return tuple(sorted(set(listed if isinstance(listed, tuple) else (listed,))))
        low, high = self.at("numbers.from"), self.at("numbers.to")
        if high is None:
            copies = self.at("numbers.copies")
            high = low + (self._number_of_cells - 1) // copies if self._number_of_cells else max(self.begins)
        if low > high:
            raise Unplayable(f"is {low}, and no number is larger than {high}", "numbers.from")
        return tuple(range(low, high + 1))

    @cached_property
    def _pool(self) -> tuple[int, ...]:
        """The numbers of the pool or the pile, each as often as it is there."""
        pool = tuple(number for number in self.numbers for _ in range(self.at("numbers.copies")))
        if self._kind not in ("pool", "pile"):
            return ()
        return pool[: self._number_of_cells] if self._number_of_cells else pool

    @cached_property
    def _number_of_cells(self) -> int:
        return int(self.at("cells.rows") * self.row_width) if self.recipe.has("cells") else 0

    @property
    def how_many_heaps(self) -> int:
        return len(self.begins)

    @property
    def largest_number(self) -> int:
        return self.numbers[-1]

    @property
    def goal_total(self) -> int:
        """The target of totals that go up; 0 where there is none."""
        return 0 if self._target is None or self.goes_down else self._target

    @property
    def highest_bank(self) -> int:
        """No turn brings more."""
        limit = self.at("turn.rolls")
        reached = [] if self._target is None else [self._target + self.largest_number]
        return min([*reached, *([limit * self.largest_number] if limit else [])], default=LARGEST)

    @property
    def most_turns(self) -> int:
        return int(2 * self.at("end.turns"))

    @cached_property
    def highest_total(self) -> int:
        """No total is larger, with a secret number that is added."""
        return self._highest_in_play + (self.largest_number if self._secret else 0)

    @property
    def _highest_in_play(self) -> int:
        begin, most = max(self.begins), self.largest_number
        if self.goes_down or not (set(self._ops) & set("+*") or self._passes_on):
            return begin
        if self._target is not None:
            below = max(self._target - 1, begin)
            reached = (below * most if "*" in self._ops else 0, below + most, begin)
            return max(self._target, begin) if self.at("end.past") == "refused" else max(reached)
        if "*" in self._ops:
            return LARGEST
        if self._pool:
            return begin + sum(self._pool)
        return int(begin + 2 * self.at("end.turns") * most * max(self.at("turn.rolls"), 1))

    @cached_property
    def pool_shape(self) -> tuple[int, int, int] | None:
        """The largest number, its copies and the target, where each turn takes a number for a total of one's own.

        None where anything else happens: then nobody can work it out by pools alone.
        """
        target, numbers = self._target, self.numbers
        if target is None or not self._pool or self._number_of_cells or numbers != tuple(range(1, len(numbers) + 1)):
            return None
        never_stuck = self._passes_on or set(self._ops) & set("+*/")
        plain = {
            "turn.stand": False,
            "end.turns": 0,
            "turn.barred": "none",
            "totals.whose": "each",
            "totals.secret": False,
        }
        if any(self.at(key) != usual for key, usual in plain.items()) or self._refuses_past or not never_stuck:
            return None
        drawn = "draw" in (self.at("end.nothing_left"), self.at("end.tie"))
        fits = max(self.begins) < target and not drawn and not (self._kind == "pool" and self.within)
        return (len(numbers), self.most_copies, target) if fits else None

    def used_up(self, totals: tuple[int, int]) -> Position:
        """Return the end of a game with these totals, after all numbers are used."""
        after = len(self._pool) % 2
        return self._nothing_left(self._first._replace(left=(), totals=totals, chance=False, last=1 - after))

    @cached_property
    def _hidden(self) -> bool:
        """Whether numbers are drawn, thrown or uncovered, and not chosen."""
        return self._kind in ("pile", "die")

    @cached_property
    def _begins_with_chance(self) -> bool:
        return self._hidden and not (self._stands or self._rolls or self._number_of_cells)

    @cached_property
    def _cell_names(self) -> tuple[str, ...]:
        wide = self.row_width if self._number_of_cells else 1
        return tuple(f"{at // wide + 1},{at % wide + 1}" for at in range(self._number_of_cells))

    @cached_property
    def _ways(self) -> tuple[str, ...]:
        """The operations, and the pass, that a number from the pile or die allows."""
        return (*self._ops, "pass") if self._passes_on else tuple(self._ops)

    @property
    def typed_words(self) -> tuple[str, ...]:
        """The words among the moves: no two may be the same."""
        if self._rolls:
            return self.at("words.roll"), self.at("words.stop")
        ways = [WORDS[op] for op in self._ways] if self._hidden and len(self._ways) > 1 else []
        first = ["draw" if self._kind == "pile" else "roll"] if self._hidden and not self._number_of_cells else []
        return tuple(self.at(f"words.{word}") for word in (*ways, *([*first, "stand"] if self._stands else [])))

    @cached_property
    def uses(self) -> dict[str, Use]:
        """The use of each move that uses a number; moves with a number from chance are words."""
        if self._hidden:
            return {self.at(f"words.{WORDS[op]}"): Use(SHARED, 0, op) for op in self._ways}
        places = range(len(self.begins)) if self._heaps else (SHARED,)
        signs = any(len(ops) > 1 for ops in self.recipe.ever("turn.operations"))
        return {
            f"{f'{place + 1}:' if self._heaps else ''}{number}{op if signs else ''}": Use(place, number, op)
            for place in places
            for number in self.numbers
            for op in self._ops
            # Of a heap that never grows no more can be taken than it begins with.
            if not (self._heaps and self._ops == "-" and number > self.begins[place])
        }

    @cached_property
    def actions(self) -> tuple[str, ...]:
        stand = (self.at("words.stand"),) if self._stands else ()
        if self._rolls:
            return self.at("words.roll"), self.at("words.stop")
        # What can be done with a hidden number in one way only is done without being asked.
        uses = tuple(self.uses) if len(self.uses) > 1 or not self._hidden else ()
        if self._hidden and self._stands and not self._number_of_cells:
            uses = (self.at("words.draw" if self._kind == "pile" else "words.roll"), *uses)
        return (*self._cell_names, *uses, *stand) or tuple(self.uses)

    @cached_property
    def deck(self) -> tuple[int, ...]:
        return self._pool if self._kind == "pile" else ()

    @cached_property
    def longest(self) -> int | None:
        longest = self._longest_after_secrets
        return longest + 2 if longest and self._secret else longest

    @property
    def _longest_after_secrets(self) -> int | None:
        turns = 2 * self.at("end.turns")
        if self._pool:
            return 3 * len(self._pool) + 2
        if self._hidden:
            rolls = self.at("turn.rolls")
            each = 2 * rolls + 1 if self._rolls else 3
            return turns * each if turns and (rolls or not self._rolls) else None
        ops, always = set(self._ops), self.numbers[0] > 1
        # A product and a quotient always change a total only where no number is 1, and the total is not 0.
        if self._target is not None and not self.goes_down and ops <= set("+*" if always and min(self.begins) else "+"):
            steps = sum(max(self._target - begin, 0) + 1 for begin in self.begins)
        elif not self._stays and ops <= set("-/" if always and self.goes_down else "-"):
            steps = sum(self.begins)
        else:
            steps = 0
        steps += 2 if steps and self._stands else 0
        return min(steps or turns, turns or steps) or None

    @cached_property
    def _first(self) -> Position:
        if (many := len(self.begins) * len(self.numbers) * len(self._ops)) > MOST_LISTED:
            raise Unplayable(f"{many} moves are far more than there can be")
        shared = not (self._each or self._heaps)
        first = Position(
            left=self._pool,
            total=self.begins[0] if shared else 0,
            totals=() if shared else self.begins,
            cells=(0,) * self._number_of_cells,
            turns=2 * self.at("end.turns"),
            rolls=self.at("turn.rolls"),
            mover=0,
            last=1,
        )
        return self._turned(first, 0)._replace(secrets=(0, 0) if self._secret else ())

    def start(self) -> Position:
        return self._first

    def player(self, p: Position) -> int:
        return CHANCE if p.chance or 0 in p.secrets else p.mover

    def turn(self, p: Position) -> int:
        return p.mover

    def moves(self, p: Position) -> tuple[str, ...]:
        if p.over:
            return ()
        if 0 in p.secrets:
            return tuple(map(str, self.numbers))
        if p.chance:
            return tuple(map(str, sorted(set(p.left)) if self._pool else self.numbers))
        if self._rolls:
            return self.actions[1:] if self._enough(p) else self.actions
        if p.drawn:
            return self._usable(SHARED, (), 0, p.drawn, self._mine(p), self._mine(p._replace(mover=1 - p.mover)))
        if self._number_of_cells:
            free = [name for name, number in zip(self._cell_names, p.cells, strict=True) if not number]
            return (*free, *self.actions[-1:]) if self._stands else tuple(free)
        if self._hidden:
            return self.actions[0], self.actions[-1]
        usable = tuple(move for held in self._held(p) for move in self._usable(*held))
        return (*usable, self.actions[-1]) if self._stands else usable

    def _held(self, p: Position) -> Iterator[tuple[int, tuple[int, ...], int, int, int, int]]:
        """Yield what `_usable` and `_ways_to_use` ask of each place in which a number may be chosen."""
        held = p.left if self._pool else self.numbers
        for place, total in enumerate(p.totals) if self._heaps else [(SHARED, self._mine(p))]:
            yield place, held, p.barred, 0, total, 0

    def weights(self, p: Position) -> tuple[int, ...]:
        if self._pool and 0 not in p.secrets:
            return tuple(p.left.count(number) for number in sorted(set(p.left)))
        return (1,) * len(self.numbers)

    def slot(self, p: Position) -> int:
        return p.opening if self._number_of_cells else len(self._pool) - len(p.left)

    def alike(self, p: Position) -> Position:
        """Covered cells are all alike, and so are heaps of one size."""
        if self._heaps:
            totals = [0] * len(p.totals)
            for place, heap in zip(self._by_size, sorted(p.totals), strict=True):
                totals[place] = heap
            return p._replace(totals=tuple(totals))
        if not self._number_of_cells:
            return p
        cells = (*sorted(filter(None, p.cells)), *(0,) * p.cells.count(0))
        return p._replace(cells=cells, opening=p.opening if p.opening == NO_CELL else cells.index(0))

    canonical = alike

    @cached_property
    def _by_size(self) -> list[int]:
        """The heaps, smallest first, so that none ever stands for a smaller one that it could not have become."""
        return sorted(range(len(self.begins)), key=self.begins.__getitem__)

    def seen_by(self, p: Position, who: int | None) -> Position:
        """Return the position as player `who` sees it: no secret number but their own, no choice before both."""
        if p.over:
            return p
        own = tuple(number if seat == who else 0 for seat, number in enumerate(p.secrets))
        return p._replace(secrets=own, choice=p.choice if who == 0 or p.choice == 0 else None)

    def outcome(self, p: Position) -> Outcome | None:
        if not p.over:
            return None
        played = bool(self.at("end.turns")) and not p.turns
        why = "both stand" if all(p.stood) else "all turns are played" if played else "nothing is left"
        facts: dict[str, Any] = {"target": self._target, "why": why}
        if self._each:
            order = p.totals if p.winner == 0 else p.totals[::-1]
            facts |= dict(zip(("winners", "losers"), order, strict=True))
        return Outcome(None if p.winner == NOBODY else p.winner, p.over, facts)

    def play(self, p: Position, move: str) -> Position:
        if 0 in p.secrets:
            first = p.secrets[0]
            return p._replace(secrets=(first, int(move)) if first else (int(move), 0))
        if self._at_once:
            return self._chosen(p, self.uses[move].number)
        if p.chance:
            return self._revealed(p, int(move))
        if self._rolls:
            return p._replace(chance=True) if move == self.actions[0] else self._banked(p)
        if self._stands and move == self.actions[-1]:
            stood = (True, p.stood[1]) if p.mover == 0 else (p.stood[0], True)
            return self._ended_turn(p._replace(stood=stood), 0)
        if p.drawn:
            return self._used(p, self.uses[move]._replace(number=p.drawn))
        if self._number_of_cells:
            return p._replace(opening=self._cell_names.index(move), chance=True)
        if self._hidden:
            return p._replace(chance=True)
        use = self.uses[move]
        return self._used(p._replace(left=_without(p.left, use.number)) if self._pool else p, use)

    def _mine(self, p: Position) -> int:
        """Return the total that the player to move changes."""
        return p.totals[p.mover] if self._each else p.total

    def _calculated(self, total: int, op: str, number: int) -> int | None:
        """Return a total after an operation; None where the operation is refused."""
        after = total + number if op in ("+", "pass") else total - number if op == "-" else total
        after = total * number if op == "*" else total // number if op == "/" else after
        if after < 0:
            return total if self._stays else None
        if self._refuses_past and self._is_past(after):
            return None
        return None if after > total and (self.goes_down or after > LARGEST) else after

    def _is_past(self, total: int) -> bool:
        target = self._target
        return target is not None and (total < target if self.goes_down else total > target)

    @cached_property
    def _usable(self) -> Callable[[int, tuple[int, ...], int, int, int, int], tuple[str, ...]]:
        """Return a function that lists the moves of `_ways_to_use`, and caches them."""
        return lru_cache(maxsize=1 << 10)(lambda *held: tuple(self._ways_to_use(*held)))

    @cached_property
    def _places(self) -> dict[int, list[tuple[str, Use]]]:
        places: dict[int, list[tuple[str, Use]]] = {}
        for move, use in self.uses.items():
            places.setdefault(use.place, []).append((move, use))
        return places

    def _ways_to_use(
        self, place: int, held: tuple[int, ...], barred: int, drawn: int, mine: int, yours: int
    ) -> Iterator[str]:
        """Yield the moves that use a number here: one held and not barred, or the drawn one, on these totals."""
        free = set(held) - {barred}
        for move, (_, number, op) in self._places.get(place, ()):
            if (drawn or number in free) and (
                self._calculated(yours if op == "pass" else mine, op, drawn or number) is not None
            ):
                yield move

    def _revealed(self, p: Position, number: int) -> Position:
        p = p._replace(chance=False, last=p.mover)
        if self._pool:
            p = p._replace(left=_without(p.left, number))
        if p.opening != NO_CELL:
            p = p._replace(cells=(*p.cells[: p.opening], number, *p.cells[p.opening + 1 :]), opening=NO_CELL)
        if self._rolls:
            return self._thrown(p, number)
        drawn = p._replace(drawn=number)
        usable = self.moves(drawn)
        if not usable:
            return self._stuck(p, p.mover) if self.stuck_loses else self._ended_turn(p, 0)
        return self._used(drawn, self.uses[usable[0]]._replace(number=number)) if len(self.uses) == 1 else drawn

    def _thrown(self, p: Position, number: int) -> Position:
        """One of several throws of a turn."""
        if number == self.at("turn.bust"):
            return self._ended_turn(p._replace(bank=0), 0)
        limit = self.at("turn.rolls")
        p = p._replace(rolls=p.rolls - 1 if limit else 0)
        if self.at("turn.bank"):
            p = p._replace(bank=p.bank + number)
            return self._banked(p) if limit and not p.rolls else p
        after = self._calculated(self._mine(p), "+", number)
        p = self._settled(p, p.mover if self._each else SHARED, self._mine(p) if after is None else after)
        return p if p.over or not limit or p.rolls else self._ended_turn(p, 0)

    def _enough(self, p: Position) -> bool:
        """Whether what is banked brings the total to the target: then one can only stop."""
        return self._target is not None and bool(p.bank) and self._mine(p) + p.bank >= self._target

    def _banked(self, p: Position) -> Position:
        """A turn of several throws has been stopped."""
        after = self._calculated(self._mine(p), "+", p.bank)
        p = p._replace(last=p.mover, bank=0)
        p = self._settled(p, p.mover if self._each else SHARED, self._mine(p) if after is None else after)
        return p if p.over else self._ended_turn(p, 0)

    def _used(self, p: Position, use: Use) -> Position:
        """A number has been used; it is gone from the pool already."""
        place, number, op = use
        if self._each:
            place = 1 - p.mover if op == "pass" else p.mover
        before = p.total if place == SHARED else p.totals[place]
        after = self._calculated(before, op, number)
        p = self._settled(p._replace(drawn=0, last=p.mover), place, before if after is None else after)
        return p if p.over else self._ended_turn(p, number)

    def _chosen(self, p: Position, number: int) -> Position:
        """One of two choices at once: both count when the second one is made, unless they clash."""
        p = p._replace(turns=p.turns - 1, last=p.mover)
        if p.mover == 0:
            return p._replace(choice=number, mover=1)
        first, second = self._clashed(p.choice or 0, number)
        p = p._replace(totals=(p.totals[0] + first, p.totals[1] + second), choice=0, mover=0)
        return p if p.turns else self._nothing_left(p)

    def _clashed(self, first: int, second: int) -> tuple[int, int]:
        """Return the gain of each player from two numbers that were chosen at once."""
        clash = self.at("turn.clash")
        if clash == "same" and first == second:
            return 0, 0
        if clash == "one less" and abs(first - second) == 1:
            return (first + second, 0) if first < second else (0, first + second)
        return first, second

    def _settled(self, p: Position, place: int, total: int) -> Position:
        """With this total; over, where that is the target, or past it."""
        if place == SHARED:
            p = p._replace(total=total)
        else:
            p = p._replace(totals=(*p.totals[:place], total, *p.totals[place + 1 :]))
        if self._target is None:
            return p
        owner = place if self._each else p.mover
        if total == self._target:
            wins = self.at("end.exactly") == "wins"
        elif self._is_past(total):
            wins = self.at("end.past") == "wins"
        else:
            return p
        how = "reached" if total == self._target else "passed"
        given = " by a pass" if owner != p.mover else ""
        return self._over(p, f"{how}{'' if wins else ' and lost'}{given}", owner if wins else 1 - owner)

    def _ended_turn(self, p: Position, number: int) -> Position:
        """Return the position after a turn: the next player's turn, or the end where nothing is left."""
        limit = self.at("end.turns")
        p = p._replace(
            barred=number if self.at("turn.barred") == "last" else 0,
            turns=p.turns - 1 if limit else 0,
            rolls=self.at("turn.rolls"),
            last=p.mover,
        )
        if self._is_nothing_left(p):
            return self._nothing_left(p)
        return self._turned(p, self._next(p))

    def _is_nothing_left(self, p: Position) -> bool:
        if all(p.stood) or (self.at("end.turns") and not p.turns) or (self._pool and not p.left):
            return True
        return self._target is None and not self._hidden and not self._pool and not any((p.total, *p.totals))

    def _turned(self, p: Position, mover: int) -> Position:
        """Give the turn to a player, or deal with a player who cannot move."""
        p = p._replace(mover=mover)
        if self._begins_with_chance:
            return p._replace(chance=True)
        if self._hidden or not self._is_stuck(p):
            return p
        if self.stuck_loses:
            return self._stuck(p, mover)
        other = p._replace(mover=1 - mover, barred=0)
        return self._nothing_left(p) if p.stood[1 - mover] or self._is_stuck(other) else other

    @cached_property
    def stuck_loses(self) -> bool:
        return bool((self.at("end.stuck") or ("passes" if self._hidden else "loses")) == "loses")

    @cached_property
    def within(self) -> bool:
        """Whether who can only go past the target is as good as stuck: of numbers that are chosen, where one must."""
        said = self.recipe.says("end.stuck") and self.at("end.past") == "loses" and self._target is not None
        return said and self.may_pass and not (self._hidden or self._stands)

    def _is_stuck(self, p: Position) -> bool:
        if self._stands:
            return False
        # One move is enough: to list all of them after each of hundreds of moves would take long.
        moves = (move for held in self._held(p) for move in self._ways_to_use(*held))
        return not any(not self.within or not self._is_past(self._after(p, self.uses[move])) for move in moves)

    def _after(self, p: Position, use: Use) -> int:
        before = p.totals[use.place] if self._heaps else self._mine(p)
        after = self._calculated(before, use.op, use.number)
        return before if after is None else after

    def _stuck(self, p: Position, loser: int) -> Position:
        return p._replace(over="stuck", winner=1 - loser, mover=loser)

    def _nothing_left(self, p: Position) -> Position:
        how = self.at("end.nothing_left") or self.usual_end
        if p.secrets:
            p = p._replace(totals=tuple(map(sum, zip(p.totals, p.secrets, strict=True))))
        if how in ("closer", "higher", "lower"):
            first, second = (self._worth(how, total) for total in p.totals)
            if first != second:
                return self._over(p, how, 0 if first > second else 1)
            how = self.tie
            return self._over(p, f"tie {how}", won_by(how, p.last))
        return self._over(p, f"nothing left {how}", won_by(how, p.last))

    @property
    def tie(self) -> str:
        """The rule for a tie: a draw where both choose at once."""
        return str(self.at("end.tie") or ("draw" if self._at_once else "last loses"))

    def _over(self, p: Position, how: str, winner: int) -> Position:
        """The game has ended; it would be the other player's turn."""
        return p._replace(over=how, winner=winner, mover=self._next(p))

    def _next(self, p: Position) -> int:
        return p.last if p.stood[1 - p.last] else 1 - p.last

    def _worth(self, how: str, total: int) -> int:
        if how == "closer":
            return -abs((self._target or 0) - total)
        return total if how == "higher" else -total

    @cached_property
    def usual_end(self) -> str:
        if not self._each:
            return "last wins"
        return "higher" if self._target is None else "closer"


def won_by(how: str, last: int) -> int:
    """Return the winner by a rule about the last move."""
    return {"last wins": last, "last loses": 1 - last, "draw": NOBODY}[how]


def _without(pool: tuple[int, ...], number: int) -> tuple[int, ...]:
    at = pool.index(number)
    return pool[:at] + pool[at + 1 :]
