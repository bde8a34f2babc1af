"""The adapters against what PettingZoo, Gymnasium and OpenSpiel publish of their interfaces: their own tests'
demands, written down here, since none of them is in Debian."""

import json
import sys
import unittest

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import croupier
from croupier import adapters
from test_croupier import PILE


class PettingZoo(unittest.TestCase):
    """What pettingzoo.test.api_test asks of an environment for players who take turns."""

    def play(self, env, seed):
        env.reset(seed=seed)
        self.assertEqual(env.agents, env.possible_agents)
        total = dict.fromkeys(env.agents, 0)
        numbers = numpy.random.default_rng(seed)
        asked = set()
        for agent in env.agent_iter():
            self.assertEqual(agent, env.agent_selection)
            for of in (env.rewards, env.terminations, env.truncations, env.infos):
                self.assertEqual(set(of), set(env.agents))
            observation, reward, termination, truncation, info = env.last()
            total[agent] += reward
            self.assertTrue(env.observation_space(agent)["observation"].contains(observation["observation"]))
            mask = observation["action_mask"]
            if termination or truncation:
                self.assertEqual(mask.sum(), 0)
                with self.assertRaises(croupier.Error):
                    env.step(0)
                env.step(None)
                continue
            asked.add(agent)
            action = int(numbers.choice(numpy.flatnonzero(mask)))
            self.assertTrue(env.action_space(agent).contains(action))
            env.step(action)
        self.assertEqual((env.agents, env.num_agents), ([], 0))
        self.assertEqual(env.max_num_agents, len(env.possible_agents))
        return total, asked

    def test_games_are_played_to_the_end_by_all(self):
        for name in ("belote", "tarot", "life", "oldmaid"):
            env = adapters.AECEnv(name)
            total, asked = self.play(env, 4)
            self.assertEqual(list(total.values()), env.position.scores)
            self.assertTrue(asked <= set(env.possible_agents) and len(asked) > 1)
            again, _ = self.play(env, 4)
            self.assertEqual(again, total, "the seed decides")
            env.reset()
            self.assertEqual(env.position, env.game.new(4, 1), "without a seed the next deal is dealt")

    def test_wins_are_shared_out(self):
        env = adapters.AECEnv("belote", win=True)
        for seed in range(5):
            total, _ = self.play(env, seed)
            self.assertEqual(total["A"], total["C"])
            self.assertEqual(total["A"], -total["B"])
        self.assertIn(total["A"], (1, 0, -1))

    def test_an_observation_is_what_the_seat_sees(self):
        env = adapters.AECEnv("belote")
        env.reset(seed=1)
        waiting = next(agent for agent in env.agents if agent != env.agent_selection)
        observation = env.observe(waiting)
        self.assertEqual(observation["action_mask"].sum(), 0)
        names = [env.game.features[i] for i in numpy.flatnonzero(observation["observation"])]
        hand = env.position.to_json()["hands"][waiting]
        self.assertEqual({name for name in names if name.startswith("hands.")}, {f"hands.me.{card}" for card in hand})


class Gymnasium(unittest.TestCase):
    """What gymnasium.utils.env_checker asks."""

    def test_a_seat_plays_against_functions(self):
        seen = []

        def other(view, legal):
            seen.append((view.turn, view.random(10)))
            return len(legal) - 1

        for seat in (2, "C"):
            env = adapters.Env("belote", seat=seat, others=other)
            for episode in range(3):
                observation, info = env.reset(seed=episode)
                over = truncated = False
                while not (over or truncated):
                    self.assertTrue(env.observation_space["observation"].contains(observation["observation"]))
                    self.assertEqual(env.position.turn, 2)
                    self.assertTrue((info["action_mask"] == observation["action_mask"]).all())
                    before = observation["action_mask"]
                    observation, reward, over, truncated, info = env.step(int(before.argmax()))
                    self.assertTrue(over or reward == 0)
                self.assertEqual(reward, env.position.scores[2])
                self.assertEqual(info["place"], env.position.places[2])
                with self.assertRaises(croupier.Error):
                    env.step(0)
        self.assertEqual({turn for turn, _ in seen}, {0, 1, 3})
        self.assertGreater(len({number for _, number in seen}), 5, "chance of its own at each decision")

    def test_a_seed_decides(self):
        def episode():
            env = adapters.Env("life")
            observation, _ = env.reset(seed=8)
            rows = [observation["observation"].tobytes()]
            while not env.position.over:
                observation, *_ = env.step(int(observation["action_mask"].argmax()))
                rows.append(observation["observation"].tobytes())
            self.assertGreater(len(rows), 5)
            return rows

        self.assertEqual(episode(), episode())

    def test_illegal_moves_and_seats(self):
        env = adapters.Env("belote")
        with self.assertRaises(croupier.Error):
            env.step(0)
        observation, _ = env.reset(seed=1)
        with self.assertRaises(croupier.Error):
            env.step(int(observation["action_mask"].argmin()))
        with self.assertRaises(croupier.Error):
            adapters.Env("belote", seat=4)


def best_by_playouts(state, playouts, numbers):
    """A flat Monte Carlo search as OpenSpiel's examples write it."""
    worth = {}
    for action in state.legal_actions():
        worth[action] = 0
        for _ in range(playouts):
            after = state.child(action)
            while not after.is_terminal():
                after.apply_action(int(numbers.choice(after.legal_actions())))
            worth[action] += after.returns()[state.current_player()]
    return max(worth, key=worth.get)


class OpenSpiel(unittest.TestCase):
    """What open_spiel.python.algorithms call."""

    def test_states_are_played_as_random_sim_test_does(self):
        for name in ("belote", "oldmaid", "life"):
            game = adapters.SpielGame(name)
            numbers = numpy.random.default_rng(3)
            state = game.new_initial_state(seed=6)
            self.assertEqual(str(state), str(state.clone()))
            while not state.is_terminal():
                self.assertFalse(state.is_chance_node() or state.is_simultaneous_node())
                player = state.current_player()
                legal = state.legal_actions(player)
                self.assertEqual(legal, sorted(legal))
                self.assertEqual([i for i, may in enumerate(state.legal_actions_mask()) if may], legal)
                self.assertEqual(state.legal_actions((player + 1) % game.num_players()), [])
                self.assertEqual(len(state.observation_tensor(player)), game.observation_tensor_size())
                self.assertEqual(state.returns(), [0] * game.num_players())
                action = int(numbers.choice(legal))
                self.assertEqual(state.string_to_action(player, state.action_to_string(player, action)), action)
                state.apply_action(action)
            self.assertEqual(state.current_player(), -4)
            self.assertEqual(state.move_number(), len(state.history()))
            self.assertEqual(state.returns(), state.position.scores)
            again = game.new_initial_state(seed=6)
            for action in state.history():
                again.apply_action(action)
            self.assertEqual(again.position, state.position)

    def test_an_algorithm_of_theirs_plays(self):
        # Whoever finds the winning move by playouts takes the pile's last stones.
        game = adapters.SpielGame(PILE, win=True)
        state = game.new_initial_state(seed=1)
        numbers = numpy.random.default_rng(5)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(best_by_playouts(state, 60, numbers) if state.current_player() == 0 else legal[0])
        self.assertEqual(state.returns(), [1, -1])

    def test_what_a_player_sees_is_text(self):
        state = adapters.SpielGame("belote").new_initial_state(seed=1)
        seen = json.loads(state.observation_string(2))
        self.assertEqual(list(seen["hands"]), ["C"])


if __name__ == "__main__":
    unittest.main()
