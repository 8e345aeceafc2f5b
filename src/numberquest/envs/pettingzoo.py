"""Any game as a PettingZoo environment, agents in turn: `env("./last.py", heap=12)`. docs/pettingzoo.md shows how.

An observation is a flat row of numbers (`observation.py` says which); the allowed moves are `info["action_mask"]`, and
with `mask_in_observation` they stand beside the row as well.
What is left to chance is settled inside by a generator of the environment's own: a seed gives the same episode again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from numberquest.core.registry import GAMES
from numberquest.envs.arguments import AnyGame, check_flag, check_render_mode, id_of, needing, rules_for
from numberquest.envs.episode import Episode, Judged, Regret, picture, rendered
from numberquest.envs.observation import Observer

with needing("pettingzoo"):
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo.utils.env import AECIterable
    from pettingzoo.utils.env_logger import EnvLogger

AGENTS: Final = ("player_1", "player_2")
FIRST, SECOND = AGENTS
SEATS: Final = {FIRST: 0, SECOND: 1}


def env(
    game: AnyGame,
    render_mode: str | None = None,
    regret: bool = False,
    mask_in_observation: bool = False,
    **settings: Any,
) -> CheckedEnv:
    """The environment as agents should use it: an illegal action loses at once, misuse is told."""
    return CheckedEnv(game, render_mode, regret, mask_in_observation, **settings)


class raw_env(pettingzoo.AECEnv[str, Any, Any]):  # type: ignore[misc]  # noqa: N801  # the name that PettingZoo gives it
    """The environment without checks: trusts its caller to take only what the mask allows.

    The winner is rewarded with 1 and the loser with -1, both with 0 in a draw. A game that has no longest length is
    truncated after `game.bound` moves and reveals.
    A copy, or one that was pickled, stands where this one stands, and goes on with the same deals.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi"],
        "name": "numberquest_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }
    agent_selection: str

    def __init__(
        self,
        game: AnyGame,
        render_mode: str | None = None,
        regret: bool = False,
        mask_in_observation: bool = False,
        **settings: Any,
    ) -> None:
        """`game` is a slug, the path of a file, a class or an object; `settings` are its rule settings.

        With `regret`, an agent's `info["regret"]` says how much of the winning chance its last move has lost,
        `info["value"]` what that chance was before it, and `info["mattered"]` whether the choice mattered.
        With `mask_in_observation`, an observation is a dictionary of the row, `observation`, and `action_mask`.
        """
        super().__init__()
        check_render_mode(render_mode, ("human", "ansi"))
        self.game = rules_for(game, settings, ("render_mode", "regret", "mask_in_observation"))
        self._with_mask = check_flag("mask_in_observation", mask_in_observation)
        self._regret = Regret(self.game) if check_flag("regret", regret) else None
        self._judged: dict[str, Judged] = {}
        self.metadata = {**self.metadata, "name": f"numberquest_{self.game.slug}_v0"}
        self.render_mode = render_mode
        self.observer = Observer(self.game)
        self._episode = Episode(self.game)
        self._dice = np.random.default_rng()
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.state_space = self._space(with_mask=False)
        # One space for each agent: whoever seeds that of one does not seed the other's.
        self._observation_spaces = {agent: self._space(with_mask=self._with_mask) for agent in AGENTS}
        self._action_spaces = {agent: spaces.Discrete(len(self.game.actions)) for agent in AGENTS}

    @property
    def position(self) -> Any:
        """Where the game stands, as the rules say it. A deal is not in it, but what a game's players keep secret is."""
        return self._episode.position

    def _space(self, *, with_mask: bool) -> spaces.Box | spaces.Dict:
        row = spaces.Box(self.observer.low, self.observer.high, dtype=np.float32)
        mask = spaces.Box(0, 1, (len(self.game.actions),), np.int8)
        return spaces.Dict({"observation": row, "action_mask": mask}) if with_mask else row

    def observation_space(self, agent: str) -> spaces.Box | spaces.Dict:
        """What an observation of this agent looks like."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action ids: places in `game.actions`."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; with a seed, the same deals from here on."""
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        self._episode.start(self._dice)
        self._judged = {}
        self.agents = [FIRST, SECOND]
        self.rewards = {FIRST: 0, SECOND: 0}
        self._cumulative_rewards = {FIRST: 0, SECOND: 0}
        self.terminations = {FIRST: False, SECOND: False}
        self.truncations = {FIRST: False, SECOND: False}
        self._say_turn()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        """What this agent may know: a row, or with `mask_in_observation` a dictionary of it and the mask."""
        row = self.observer.see(self._episode.position, SEATS[agent])
        if not self._with_mask:
            return row
        # Who has left the game has no info any more, and may do nothing.
        mask = self.infos[agent]["action_mask"].copy() if agent in self.infos else self._episode.no_mask
        return {"observation": row, "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """What both agents together know; where nothing is known to one alone, that is what the first one sees."""
        return self.observer.see_all(self._episode.position)

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action id is needed: the game is not over")
        self._cumulative_rewards[agent] = 0
        episode = self._episode
        # Chance may have ended it before the first move: then no move matters, and none is made.
        if not episode.over:
            move = episode.actions[int(action)]
            if self._regret is not None:
                self._judged[agent] = self._regret.of(episode.known(SEATS[agent]), SEATS[agent], move)
            episode.play(move)
        if episode.over:
            self._say_end()
        else:
            self._say_turn()
        self._say_judged()
        if self.render_mode == "human":
            self.render()

    def _say_turn(self) -> None:
        """Say whose turn it is, and what is allowed. The mask of whoever is not to move is all zeros."""
        episode = self._episode
        # Where chance has ended the game before the first move, one step is still to be made, and any will do.
        mask = np.ones(len(episode.actions), np.int8) if episode.over else episode.mask
        masks = (mask, episode.no_mask) if episode.player == 0 else (episode.no_mask, mask)
        self.agent_selection = AGENTS[episode.player]
        self.infos = {FIRST: {"action_mask": masks[0]}, SECOND: {"action_mask": masks[1]}}

    def _say_end(self) -> None:
        """Say who has won, or that the game was truncated."""
        episode = self._episode
        truncated = episode.outcome is None
        self.rewards = {FIRST: episode.reward(0), SECOND: episode.reward(1)}
        self.terminations = {FIRST: not truncated, SECOND: not truncated}
        self.truncations = {FIRST: truncated, SECOND: truncated}
        self._accumulate_rewards()
        self.agent_selection = SECOND if self.agent_selection == FIRST else FIRST
        self.infos = {FIRST: {"action_mask": episode.no_mask}, SECOND: {"action_mask": episode.no_mask}}

    def _say_judged(self) -> None:
        """Say what is true of each agent's last move, until its next one; nothing where nobody wants to know."""
        for agent, judged in self._judged.items():
            self.infos[agent] |= judged._asdict()

    def render(self) -> str | None:
        """The position in words: returned (`ansi`) or printed (`human`)."""
        return rendered(self.render_mode, lambda: picture(self.game, self._episode.position))

    def close(self) -> None:
        """Nothing is held open."""


class CheckedEnv(raw_env):
    """Behaves as `raw_env` does inside PettingZoo's wrappers against misuse, which take most of a step's time.

    Those are TerminateIllegal (an illegal action loses at once), AssertOutOfBounds (what is no action id is an
    `AssertionError`) and OrderEnforcing (nothing can be asked before `reset`). A test compares the two.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._ids = len(self.game.actions)
        self._started = self._moved = False
        # What is not there before the first reset cannot be mistaken for something.
        del self.agents

    def __getattr__(self, name: str) -> Any:
        # Called only for what is not there.
        if name in _SINCE_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._started = self._moved = True
        super().reset(seed, options)

    def observe(self, agent: str) -> Any:
        if not self._started:
            EnvLogger.error_observe_before_reset()
        # Not asked of `raw_env`: that would cost more than the question.
        if self._with_mask:
            return super().observe(agent)
        return self.observer.see(self._episode.position, SEATS[agent])

    def state(self) -> NDArray[np.float32]:
        if not self._started:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> str | None:
        if not self._started:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """The agents in turn; each has to step before the next one comes."""
        if not self._started:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is; an illegal one ends the episode, and only that agent loses."""
        if not self._started:
            EnvLogger.error_step_before_reset()
        self._moved = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        over = self.terminations[agent] or self.truncations[agent]
        if action is None:
            known = over
        elif type(action) is int:
            known = 0 <= action < self._ids
        else:
            known = self._action_spaces[agent].contains(action)
        if not known:
            raise AssertionError("action is not in action space")
        if over or action is None or self._episode.over or self._episode.allows(int(action)):
            super().step(action)
        else:
            self._lose(agent)

    def _lose(self, agent: str) -> None:
        """End the episode for an illegal move of this agent."""
        EnvLogger.warn_on_illegal_move()
        if self._regret is not None:
            self._judged[agent] = self._regret.of(self._episode.known(SEATS[agent]), SEATS[agent], None)
            self._say_judged()
        self._cumulative_rewards[agent] = 0
        self.terminations = {FIRST: True, SECOND: True}
        self.truncations = {FIRST: True, SECOND: True}
        self.rewards = {FIRST: 0, SECOND: 0}
        self.rewards[agent] = -1
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()


_SINCE_RESET: Final = frozenset(
    ["rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"]
)


class _Turns(AECIterable[str, Any, Any]):  # type: ignore[misc]
    """Whose turn it is, once for each step."""

    def __iter__(self) -> Iterator[str]:
        env: CheckedEnv = self.env
        for _ in range(self.max_iter):
            if not env.agents:
                return
            if not env._moved:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            env._moved = False
            yield env.agent_selection


def register() -> None:
    """Tell PettingZoo the ids of all games; once more does no harm."""
    for slug in GAMES.known:
        if id_of(slug) not in pettingzoo.aec_registry:
            pettingzoo.register(
                "aec", id_of(slug), entry_point="numberquest.envs.pettingzoo:env", kwargs={"game": slug}
            )


register()
