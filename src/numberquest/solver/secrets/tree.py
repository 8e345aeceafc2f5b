"""A stage of a game with secrets: all that can follow until everybody knows everything again, as sequences of moves.

A sequence is what one player has played in a stage, and what they had seen when they did. Numbered, with what each
pair of sequences is worth, that is all that an equilibrium depends on.
"""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, NamedTuple, TypeVar

from numberquest.core.contract import CHANCE, Game
from numberquest.core.knowledge import Knowledge
from numberquest.core.progress import Progress
from numberquest.solver.budget import LOOK, check_growth
from numberquest.solver.solution import worth

MOST_NODES: Final = 4_000_000
"""Of more than so many positions of a stage, each as often as there are ways to it, none is looked at."""


class Sight:
    """All that one player can know in a stage, numbered."""

    def __init__(self, seen: Any) -> None:
        self.seen = [seen]
        """What is seen last, of each."""
        self.then: dict[tuple[int, str | None, Any], int] = {}

    def learn(self, known: int, done: str | None, seen: Any) -> int:
        """What is known after a move of one's own (`done`), or after something else (None)."""
        if done is None and seen == self.seen[known]:
            return known
        key = known, done, seen
        number = self.then.get(key)
        if number is None:
            number = self.then[key] = len(self.seen)
            self.seen.append(seen)
        return number

    def knowledge(self, at_first: Knowledge) -> list[Knowledge]:
        """Of each number what is known, by somebody who knows that at the beginning of the stage."""
        found = [at_first]
        for before, done, seen in self.then:
            found.append((*found[before], *(() if done is None else (done,)), seen))
        return found


class Decisions:
    """The decisions of one player in a stage, one for all positions that look the same; each after those before it.

    Sequence 0 is to have played nothing; those of decision `n` are `firsts[n]`, and so on, one for each move.
    """

    def __init__(self) -> None:
        self.parents = array("i")
        """The sequence that was played before."""
        self.firsts = array("i")
        self.moves: list[tuple[str, ...]] = []
        self.of: dict[int, int] = {}
        """Which decision has to be made by somebody who knows that."""
        self.sequences = 1

    def __len__(self) -> int:
        return len(self.moves)

    def add(self, known: int, parent: int, moves: tuple[str, ...]) -> int:
        """The first sequence of the decision of somebody who knows that."""
        at = self.of.get(known)
        if at is None:
            at = self.of[known] = len(self.moves)
            self.parents.append(parent)
            self.firsts.append(self.sequences)
            self.moves.append(moves)
            self.sequences += len(moves)
        return self.firsts[at]

    def ranges(self) -> list[tuple[int, int, int]]:
        """Of each decision the sequence before it, its first sequence, and the one behind its last."""
        return [
            (parent, first, first + len(moves))
            for parent, first, moves in zip(self.parents, self.firsts, self.moves, strict=True)
        ]


class Certificate(NamedTuple):
    """What is proved of the chance of Player 1, by the best answer to each of the two strategies."""

    low: Fraction
    value: Fraction
    """What the two strategies bring against each other."""
    high: Fraction

    @property
    def error(self) -> Fraction:
        """How far the truth may be from the value; 0 where it is exact."""
        return self.high - self.low


Pair = tuple[int, int]
Key = TypeVar("Key")


class Node(NamedTuple):
    """A way in a stage: where it has led, what both know there and have played, and how likely chance is to go it."""

    position: Any
    known_1: int
    known_2: int
    own_1: int
    own_2: int
    likely: Fraction


