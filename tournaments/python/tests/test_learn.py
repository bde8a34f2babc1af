"""Training of nets: that they learn, that equal settings give equal nets, and that agents play them as numpy does."""

import contextlib
import io
import json
import os
import pathlib
import runpy
import shutil
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import croupier
from croupier import learn

GAMES = pathlib.Path(__file__).resolve().parents[3] / "games"
RACE, SHED = str(GAMES / "testing/race"), str(GAMES / "examples/shed")
SUBTRACTION = ["subtraction", "--set", "pile=21", "--goal", "wins", "--units", "32,16", "--explore", "0.3",
               "--rate", "0.003"]


class Learning(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = os.path.join(self.folder, "net.json")
        self.enterContext(unittest.mock.patch.multiple(learn, DECISIONS=1 << 12, GAMES=64, MINIBATCH=256))

    def train(self, *words, path=None):
        """What it said."""
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            learn.main([*words, "--out", path or self.path])
        return told.getvalue()

    def refused(self, *words, path=None):
        told = io.StringIO()
        with self.assertRaises(SystemExit) as raised, contextlib.redirect_stderr(told):
            learn.main([*words, "--out", path or self.path])
        return told.getvalue() + str(raised.exception)

    def content(self, path=None):
        with open(path or self.path, "rb") as file:
            return file.read()

    def assert_perfect_play(self):
        agents = [f"net:{self.path}", "tablebase"]
        games = croupier.run("subtraction", agents, options={"pile": 21}, games=40, seed=3).games
        first = games["seat"] == 0
        self.assertEqual(set(games["score"][first & (games["agent"] == agents[0])]), {1.0})

    def test_a_net_learns_perfect_play(self):
        with unittest.mock.patch.dict(os.environ, COLUMNS="40"):
            said = self.train(*SUBTRACTION, "--games", "40000", "--against", "random", "--matches", "200")
        self.assertIn("3 moves", said)
        self.assertEqual({len(line.split("\n")[0]) for line in said.split("\r")[1:]}, {39}, "fills the terminal's line")
        self.assert_perfect_play()
        with open(self.path + ".csv", encoding="utf-8") as file:
            rows = [row.split(",") for row in file.read().splitlines()]
        self.assertEqual(rows[0], learn.CSV)
        self.assertEqual([row[2] for row in rows[1:]], ["random"] * 8)
        self.assertGreater(float(rows[-1][5]), float(rows[1][5]), "stronger at the end")

    def test_who_stops_and_goes_on_gets_the_same_net(self):
        words = [RACE, "--games", "3000", "--units", "16", "--seed", "4"]
        self.train(*words)
        other = os.path.join(self.folder, "other.json")
        stops = iter([False, False, True] + [False] * 100)

        def learns(*settings):
            if next(stops):
                raise KeyboardInterrupt
            return original(*settings)

        original = learn.learn
        with unittest.mock.patch.object(learn, "learn", learns):
            with self.assertRaises(SystemExit) as stopped:
                self.train(*words, path=other)
            self.assertIn("the same command goes on", str(stopped.exception))
            self.assertIn("goes on after", self.train(*words, path=other))
        self.assertEqual(self.content(), self.content(other))
        self.train(RACE, "--games", "3000", "--units", "16", "--seed", "5", path=other + "5")
        self.assertNotEqual(self.content(), self.content(other + "5"))

    def test_the_unit_follows_how_much_results_differ(self):
        class Wild(learn.Lesson):
            def __init__(self, *settings):
                super().__init__(*settings)
                self.unit *= 8  # as where random players bid too much

        with unittest.mock.patch.object(learn, "Lesson", Wild):
            self.train(*SUBTRACTION, "--games", "40000")
        self.assertAlmostEqual(json.loads(self.content())["unit"], 1, delta=0.05)
        self.assert_perfect_play()

    def test_agents_play_a_net_as_numpy_does(self):
        self.train(SHED, "--games", "4000", "--units", "48,24")
        net = json.loads(self.content())
        game = croupier.load(SHED)
        numbers = [game.features.index(name) for name in net["bits"]]

        def plays(view, legal):
            seen = numpy.frombuffer(view.bits(), numpy.uint8)
            values = numpy.unpackbits(seen, bitorder="little")[numbers].astype(float)
            for layer in net["layers"]:
                factors = numpy.array(layer["factors"])
                weights = numpy.frombuffer(bytes.fromhex(layer["weights"]), numpy.int8).reshape(-1, len(factors))
                values = numpy.maximum(values, 0) @ (weights * factors) + layer["biases"]
            return max(legal, key=lambda move: values[game.moves.index(move)])

        plays.reproducible = True
        scores = [croupier.run(SHED, [agent, "random"], games=200, seed=9, profile="off").games["score"]
                  for agent in (f"net:{self.path}", plays)]
        # Moves that are worth the same in sixteen bits are rare.
        self.assertGreater(numpy.mean(scores[0] == scores[1]), 0.97)

    def test_a_game_may_include_files_of_folders_that_are_named(self):
        shutil.copy(RACE + "/rules.json", self.folder)
        own = os.path.join(self.folder, "own")
        os.mkdir(own)
        with open(own + "/game.json", "w", encoding="utf-8") as file:
            json.dump({"@include": "../rules.json"}, file)
        words = [own + "/game.json", "--games", "100", "--units", "8", "--against", "random", "--matches", "4"]
        self.assertIn("include-from", self.refused(*words))
        said = self.train(*words, "--include-from", self.folder)
        self.assertIn("ahead of random", said)

    def test_bad_settings_and_files_are_refused(self):
        self.assertIn("nim declares nothing", self.refused(str(GAMES / "testing/nim"), "--games", "10"))
        self.assertIn("there is no game 'nosuch'", self.refused("nosuch"))
        self.assertIn("'x' is not OPTION=VALUE", self.refused(RACE, "--set", "x"))
        self.assertIn("1 to 512 units", self.refused(RACE, "--units", "0"))
        self.assertIn("--td goes from 0 to 1", self.refused(RACE, "--td", "2"))
        for path in (self.folder, os.path.join(self.folder, "nosuch/net.json")):
            self.assertIn(f"{path} cannot be written", self.refused(RACE, path=path))
        with unittest.mock.patch.object(learn, "Chapter", None):  # before anything is played
            self.assertIn("there is no agent 'nobody'", self.refused(RACE, "--against", "nobody"))
        self.assertIn("diverged", self.refused(*SUBTRACTION[:-1], "1e9", "--games", "9999"))
        with unittest.mock.patch.dict(sys.modules, numpy=None):
            with self.assertRaisesRegex(SystemExit, "needs numpy"):
                runpy.run_path(learn.__file__)
        rules = shutil.copy(GAMES / "testing/race/rules.json", self.folder)
        words = [rules, "--games", "1000", "--units", "8"]
        self.train(*words)
        self.assertIn("was begun with units [8], and not [9]", self.refused(*words[:-1], "9"))
        with open(rules, "a", encoding="utf-8") as file:
            file.write("// Changed.\n")
        self.assertIn("was begun with ruleset ", self.refused(*words))
        with open(self.path + ".state", "r+b") as file:
            file.truncate(1000)
        self.assertIn("is damaged", self.refused(*words))


if __name__ == "__main__":
    unittest.main()
