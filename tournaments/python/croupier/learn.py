"""Trains a net by self-play, for agents `net:FILE`: python3 -m croupier.learn GAME --out FILE. See
agents/net/README.md."""

import argparse
import concurrent.futures
import csv
import json
import os
import shutil
import sys
import time
import zipfile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads of our own do the work; sums keep their order

try:
    import numpy as np
except ModuleNotFoundError:
    sys.exit("learn: needs numpy: apt-get install python3-numpy, or pip install numpy")

import croupier

DECISIONS = 1 << 18  # of a chapter, after which everything is saved
GAMES = 512  # at a time
MINIBATCH = 1024
AVERAGED = 0.999  # the part of the averaged weights that a step keeps
UNIT = 0.8  # the part of the unit that a chapter keeps
WILD = 0.01  # the part of moves made at random
VALUE = 0.1  # the weight of errors in what a position is worth, beside those in what moves gain
CSV = ["game", "agent", "opponent", "games", "decisions", "ahead", "error"]


class Net:
    """Dense layers with rectifiers between them."""

    def __init__(self, layers):
        self.layers = layers  # [(weights, biases)]

    @staticmethod
    def random(sizes, random):
        net = Net([(random.normal(0, np.sqrt(2 / rows), (rows, columns)).astype(np.float32),
                    np.zeros(columns, np.float32)) for rows, columns in zip(sizes, sizes[1:])])
        net.layers[-1][0][...] *= 0.1  # at first all moves seem about equally good
        return net

    def copy(self):
        return Net([(weights.copy(), biases.copy()) for weights, biases in self.layers])

    def arrays(self):
        return [array for layer in self.layers for array in layer]

    def __call__(self, seen):
        return self.forward(seen)[-1]

    def forward(self, seen):
        """The values of all layers, the input first."""
        values = [seen.astype(np.float32)]
        for weights, biases in self.layers:
            values.append(values[-1] @ weights + biases)
            if len(values) <= len(self.layers):
                np.maximum(values[-1], 0, out=values[-1])
        return values

    def gradients(self, values, back):
        """The gradients of all arrays, where `back` is that of the last values."""
        found = []
        for (weights, _), below in zip(self.layers[::-1], values[-2::-1]):
            found += [back.sum(0), below.T @ back]
            if below is not values[0]:
                back = (back @ weights.T) * (below > 0)
        return found[::-1]


