"""The module croupier: games, positions, batches, tournaments with agents in Python, and bad neighbours."""

import ast
import copy as copy_module
import filecmp
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

try:
    import numpy
except ImportError:
    print("skipped: python3-numpy is not installed")
    sys.exit(77)

import croupier

PILE = {
    "game": {"name": "pile", "players": ["X", "O"]},
    "options": {"stones": 7},
    "option_values": {"stones": "1..20"},
    "types": {"Player": ["X", "O"], "Take": ["one", "two"]},
    "constants": {"next": {"X": "O", "O": "X"}, "worth": {"one": 1, "two": 2}},
    "shape": {"turn": "Player", "left": "0..20", "over": "bool", "moves": {"$:Take": True}, "move": "Take",
              "score": {"$:Player": "number"}},
    "state": {"turn": "X"},
    "setup": [{"action": {"left": "= options.stones"}}],
    "moves": [{"condition": {"left": "$N", "worth": {"$T": "<= $N"}}, "action": {"moves": {"$T": True}}}],
    "play": [
        {"name": "take", "condition": {"move": "$T", "worth": {"$T": "$W"}, "turn": "$P", "next": {"$P": "$Q"}},
         "action": {"left": "$this - $W", "turn": "$Q"}},
        {"name": "end", "condition": {"left": 0}, "action": {"over": True}}],
    "score": [{"condition": {"turn": "$P", "next": {"$P": "$Q"}}, "action": {"score": {"$P": 0, "$Q": 1}}}],
}


