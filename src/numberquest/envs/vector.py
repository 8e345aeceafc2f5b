"""Any game as a Gymnasium vector environment: one learner in each of many games, all against one computer player.

    NumberQuestVectorEnv("./last.py", num_envs=1024, opponent="random", seat="random", heap=12)

The same as as many `SoloEnv`s (`gymnasium.py`), on the arrays of `batch.py`. A game that ends is begun anew in the
next step, which ignores the action, as Gymnasium's own vector environments do it; or, with
`autoreset_mode=AutoresetMode.SAME_STEP`, at once: then its last observation is in `info["final_obs"]`; or, with
`AutoresetMode.DISABLED`, by `reset(options={"reset_mask": …})` alone.
docs/batch.md shows how.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numberquest.core.stream import Stream
from numberquest.envs import arguments
from numberquest.envs.arguments import AnyGame, needing
from numberquest.envs.batch import Batch
from numberquest.envs.batches.arrays import BITS, Bits, BitsOfEach, below
from numberquest.envs.episode import Judged, Regret, picture
from numberquest.envs.frame import frame
from numberquest.envs.observation import action_ids
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


class Ends:
    """Games that are over, while the batch has gone on to the next: what the learners have won there, and see."""

    def __init__(self, size: int, width: int) -> None:
        self.where = np.zeros(size, bool)
        self.rewards = np.zeros(size, np.int8)
        self.truncated = np.zeros(size, bool)
        self.seen = np.zeros((size, width), np.float32)
        self.positions: dict[int, Any] = {}
        """Which only pictures need."""


class NumberQuestVectorEnv(VectorEnv[Rows, Array, Array]):
    """So many learners, each against one opponent.

    The reward is 1 for a win and -1 for a loss, at the end; 0 for a draw. A game that has no longest
    length is truncated after `game.bound` moves and reveals.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

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
        if mode is None:
            raise ValueError(f"autoreset_mode is NEXT_STEP, SAME_STEP or DISABLED, not {autoreset_mode!r}")
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._next_step = mode is not AutoresetMode.SAME_STEP
        self._only_reset = mode is AutoresetMode.DISABLED
        arguments.check_render_mode(render_mode, ("ansi", "rgb_array"))
        self._seat = arguments.seat_for(seat)
        own = ("opponent", "seat", "regret", "render_mode", "autoreset_mode")
        self.game = arguments.rules_for(game, settings, own)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.batch = Batch(self.game, num_envs)
        self.opponent = OpponentMoves(self.batch, arguments.opponent_for(opponent, self.game))
        self._made_here = isinstance(opponent, str)
        self._regret = BatchRegret(self.batch) if arguments.check_flag("regret", regret) else None
        observer = self.batch.observer
        self.single_observation_space = spaces.Box(observer.low, observer.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(len(self.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False
        # Where each game has a seed of its own: what it draws for deals, samples, slips, choices and seats.
        self._of_each: list[BitsOfEach] = []
        self._learners = np.zeros(num_envs, np.intp)
        # Where a game was over before the learner's first move: the next step, whatever the action, tells it.
        self._decided = Ends(num_envs, observer.size)
        # Where a game was over in the last step, and only the next step shows the new one.
        self._waiting = Ends(num_envs, observer.size)
        self._final_seats = np.zeros(num_envs, np.intp)

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
            self._of_each = []
            self.opponent.seed(int(self.np_random.integers(2**32)))
            self.batch.seed(int(self.np_random.integers(2**32)))
        self._begun = True
        self.batch.restart(only)
        self._decided.where &= ~only
        self._waiting.where &= ~only
        self._sit(only)
        ends = Ends(self.num_envs, self.batch.observer.size)
        ends.where |= only
        self._answer(ends)
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
        new = [
            BitsOfEach(each) for each in zip(*(np.random.SeedSequence(seed).spawn(5) for seed in seeds), strict=True)
        ]
        self._of_each = self._of_each or new
        for ours, theirs in zip(self._of_each, new, strict=True):
            ours.again(only, theirs)
        deals, samples, slips, choices, _ = self._of_each
        self.batch.draw_from(deals, samples)
        self.opponent.seed_each(seeds, only, slips, choices)

    def step(self, actions: Array) -> tuple[Rows, Array, Array, Array, dict[str, Any]]:
        """Make every learner's move and the opponent's answer. An illegal move ends the game and loses it."""
        if not self._begun:
            raise error.ResetNeeded("no game has begun: call reset()")
        if self._only_reset and self._waiting.where.any():
            which = ", ".join(map(str, np.flatnonzero(self._waiting.where).tolist()))
            raise error.ResetNeeded(f"over are the games {which}: call reset with a reset_mask that begins them anew")
        batch, acting = self.batch, ~self._waiting.where
        actions = self._checked(actions)
        decided = self._decided.where & acting
        allowed: Flags = batch.allowed(actions)
        illegal, playing = acting & ~decided & ~allowed, acting & ~decided & allowed
        judged = self._judged(actions, illegal, playing, decided)
        ends = Ends(self.num_envs, batch.observer.size)
        ends.where = illegal | decided
        ends.rewards = np.where(illegal, np.int8(-1), self._decided.rewards * decided)
        ends.truncated = self._decided.truncated & decided
        if ends.where.any():
            ends.seen = self._seen()
        if self.render_mode is not None:
            ends.positions = {i: self._position(i) for i in np.flatnonzero(ends.where).tolist()}
        self._decided.where &= ~decided
        seats = self._learners.copy()
        stepped = batch.step(np.where(playing, actions, 0), playing)
        ended = stepped.ended | stepped.truncated
        if ended.any():
            self._note(ends, ended, stepped.rewards, stepped.truncated, batch.observe_final(self._learners))
        if illegal.any():
            batch.restart(illegal)
        self._sit(ends.where)
        self._answer(ends)
        over = ends.where.copy()
        if self._next_step:
            self._waiting, self._final_seats = ends, seats
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
                    rows[i] = ends.seen[i]
                info |= {"final_obs": rows, "_final_obs": over.copy(), "final_info": last, "_final_info": over.copy()}
        return self._seen(), ends.rewards.astype(np.float64), over & ~ends.truncated, ends.truncated, info

    def _checked(self, actions: Array) -> Array:
        """The actions, refused where some are none; of games that begin anew in this step, none is asked for."""
        actions, count = np.asarray(actions), self.batch.tables.actions
        wrong = actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer)
        if wrong or ((actions < 0) | (actions >= count))[~self._waiting.where].any():
            raise error.InvalidAction(f"actions are {self.num_envs} whole numbers, each from 0 to {count - 1}")
        return actions

    def _judged(self, actions: Array, illegal: Flags, playing: Flags, decided: Flags) -> dict[str, Array]:
        """What is true of the moves about to be made, as in `Judged`; nothing where nobody wants to know."""
        if self._regret is None:
            return {}
        found = self._regret.of(np.where(playing, actions, 0), playing, illegal)
        if decided.any():
            # Over before the learner's first move: there was nothing to choose.
            value = np.where(decided, (1 + self._decided.rewards) / 2, found.value)
            found = Judged(np.where(decided, 0.0, found.regret), value, found.mattered & ~decided)
        return found._asdict()

    def _sit(self, where: Flags) -> None:
        """Give the learners of new games their seats."""
        if self._seat is not None:
            self._learners[where] = self._seat
        elif self._of_each:
            self._learners[where] = below(self._of_each[-1].where(where)(), np.int32(2))[where]
        elif where.any():
            self._learners[where] = self.np_random.integers(2, size=self.num_envs)[where]

    def _answer(self, ends: Ends) -> None:
        """Let the opponent move until it is the learners' turn, and note what that ends; anew, where that had ended."""
        batch = self.batch
        while True:
            theirs = (batch.players != self._learners) & ~self._decided.where
            if not theirs.any():
                return
            stepped = batch.step(self.opponent.choose(batch, theirs), theirs)
            ended = stepped.ended | stepped.truncated
            if ended.any():
                seen = batch.observe_final(self._learners)
                answered, opened = ended & ~ends.where, ended & ends.where
                for noted, where in ((ends, answered), (self._decided, opened)):
                    self._note(noted, where, -stepped.rewards, stepped.truncated, seen)
                self._sit(answered)

    def _note(self, ends: Ends, where: Flags, rewards: Array, truncated: Flags, seen: Rows) -> None:
        """Note that the last step ended these games."""
        at = np.flatnonzero(where)
        ends.where[at] = True
        ends.rewards[at], ends.truncated[at], ends.seen[at] = rewards[at], truncated[at], seen[at]
        if self.render_mode is not None:
            ends.positions.update({i: self.batch.final_position(i) for i in at.tolist()})

    def _seen(self) -> Rows:
        seen: Rows = self.batch.observe(self._learners)
        for ends in (self._decided, self._waiting):
            if ends.where.any():
                seen[ends.where] = ends.seen[ends.where]
        return seen

    def _info(self) -> dict[str, Any]:
        masks = self.batch.masks.astype(np.int8)
        # One step is still to be made there, and any will do.
        masks[self._decided.where] = 1
        masks[self._waiting.where] = 0
        seats = np.where(self._waiting.where, self._final_seats, self._learners) + 1
        every = np.ones(self.num_envs, bool)
        return _told(every, {"action_mask": masks, "seat": seats})

    def _position(self, i: int) -> Any:
        """The position that the learner of this game sees."""
        for ends in (self._waiting, self._decided):
            if ends.where[i]:
                return ends.positions[i]
        return self.batch.position(i)

    def render(self) -> tuple[Any, ...] | None:
        """The positions in words (`ansi`), or as pictures (`rgb_array`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        if not self._begun:
            raise error.ResetNeeded("no game has begun: call reset()")
        draw: Callable[[Any, Any], Any] = frame if self.render_mode == "rgb_array" else picture
        return tuple(draw(self.game, self._position(i)) for i in range(self.num_envs))

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


class BatchRegret:
    """Looks it up in the tables of the batch; where those do not fit, asks the solver game by game.

    `TooLarge` where the game cannot be solved.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._one_by_one: Regret | None = None
        try:
            # Now, because it may take a while.
            _ = batch.truth
        except TooLarge:
            self._one_by_one = Regret(batch.game)

    def of(self, actions: NDArray[Any], playing: Flags, illegal: Flags) -> Judged:
        """What is true of these moves: an array for each field. Of games that neither play nor err, nothing."""
        if self._one_by_one is not None:
            return self._asked(self._one_by_one, actions, playing, illegal)
        lost, value, mattered = self._batch.truth.judged(self._batch.state, actions)
        moving = playing | illegal
        # A move that is not allowed loses everything.
        return Judged(np.where(playing, lost, value * illegal), np.where(moving, value, 0.5), mattered & moving)

    def _asked(self, solver: Regret, actions: NDArray[Any], playing: Flags, illegal: Flags) -> Judged:
        batch = self._batch
        found = [Judged(0.0, 0.5, False)] * batch.size
        players = batch.players
        for i in np.flatnonzero(playing | illegal).tolist():
            move = batch.game.actions[actions[i]] if playing[i] else None
            found[i] = solver.of(batch.position(i), int(players[i]), move)
        return Judged(*(np.array(row) for row in zip(*found, strict=True)))


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
        if self.game.has_secrets and self._any_move < 100:
            raise ValueError(
                f"{self.game.slug} has secrets, and of many games at once nobody keeps what an opponent has seen: take "
                "the opponent 'random' here, or one game at a time"
            )
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
                return self._ids[arguments.asked_move(self.player, self.game, position, self._dice[i])]
            try:
                best = [self._ids[move] for move in perfect_moves(self.game, position)]
            except TooLarge:
                return self._ids[thought_best(self.game, position, self._dice[i])]
            if len(self._best) >= MOST_REMEMBERED:
                self._best.clear()
            self._best[position] = best
        return best[int(drawn) * len(best) >> BITS]