class Bits:
    """The bits that vary, of those that a game has."""

    def __init__(self, ever, always, features):
        self.numbers = np.flatnonzero(np.unpackbits(ever & ~always, bitorder="little", count=len(features)))
        self.bytes = np.unique(self.numbers // 8)
        self.places = np.searchsorted(self.bytes, self.numbers // 8) * 8 + self.numbers % 8

    def __len__(self):
        return len(self.numbers)

    def __call__(self, rows):
        """A byte for each."""
        return np.unpackbits(rows[:, self.bytes], axis=1, bitorder="little")[:, self.places]


class Lesson:
    """What a game gives to learn from: which bits vary, how long games are, and how much results differ."""

    def __init__(self, game, goal, seed):
        self.game = game
        self.goal = goal
        self.seats = len(game.players)
        side = np.arange(self.seats)
        for seats in game.teams.values():
            side[seats] = seats[0]
        self.others = (side[:, None] != side[None, :]).astype(np.float32)  # by seat and seat
        self.others /= self.others.sum(1, keepdims=True)
        batch = croupier.Batch(game, GAMES, seed=seed)
        random = np.random.default_rng(seed)
        ever = np.zeros((2, batch.bits.shape[1]), np.uint8)
        always = ~ever
        results = []
        steps = 0
        while batch.finished < 4 * GAMES and (steps < 4096 or not batch.finished):
            for i, rows in enumerate((batch.bits, batch.truth())):
                always[i] &= np.bitwise_and.reduce(rows, 0)
                ever[i] |= np.bitwise_or.reduce(rows, 0)
            batch.step((batch.mask * random.random(batch.mask.shape, np.float32)).argmax(1))
            results.append(self.results(batch)[batch.done])
            steps += 1
        self.seen, self.truth = (Bits(*each, game.features) for each in zip(ever, always))
        self.length = steps * GAMES / batch.finished
        results = np.concatenate(results)
        self.unit = float(results.std()) or 1.0

    def results(self, batch):
        """By game and seat, of games that have ended: the lead over the others, or the share of them beaten."""
        if self.goal == "points":
            return (batch.scores - batch.scores @ self.others.T).astype(np.float32)
        place = batch.places.astype(np.int32)
        better = np.sign(place[:, None, :] - place[:, :, None])  # of the first seat over the second
        return (better * self.others[None]).sum(2).astype(np.float32)


class Chapter:
    """Decisions of games that were played with one net, and what came of them."""

    def __init__(self, lesson, player, judge, unit, settings, number, explores):
        games = max(16, min(GAMES, int(DECISIONS / (24 * lesson.length))))
        steps = DECISIONS // games
        random = np.random.default_rng([settings.seed, number])
        batch = croupier.Batch(lesson.game, games, seed=int(random.integers(1 << 62)))
        hides = lesson.game.hides
        seen = np.empty((steps, games, len(lesson.seen)), np.uint8)
        truth = np.empty((steps, games, len(lesson.truth)), np.uint8) if hides else seen
        moves = np.empty((steps, games), np.int64)
        seats = np.empty((steps, games), np.int64)
        free = np.empty((steps, games), bool)
        done = np.empty((steps, games), bool)
        results = np.empty((steps, games, lesson.seats), np.float32)
        for step in range(steps):
            seen[step] = lesson.seen(batch.bits)
            if hides:
                truth[step] = lesson.truth(batch.truth())
            seats[step] = batch.turn
            # Moves that seem equally good are made equally often.
            chance = random.random(batch.mask.shape, np.float32)
            free[step] = batch.mask.sum(1) > 1
            worth = player(seen[step])[:, :-1] - explores * np.log(-np.log(chance + 1e-9) + 1e-9)
            wild = random.random(games) < WILD
            worth[wild] = chance[wild]
            moves[step] = np.where(batch.mask, worth, -np.inf).argmax(1)
            batch.step(moves[step])
            done[step] = batch.done
            results[step] = lesson.results(batch) / unit
        if batch.aborted:
            raise croupier.Error(f"{batch.aborted} games were ended by a mistake of the rules")
        # By seat, counted from whose turn it is.
        turned = (seats[..., None] + np.arange(lesson.seats)) % lesson.seats
        judged = np.empty((steps, games, lesson.seats), np.float32)
        for step in range(steps):
            np.put_along_axis(judged[step], turned[step], judge(truth[step]), 1)
        # Backwards: what comes of a decision is the result, mixed with what the judge expected on the way.
        known = np.zeros(games, bool)
        comes = np.zeros((games, lesson.seats), np.float32)
        returns = np.empty_like(judged)
        for step in range(steps - 1, -1, -1):
            comes[done[step]] = results[step][done[step]]
            known |= done[step]
            returns[step] = comes
            judges = free[step][:, None]  # it has learnt from positions in which somebody could choose
            comes = np.where(judges, (1 - settings.td) * judged[step] + settings.td * comes, comes)
            free[step] &= known
        self.games = batch.finished
        self.unit = unit
        self.spread = unit * float(results[done].std()) if done.any() else unit
        self.free = np.flatnonzero(free)  # where somebody could choose, and it is known what came of it
        self.seen, self.truth = (each.reshape(steps * games, -1) for each in (seen, truth))
        self.moves = moves.reshape(-1)
        self.returns = np.take_along_axis(returns, turned, 2).reshape(steps * games, -1)
        self.gains = (self.returns - np.take_along_axis(judged, turned, 2).reshape(steps * games, -1))[:, 0]


class Learner:
    """A net that learns."""

    def __init__(self, sizes, seed):
        self.net = Net.random(sizes, np.random.default_rng(seed))
        self.acting = self.net.copy()  # plays the next chapter: learning goes on meanwhile
        self.average = self.net.copy()
        self.means = [np.zeros_like(array) for array in self.net.arrays()]
        self.squares = [np.zeros_like(array) for array in self.net.arrays()]
        self.steps = 0

    def arrays(self):
        return [array for net in (self.net, self.acting, self.average) for array in net.arrays()] + \
            self.means + self.squares

    def scale(self, factor):
        """Multiplies all that it expects."""
        for net in (self.net, self.acting, self.average):
            for array in net.layers[-1]:
                array *= factor

    def learn(self, values, back, rate):
        """A step of Adam against the gradients."""
        self.steps += 1
        rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        gradients = self.net.gradients(values, back)
        for array, mean, gradient, first, second in zip(
                self.net.arrays(), self.average.arrays(), gradients, self.means, self.squares):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            array -= rate * first / (np.sqrt(second) + 1e-8)
            mean += (1 - AVERAGED) * (array - mean)


def learn(state, chapter, rate):
    """One pass over the decisions, in random order. Returns the mean squared errors of gains and of returns."""
    player, judge = state.player, state.judge
    chapter.gains *= chapter.unit / state.unit
    chapter.returns *= chapter.unit / state.unit
    order = np.random.default_rng([state.settings.seed, state.chapters, 1]).permutation(chapter.free)
    losses = []
    rows = np.arange(MINIBATCH)
    for begin in range(0, len(order) - MINIBATCH + 1, MINIBATCH):
        chosen = order[begin:begin + MINIBATCH]
        returns = chapter.returns[chosen]
        values = judge.net.forward(chapter.truth[chosen])
        missed = values[-1] - returns
        judge.learn(values, missed / MINIBATCH, rate)
        values = player.net.forward(chapter.seen[chosen])
        back = np.zeros_like(values[-1])
        back[:, -1] = VALUE * (values[-1][:, -1] - returns[:, 0])
        back[rows, chapter.moves[chosen]] = values[-1][rows, chapter.moves[chosen]] - chapter.gains[chosen]
        losses.append([np.mean(back[rows, chapter.moves[chosen]] ** 2), np.mean(missed ** 2)])
        player.learn(values, back / MINIBATCH, rate)
    losses = np.mean(losses, 0)
    if not np.isfinite(losses).all():
        raise croupier.Error("training has diverged: weights are no numbers any more; try a smaller --rate")
    return losses


def rounded(net):
    """With weights as the file has them: whole numbers up to 127, and a factor for each unit."""
    layers = []
    for weights, biases in net.layers:
        factors = np.maximum(np.abs(weights).max(0), 1e-9).astype(np.float32) / np.float32(127)
        layers.append((np.rint(weights / factors).astype(np.int8), factors, biases))
    return layers


def write(state, lesson):
    """The file that agents net:FILE read."""
    game, settings = lesson.game, state.settings
    layers = [{"weights": whole.tobytes().hex(), "factors": [float(f"{each:.7g}") for each in factors],
               "biases": [float(f"{each:.7g}") for each in biases]}
              for whole, factors, biases in rounded(state.player.average)]
    names = game.features
    content = {"game": game.name, "ruleset": game.ruleset, "options": game.options,
               "trained": {**settings.known(), "games": state.games},
               "unit": state.unit, "bits": [names[bit] for bit in lesson.seen.numbers], "moves": game.moves,
               "layers": layers}
    with open(settings.out + ".part", "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}"
                                      for name, value in content.items()) + "\n}\n")
    os.replace(settings.out + ".part", settings.out)


class Settings(argparse.Namespace):
    """What was asked for. Equal ones give the same net, on one machine."""

    def known(self):
        others = ("out", "against", "matches", "include_from")
        return {name: value for name, value in vars(self).items() if name not in others}


class Training:
    """All that changes while a net is trained, and its file, from which training goes on."""

    def __init__(self, lesson, settings):
        self.settings = settings
        self.path = settings.out + ".state"
        self.player = Learner([len(lesson.seen), *settings.units, len(lesson.game.moves) + 1], [settings.seed, 2])
        self.judge = Learner([len(lesson.truth), *settings.units, lesson.seats], [settings.seed, 3])
        self.chapters = self.games = self.decisions = 0
        self.unit = lesson.unit  # points of a result of 1; follows the spread of results, which better play changes
        self.done = 0.0  # of all games, when the chapter after the last one began
        self.curve = []  # rows of FILE.csv

    def arrays(self):
        return self.player.arrays() + self.judge.arrays()

    def save(self):
        with open(self.path + ".part", "wb") as file:
            np.savez(file, *self.arrays(), counts=[self.chapters, self.games, self.decisions, self.player.steps],
                     done=self.done, unit=self.unit, curve=json.dumps(self.curve),
                     settings=json.dumps(self.settings.known()))
        os.replace(self.path + ".part", self.path)

    def load(self):
        """Goes on where it was left. False if it was not begun."""
        if not os.path.exists(self.path):
            return False
        try:
            with np.load(self.path, allow_pickle=False) as file:
                asked, known = self.settings.known(), json.loads(str(file["settings"]))
                if asked != known:
                    raise croupier.Error("; ".join(
                        f"{self.path} was begun with {name} {known.get(name)}, and not {asked.get(name)}"
                        for name in sorted({*asked, *known}) if asked.get(name) != known.get(name)))
                for i, array in enumerate(self.arrays()):
                    array[...] = file[f"arr_{i}"]
                self.chapters, self.games, self.decisions, self.player.steps = map(int, file["counts"])
                self.judge.steps = self.player.steps
                self.done, self.unit = float(file["done"]), float(file["unit"])
                self.curve = json.loads(str(file["curve"]))
        except (KeyError, OSError, ValueError, zipfile.BadZipFile) as error:
            if isinstance(error, croupier.Error):
                raise
            raise croupier.Error(f"{self.path} is damaged ({error}); remove it to begin again") from error
        return True


def match(settings, agent, opponent, games):
    return croupier.run(settings.game, [f"Net={agent}", f"Other={opponent}"], options=dict(settings.set), games=games,
                        seed=settings.seed + 1, profile="off", include_from=settings.include_from).games


def measured(settings, opponent):
    """Points ahead in a game, and their standard error over deals."""
    games = match(settings, f"net:{settings.out}", opponent, settings.matches)
    net = games["agent"] == "Net"
    blocks, block = np.unique(games["block"], return_inverse=True)
    sums = [np.bincount(block[who], games["score"][who], len(blocks)) / np.bincount(block[who], None, len(blocks))
            for who in (net, ~net)]
    ahead = sums[0] - sums[1]
    return ahead.mean(), ahead.std(ddof=1) / np.sqrt(len(ahead))


def train(settings, tell):
    game = croupier.load(settings.game, dict(settings.set), settings.include_from)
    if not game.features:
        raise croupier.Error(f"{game.name} declares nothing that a net could see")
    settings.ruleset = game.ruleset  # other rules are another training
    for opponent in settings.against:
        match(settings, "random", opponent, 2)  # refuses agents that cannot play
    lesson = Lesson(game, settings.goal, settings.seed)
    state = Training(lesson, settings)
    if state.load():
        tell(f"{state.path}: goes on after {state.games:,} games\n")
    tell(f"{len(lesson.seen)} of {len(game.features)} bits vary, {len(game.moves)} moves, a game has "
         f"{lesson.length:.0f} decisions\n")

    def play(number):
        return Chapter(lesson, state.player.acting, state.judge.acting, state.unit, settings, number,
                       settings.explore * (1 - 0.8 * min(1, state.done)))

    begun, before = time.monotonic(), state.games
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        chapter = play(state.chapters)
        while state.games < settings.games:
            unit, state.unit = state.unit, UNIT * state.unit + (1 - UNIT) * (chapter.spread or state.unit)
            for learner in (state.player, state.judge):
                learner.scale(unit / state.unit)
                learner.acting = learner.net.copy()
            was, state.done = state.games, state.games / settings.games
            following = pool.submit(play, state.chapters + 1)
            losses = learn(state, chapter, settings.rate * (1 - 0.95 * state.done))
            state.games += chapter.games
            state.decisions += len(chapter.free)
            state.chapters += 1
            chapter = following.result()
            speed = (state.games - before) / (time.monotonic() - begun)
            said = (f"\r{state.games:,} of {settings.games:,} games, {speed:,.0f}/s, "
                    f"{max(0, settings.games - state.games) / speed / 60:.0f} minutes left, "
                    f"errors {losses[0]:.3f} {losses[1]:.3f} of {state.unit:.3g}")
            columns = shutil.get_terminal_size().columns
            tell(f"{said:{columns}.{columns}}")
            if any(was < settings.games >> k <= state.games for k in range(8)):
                write(state, lesson)
                for opponent in settings.against:
                    ahead, error = measured(settings, opponent)
                    tell(f"\n{ahead:+.2f} ± {1.96 * error:.2f} points a game ahead of {opponent}\n")
                    state.curve.append([game.name, "net", opponent, state.games, state.decisions,
                                        f"{ahead:.3f}", f"{error:.3f}"])
                with open(settings.out + ".csv", "w", newline="", encoding="utf-8") as file:
                    csv.writer(file, lineterminator="\n").writerows([CSV, *state.curve])
            state.save()
    tell("\n")


def setting(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not OPTION=VALUE")
    return [name, value]


def units(text):
    all_units = [int(each) for each in text.split(",")]
    if not 1 <= len(all_units) <= 7 or not all(1 <= each <= 512 for each in all_units):
        raise argparse.ArgumentTypeError("one to seven layers have 1 to 512 units each")
    return all_units


def main(words=None):
    parser = argparse.ArgumentParser(
        prog="python3 -m croupier.learn", description=__doc__.split("See")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = parser.add_argument
    add("game", help="as croupier run takes it")
    add("--out", required=True, help="the net's file; FILE.csv gets its strength, FILE.state what it goes on from")
    add("--set", type=setting, action="append", default=[], metavar="OPTION=VALUE", help="an option of the game")
    add("--include-from", action="append", default=[], metavar="DIR",
        help="the game may include files below this folder, too")
    add("--games", type=int, default=1_000_000, help="how many games to learn from")
    add("--goal", choices=["points", "wins"], default="points",
        help="the lead in points, or the share of others beaten")
    add("--units", type=units, default="192,96", help="how many each layer between the bits and the moves has")
    add("--td", type=float, default=0.9, help="1 learns from results alone, less also from what is expected on the way")
    add("--rate", type=float, default=1e-3, help="the size of steps; falls to a twentieth")
    add("--explore", type=float, default=0.1, help="moves that gain so much less are still tried; falls to a fifth")
    add("--seed", type=int, default=1)
    add("--against", action="append", default=[], metavar="AGENT", help="measures the net against it, eight times")
    add("--matches", type=int, default=2000, help="games of each measurement")
    settings = parser.parse_args(words, Settings())
    for name, low, high in (("games", 1, 10**12), ("td", 0, 1), ("rate", 0, 1e9), ("explore", 0, 1e9),
                            ("seed", 0, 1 << 62), ("matches", 4, 10**9)):
        if not low <= getattr(settings, name) <= high:
            parser.error(f"--{name} goes from {low} to {high}")
    if os.path.isdir(settings.out) or not os.access(os.path.dirname(settings.out) or ".", os.W_OK):
        parser.error(f"--out: {settings.out} cannot be written")
    try:
        train(settings, lambda text: print(text, end="", file=sys.stderr, flush=True))
    except (croupier.Error, OSError) as error:
        sys.exit(f"learn: {error}")
    except KeyboardInterrupt:
        sys.exit("\nlearn: stopped; the same command goes on")


if __name__ == "__main__":
    main()