def python(code, **more):
    """A Python of its own that runs the code; what it leaves in its folder for temporary files is removed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TMPDIR=folder, PYTHONPATH=os.path.dirname(os.path.dirname(croupier.__file__)))
        return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, text=True,
                              capture_output=True, timeout=300, **more)


def first(view, legal):
    return legal[0]


def last(view, legal):
    return len(legal) - 1


first.reproducible = last.reproducible = True


class Games(unittest.TestCase):
    def test_a_game_is_played_to_its_end(self):
        game = croupier.load("belote")
        self.assertEqual((game.name, game.players, game.teams),
                         ("belote", ["A", "B", "C", "D"], {"AC": [0, 2], "BD": [1, 3]}))
        self.assertEqual(len(game.moves), 40)
        at = game.new(seed=3)
        self.assertEqual((at.player, at.turn, at.legal, at.phase), ("B", 1, ["pass", "take"], "bid"))
        self.assertIsNone(at.scores)
        moves = 0
        while not at.over:
            self.assertEqual([game.moves[number] for number in at.legal_numbers], at.legal)
            at.play(at.legal[-1])
            moves += 1
        self.assertEqual((at.plies, at.ending, at.turn, at.legal), (moves, "over", None, []))
        self.assertEqual(at.scores[0], at.scores[2])
        self.assertEqual(sorted(set(at.places)), [1, 2])
        with self.assertRaisesRegex(croupier.Error, "the game is over"):
            at.play("pass")

    def test_the_seed_is_that_of_the_command_line(self):
        at = croupier.load("belote").new(seed=5)
        shown = json.loads(croupier.command("moves", "belote", "--seed", 5, "--json").out)
        self.assertEqual(at.legal, shown)

    def test_options_and_revisions_and_dicts(self):
        self.assertEqual(croupier.load("belote", {"annonces": "off"}).options["annonces"], "off")
        self.assertEqual(croupier.load("life:torus").name, "life:torus")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pile.json"
            path.write_text(json.dumps(PILE))
            game = croupier.load(path)
            self.assertEqual(game.new().legal, croupier.load(PILE).new().legal)
            self.assertEqual(croupier.load(PILE, {"stones": 3}).options["stones"], 3)
            # A dict may include files of the folder where the program is.
            more = {"@include": ["pile.json"], "options": {"stones": 9}}
            with self.assertRaisesRegex(croupier.Error, "pile.json"):
                croupier.load(more)
            here = os.getcwd()
            os.chdir(folder)
            try:
                self.assertEqual(croupier.load(more).options["stones"], 9)
            finally:
                os.chdir(here)
            # Other folders must be named.
            os.mkdir(f"{folder}/own")
            own = pathlib.Path(folder) / "own/more.json"
            own.write_text(json.dumps(more | {"@include": ["../pile.json"]}))
            with self.assertRaisesRegex(croupier.Error, "include-from"):
                croupier.load(own)
            self.assertEqual(croupier.load(own, include_from=[pathlib.Path(folder)]).options["stones"], 9)
            self.assertEqual(croupier.run(own, include_from=[own.parent, folder], games=4).report["games"], 4)
            with self.assertRaisesRegex(croupier.Error, "nosuch: no such folder"):
                croupier.load(own, include_from=["nosuch"])

    def test_mistakes_are_told_with_their_places(self):
        wrong = json.loads(json.dumps(PILE))
        wrong["play"][0]["conditoin"] = {}
        with self.assertRaises(croupier.Error) as caught:
            croupier.load(wrong)
        self.assertRegex(caught.exception.code, r"^E\d{4}$")
        self.assertRegex(caught.exception.place, r"^<dict>:\d+:\d+$")
        self.assertIn("condition", caught.exception.hint)
        self.assertEqual(caught.exception.mistakes[0]["code"], caught.exception.code)
        for name, words in {"belott": "belote", "no/such.json": "no/such.json"}.items():
            with self.assertRaisesRegex(croupier.Error, words):
                croupier.load(name)
        with self.assertRaisesRegex(croupier.Error, "annonces"):
            croupier.load("belote", {"anonces": "off"})
        with self.assertRaises(TypeError):
            croupier.load(7)

    def test_what_is_not_legal_is_refused(self):
        at = croupier.load("belote").new()
        for move, words in {"7S": "is not legal", "tak": "did you mean 'take'", 3: "not the number"}.items():
            with self.assertRaisesRegex(croupier.Error, words):
                at.play(move)
        for move in (None, 1.5):
            with self.assertRaises(TypeError):
                at.play(move)
        with self.assertRaisesRegex(croupier.Error, "has no player 'E'"):
            at.view("E")
        for seat in (-1, 4):
            with self.assertRaisesRegex(croupier.Error, "seats 0 to 3"):
                at.view(seat)
        self.assertEqual(at.plies, 0)

    def test_a_view_hides_what_others_hold(self):
        game = croupier.load("belote")
        at = game.new()
        seen = at.view("B")
        self.assertEqual(set(at.to_json()["hands"]), set("ABCD"))
        self.assertEqual(set(seen.to_json()["hands"]), {"B"})
        with self.assertRaisesRegex(croupier.Error, "nobody can play on"):
            seen.play(at.legal[0])
        with self.assertRaisesRegex(croupier.Error, "already the view of B"):
            seen.view("A")
        life = croupier.load("life").new().view(0)
        life.play(life.legal[0])  # a game that hides nothing can be played on
        self.assertEqual(life.plies, 1)

    def test_copies_go_their_own_ways(self):
        at = croupier.load("belote").new()
        copy = at.copy()
        self.assertEqual((copy, hash(copy)), (at, hash(at)))
        copy.play("pass")
        self.assertNotEqual(copy, at)
        one, other = at.copy(), at.copy()
        one.playout(seed=4)
        other.playout(seed=4)
        self.assertTrue(one.over)
        self.assertEqual(one, other)
        self.assertEqual(copy_module.deepcopy([at]), [at])
        self.assertNotEqual(at.copy(seed=1).random(2**60), at.copy(seed=2).random(2**60))

    def test_reasons_are_told(self):
        at = croupier.load("belote").new(seed=3)
        self.assertIn("may-take", at.why())
        self.assertIn("7S", at.why("7S"))

    def test_bits_have_names_and_are_seen_from_the_seat(self):
        game = croupier.load("belote")
        at = game.new(seed=9)

        def names(of, seat):
            bits = numpy.unpackbits(numpy.frombuffer(of.bits(seat), numpy.uint8), count=len(game.features),
                                    bitorder="little")
            return {game.features[i] for i in numpy.flatnonzero(bits)}

        state = at.to_json()
        for seat, player in enumerate(game.players):
            hand = {f"hands.me.{card}" for card in state["hands"][player]}
            self.assertEqual({name for name in names(at, seat) if name.startswith("hands.")}, hand)
            self.assertIn(f"turned={state['turned']}", names(at, seat))
            after = (game.players.index(state["dealer"]) - seat) % 4
            self.assertIn("dealer=me" + (f"+{after}" if after else ""), names(at, seat))
        self.assertEqual(at.bits(), at.view(at.turn).bits())
        self.assertEqual(len(set(game.features)), len(game.features))
        first = at.turn
        at.play("pass")
        at.play("take")
        for of in (at, at.copy(), at.view(first)):
            self.assertEqual({name for name in names(of, first) if name.startswith("made.")},
                             {"made.me.pass", "made.me+1.take"})

    def test_one_position_serves_one_caller_at_a_time(self):
        at = croupier.load("belote").new()

        class Move:  # asks the position while that makes a move
            def __index__(self):
                return at.plies

        with self.assertRaisesRegex(croupier.Error, "another thread is using this position"):
            at.play(Move())
        self.assertEqual(at.plies, 0)


class Batches(unittest.TestCase):
    def test_the_truth_has_what_is_hidden(self):
        game = croupier.load("belote")
        batch = croupier.Batch(game, 5, seed=5)
        cards = [i for i, name in enumerate(game.features) if name.startswith("hands.")]
        seen, truth = (numpy.unpackbits(bits, axis=1, count=len(game.features), bitorder="little")
                       for bits in (batch.bits, batch.truth()))
        self.assertEqual(seen[:, cards].sum(1).tolist(), [5] * 5)
        self.assertEqual(truth[:, cards].sum(1).tolist(), [20] * 5)
        self.assertTrue((seen <= truth).all())
        life = croupier.Batch(croupier.load("life"), 2)
        self.assertTrue((life.bits == life.truth()).all())

    def test_a_batch_plays_what_positions_play(self):
        for name, games, steps in (("belote", 7, 120), ("life", 2, 30), ("tarot", 3, 120)):
            game = croupier.load(name)
            batch = croupier.Batch(game, games, seed=5)
            random = numpy.random.default_rng(2)
            own = [game.new(5, deal) for deal in range(games)]
            for _ in range(steps):
                for i, at in enumerate(own):
                    self.assertEqual(batch.turn[i], at.turn)
                    self.assertEqual(batch.bits[i].tobytes(), at.bits())
                    self.assertEqual(numpy.flatnonzero(batch.mask[i]).tolist(), sorted(at.legal_numbers))
                moves = (batch.mask * (0.01 + random.random(batch.mask.shape))).argmax(1)
                batch.step(moves)
                for i, at in enumerate(own):
                    at.play(int(moves[i]))
                    self.assertEqual(bool(batch.done[i]), at.over)
                    if not at.over:
                        continue
                    self.assertEqual(batch.scores[i].tolist(), at.scores)
                    self.assertEqual(batch.places[i].tolist(), at.places)
                    own[i] = game.new(5, int(batch.deal[i]))
            self.assertEqual(batch.position(1).to_json(), own[1].to_json())
            self.assertEqual(batch.finished, (batch.deal.astype(int) // games).sum())

    def test_arrays_show_the_memory_of_the_batch(self):
        batch = croupier.Batch(croupier.load("belote"), 4)
        mask, turn = batch.mask, batch.turn
        before = turn.copy()
        batch.step(mask.argmax(1))
        self.assertTrue((turn == batch.turn).all() and (turn != before).any())
        with self.assertRaises(ValueError):
            mask[0, 0] = True
        del batch
        self.assertEqual(mask.shape, (4, 40))  # it lives as long as they do

    def test_a_wrong_step_changes_nothing(self):
        batch = croupier.Batch(croupier.load("belote"), 4)
        bits, good = batch.bits.copy(), batch.mask.argmax(1)
        bad = good.copy()
        bad[2] = 0
        for moves, words in ((bad, "game 2: 0 is not"), (good[:3], "need 4 moves"), (-good - 1, "game 0"),
                             (good[:, None], "one each"), (good + 2**40, "game 0")):
            with self.assertRaisesRegex(croupier.Error, words):
                batch.step(moves)
        for moves in ("abc", None, good.astype(float)):
            with self.assertRaises(TypeError):
                batch.step(moves)
        self.assertTrue((batch.bits == bits).all())
        batch.step(good.astype(numpy.int8).tolist())  # any whole numbers

    def test_sizes(self):
        game = croupier.load("belote")
        for size in (0, -1, 10**7):
            with self.assertRaisesRegex(croupier.Error, "1 to 1000000 games"):
                croupier.Batch(game, size)
        with self.assertRaises(TypeError):
            croupier.Batch(game, 2.5)
        with self.assertRaises(TypeError):
            croupier.Batch("belote", 2)
        self.assertEqual(len(croupier.Batch(game, 1)), 1)

    def test_deals_that_nobody_can_play_are_left_out(self):
        # In tarot a hand with the one of trumps alone ends the deal.
        game = croupier.load("tarot")
        ends = [deal for deal in range(2000) if game.new(1, deal).over]
        self.assertTrue(ends)
        batch = croupier.Batch(game, ends[0] + 1)
        self.assertEqual(batch.deal[-1], 2 * ends[0] + 1)
        never = json.loads(json.dumps(PILE))
        never["setup"][0]["action"]["over"] = True
        with self.assertRaisesRegex(croupier.Error, "1000 deals in a row end before anybody moves"):
            croupier.Batch(croupier.load(never), 2)

    def test_games_take_little_memory(self):
        ran = python("""
            import croupier, resource
            game = croupier.load("belote")
            first = croupier.Batch(game, 1)
            first.step(first.mask.argmax(1))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            batch = croupier.Batch(game, 2000)
            batch.step(batch.mask.argmax(1))
            positions = [game.new(deal=deal) for deal in range(2000)]
            for at in positions:
                at.play(at.legal[0])
            print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 4000)
            """)
        self.assertLess(float(ran.stdout), 20, "KiB a game")

    def test_a_batch_goes_on_in_a_forked_process(self):
        batch = croupier.Batch(croupier.load("belote"), 4)
        child = os.fork()
        if child == 0:
            try:
                for _ in range(100):
                    batch.step(batch.mask.argmax(1))
                os._exit(batch.finished)
            except BaseException:
                os._exit(0)
        for _ in range(100):
            batch.step(batch.mask.argmax(1))
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), batch.finished)


class Hints(unittest.TestCase):
    def test_types_name_what_there_is(self):
        path = pathlib.Path(croupier.__file__).with_suffix(".pyi")
        for each in ast.parse(path.read_text()).body:
            if isinstance(each, ast.FunctionDef):
                of = getattr(croupier, each.name)
                named = [argument.arg for argument in each.args.args + each.args.kwonlyargs]
                self.assertEqual(set(named), {name for name, kind in inspect.signature(of).parameters.items()
                                              if kind.kind not in (kind.VAR_KEYWORD, kind.VAR_POSITIONAL)})
            elif isinstance(each, ast.ClassDef) and each.name in ("Game", "Position", "Batch"):
                own = {name for name in vars(getattr(croupier, each.name)) if not name.startswith("_")}
                hinted = {line.target.id if isinstance(line, ast.AnnAssign) else line.name for line in each.body}
                self.assertEqual({name for name in hinted if not name.startswith("_")}, own, each.name)
                for name in own - {"game", "phase", "over"}:
                    self.assertTrue(getattr(croupier, each.name).__dict__[name].__doc__, name)


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_a_run_has_the_files_of_the_command_line(self):
        run = croupier.run("belote", ["rules:naive", "random"], out=self.path("a"), games=40, seed=7,
                           options={"annonces": "off"}, profile="off", sprt="0,10")
        ran = croupier.command("run", "belote", "--agents", "rules:naive,random", "--games", 40, "--seed", 7,
                               "--set", "annonces=off", "--profile", "off", "--sprt", "0,10", "--out", self.path("b"))
        self.assertEqual(ran.code, 0)
        for name in ("games.csv", "summary.json"):
            self.assertTrue(filecmp.cmp(self.path("a/" + name), self.path("b/" + name), shallow=False), name)
        self.assertEqual({each["name"] for each in run.standings}, {"rules:naive", "random"})
        self.assertEqual((run.sprt["rule"], run.costs["watched"]), ("sprt", 0))
        games = run.games
        self.assertEqual(len(games["score"]), 4 * run.report["games"])
        self.assertEqual(games["score"].dtype, numpy.float64)
        wins = (games["place"] == 1) & (games["agent"] == "rules:naive")
        self.assertEqual(wins.sum() / 2, [each["wins"] for each in run.standings if each["name"] == "rules:naive"][0])

    def test_functions_take_seats(self):
        seen = []

        def look(view, legal):
            seen.append((view.turn, tuple(view.legal) == legal, view.random(2) in (0, 1)))
            return legal[0]

        run = croupier.run("belote", [look, "random"], games=4, profile="off")
        self.assertEqual({each["name"] for each in run.standings}, {"look", "random"})
        self.assertEqual({each[1:] for each in seen}, {(True, True)})
        self.assertEqual({each[0] for each in seen}, {0, 1, 2, 3})
        # The same choices by other means are the same games, on any number of threads.
        for threads in (1, 3):
            one = croupier.run("belote", [first, last], out=self.path(f"t{threads}"), games=40, threads=threads,
                               profile="off")
            self.assertEqual(one.report["games"], 40)
        self.assertTrue(filecmp.cmp(self.path("t1/games.csv"), self.path("t3/games.csv"), shallow=False))

    def test_what_an_agent_keeps_outlives_the_run(self):
        kept = []

        def keeper(view, legal):
            kept.append(view.copy())
            return numpy.int64(len(legal) - 1)

        run = croupier.run("life", [keeper, "random"], games=2, profile="off")
        self.assertEqual(set(run.games["fault"]), {""})
        for at in kept:
            at.play(at.legal[0])
            at.playout()
            self.assertTrue(at.over and at.game.name == "life")

    def test_what_is_no_move_is_a_fault(self):
        for answer in (None, True, 1.0, -1, 10**30, "\ud800", b"pass", []):
            run = croupier.run("belote", [lambda view, legal: answer, "random"], games=2, profile="off")
            self.assertEqual(run.report["endings"]["fault"], 2, answer)

    def test_an_agent_that_raises_is_at_fault(self):
        def bad(view, legal):
            if view.plies > 3:
                raise KeyError("lost my notes")
            return legal[0]

        def mad(view, legal):
            return "pass the salt"

        def kept(view, legal, views=[]):
            views.append(view)
            return len(views[0].legal) - 1

        run = croupier.run("belote", [bad, "random"], games=4)
        self.assertEqual(run.report["endings"]["fault"], 4)
        self.assertIn("lost my notes", run.tracebacks["bad"])
        self.assertIn("in bad", run.tracebacks["bad"])
        faults = set(run.games["fault"]) - {""}
        self.assertEqual(faults, {"crash: KeyError: 'lost my notes'"})
        run = croupier.run("belote", [mad, "random"], games=4)
        self.assertEqual(set(run.games["fault"]) - {""}, {"illegal: chose 'pass the salt'"})
        run = croupier.run("belote", [kept, "random"], games=4)
        self.assertIn("lent for one decision", run.tracebacks["kept"])

    def test_a_fault_can_stop_the_run_and_names_differ(self):
        run = croupier.run("life", [lambda view, legal: 10**9, lambda view, legal: 0], games=2, faults="stop")
        self.assertEqual({each["name"] for each in run.standings}, {"lambda", "lambda#2"})

    def test_a_dict_is_played(self):
        run = croupier.run(PILE, [lambda view, legal: legal[-1], "random"], games=8, options={"stones": 4})
        self.assertEqual((run.report["game"], run.report["games"]), ("pile", 8))
        self.assertLessEqual(run.games["plies"].max(), 4)

    def test_progress_is_told_as_it_comes(self):
        told = []

        def until_told(view, legal):
            if not told:
                time.sleep(0.002)
            return 0

        ran = croupier.command("run", "belote", "--agent", "s=python:s", "--games", 100, "--out", self.path("a"),
                               "--profile", "off", agents={"s": until_told}, told=told.append)
        self.assertEqual(ran.err[:len(told[0])], told[0])
        self.assertIn("seed 1", told[0])

        def broken(text):
            raise OSError("no room")

        with unittest.mock.patch("sys.unraisablehook") as hook:
            ran = croupier.command("run", "belote", "--games", 4, "--out", self.path("b"), told=broken)
        self.assertEqual((ran.code, hook.called), (0, True))

    def test_mistakes_are_exceptions(self):
        for more, words in (({"seed": "x"}, "--seed"), ({"sead": 1}, "sead"), ({"options": {"a": 1}}, "a")):
            with self.assertRaisesRegex(croupier.Error, words) as caught:
                croupier.run("belote", ["random"], **more)
            self.assertEqual((caught.exception.code, list(caught.exception.mistakes)), ("", []))
        with self.assertRaisesRegex(croupier.Error, "no agent 'randm'"):
            croupier.run("belote", ["randm"])
        with self.assertRaises(TypeError):
            croupier.run("belote", [3])
        ran = croupier.command("run", "belote", "--agents", "python:me", "--games", 2)
        self.assertEqual(ran.code, 2)
        self.assertIn("function of a Python program", ran.err)

    def test_a_command_within_a_command_is_refused(self):
        def nested(view, legal):
            croupier.run("belote", games=2)

        run = croupier.run("belote", [nested, "random"], games=2)
        self.assertIn("a command is running already", run.tracebacks["nested"])

    def test_agents_play_other_commands(self):
        ran = croupier.command("compare", "belote", "--set-b", "annonces=off", "--agents", "first=python:first,random",
                               "--games", 20, "--no-costs", "--json", agents={"first": first})
        self.assertEqual(ran.code, 0, ran.err)
        self.assertEqual(json.loads(ran.out)["kind"], "compare")

    def test_a_run_in_a_forked_process(self):
        croupier.run("belote", games=20, threads=2)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if croupier.run("belote", games=20, threads=2).report["games"] == 20 else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


class Ends(unittest.TestCase):
    def test_ctrl_c_ends_a_run_that_can_be_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            ran = python(f"""
                import croupier, os, signal
                sent = []
                def agent(view, legal):
                    if not sent:
                        sent.append(os.kill(os.getpid(), signal.SIGINT))
                    return legal[0]
                agent.reproducible = True
                play = dict(games=400, profile="off", threads=1)
                try:
                    croupier.run("belote", [agent, "random"], out={folder + '/r'!r}, **play)
                except KeyboardInterrupt as interrupt:
                    print("interrupted", interrupt.args[0].code)
                print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
                played = sum(1 for line in open({folder + '/r/games.csv'!r})) - 1
                print(played < 4 * 400)
                print(croupier.command("resume", {folder + '/r'!r}, agents=dict(agent=agent)).code)
                croupier.run("belote", [agent, "random"], out={folder + '/whole'!r}, **play)
                """)
            self.assertEqual(ran.stdout, "interrupted 130\nTrue\nTrue\n0\n", ran.stderr)
            self.assertTrue(filecmp.cmp(folder + "/r/games.csv", folder + "/whole/games.csv", shallow=False))

    def test_the_interpreter_ends_in_the_middle_of_a_run(self):
        ran = python("""
            import croupier, threading, time
            def agent(view, legal):
                time.sleep(0.001)
                return legal[0]
            begun = threading.Event()
            def first(view, legal):
                begun.set()
                return agent(view, legal)
            threading.Thread(target=lambda: croupier.run("belote", [first, agent], games=10**7, threads=2),
                             daemon=True).start()
            begun.wait()
            print("ends")
            """)
        self.assertEqual((ran.returncode, ran.stdout), (0, "ends\n"), ran.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
