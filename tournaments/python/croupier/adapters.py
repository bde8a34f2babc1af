"""Games of croupier by the interfaces that others have published: PettingZoo's AECEnv, Gymnasium's Env for
one player against agents, and pyspiel's Game and State. None of these packages is needed."""

import random

from . import Error, load


def _game(game, options=None):
    return game if hasattr(game, "features") else load(game, options)


def _bits(position, seat=None):
    """What a seat sees, as an array of 0 and 1."""
    import numpy

    size = len(position.game.features)
    packed = numpy.frombuffer(position.bits(seat), dtype=numpy.uint8)
    return numpy.unpackbits(packed, count=size, bitorder="little")


def _mask(position):
    import numpy

    mask = numpy.zeros(len(position.game.moves), dtype=numpy.int8)
    mask[position.legal_numbers] = 1
    return mask


class Discrete:
    """A space of the numbers below n, where no package has one."""

    def __init__(self, n):
        self.n = n
        self.shape = ()
        self._random = random.Random(0)

    def seed(self, seed=None):
        self._random.seed(seed)

    def sample(self, mask=None):
        return self._random.choice([i for i in range(self.n) if mask is None or mask[i]])

    def contains(self, x):
        return 0 <= int(x) < self.n

    def __repr__(self):
        return f"Discrete({self.n})"


class MultiBinary(Discrete):
    """A space of rows of n bits."""

    def __init__(self, n):
        super().__init__(n)
        self.shape = (n,)

    def sample(self, mask=None):
        import numpy

        return numpy.array([self._random.getrandbits(1) for _ in range(self.n)], dtype=numpy.int8)

    def contains(self, x):
        return len(x) == self.n and all(bit in (0, 1) for bit in x)

    def __repr__(self):
        return f"MultiBinary({self.n})"


def _spaces(game):
    """Spaces of gymnasium where it is installed, else those above."""
    size, moves = len(game.features), len(game.moves)
    if moves == 0:
        raise Error(f"the moves of {game.name} cannot be listed, so they have no numbers")
    try:
        from gymnasium import spaces

        return spaces.Dict(
            {"observation": spaces.MultiBinary(size), "action_mask": spaces.MultiBinary(moves)}
        ), spaces.Discrete(moves)
    except ImportError:
        return {"observation": MultiBinary(size), "action_mask": MultiBinary(moves)}, Discrete(moves)


def _observation(position, seat):
    import numpy

    turn = position.turn == seat
    return {
        "observation": _bits(position, seat).astype(numpy.int8),
        "action_mask": _mask(position) if turn else numpy.zeros(len(position.game.moves), numpy.int8),
    }


class _Table:
    """What environments share: a game, and its deals one after the other."""

    def __init__(self, game, options, win):
        self.game = _game(game, options)
        self.render_mode = "ansi"
        self.position = None
        self._win = win
        self._seed, self._deal = 0, -1

    def _deal_next(self, seed):
        """The next deal in which somebody can move; with a seed the first one of it."""
        if seed is not None:
            self._seed, self._deal = seed, -1
        self.position = None
        while self.position is None or self.position.over:
            self._deal += 1
            self.position = self.game.new(self._seed, self._deal)

    @property
    def unwrapped(self):
        return self

    def render(self):
        return repr(self.position)

    def close(self):
        pass


class AECEnv(_Table):
    """PettingZoo's environment for players who take turns. Actions are numbers of `game.moves`; the reward
    is given at the end: the score, or with `win=True` 1 for a won game, -1 for a lost one, 0 for a shared
    place."""

    def __init__(self, game, options=None, win=False):
        super().__init__(game, options, win)
        self.metadata = {"name": self.game.name, "is_parallelizable": False, "render_modes": ["ansi"]}
        self.possible_agents = list(self.game.players)
        observation, action = _spaces(self.game)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self._deal_next(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.position.player

    def observe(self, agent):
        return _observation(self.position, self.possible_agents.index(agent))

    def last(self, observe=True):
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise Error("the game is over, so the action must be None")
            self.agents.remove(agent)
            for of in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
                del of[agent]
            self.agent_selection = self.agents[0] if self.agents else None
            return
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0)
        self.position.play(int(action))
        if self.position.over:
            self._end()
        else:
            self.agent_selection = self.position.player
        for each, reward in self.rewards.items():
            self._cumulative_rewards[each] += reward

    def _end(self):
        at = self.position
        self.rewards = dict(zip(self.possible_agents, rewards_of(at, self._win)))
        unfinished = at.ending != "over"
        self.terminations = dict.fromkeys(self.agents, not unfinished)
        self.truncations = dict.fromkeys(self.agents, unfinished)
        self.infos = {agent: {"ending": at.ending, "place": at.places[i]} for i, agent in enumerate(self.agents)}
        self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def state(self):
        return _bits(self.position)


