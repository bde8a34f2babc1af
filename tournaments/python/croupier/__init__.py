"""Games whose rules are data, as an environment for agents: load a game, play it, play many at once, and
have tournaments with agents in Python. See tournaments/python/README.md."""

import atexit
import csv
import json
import os
import shutil
import signal
import sys
import tempfile
import typing
import weakref

from . import _native
from ._native import Batch, Error, Game, Position

__all__ = ["Batch", "Error", "Game", "Position", "Run", "command", "load", "run"]

_native.set_home(os.path.realpath(_native.__file__))
atexit.register(_native.end)


def _word(value):
    """A value as the command line writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def load(game, options=None, include_from=()):
    """The game of that name ("belote", "life:torus"), in that file, or of a dict that is a ruleset; with
    its options set. It may include files below the folders of `include_from`, too. Mistakes raise Error,
    with code, place and hint."""
    include_from = [os.fspath(folder) for folder in include_from]
    words = [f"{name}={_word(value)}" for name, value in (options or {}).items()]
    if isinstance(game, dict):
        return _native.load_game("<dict>", json.dumps(game, indent=2, ensure_ascii=False), words,
                                 include_from)
    return _native.load_game(os.fspath(game), "", words, include_from)


def _named(agents):
    """Specs of the command line, and the functions among them by name."""
    specs, functions = [], {}
    for agent in agents:
        if isinstance(agent, str):
            specs.append(agent)
            continue
        if not callable(agent):
            raise TypeError(f"an agent is a text, as 'rules:table', or a function, and not {agent!r}")
        own = getattr(agent, "__name__", type(agent).__name__).strip("<>")
        name, again = own, 2
        while name in functions and functions[name] is not agent:
            name, again = f"{own}#{again}", again + 1
        functions[name] = agent
        specs.append(f"{name}=python:{name}")
    return specs, functions


class Ran(typing.NamedTuple):
    """What a command has written, and the tracebacks of agents in Python, by name."""

    code: int
    out: str
    err: str
    tracebacks: dict


def command(*words, agents=None, told=None):
    """Runs `croupier WORDS..` in this process. `agents` are functions by name, for agents that the words
    call python:NAME. `told` is called with the pieces of standard error as they come, as sys.stderr.write.
    Ctrl-C ends the command early and raises KeyboardInterrupt, whose argument is what was written."""
    ran = Ran(*_native.command([_word(word) for word in words], dict(agents or {}), told))
    if ran.code == 128 + signal.SIGINT:
        raise KeyboardInterrupt(ran)
    return ran


class Run:
    """A tournament that was played: its folder, its report as a dict, and its games."""

    def __init__(self, folder, report, notes="", tracebacks=None):
        self.folder = folder
        self.report = report
        self.notes = notes
        self.tracebacks = tracebacks or {}

    @property
    def standings(self):
        """A dict for each contestant, best first: name, games, wins, score with its interval, .."""
        return self.report["contestants"]

    @property
    def sprt(self):
        """The sequential test: a dict, or None if there was none."""
        return self.report.get("stop")

    @property
    def costs(self):
        """What the rules have cost: a dict."""
        return self.report.get("costs")

    @property
    def games(self):
        """games.csv as columns: numpy arrays by name, a value for each seat of each game."""
        import numpy

        kinds = {"block": "i8", "game": "i4", "seat": "i4", "score": "f8", "place": "i4", "plies": "i4"}
        with open(os.path.join(self.folder, "games.csv"), newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = list(zip(*rows)) or [()] * len(names)
        return {name: numpy.array(column, dtype=kinds.get(name)) for name, column in zip(names, columns)}

    def frame(self):
        """The same as a frame of pandas."""
        import pandas

        return pandas.DataFrame(self.games)

    def __repr__(self):
        best = self.standings[0]["name"] if self.standings else "nobody"
        return f"<croupier.Run of {self.report['games']} games of {self.report['game']}, {best} is first>"


def run(game, agents=("random",), out=None, options=None, **settings):
    """Plays a tournament as `croupier run` does, with the same files. `game` is as in `load`; `agents` are
    texts, as "rules:counting", and functions choose(view, legal) that return a legal move, or its index.
    Settings have the names of the command's options: games=1000, seed=7, sprt="0,10", include_from=["rules"], ..;
    with progress=True it tells how far it is. Without `out` the folder goes when the Run does."""
    specs, functions = _named([agents] if isinstance(agents, str) or callable(agents) else agents)
    own = tempfile.mkdtemp(prefix="croupier-")
    folder = os.path.join(own, "run") if out is None else os.fspath(out)
    if isinstance(game, dict):
        rules, game = game, os.path.join(own, "rules.json")
        with open(game, "w", encoding="utf-8") as file:
            json.dump(rules, file)
    words = ["run", "--game", os.fspath(game), "--json", "--out", folder]
    for spec in specs:
        words += ["--agent", spec]
    for name, value in (options or {}).items():
        words += ["--set", f"{name}={_word(value)}"]
    for name, value in settings.items():
        option = "--" + name.replace("_", "-")
        if name == "progress" and value is True:
            words += [option, "plain"]
        elif value is True:
            words.append(option)
        elif value is not None and value is not False:
            for each in value if isinstance(value, (list, tuple)) else [value]:
                words += [option, _word(each)]
    try:
        ran = command(*words, agents=functions, told=sys.stderr.write if settings.get("progress") else None)
        if not ran.out:
            raise Error(ran.err.strip())
        played = Run(folder, json.loads(ran.out), ran.err, ran.tracebacks)
    except BaseException:
        shutil.rmtree(own, ignore_errors=True)
        raise
    weakref.finalize(played, shutil.rmtree, own, ignore_errors=True)
    return played
