"""An equilibrium of a stage as a linear programme, and the exact solution that its last basis stands for."""

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, Final, NamedTuple

from numberquest.core.errors import Unable, to_install
from numberquest.solver import budget
from numberquest.solver.numbers import np
from numberquest.solver.secrets.exact import Row, solve_equations
from numberquest.solver.secrets.tree import Decisions, Pair, Plan, Tree, as_plan, is_plan, rounded

PATIENCE: Final = 120.0
"""It is given up after so many seconds."""
NEAR: Final = 1e-9
LARGEST: Final = 1_000_000
"""The denominators that one looks for in what a computer's numbers say."""
SIMPLE: Final = 1 << 256
FINE: Final = 1 << 50
MOST_EQUATIONS: Final = 20_000
"""No more equations than these are solved exactly."""


class Programme(NamedTuple):
    """What has been worked out in a computer's numbers: both plans, and what its exact solution depends on."""

    shares: tuple[list[float], list[float]]
    rows: list[Row]
    right: list[int]
    cost: Row
    basic: list[int]
    """The unknowns that may be something else than 0."""
    tight: list[int]
    """The rows that hold exactly."""


def programme(tree: Tree, payoff: Mapping[Pair, int], denominator: int) -> Programme | None:
    """What Player 1 does to get the most, whatever Player 2 does: `Unable` without the package for it.

    None where that takes too long.

    The unknowns are the sequences of Player 1, but the first, and what each decision of Player 2 is worth; there is a
    row for each decision of Player 1, and for each sequence of Player 2, but the first.
    """
    first, second = tree.decisions
    rows, right, cost = _rows(first, second, payoff)
    highs, solver = _loaded(rows, right, cost, len(first), first.sequences - 1, denominator)
    solver.setOptionValue("time_limit", min(PATIENCE, budget.patience))
    solver.run()
    if solver.getModelStatus() == highs.HighsModelStatus.kTimeLimit:
        return None
    if solver.getModelStatus() != highs.HighsModelStatus.kOptimal:
        raise Unable("the linear programme of this game was not solved; please tell us which rules these are")
    solution, basis = solver.getSolution(), solver.getBasis()
    shares = list(solution.col_value)[: first.sequences - 1]
    duals = [abs(dual) for dual in list(solution.row_dual)[len(first) :]]
    status = highs.HighsBasisStatus.kBasic
    return Programme(
        ([1.0, *shares], [1.0, *duals]),
        rows,
        right,
        cost,
        [at for at, one in enumerate(basis.col_status) if one == status],
        [at for at, one in enumerate(basis.row_status) if one != status],
    )


def _rows(first: Decisions, second: Decisions, payoff: Mapping[Pair, int]) -> tuple[list[Row], list[int], Row]:
    """Rows, right sides, and what is to be large; what decisions of Player 2 are worth is over the denominator."""
    rows: list[Row] = []
    right: list[int] = []
    for parent, start, stop in first.ranges():
        row = dict.fromkeys(range(start - 1, stop - 1), 1)
        if parent:
            row[parent - 1] = -1
        rows.append(row)
        right.append(int(parent == 0))
    at_least = len(rows)
    worth_at = first.sequences - 1
    rows += [{} for _ in range(second.sequences - 1)]
    right += [0] * (second.sequences - 1)
    cost: Row = {}
    for number, (parent, start, stop) in enumerate(second.ranges()):
        for sequence in range(start, stop):
            rows[at_least + sequence - 1][worth_at + number] = 1
        if parent:
            rows[at_least + parent - 1][worth_at + number] = -1
        else:
            cost[worth_at + number] = 1
    for (mine, yours), value in payoff.items():
        if yours and mine:
            rows[at_least + yours - 1][mine - 1] = -value
        elif yours:
            right[at_least + yours - 1] = value
        elif mine:
            cost[mine - 1] = value
    return rows, right, cost


