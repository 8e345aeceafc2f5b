"""What is true of a game with secrets: a strategy for each player, and what is proved by the best answers to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from numberquest.core.contract import CHANCE, Game, P
from numberquest.core.errors import Unable
from numberquest.core.knowledge import Knowledge
from numberquest.core.progress import Progress, part_of
from numberquest.solver.budget import LOOK, check_growth
from numberquest.solver.secrets.linear import plans_near, plans_of_basis, programme
from numberquest.solver.secrets.loops import in_parts, solve_loops
from numberquest.solver.secrets.matrix import equilibrium
from numberquest.solver.secrets.regret import plans_learned
from numberquest.solver.secrets.tree import (
    Certificate,
    Decisions,
    Pair,
    Plan,
    Tree,
    as_plan,
    best_answer,
    rounded,
)
from numberquest.solver.solution import Solution, Value, worth

MATRIX: Final = 60
"""With no more moves than these for each, a choice at once is solved as a matrix; larger ones as a linear programme."""
MOST_PAIRS: Final = 1_000_000
"""More pairs of sequences than these are learned, and not solved."""
FINE: Final = 1 << 40
SLIP: Final = 1 << 20
"""One of so many is a slip, where it is asked what to do after something that nobody should have done."""
Odds = dict[str, Fraction]


class NotInPlay(Unable):
    """Somebody is said to know what cannot be known in the game, or only when it is over."""


class Stage:
    """A stage that has been solved."""

    def __init__(self, tree: Tree, plans: tuple[Plan, Plan], payoff: dict[Pair, int]) -> None:
        self.tree, self.plans, self._payoff = tree, plans, payoff

    @cached_property
    def odds(self) -> tuple[list[tuple[Fraction, ...]], list[tuple[Fraction, ...]]]:
        """The odds of the moves of each decision of both players.

        Where a strategy never comes, that is the best answer to the other's, as if it slipped once in a while.
        """
        one, two = (self._odds(who) for who in (0, 1))
        return one, two

    def _odds(self, who: int) -> list[tuple[Fraction, ...]]:
        decisions, weights = self.tree.decisions[who], self.plans[who].weights
        answers: list[int] | None = None
        found = []
        for at, (parent, first, stop) in enumerate(decisions.ranges()):
            before = weights[parent]
            if before:
                found.append(tuple(Fraction(weight, before) for weight in weights[first:stop]))
                continue
            if answers is None:
                slipping = _slipping(self.tree.decisions[1 - who], self.plans[1 - who])
                _, answers = best_answer(self._payoff, slipping, decisions, who)
            best = answers[at]
            found.append(tuple(Fraction(int(move == best)) for move in range(stop - first)))
        return found


def _slipping(decisions: Decisions, plan: Plan) -> Plan:
    """The plan, now and then with any moves."""
    alike = rounded(decisions, [1.0] * decisions.sequences, FINE)
    return Plan(
        [
            weight * alike.denominator * (SLIP - 1) + any_one * plan.denominator
            for weight, any_one in zip(plan.weights, alike.weights, strict=True)
        ],
        plan.denominator * alike.denominator * SLIP,
    )


class World(NamedTuple):
    """Where a game may stand for all that somebody knows: what both know in this stage, and how likely it is."""

    position: Any
    stage: Any
    known: tuple[int, int]
    likely: Fraction


class SecretSolution(Solution[P]):
    """A strategy for each player of a game with secrets, as odds of moves at what they know, and its certificate.

    `value`, `moves` and `odds` take what a player knows, as `match.known` has it; `value` and `moves` also a position
    that everybody knows.
    """

    def __init__(self, game: Game[P], progress: Progress) -> None:
        super().__init__(game)
        self.stages: dict[Any, Stage] = {}
        self.worths: dict[Any, Certificate] = {}
        self._expected: dict[tuple[Any, Any, tuple[int, int]], Fraction] = {}
        self.positions = 0
        self.can_be_drawn = False
        """Whether a game can end in a draw."""
        self._hidden: set[P] = set()
        """Positions that look as if everybody knew them, and do not begin a stage: a 0 may also be a blank."""
        while not self._solve(game.start(), progress):
            self.stages.clear()
            self.worths.clear()
            self.positions = 0
        self.certificate = self.worths[game.start()]
        self.error = float(self.certificate.error)

    def _solve(self, start: P, progress: Progress) -> bool:
        """Every stage, each after those that it leads to; False where one begins that somebody may not know of."""
        waiting = [self._tree(start, progress)]
        met, loops = {start}, list[Tree]()
        while waiting:
            tree = waiting[-1]
            if not self._hidden.isdisjoint(met):
                return False
            ahead = next((p for p in tree.onward if p not in met), None)
            if ahead is not None:
                met.add(ahead)
                waiting.append(self._tree(ahead, progress))
                continue
            # Nobody knows how many there are; a small stage says nothing of how far it is.
            progress(len(self.worths), 2 * len(met))
            if all(p in self.worths for p in tree.onward):
                self._settle(tree, progress)
            else:
                loops.append(tree)
            waiting.pop()
        parts = list(in_parts(loops))
        for number, part in enumerate(parts):
            so_far = part_of(progress, number, len(parts))
            if len(part) > 1 or part[0].root in part[0].onward:
                self._settle_loops(part, so_far)
            else:
                self._settle(part[0], so_far)
        return True

    def _settle_loops(self, trees: Sequence[Tree], progress: Progress) -> None:
        """The stages that lead to one another and back."""

        def solve(tree: Tree, payoff: dict[Pair, int], denominator: int) -> tuple[Plan, Plan]:
            return next(self._plans(tree, payoff, denominator, progress))

        plans, worths = solve_loops(trees, self.worths, solve, progress)
        self.worths |= worths
        for tree in trees:
            payoff, _ = tree.payoff(self.worths, 1)
            self.stages[tree.root] = Stage(tree, plans[tree.root], payoff)

    def _moves(self, p: P) -> tuple[str, ...]:
        """The moves that can be any good."""
        return self.game.moves(p)

    def _played(self, move: str) -> str:
        """The move that can be any good and stands for this one."""
        return move

    def _seen(self, p: P) -> P:
        """The position with those instead of what was played."""
        return p

    def _tree(self, root: P, progress: Progress) -> Tree:
        tree = Tree(self.game, root, progress, moves=self._moves, hidden=self._hidden)
        self.can_be_drawn |= tree.can_be_drawn
        if (self.positions + tree.nodes) // LOOK > self.positions // LOOK:
            check_growth(self.game, self.positions + tree.nodes)
        self.positions += tree.nodes
        return tree

    def _settle(self, tree: Tree, progress: Progress) -> None:
        low = high = payoff, denominator = tree.payoff(self.worths, 1)
        if any(self.worths[p].error for p in tree.onward):
            low, high = tree.payoff(self.worths, 0), tree.payoff(self.worths, 2)

        def proved(plans: tuple[Plan, Plan]) -> Certificate:
            least, _ = best_answer(low[0], plans[0], tree.decisions[1], 1)
            most, _ = best_answer(high[0], plans[1], tree.decisions[0], 0)
            (mine, of_mine), (yours, of_yours) = plans
            between = sum(value * mine[one] * yours[two] for (one, two), value in payoff.items())
            return Certificate(
                Fraction(least, low[1] * of_mine),
                Fraction(between, denominator * of_mine * of_yours),
                Fraction(most, high[1] * of_yours),
            )

        nearest: Certificate | None = None
        for plans in self._plans(tree, payoff, denominator, progress):
            found = proved(plans)
            if nearest is None or found.high - found.low < nearest.high - nearest.low:
                nearest = found
                self.stages[tree.root], self.worths[tree.root] = Stage(tree, plans, payoff), found
            if found.low == found.high:
                break

    def _plans(
        self, tree: Tree, payoff: dict[Pair, int], denominator: int, progress: Progress
    ) -> Iterator[tuple[Plan, Plan]]:
        """Plans for both, each better than those before, as long as they are no proof."""
        first, second = tree.decisions
        if len(first) <= 1 and len(second) <= 1 and first.sequences <= MATRIX and second.sequences <= MATRIX:
            yield _of_matrix(first, second, payoff)
            return
        found = None
        if len(payoff) <= MOST_PAIRS:
            found = programme(tree, payoff, denominator)
            # It may have taken long.
            progress(1, 2)
        if found is None:
            shares = plans_learned(tree, payoff, denominator, progress)
            yield rounded(first, shares[0], FINE), rounded(second, shares[1], FINE)
            return
        yield plans_near(tree, found)
        exactly = plans_of_basis(tree, found)
        if exactly is not None:
            yield exactly

    # What is asked of it.

    def known(self, p: P) -> Value | None:
        """What a position that everybody knows is worth to the player whose turn it is."""
        worth_of = self.worths.get(p)
        if worth_of is None:
            raise Unable(
                "something is secret here: ask what a player knows is worth, solution.value(match.known(player))"
            )
        return worth_of.value if self.game.turn(p) == 0 else 1 - worth_of.value

    def solved(self) -> Iterable[P]:
        """The positions that everybody knows, with which stages begin."""
        return self.stages.keys()

    def value(self, p: Any) -> Value:
        """What somebody who knows this gets of the points, or whose turn it is in a position that everybody knows."""
        if type(p) is not tuple:
            return super().value(p)
        who, seen = p[0], p[-1]
        try:
            worlds = self.worlds(p)
        except NotInPlay:
            if self.game.sees(seen, None) != seen or self.game.outcome(seen) is None:
                raise
            # It is over, and all is uncovered.
            return self.value_for(who, seen)
        total = sum(world.likely for world in worlds)
        value = sum(world.likely * self.expected(world) for world in worlds) / total
        return value if who == 0 else 1 - value

    def odds(self, known: Knowledge) -> Odds:
        """The odds of each move in the strategy of the player who knows this, and is to move."""
        stage, number = self._place(known)
        at = stage.tree.decisions[known[0]].of.get(number)
        if at is None:
            return {}
        return dict(zip(stage.tree.decisions[known[0]].moves[at], stage.odds[known[0]][at], strict=True))

    def moves(self, p: Any) -> dict[str, Value]:
        """What each move is worth, against the other's strategy, to somebody who knows this and is to move."""
        if type(p) is not tuple:
            mover = self.game.player(p)
            if mover == CHANCE or not self.game.moves(p):
                return {}
            p = (mover, p)
            worlds = [World(p[1], p[1], (0, 0), Fraction(1))]
        elif not self.odds(p):
            return {}
        else:
            worlds = self.worlds(p)
        who = p[0]
        total = sum(world.likely for world in worlds)
        worths = {
            move: sum(world.likely * self.expected(self.after(world, move)) for world in worlds) / total
            for move in self.game.moves(worlds[0].position)
        }
        mine = {move: value if who == 0 else 1 - value for move, value in worths.items()}
        return dict(sorted(mine.items(), key=lambda item: -item[1]))

    def proved(self, p: P) -> Certificate | None:
        """What is proved of the player whose turn it is; None where not everybody knows the position."""
        found = self.worths.get(p)
        if found is None:
            return None
        low, value, high = found
        return found if self.game.turn(p) == 0 else Certificate(1 - high, 1 - value, 1 - low)

    def strategy(self) -> Iterator[tuple[Knowledge, Odds]]:
        """What each player does, by what they know since everybody last knew everything, but for moves never made."""
        for root in self.stages:
            for who in (0, 1):
                yield from self._decided(root, who)

    def first_decisions(self, who: int) -> list[tuple[Knowledge, Odds]]:
        """What a player does at their first decision, where the game begins with one that is not open to all."""
        start = self.game.start()
        return [(known, odds) for known, odds in self._decided(start, who) if not any(type(s) is str for s in known)]

    def _decided(self, root: Any, who: int) -> Iterator[tuple[Knowledge, Odds]]:
        stage = self.stages[root]
        decisions, knows = stage.tree.decisions[who], stage.tree.sights[who].knowledge((who, self.game.sees(root, who)))
        for number, at in decisions.of.items():
            shares = zip(decisions.moves[at], stage.odds[who][at], strict=True)
            yield knows[number], {move: share for move, share in shares if share}

    def _place(self, known: Knowledge) -> tuple[Stage, int]:
        """The stage in which somebody is who knows this, and which of the things that can be known there it is."""
        who, stage, number = known[0], self.stages[self.game.start()], 0
        if who is None:
            raise Unable("a strategy is that of a player: who only watches has none")
        steps = iter(known[2:])
        for step in steps:
            done, after = (self._played(step), next(steps)) if isinstance(step, str) else (None, step)
            seen = self._seen(after)
            number = stage.tree.sights[who].then.get((number, done, seen), -1)
            if number < 0:
                raise NotInPlay(f"nobody can know this while a game of {self.game.slug} is going on")
            if number in stage.tree.begins[who]:
                stage, number = self.stages[stage.tree.begins[who][number]], 0
        return stage, number

    @property
    def opening(self) -> World:
        """The world at the start."""
        start = self.game.start()
        return World(start, start, (0, 0), Fraction(1))

    def after(self, world: World, move: str) -> World:
        """The world after a move or reveal."""
        game, tree = self.game, self.stages[world.stage].tree
        mover, p = game.player(world.position), game.play(world.position, move)
        if not game.moves(p) or p in tree.onward:
            return World(p, p, (0, 0), world.likely)
        done, seen = self._played(move), self._seen(p)
        knows = (
            tree.sights[who].learn(world.known[who], done if mover == who else None, game.sees(seen, who))
            for who in (0, 1)
        )
        one, two = knows
        return World(p, world.stage, (one, two), world.likely)

    def chances(self, world: World) -> Iterable[tuple[str, Fraction]]:
        """The moves or reveals there, and how likely each is: by chance, or in the strategy of the one to move."""
        game, p = self.game, world.position
        mover, moves = game.player(p), game.moves(p)
        if not moves:
            return ()
        if mover == CHANCE:
            return zip(moves, game.odds(p), strict=True)
        stage = self.stages[world.stage]
        decisions = stage.tree.decisions[mover]
        at = decisions.of[world.known[mover]]
        return zip(decisions.moves[at], stage.odds[mover][at], strict=True)

    def expected(self, world: World) -> Fraction:
        """What Player 1 gets from there, if both keep to their strategies."""
        p = world.position
        if world.known == (0, 0) and p in self.worths:
            return self.worths[p].value
        if not self.game.moves(p):
            return Fraction(worth(self.game.outcome(p), 0))
        key = world.stage, p, world.known
        found = self._expected.get(key)
        if found is None:
            found = sum(
                (share * self.expected(self.after(world, move)) for move, share in self.chances(world) if share),
                Fraction(0),
            )
            self._expected[key] = found
        return found

    def worlds(self, known: Knowledge) -> list[World]:
        """Where the game may stand for all that somebody knows, and how likely that is if the other keeps to plan.

        Where it cannot be if the other does that, every move of theirs is as likely as another.
        """
        return self._worlds(known, alike=False) or self._worlds(known, alike=True)

    def _ways(self, world: World, known: Knowledge) -> list[tuple[str, Fraction]]:
        """What may have been played there; of one's own moves those that were."""
        if self.game.player(world.position) != known[0]:
            return list(self.chances(world))
        done = {step for step in known if isinstance(step, str)}
        return [(move, Fraction(1)) for move in self.game.moves(world.position) if move in done]

    def _worlds(self, known: Knowledge, *, alike: bool) -> list[World]:
        who, game = known[0], self.game
        stage, number = self._place(known)
        decisions, root = stage.tree.decisions[who], stage.tree.root
        before = {there: here for (here, _, _), there in stage.tree.sights[who].then.items()}
        way = {number}
        while (here := min(way)) in before:
            way.add(before[here])
        waiting, found = [World(root, root, (0, 0), Fraction(1))], []
        while waiting:
            world = waiting.pop()
            mover = game.player(world.position)
            if world.known[who] == number and (mover == who or number not in decisions.of):
                found.append(world)
                continue
            ways = self._ways(world, known)
            for move, share in ways:
                odds = Fraction(1, len(ways)) if alike and mover == 1 - who else share
                after = self.after(world, move)
                if odds and after.stage == root and after.known[who] in way and after.position != after.stage:
                    waiting.append(after._replace(likely=world.likely * odds))
        return found


def _of_matrix(first: Decisions, second: Decisions, payoff: dict[Pair, int]) -> tuple[Plan, Plan]:
    """An equilibrium where each makes one decision at most, exactly."""

    def entry(one: int, two: int) -> int:
        return sum(payoff.get((mine, yours), 0) for mine in {0, one} for yours in {0, two})

    ones = range(1, first.sequences) if len(first) else [0]
    twos = range(1, second.sequences) if len(second) else [0]
    mine, yours = equilibrium([[entry(one, two) for two in twos] for one in ones])
    whole = Fraction(1)
    return (
        as_plan([whole, *mine] if len(first) else [whole]),
        as_plan([whole, *yours] if len(second) else [whole]),
    )
