"""Any game as a Gymnasium vector environment: one learner in each of many games, all against one computer player.

    NumberQuestVectorEnv("./last.py", num_envs=1024, opponent="random", seat="random", heap=12)

The same as as many `SoloEnv`s (`gymnasium.py`), on the arrays of `batch.py`. A game that ends is begun anew in the
next step, which ignores the action, as Gymnasium's own vector environments do it; or, with
`autoreset_mode=AutoresetMode.SAME_STEP`, at once: then its last observation is in `info["final_obs"]`.
docs/batch.md shows how.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numberquest.core.stream import Stream
from numberquest.envs.arguments import (
    AnyGame,
    asked_move,
    check_flag,
    check_render_mode,
    needing,
    opponent_for,
    rules_for,
    seat_for,
)
from numberquest.envs.batch import Batch
from numberquest.envs.batches.arrays import BITS, Bits, BitsOfEach, below
from numberquest.envs.episode import picture
from numberquest.envs.observation import action_ids
from numberquest.envs.regret import BatchRegret, Judged
from numberquest.players.asking import close
from numberquest.players.levels import Level, Player, perfect_moves
from numberquest.players.look_ahead import thought_best
from numberquest.solver import TooLarge

with needing("gymnasium"):
    import gymnasium
    from gymnasium import error, spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Rows = NDArray[np.float32]
Flags = NDArray[np.bool_]
Array = NDArray[Any]


class OfEach(NamedTuple):
    """What games draw that have a seed of their own."""

    deals: BitsOfEach
    samples: BitsOfEach
    slips: BitsOfEach
    choices: BitsOfEach
    seats: BitsOfEach


class NumberQuestVectorEnv(VectorEnv[Rows, Array, Array]):
    """So many learners, each against one opponent.

    The reward is 1 for a win and -1 for a loss, at the end; 0 for a draw. A game that has no longest
    length is truncated after `game.bound` moves and reveals.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: AnyGame,
        num_envs: int = 1,
        opponent: str | Player = "random",
        seat: int | str = "random",
        regret: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        """`game` is a slug, the path of a file, a class or an object; `seat` is 1, 2 or "random", for each game anew.

        `settings` are the rule settings of the game.
        With `regret`, `info["regret"]` says how much of the winning chance each move just made has lost,
        `info["value"]` what that chance was before it, and `info["mattered"]` whether the choice mattered: after every
        step, for every game, also where the move was the last of its game. `info["_regret"]` is False where no move was
        made, because the step only began the next game; there the regret is 0.
        """
        named = {mode.name: mode for mode in AutoresetMode} | {mode.value: mode for mode in AutoresetMode}
        mode = named.get(autoreset_mode) if isinstance(autoreset_mode, str) else autoreset_mode
        if mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            choice = "autoreset_mode is NEXT_STEP or SAME_STEP"
            raise ValueError(f"games that end are begun anew: {choice}, not {autoreset_mode!r}")
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._next_step = mode is AutoresetMode.NEXT_STEP
        check_render_mode(render_mode, ("ansi",))
        self._seat = seat_for(seat)
        self.game = rules_for(game, settings, ("opponent", "seat", "regret", "render_mode", "autoreset_mode"))
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.batch = Batch(self.game, num_envs)
        self.opponent = OpponentMoves(self.batch, opponent_for(opponent, self.game))
        self._made_here = isinstance(opponent, str)
        self._regret = BatchRegret(self.batch) if check_flag("regret", regret) else None
        observer = self.batch.observer
        self.single_observation_space = spaces.Box(observer.low, observer.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(len(self.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False
        self._of_each: OfEach | None = None
        self._learners = np.zeros(num_envs, np.intp)
        # Where a game was over before the learner's first move: what the learner has won, and sees. The next step,
        # whatever the action, tells it.
        self._decided = np.zeros(num_envs, bool)
        self._decided_rewards = np.zeros(num_envs, np.int8)
        self._decided_truncated = np.zeros(num_envs, bool)
        self._decided_seen = np.zeros((num_envs, observer.size), np.float32)
        # Where a game was over in the last step, and only the next step shows the new one: what is seen until then.
        self._waiting = np.zeros(num_envs, bool)
        self._final_seen = np.zeros((num_envs, observer.size), np.float32)
        self._final_seats = np.zeros(num_envs, np.intp)
        # The positions of both, which only pictures need.
        self._decided_at: dict[int, Any] = {}
        self._final_at: dict[int, Any] = {}

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Rows, dict[str, Any]]:
        """New games, up to the learner's first move; `options={"reset_mask": …}` begins only those anew.

        With a list of seeds each game has its own: what happens there does not depend on the other games.
        """
        seeds = None if seed is None or isinstance(seed, int | np.integer) else self._checked_seeds(seed)
        super().reset(seed=None if seeds else seed)  # type: ignore[arg-type]
        only = self._asked_for(options or {})
        # Nothing can stay as it is where nothing has begun.
        only = only if self._begun else np.ones(self.num_envs, bool)
        if seeds:
            self._seed_each(seeds, only)
        elif seed is not None or not self._begun:
            self._of_each = None
            self.opponent.seed(int(self.np_random.integers(2**32)))
            self.batch.seed(int(self.np_random.integers(2**32)))
        self._begun = True
        self.batch.restart(only)
        self._decided[only] = False
        self._waiting = self._waiting & ~only
        self._sit(only)
        nothing = np.zeros(self.num_envs, bool)
        self._answer(only.copy(), nothing.astype(np.int8), nothing, np.zeros_like(self._decided_seen))
        return self._seen(), self._info()

    def _asked_for(self, options: dict[str, Any]) -> Flags:
        """The games that are to be begun anew: all, or those of `reset_mask`."""
        if others := ", ".join(repr(name) for name in options if name != "reset_mask"):
            raise ValueError(f"the only option of reset is reset_mask; there is no {others}")
        only = np.asarray(options.get("reset_mask", np.ones(self.num_envs, bool)))
        if only.shape != (self.num_envs,) or only.dtype != np.bool_:
            raise ValueError(f"reset_mask is an array of {self.num_envs} truth values")
        return only

    def _checked_seeds(self, seeds: Sequence[int | None]) -> list[int]:
        """A seed for each game; where there is None, any."""
        listed = list(seeds) if isinstance(seeds, list | tuple | np.ndarray) else []
        whole = all(seed is None or (isinstance(seed, int | np.integer) and seed >= 0) for seed in listed)
        if len(listed) != self.num_envs or not whole:
            raise ValueError(f"seed is a whole number from 0 on, or a list of {self.num_envs} of them, not {seeds!r}")
        drawn = self.np_random.integers(2**32, size=len(listed)).tolist()
        return [other if seed is None else int(seed) for seed, other in zip(listed, drawn, strict=True)]

    def _seed_each(self, seeds: list[int], only: Flags) -> None:
        """From here on, these games draw from seeds of their own; the others as before."""
        sequences = [np.random.SeedSequence(seed).spawn(len(OfEach._fields)) for seed in seeds]
        new = OfEach(*(BitsOfEach(each) for each in zip(*sequences, strict=True)))
        if self._of_each is None:
            self._of_each = new
        else:
            for ours, theirs in zip(self._of_each, new, strict=True):
                ours.again(only, theirs)
        self.batch.draw_from(self._of_each.deals, self._of_each.samples)
        self.opponent.seed_each(seeds, only, self._of_each.slips, self._of_each.choices)

    def step(self, actions: Array) -> tuple[Rows, Array, Array, Array, dict[str, Any]]:
        """Make every learner's move and the opponent's answer. An illegal move ends the game and loses it."""
        if not self._begun:
            raise error.ResetNeeded("no game has begun: call reset()")
        batch, acting = self.batch, ~self._waiting
        actions = self._checked(actions)
        decided = self._decided & acting
        allowed: Flags = batch.allowed(actions)
        illegal, playing = acting & ~decided & ~allowed, acting & ~decided & allowed
        judged = self._judged(actions, illegal, playing, decided)
        rewards = np.where(illegal, np.int8(-1), self._decided_rewards * decided)
        over, truncated = illegal | decided, self._decided_truncated & decided
        # What is seen last, where the game is over; elsewhere it does not matter.
        final = self._seen() if over.any() else np.zeros_like(self._decided_seen)
        if self.render_mode is not None:
            self._final_at = {i: self._position(i) for i in np.flatnonzero(over).tolist()}
        self._decided[decided] = False
        seats = self._learners.copy()
        stepped = batch.step(np.where(playing, actions, 0), playing)
        ended = stepped.ended | stepped.truncated
        if ended.any():
            rewards += stepped.rewards
            truncated |= stepped.truncated
            final[ended] = batch.observe_final(self._learners)[ended]
            self._remember(self._final_at, ended)
            over |= ended
        if illegal.any():
            batch.restart(illegal)
        self._sit(over)
        self._answer(over, rewards, truncated, final)
        if self._next_step:
            self._waiting, self._final_seen, self._final_seats = over.copy(), final, seats
            info = self._info() | _told(illegal, {"illegal": illegal}) | _told(acting, judged, always=True)
        else:
            # Also the moves that were the last of their games, whose other news are in `final_info` alone.
            info = self._info() | _told(acting, judged, always=True)
            if over.any():
                masks = np.zeros((self.num_envs, self.batch.tables.actions), np.int8)
                last = _told(over, {"action_mask": masks, "seat": seats + 1, **judged})
                last |= _told(illegal, {"illegal": illegal})
                rows = np.full(self.num_envs, None, dtype=object)
                for i in np.flatnonzero(over).tolist():
                    rows[i] = final[i]
                info |= {"final_obs": rows, "_final_obs": over.copy(), "final_info": last, "_final_info": over.copy()}
        return self._seen(), rewards.astype(np.float64), over & ~truncated, truncated, info

    def _checked(self, actions: Array) -> Array:
        """The actions, refused where some are none; of games that begin anew in this step, none is asked for."""
        actions, count = np.asarray(actions), self.batch.tables.actions
        wrong = actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer)
        if wrong or ((actions < 0) | (actions >= count))[~self._waiting].any():
            raise error.InvalidAction(f"actions are {self.num_envs} whole numbers, each from 0 to {count - 1}")
        return actions

    def _judged(self, actions: Array, illegal: Flags, playing: Flags, decided: Flags) -> dict[str, Array]:
        """What is true of the moves about to be made, as in `Judged`; nothing where nobody wants to know."""
        if self._regret is None:
            return {}
        found = self._regret.of(np.where(playing, actions, 0), playing, illegal)
        if decided.any():
            # Over before the learner's first move: there was nothing to choose.
            value = np.where(decided, (1 + self._decided_rewards) / 2, found.value)
            found = Judged(np.where(decided, 0.0, found.regret), value, found.mattered & ~decided)
        return found._asdict()

    def _sit(self, where: Flags) -> None:
        """Give the learners of new games their seats."""
        if self._seat is not None:
            self._learners[where] = self._seat
        elif self._of_each is not None:
            self._learners[where] = below(self._of_each.seats.where(where)(), np.int32(2))[where]
        elif where.any():
            self._learners[where] = self.np_random.integers(2, size=self.num_envs)[where]

    def _answer(self, over: Flags, rewards: NDArray[np.int8], truncated: Flags, final: Rows) -> None:
        """Let the opponent move until it is the learners' turn. What that ends is written into the arrays given."""
        batch = self.batch
        while True:
            theirs = (batch.players != self._learners) & ~self._decided
            if not theirs.any():
                return
            stepped = batch.step(self.opponent.choose(batch, theirs), theirs)
            ended = stepped.ended | stepped.truncated
            if ended.any():
                seen = batch.observe_final(self._learners)
                answered, opened = ended & ~over, ended & over
                rewards[answered] = -stepped.rewards[answered]
                truncated |= stepped.truncated & answered
                final[answered] = seen[answered]
                self._remember(self._final_at, answered)
                over |= answered
                self._decided |= opened
                self._decided_rewards[opened] = -stepped.rewards[opened]
                self._decided_truncated[opened] = stepped.truncated[opened]
                self._decided_seen[opened] = seen[opened]
                self._remember(self._decided_at, opened)
                self._sit(answered)

    def _seen(self) -> Rows:
        seen: Rows = self.batch.observe(self._learners)
        for where, rows in ((self._decided, self._decided_seen), (self._waiting, self._final_seen)):
            if where.any():
                seen[where] = rows[where]
        return seen

    def _info(self) -> dict[str, Any]:
        masks = self.batch.masks.astype(np.int8)
        # One step is still to be made there, and any will do.
        masks[self._decided] = 1
        masks[self._waiting] = 0
        seats = np.where(self._waiting, self._final_seats, self._learners) + 1
        every = np.ones(self.num_envs, bool)
        return _told(every, {"action_mask": masks, "seat": seats})

    def _remember(self, positions: dict[int, Any], ended: Flags) -> None:
        """Keep where the last step ended these games, if there are to be pictures of it."""
        if self.render_mode is not None:
            positions.update({i: self.batch.final_position(i) for i in np.flatnonzero(ended).tolist()})

    def _position(self, i: int) -> Any:
        """The position that the learner of this game sees."""
        if self._waiting[i]:
            return self._final_at[i]
        return self._decided_at[i] if self._decided[i] else self.batch.position(i)

    def render(self) -> tuple[str, ...] | None:
        """The positions in words."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        if not self._begun:
            raise error.ResetNeeded("no game has begun: call reset()")
        return tuple(picture(self.game, self._position(i)) for i in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        """End what the opponent has started, such as a process; one that you have made yourself is yours to close."""
        if self._made_here:
            close(self.opponent.player)


def _told(where: Flags, news: dict[str, Array], *, always: bool = False) -> dict[str, Any]:
    """What there is for the learners where this is True, as Gymnasium's own vector environments tell it.

    With `always` it is there whoever has moved: nobody who reads it after a step has to ask first.
    """
    told: dict[str, Any] = {}
    for name, values in news.items() if always or where.any() else ():
        told |= {name: values * where if values.ndim == 1 else values, f"_{name}": where.copy()}
    return told


MOST_REMEMBERED = 1_000_000
"""How many positions the best moves are remembered of, so that memory is not filled up in the end."""


class OpponentMoves:
    """The named players move in all games at once, from the solver's tables; others think game by game.

    So do the named ones where the tables do not fit, and then they remember what they thought.
    """

    def __init__(self, batch: Batch, player: Player) -> None:
        self.game = batch.game
        self.player = player
        # Of 100 moves, how many are any move: those of the named players are drawn here, all at once.
        self._any_move = self.player.any_move if isinstance(self.player, Level) else 0
        self._ids = action_ids(self.game)
        self._best: dict[Any, list[int]] = {}
        self._looks_up = isinstance(self.player, Level) and self._any_move < 100
        if self._looks_up:
            try:
                batch.truth.ready()
            except TooLarge:
                self._looks_up = False
        self._size = batch.size
        self.seed(0)

    def seed(self, seed: int) -> None:
        """From here on, the same seed gives the same moves."""
        self._dice = [Stream(str(seed), "answers")] * self._size
        slips, choices = np.random.SeedSequence(seed).spawn(2)
        self._slips: Bits | BitsOfEach = Bits(slips, self._size, np)
        self._choices: Bits | BitsOfEach = Bits(choices, self._size, np)

    def seed_each(self, seeds: Sequence[int], only: Flags, slips: BitsOfEach, choices: BitsOfEach) -> None:
        """The same with a seed for each of some games: what is chosen there does not depend on the others."""
        dice = zip(seeds, only.tolist(), self._dice, strict=True)
        self._dice = [Stream(str(seed), "answers") if new else old for seed, new, old in dice]
        self._slips, self._choices = slips, choices

    def choose(self, batch: Batch, where: Flags) -> NDArray[np.intp]:
        """An action for every game where this is True; any allowed one elsewhere."""
        if self._any_move == 0 and self._looks_up:
            return batch.truth.perfect(batch.state, self._choices.where(where))  # type: ignore[no-any-return]
        actions: NDArray[np.intp] = batch.sample(where)
        if self._any_move < 100:
            thinking = where & (below(self._slips.where(where)(), np.int32(100)) >= self._any_move)
            if self._looks_up:
                best = batch.truth.perfect(batch.state, self._choices.where(thinking))
                return np.where(thinking, best, actions)
            drawn = self._choices.where(thinking)()
            for i in np.flatnonzero(thinking).tolist():
                position = batch.position(i)
                # Where chance has ended a game before the first move, any action will do.
                if self.game.moves(position):
                    actions[i] = self._thought(position, i, drawn[i])
        return actions

    def _thought(self, position: Any, i: int, drawn: np.int32) -> int:
        best = self._best.get(position)
        if best is None:
            if not isinstance(self.player, Level):
                return self._ids[asked_move(self.player, self.game, position, self._dice[i])]
            try:
                best = [self._ids[move] for move in perfect_moves(self.game, position)]
            except TooLarge:
                return self._ids[thought_best(self.game, position, self._dice[i])]
            if len(self._best) >= MOST_REMEMBERED:
                self._best.clear()
            self._best[position] = best
        return best[int(drawn) * len(best) >> BITS]