def _loaded(
    rows: list[Row], right: list[int], cost: Row, equations: int, plan: int, denominator: int
) -> tuple[Any, Any]:
    try:
        highs = import_module("highspy")
    except ImportError:
        raise Unable(f"games with secrets like these are solved with HiGHS: {to_install('secrets')}") from None
    width = max((at for row in (*rows, cost) for at in row), default=0) + 1
    width = max(width, plan)
    model = highs.HighsLp()
    model.num_col_, model.num_row_ = width, len(rows)
    costs = np.zeros(width)
    for at, value in cost.items():
        costs[at] = value / denominator if at < plan else value
    model.col_cost_ = costs
    free = width - plan
    infinity = highs.kHighsInf
    model.col_lower_ = np.concatenate([np.zeros(plan), np.full(free, -infinity)])
    model.col_upper_ = np.full(width, infinity)
    upper = np.array([value / (1 if at < equations else denominator) for at, value in enumerate(right)], dtype=float)
    model.row_upper_ = upper
    model.row_lower_ = np.concatenate([upper[:equations], np.full(len(rows) - equations, -infinity)])
    matrix = model.a_matrix_
    matrix.format_ = highs.MatrixFormat.kRowwise
    matrix.start_ = np.cumsum([0, *map(len, rows)])
    matrix.index_ = np.array([at for row in rows for at in row], dtype=np.int32)
    matrix.value_ = np.array(
        [
            value / denominator if number >= equations and at < plan else value
            for number, row in enumerate(rows)
            for at, value in row.items()
        ],
        dtype=float,
    )
    model.sense_ = highs.ObjSense.kMaximize
    solver = highs.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(model)
    return highs, solver


def plans_near(tree: Tree, found: Programme) -> tuple[Plan, Plan]:
    """Plans in fractions near to what was worked out: the simple ones that are meant, or fine ones."""
    one, two = (
        _simple(decisions, shares) or rounded(decisions, shares, FINE)
        for decisions, shares in zip(tree.decisions, found.shares, strict=True)
    )
    return one, two


def _simple(decisions: Decisions, shares: list[float]) -> Plan | None:
    simple: dict[float, Fraction] = {}
    common = 1
    for share in shares:
        if share not in simple:
            # Those before have most likely the denominator of this one too.
            top = round(share * common) if common < LARGEST else -1
            fraction = Fraction(top, common) if common < LARGEST else Fraction(share).limit_denominator(LARGEST)
            if abs(fraction - Fraction(share)) > NEAR:
                fraction = Fraction(share).limit_denominator(LARGEST)
            simple[share] = fraction
            common = min(common * fraction.denominator, LARGEST) if common % fraction.denominator else common
    plan = as_plan([simple[share] for share in shares])
    return plan if plan.denominator < SIMPLE and is_plan(decisions, plan) else None


def plans_of_basis(tree: Tree, found: Programme) -> tuple[Plan, Plan] | None:
    """Both plans exactly as the last basis has them; None where that is too large, or no equilibrium."""
    basic, tight = found.basic, found.tight
    if len(basic) != len(tight) or len(basic) > MOST_EQUATIONS:
        return None
    first, second = tree.decisions
    at_basic = {at: number for number, at in enumerate(basic)}
    rows: list[Row] = []
    columns: list[Row] = [{} for _ in basic]
    for number, row_at in enumerate(tight):
        row = {at_basic[at]: factor for at, factor in found.rows[row_at].items() if at in at_basic}
        rows.append(row)
        for at, factor in row.items():
            columns[at][number] = factor
    unknowns = solve_equations(rows, [found.right[at] for at in tight])
    duals = solve_equations(columns, [found.cost.get(at, 0) for at in basic])
    if unknowns is None or duals is None:
        return None
    shares = [Fraction(0)] * first.sequences
    answers = [Fraction(0)] * second.sequences
    shares[0] = answers[0] = Fraction(1)
    for at, value in zip(basic, unknowns, strict=True):
        if at < first.sequences - 1:
            shares[at + 1] = value
    for at, value in zip(tight, duals, strict=True):
        if at >= len(first):
            answers[at - len(first) + 1] = value
    plans = as_plan(shares), as_plan(answers)
    return plans if is_plan(first, plans[0]) and is_plan(second, plans[1]) else None