def rewards_of(position, win=False):
    """By seat: the scores, or 1 for who has won alone (with partners), 0 for who shares the first place with
    another side, -1 for the others."""
    if not win:
        return position.scores
    if position.ending == "aborted":
        return [0] * len(position.game.players)
    first = [seat for seat, place in enumerate(position.places) if place == 1]
    teams = list(position.game.teams.values()) or [[seat] for seat in range(len(position.game.players))]
    shared = sum(any(seat in first for seat in team) for team in teams) > 1
    return [(0 if shared else 1) if seat in first else -1 for seat in range(len(position.game.players))]


class Env(_Table):
    """Gymnasium's environment for one seat; the others are played by functions choose(view, legal)."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game, seat=0, others=None, options=None, win=False):
        super().__init__(game, options, win)
        self.seat = seat if isinstance(seat, int) else self.game.players.index(seat)
        if not 0 <= self.seat < len(self.game.players):
            raise Error(f"{self.game.name} has no seat {seat}")
        self.others = others or (lambda view, legal: view.random(len(legal)))
        self.observation_space, self.action_space = _spaces(self.game)

    def reset(self, seed=None, options=None):
        while True:
            self._deal_next(seed)
            self._chances = self.position.copy(seed=self._deal)
            self._play_others()
            if not self.position.over:  # else the others have ended it
                return _observation(self.position, self.seat), self._info()
            seed = None

    def step(self, action):
        if self.position is None or self.position.over:
            raise Error("the game is over: reset() deals the next one")
        self.position.play(int(action))
        self._play_others()
        over = self.position.over
        reward = rewards_of(self.position, self._win)[self.seat] if over else 0
        finished = self.position.ending == "over"
        return _observation(self.position, self.seat), reward, finished, over and not finished, self._info()

    def _play_others(self):
        while not self.position.over and self.position.turn != self.seat:
            legal = tuple(self.position.legal)
            view = self.position.view(self.position.turn, seed=self._chances.random(2**62))
            move = self.others(view, legal)
            self.position.play(move if isinstance(move, str) else legal[move])

    def _info(self):
        at = self.position
        return {"ending": at.ending, "place": at.places[self.seat]} if at.over else {"action_mask": _mask(at)}


class SpielGame:
    """pyspiel's Game, for algorithms that were written for OpenSpiel. Chance is in the seed: it is sampled
    by the game, so that there are no chance nodes; `new_initial_state(seed)` deals."""

    def __init__(self, game, options=None, win=False):
        self.game = _game(game, options)
        self.win = win
        _spaces(self.game)

    def num_players(self):
        return len(self.game.players)

    def num_distinct_actions(self):
        return len(self.game.moves)

    def max_chance_outcomes(self):
        return 0

    def observation_tensor_size(self):
        return len(self.game.features)

    def observation_tensor_shape(self):
        return [len(self.game.features)]

    def new_initial_state(self, seed=None):
        return SpielState(self, self.game.new(random.getrandbits(63) if seed is None else seed), [])

    def __str__(self):
        return self.game.name


class SpielState:
    """pyspiel's State."""

    def __init__(self, game, position, history):
        self._game, self.position, self._history = game, position, history

    def get_game(self):
        return self._game

    def current_player(self):
        turn = self.position.turn
        return -4 if turn is None else turn  # pyspiel.PlayerId.TERMINAL

    def is_terminal(self):
        return self.position.over

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def is_player_node(self):
        return not self.position.over

    def num_players(self):
        return self._game.num_players()

    def num_distinct_actions(self):
        return self._game.num_distinct_actions()

    def legal_actions(self, player=None):
        if player is not None and player != self.position.turn:
            return []
        return sorted(self.position.legal_numbers)

    def legal_actions_mask(self, player=None):
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def action_to_string(self, player, action=None):
        return self._game.game.moves[player if action is None else action]

    def string_to_action(self, player, text=None):
        return self._game.game.moves.index(player if text is None else text)

    def apply_action(self, action):
        self.position.play(int(action))
        self._history.append(int(action))

    def child(self, action):
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self):
        return SpielState(self._game, self.position.copy(), list(self._history))

    def history(self):
        return list(self._history)

    def move_number(self):
        return len(self._history)

    def returns(self):
        if not self.position.over:
            return [0.0] * self.num_players()
        return [float(reward) for reward in rewards_of(self.position, self._game.win)]

    def rewards(self):
        return self.returns()

    def player_return(self, player):
        return self.returns()[player]

    def player_reward(self, player):
        return self.player_return(player)

    def observation_tensor(self, player=None):
        return _bits(self.position, self.position.turn if player is None else player).tolist()

    def observation_string(self, player=None):
        import json

        at = self.position.view(self.position.turn if player is None else player)
        return json.dumps(at.to_json(), separators=(",", ":"))

    def __str__(self):
        return repr(self.position)
