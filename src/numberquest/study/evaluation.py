"""An agent measured: what it wins, what it would win without luck, and what its choices give away."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import variance
from typing import Any, Final, NamedTuple

from numberquest.core.errors import Unable
from numberquest.core.play_out import positions_of
from numberquest.core.progress import Progress, part_of
from numberquest.explain.review import FROM_BLUNDER, FROM_MISTAKE
from numberquest.players.asking import MOST_LEFT_OUT
from numberquest.players.levels import PLAYERS, Player
from numberquest.solver import Solution, TooLarge, solve
from numberquest.solver.secrets.solution import SecretSolution
from numberquest.study import intervals
from numberquest.study.decisions import Decision, Judge, Made, answered_share, tokens_used, worst
from numberquest.study.exact import Exact, exact
from numberquest.study.game import Contest, Job, Row
from numberquest.study.levels import chances, everywhere
from numberquest.study.luck import Luck, Odds, Worth, nearest_level, without_luck
from numberquest.study.policy_values import Pair
from numberquest.study.secret_values import level_policy, luck_in

STAKES: Final = (0.0, FROM_MISTAKE, FROM_BLUNDER, 0.5, 1.0)
"""How much a choice can give away, in steps: more than the one, and up to the next."""
ENOUGH: Final = 10
"""With fewer deals than this nothing is said about which way of taking luck out serves better."""
BY_LEVELS, BY_BEST_PLAY, NOT_AT_ALL = "levels", "best play", "nothing"
"""What luck is valued with."""


class _Played(NamedTuple):
    """A game, with all that was found out about it."""

    row: Row
    positions: Sequence[Any]
    decisions: list[Decision]
    """Of the agent."""
    others: list[Decision]
    """Of an opponent who is no level."""


class Evaluation:
    """All figures of one agent, from the rows of its games alone: the same rows always give the same figures."""

    def __init__(
        self, contest: Contest, agent: str, opponents: Sequence[str], rows: Iterable[Row], progress: Progress
    ) -> None:
        self.contest, self.agent, self.opponents = contest, agent, list(opponents)
        mine = [row for row in rows if row.agent == agent and row.opponent in self.opponents]
        self._rows = [row for row in mine if row.result is not None]
        self._all = mine
        self.valued: list[dict[str, Any]] = []
        """What luck was valued with against each opponent, in each seat, for each half of the deals."""
        self.exact: Exact | None = None
        self.solution: Solution[Any] | None = None
        with suppress(Unable):
            self.solution = solve(contest.game)
        # The games are looked through once, and for each opponent, seat and half there is a table.
        parts = 1 + 4 * len(self.opponents)
        self._played = self._judged(part_of(progress, 0, parts))
        self._reach: dict[Job, list[tuple[float, float]]] = {}
        """By how much each choice that mattered could change the result without luck, down and up."""
        self._luck_free = self._without_luck(part_of(progress, at, parts) for at in range(1, parts))
        both = [self._figures(opponent, seat) for opponent in self.opponents for seat in (0, 1, None)]
        self.rows, self.more = [row for row, _ in both], [more for _, more in both]

    def _judged(self, progress: Progress) -> list[_Played]:
        game = self.contest.game
        judge = None if self.solution is None else Judge(game, self.solution)
        found = []
        for at, row in enumerate(self._rows):
            positions = positions_of(game, row.history)
            mine, others = [], []
            if judge is not None:
                mine = judge.decisions(row, positions, row.seat)
                if row.opponent not in PLAYERS:
                    others = judge.decisions(row, positions, 1 - row.seat)
            found.append(_Played(row, positions, mine, others))
            progress(at, len(self._rows))
        return found

    def _without_luck(self, parts: Iterator[Progress]) -> dict[Job, float]:
        found: dict[Job, float] = {}
        if isinstance(self.solution, SecretSolution):
            return self._without_luck_in_secret(self.solution)
        # The halves are the even and the odd deals: what is learnt from one is used for the other alone.
        near = [nearest_level(d for one in self._half(1 - half) for d in one.decisions) for half in (0, 1)]
        for opponent in self.opponents:
            for seat in (0, 1):
                # Tables may be large, and are let go of after these games.
                tables: dict[Pair, Worth] = {}
                for half in (0, 1):
                    other_half = [one for one in self._half(1 - half) if one.row.opponent == opponent]
                    against = (
                        opponent if opponent in PLAYERS else nearest_level(d for one in other_half for d in one.others)
                    )
                    levels = near[half], against
                    worth, by = self._worth(Pair(levels[seat], levels[1 - seat]), tables, next(parts))
                    luck = None
                    if worth is not None:
                        luck = Luck(self.contest.game, worth, self._odds(opponent, seat))
                        there = [one for one in other_half if one.row.seat == seat]
                        if _serves_worse(there, luck):
                            luck, by = None, NOT_AT_ALL
                    mine, other = levels if by == BY_LEVELS else (None, None)
                    valued = {"opponent": opponent, "seat": seat + 1, "half": half + 1, "by": by}
                    self.valued.append({**valued, "agent_as": mine, "opponent_as": other})
                    for one in self._half(half):
                        if (one.row.opponent, one.row.seat) == (opponent, seat):
                            found[one.row.job] = _corrected(one, luck)
                            if luck is not None:
                                mattered = (d.position for d in one.decisions if d.mattered)
                                self._reach[one.row.job] = [luck.reach(p, seat) for p in mattered]
        return found

    def _without_luck_in_secret(self, solution: SecretSolution[Any]) -> dict[Job, float]:
        """Luck is valued by best play: what chance brought, and how the mixing of a level happened to fall."""
        game, found = self.contest.game, dict[Job, float]()
        for one in self._played:
            level = one.row.opponent if one.row.opponent in PLAYERS else None
            other = None if level is None else level_policy(game, level)
            odds = (None, other) if one.row.seat == 0 else (other, None)
            luck = luck_in(solution, one.row.history, odds)
            found[one.row.job] = float(without_luck(one.row.result or 0.0, luck, one.row.seat))
        valued = {"by": BY_BEST_PLAY, "agent_as": None, "opponent_as": None}
        self.valued += [
            {"opponent": opponent, "seat": seat, "half": half, **valued}
            for opponent in self.opponents
            for seat in (1, 2)
            for half in (1, 2)
        ]
        return found

    def _worth(self, pair: Pair, tables: dict[Pair, Worth], progress: Progress) -> tuple[Worth | None, str]:
        """What positions are worth to Player 1 where these two levels play, and what that is known from."""
        solution = self.solution
        if solution is None:
            return None, NOT_AT_ALL
        try:
            if pair not in tables:
                tables[pair] = everywhere(self.contest.game, pair, progress=progress).first
        except TooLarge:
            return lambda p: solution.value_for(0, p), BY_BEST_PLAY
        return tables[pair], BY_LEVELS

    def _half(self, half: int) -> list[_Played]:
        return [one for one in self._played if one.row.deal % 2 == half]

    def _odds(self, opponent: str, seat: int) -> tuple[Odds | None, Odds | None]:
        """Whose odds are known: those of a level that plays as it is described, because the game is solved."""
        level = PLAYERS.get(opponent)
        known = level is not None and (self.solution is not None or level.any_move == 100)
        odds = level.odds if level is not None and known else None
        return (None, odds) if seat == 0 else (odds, None)

    def _figures(self, opponent: str, seat: int | None) -> tuple[dict[str, Any], dict[str, Any]]:
        """The row that programs rely on, and what else is known of the same games."""

        def here(row: Row) -> bool:
            return row.opponent == opponent and seat in (None, row.seat)

        games = [one for one in self._played if here(one.row)]
        raw = intervals.share(intervals.by_deal((one.row.deal, one.row.result or 0.0) for one in games))
        free = intervals.by_deal((one.row.deal, self._luck_free[one.row.job]) for one in games)
        luck_free = intervals.with_room(free, *self._room(games, free))
        decisions = [(one.row.deal, decision) for one in games for decision in one.decisions]
        mattered = [d for _, d in decisions if d.mattered]
        few = sum(d.is_best for d in mattered) < intervals.FEW, sum(not d.is_best for d in mattered) < intervals.FEW
        regret = intervals.average(intervals.by_deal((deal, float(d.loss)) for deal, d in decisions if d.mattered), few)
        solved = self.solution is not None
        all_rows = [row for row in self._all if here(row)]
        sure = sum(row.result is None for row in all_rows) <= MOST_LEFT_OUT * len(all_rows)

        return {
            "opponent": opponent,
            "seat": None if seat is None else seat + 1,
            "games": len(games),
            "wins": sum(one.row.result == 1 for one in games),
            **intervals.named("share", raw, "", sure=sure),
            **intervals.named("luck_free", luck_free, sure=sure),
            "decisions": len(decisions) if solved else None,
            "mattered": len(mattered) if solved else None,
            **intervals.named("regret", regret, sure=sure),
            "best": sum(d.is_best for d in mattered) / len(mattered) if mattered else None,
            "illegal": sum(row.illegal[row.seat] for row in all_rows),
            "errors": sum(row.errors for row in all_rows),
            "answered": answered_share(self.contest.game, [(row, row.seat) for row in all_rows]),
            "cut_off": sum(row.cut_off[row.seat] for row in all_rows),
        }, {
            "opponent": opponent,
            "seat": None if seat is None else seat + 1,
            "draws": sum(one.row.result == 0.5 for one in games),
            "forfeits": sum(row.forfeit == row.seat for row in all_rows),
            "missing": sum(row.result is None for row in all_rows),
            "fewer": _times_fewer(raw, luck_free),
            "exact": None,
        }

    def _room(self, games: Sequence[_Played], free: Mapping[int, tuple[float, int]]) -> tuple[float, float]:
        """How much lower, and higher, one more game may be: as a choice that mattered could make it, on average.

        The more there was to lose at a choice, the more it counts: a rare choice may be the one that costs much.
        All that there is, where that is not known: no choice mattered, luck is left in, or the opponent may err too.
        """
        known = intervals.clustered(free)
        mean = min(max(known[0], 0.0), 1.0) if known else 0.0
        reach = [one for game in games for one in self._reach.get(game.row.job, [])]
        if not reach:
            return mean, 1 - mean
        lost = sum(down for down, _ in reach)
        lower = sum(down**2 for down, _ in reach) / lost if lost else 0.0
        higher = sum(up for _, up in reach) / len(reach)
        whole = any(game.row.opponent not in PLAYERS or game.row.job not in self._reach for game in games)
        return (max(lower, mean), max(higher, 1 - mean)) if whole else (lower, higher)

    def by_move(self) -> list[dict[str, object]]:
        """What the choices were worth, by the number of the move in the game; per opponent and seat."""
        return self._grouped(lambda d: d.number, "move")

    def by_stake(self) -> list[dict[str, object]]:
        """The same by what was at stake; `above` and `up_to` are the bounds, both 0 where nothing was."""
        found = self._grouped(lambda d: sum(float(d.stake) > bound for bound in STAKES), "step")
        for group in found:
            step = int(str(group.pop("step")))
            group["above"], group["up_to"] = (STAKES[step - 1], STAKES[min(step, len(STAKES) - 1)]) if step else (0, 0)
        return found

    def _grouped(self, key: Callable[[Decision], int], name: str) -> list[dict[str, object]]:
        groups: dict[tuple[str, int, int], list[Decision]] = defaultdict(list)
        for one in self._played:
            for decision in one.decisions:
                groups[one.row.opponent, one.row.seat, key(decision)].append(decision)
        found: list[dict[str, object]] = []
        for who, seat, at in sorted(groups, key=lambda group: (self.opponents.index(group[0]), *group[1:])):
            decisions = groups[who, seat, at]
            mattered = [d for d in decisions if d.mattered]
            figures = {"decisions": len(decisions), "mattered": len(mattered)}
            regret = sum(float(d.loss) for d in mattered) / len(mattered) if mattered else None
            best = sum(d.is_best for d in mattered) / len(mattered) if mattered else None
            found.append({"opponent": who, "seat": seat + 1, name: at, **figures, "regret": regret, "best": best})
        return found

    def worst(self) -> list[dict[str, Any]]:
        """The moves that gave most away, each with the record of a game in which it was made."""
        if self.solution is None:
            return []
        made = (Made(one.row, one.row.seat, decision) for one in self._played for decision in one.decisions)
        return worst(self.contest, made, self.solution.best)

    def add_exact(self, player: Player, progress: Progress) -> None:
        """Work out what the agent wins exactly, where it tells its odds and the game is small enough."""
        try:
            self.exact = exact(self.contest.game, player, progress)
        except TooLarge:
            self.exact = None
        shares = {} if self.exact is None else self.exact.against
        if not shares and self.agent in PLAYERS:
            shares = self._between_levels(progress)
        for more in self.more:
            both = shares.get(more["opponent"])
            if both is not None:
                more["exact"] = sum(both) / 2 if more["seat"] is None else both[more["seat"] - 1]

    def _between_levels(self, progress: Progress) -> dict[str, tuple[float, float]]:
        against = [name for name in self.opponents if name in PLAYERS]
        pairs = [pair for name in against for pair in (Pair(self.agent, name), Pair(name, self.agent))]
        try:
            known = chances(self.contest.game, pairs, progress=progress)
        except TooLarge:
            return {}
        return {name: (known[Pair(self.agent, name)], 1 - known[Pair(name, self.agent)]) for name in against}

    def data(self) -> dict[str, Any]:
        """All of it as JSON, with all that a report needs."""
        game, seed, tries, errors = self.contest
        value = None if self.solution is None else float(self.solution.value_for(0, game.start()))
        return {
            "game": game.slug,
            "settings": game.settings,
            "agent": self.agent,
            "opponents": self.opponents,
            "seed": seed,
            "deals": len({row.deal for row in self._all}),
            "tries": tries,
            "errors": errors,
            "value": value,
            "rows": self.rows,
            "more": self.more,
            "exact": None if self.exact is None else self.exact.data(),
            "valued": self.valued,
            "by_move": self.by_move(),
            "by_stake": self.by_stake(),
            "worst": self.worst(),
            "tokens": tokens_used(self._all, self.agent),
            "said_by_providers": sorted({row.error for row in self._all if row.error}),
        }


def _corrected(one: _Played, luck: Luck | None) -> float:
    result = one.row.result or 0.0
    return result if luck is None else float(without_luck(result, luck.of(one.positions), one.row.seat))


def _serves_worse(games: Sequence[_Played], luck: Luck) -> bool:
    """Whether results spread more without luck than with it, as far as these games tell."""
    if len(games) < ENOUGH:
        return False
    raw = [one.row.result or 0.0 for one in games]
    without = [_corrected(one, luck) for one in games]
    # Where all were won, the spread is not 0: the next one may be lost.
    likely = (sum(raw) + 1) / (len(raw) + 2)
    return variance(without) > max(variance(raw), likely * (1 - likely))


def _times_fewer(raw: intervals.Estimate | None, luck_free: intervals.Estimate | None) -> float | None:
    """How many times fewer games are as good once luck is taken out; None where that cannot be said."""
    if raw is None or luck_free is None or not raw.error or not luck_free.error:
        return None
    return (raw.error / luck_free.error) ** 2


def jobs_for(agent: str, opponents: Sequence[str], deals: Iterable[int]) -> list[Job]:
    """Every game of an evaluation, in the order of its rows."""
    return [Job(agent, opponent, deal, seat) for deal in deals for opponent in opponents for seat in (0, 1)]
