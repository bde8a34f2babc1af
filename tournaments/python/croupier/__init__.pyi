import os
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy
import numpy.typing

class Error(ValueError):
    code: str
    place: str
    hint: str
    mistakes: list[dict[str, str]]

class Game:
    name: str
    doc: str
    players: list[str]
    teams: dict[str, list[int]]
    options: dict[str, Any]
    moves: list[str]
    hides: bool
    features: list[str]
    left_out: list[str]
    ruleset: str
    def new(self, seed: int = 1, deal: int = 0) -> Position: ...

class Position:
    game: Game
    turn: Optional[int]
    player: Optional[str]
    legal: list[str]
    legal_numbers: list[int]
    over: bool
    ending: str
    fault: str
    scores: Optional[list[float]]
    places: Optional[list[int]]
    plies: int
    phase: str
    def play(self, move: Union[str, int]) -> None: ...
    def playout(self, seed: int = 1) -> None: ...
    def copy(self, seed: Optional[int] = None) -> Position: ...
    def view(self, seat: Union[int, str], seed: int = 1) -> Position: ...
    def why(self, move: str = "") -> str: ...
    def bits(self, seat: Union[int, str, None] = None) -> bytes: ...
    def random(self, below: int) -> int: ...
    def to_json(self) -> dict[str, Any]: ...

class Batch:
    game: Game
    bits: numpy.typing.NDArray[numpy.uint8]
    mask: numpy.typing.NDArray[numpy.bool_]
    turn: numpy.typing.NDArray[numpy.uint8]
    done: numpy.typing.NDArray[numpy.bool_]
    deal: numpy.typing.NDArray[numpy.uint64]
    scores: numpy.typing.NDArray[numpy.float64]
    places: numpy.typing.NDArray[numpy.uint8]
    finished: int
    aborted: int
    def __init__(self, game: Game, n: int = 256, seed: int = 1) -> None: ...
    def __len__(self) -> int: ...
    def truth(self) -> numpy.typing.NDArray[numpy.uint8]: ...
    def step(self, actions: numpy.typing.ArrayLike) -> None: ...
    def position(self, i: int) -> Position: ...

Agent = Union[str, Callable[[Position, tuple[str, ...]], Union[str, int]]]

class Ran(NamedTuple):
    code: int
    out: str
    err: str
    tracebacks: dict[str, str]

class Run:
    folder: str
    report: dict[str, Any]
    notes: str
    tracebacks: dict[str, str]
    standings: list[dict[str, Any]]
    sprt: Optional[dict[str, Any]]
    costs: Optional[dict[str, Any]]
    games: dict[str, numpy.typing.NDArray[Any]]
    def frame(self) -> Any: ...

def load(
    game: Union[str, os.PathLike[str], Mapping[str, Any]],
    options: Optional[Mapping[str, Any]] = None,
    include_from: Sequence[Union[str, os.PathLike[str]]] = (),
) -> Game: ...
def command(
    *words: Any,
    agents: Optional[Mapping[str, Callable[..., Any]]] = None,
    told: Optional[Callable[[str], Any]] = None,
) -> Ran: ...
def run(
    game: Union[str, os.PathLike[str], Mapping[str, Any]],
    agents: Union[Agent, Sequence[Agent]] = ("random",),
    out: Union[str, os.PathLike[str], None] = None,
    options: Optional[Mapping[str, Any]] = None,
    **settings: Any,
) -> Run: ...