class Tree:
    """A stage from a position that everybody knows."""

    def __init__(
        self,
        game: Game[Any],
        root: Any,
        progress: Progress,
        *,
        whole: bool = False,
        moves: Callable[[Any], tuple[str, ...]] | None = None,
        hidden: set[Any] | None = None,
    ) -> None:
        """With `whole`, it goes on to the end of the game; `moves` are those that can be any good.

        `hidden` are positions that look as if everybody knew them, though somebody may not; those that are met are
        added.
        """
        self.game, self.root = game, root
        self._moves = moves or game.moves
        self.sights = Sight(game.sees(root, 0)), Sight(game.sees(root, 1))
        self.decisions = Decisions(), Decisions()
        self.ends: dict[Pair, Fraction] = {}
        """How likely chance is to bring Player 1 a win, if both play these sequences."""
        self.onward: dict[Any, dict[Pair, Fraction]] = {}
        """The positions with which other stages begin, and how likely chance is to lead there."""
        self.nodes = 0
        self.can_be_drawn = False
        """Whether one of its ends has no winner."""
        self.whole = whole
        self.begins: tuple[dict[int, Any], dict[int, Any]] = {}, {}
        """What each player knows where another stage begins, and with which position."""
        inside: tuple[set[int], set[int]] = set(), set()
        leaves: dict[Any, list[Node]] = {}
        self._grow([Node(root, 0, 0, 0, 0, Fraction(1))], inside, leaves, set() if hidden is None else hidden, progress)
        while hidden is not None and (unclear := self._unclear(inside, leaves)):
            hidden |= unclear
            nodes = [node for p in unclear for node in leaves.pop(p)]
            for node in nodes:
                inside[0].add(node.known_1)
                inside[1].add(node.known_2)
            self._grow(nodes, inside, leaves, hidden, progress)
        for p, nodes in leaves.items():
            pairs = self.onward[p] = {}
            for _, knows_1, knows_2, mine, yours, likely in nodes:
                pairs[mine, yours] = pairs.get((mine, yours), 0) + likely
                self.begins[0][knows_1] = self.begins[1][knows_2] = p

    @staticmethod
    def _unclear(inside: tuple[set[int], set[int]], leaves: Mapping[Any, list["Node"]]) -> set[Any]:
        """Positions with which another stage would begin, though somebody may not know that it does, or with which."""
        found = set()
        for who in (0, 1):
            met: dict[int, Any] = {}
            for p, nodes in leaves.items():
                for knows in {(node.known_1, node.known_2)[who] for node in nodes}:
                    other = met.setdefault(knows, p)
                    if other != p:
                        found |= {p, other}
                    elif knows in inside[who]:
                        found.add(p)
        return found

    def _grow(
        self,
        waiting: list["Node"],
        inside: tuple[set[int], set[int]],
        leaves: dict[Any, list["Node"]],
        hidden: Collection[Any],
        progress: Progress,
    ) -> None:
        """Follow the game from there to its ends, and to the positions that everybody knows, the leaves."""
        game, (one, two), ends = self.game, self.sights, self.ends
        half = Fraction(1, 2)
        while waiting:
            p, known_1, known_2, own_1, own_2, odds = waiting.pop()
            self.nodes += 1
            if not self.nodes % LOOK or self.nodes > MOST_NODES:
                check_growth(game, self.nodes, MOST_NODES)
                progress(self.nodes, 2 * (self.nodes + len(waiting)))
            moves, mover = self._moves(p), game.player(p)
            if not moves:
                won = worth(game.outcome(p), 0)
                self.can_be_drawn |= won == half
                if won:
                    ends[own_1, own_2] = ends.get((own_1, own_2), 0) + (odds if won == 1 else odds * half)
                continue
            shares = game.odds(p) if mover == CHANCE else None
            first = 0
            if mover == 0:
                first = self.decisions[0].add(known_1, own_1, moves)
            elif mover == 1:
                first = self.decisions[1].add(known_2, own_2, moves)
            for at, move in reversed([*enumerate(moves)]):
                after = game.play(p, move)
                mine, yours, likely = own_1, own_2, odds
                if shares is not None:
                    likely = odds * shares[at]
                elif mover == 0:
                    mine = first + at
                else:
                    yours = first + at
                if not game.moves(after):
                    waiting.append(Node(after, 0, 0, mine, yours, likely))
                    continue
                knows_1 = one.learn(known_1, move if mover == 0 else None, game.sees(after, 0))
                knows_2 = two.learn(known_2, move if mover == 1 else None, game.sees(after, 1))
                node = Node(after, knows_1, knows_2, mine, yours, likely)
                if not self.whole and after not in hidden and game.sees(after, None) == after:
                    leaves.setdefault(after, []).append(node)
                    continue
                inside[0].add(knows_1)
                inside[1].add(knows_2)
                waiting.append(node)

    def payoff(self, worths: Mapping[Any, Sequence[Fraction]], of: int) -> tuple[dict[Pair, int], int]:
        """What each pair of sequences is worth to Player 1, as whole numbers over one denominator.

        `of` says which part of the worth of the positions is meant with which other stages begin.
        """
        values = dict(self.ends)
        for p, pairs in self.onward.items():
            value = worths[p][of]
            if value:
                for pair, likely in pairs.items():
                    values[pair] = values.get(pair, 0) + likely * value
        return over_one(values)


def over_one(values: Mapping[Key, Fraction]) -> tuple[dict[Key, int], int]:
    """These fractions as whole numbers over one denominator."""
    denominator = lcm(*{value.denominator for value in values.values()})
    return {at: value.numerator * (denominator // value.denominator) for at, value in values.items()}, denominator


class Plan(NamedTuple):
    """How likely a player is to play each sequence, as far as it is up to them: whole numbers over one denominator."""

    weights: Sequence[int]
    denominator: int


def is_plan(decisions: Decisions, plan: Plan) -> bool:
    """Whether it is one: nothing is below 0, and the moves of a decision share what led there."""
    weights = plan.weights
    return (
        weights[0] == plan.denominator
        and min(weights) >= 0
        and all(weights[parent] == sum(weights[first:stop]) for parent, first, stop in decisions.ranges())
    )


def as_plan(shares: Sequence[Fraction]) -> Plan:
    """These shares, over one denominator."""
    weights, denominator = over_one(dict(enumerate(shares)))
    return Plan([*weights.values()], denominator)


def rounded(decisions: Decisions, shares: Sequence[float], denominator: int) -> Plan:
    """The plan with this denominator that comes near to these shares."""
    weights = [0] * decisions.sequences
    weights[0] = denominator
    for parent, first, stop in decisions.ranges():
        left = weights[parent]
        positive = [max(0.0, share) for share in shares[first:stop]]
        total = sum(positive)
        if not total:
            positive, total = [1.0] * (stop - first), float(stop - first)
        given = [int(left * (share / total)) for share in positive]
        most = max(range(len(given)), key=given.__getitem__)
        given[most] += left - sum(given)
        weights[first:stop] = given
    return Plan(weights, denominator)


def best_answer(payoff: Mapping[Pair, int], plan: Plan, decisions: Decisions, who: int) -> tuple[int, list[int]]:
    """What player `who` gets at best against a plan, over both denominators, and which move of each decision does it.

    Exactly: the best answer to a strategy is found from the ends backward.
    """
    gains = [0] * decisions.sequences
    weights = plan.weights
    if who == 0:
        for (own, other), value in payoff.items():
            gains[own] += value * weights[other]
    else:
        for (other, own), value in payoff.items():
            gains[own] += value * weights[other]
    choose = max if who == 0 else min
    choices = [0] * len(decisions)
    for at in range(len(decisions) - 1, -1, -1):
        first = decisions.firsts[at]
        here = gains[first : first + len(decisions.moves[at])]
        best = choose(here)
        choices[at] = here.index(best)
        gains[decisions.parents[at]] += best
    return gains[0], choices
