#!/usr/bin/env python3
"""Strength against time: plays searches with more and more playouts against the same opponent, and draws what it found;
or draws the strength of nets against the games that they have learnt from, as croupier.learn wrote it.

    agents/curve.py measure --croupier build/release/croupier --csv agents/curve.csv [--games 1.0]
    agents/curve.py draw --csv agents/curve.csv --svg agents/curve.svg
    agents/curve.py draw --csv agents/net/belote/learnt.csv --csv agents/net/life/learnt.csv --svg agents/net/curve.svg

What has a row already is not played again. A row: what was played, points ahead of the opponent in a game with their
standard error over blocks, and processor time of a decision, or games.
"""
import argparse
import csv
import math
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

# game, opponent, agent with {}, numbers of playouts, games
CURVES = [
    ("belote", "rules:counting", "ismcts:playouts={}", [25, 100, 400, 1600], 1000),
    ("coinche", "rules:counting", "ismcts:playouts={}", [25, 100, 400, 1600], 800),
    ("tarot", "rules:counting", "ismcts:playouts={}", [25, 100, 400], 300),
    ("life", "eval", "mcts:playouts={}", [50, 200, 800], 100),
    ("oldmaid", "random", "ismcts:playouts={}", [25, 100, 400], 400),
    ("games/examples/shed", "random", "ismcts:playouts={}", [5, 25, 100, 400], 400),
    ("games/examples/connect_four.json", "mcts:playouts=50", "mcts:playouts={}", [25, 100, 400, 1600], 400),
]
FIELDS = ["game", "agent", "opponent", "playouts", "games", "ahead", "error", "us"]


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ahead_of(folder, agent):
    """The mean over blocks of what the agent's seats have more than the others', and its standard error."""
    blocks = {}
    with open(os.path.join(folder, "games.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            seats = blocks.setdefault(row["block"], {}).setdefault(row["game"], {})
            seats.setdefault(row["agent"] == agent, []).append(float(row["score"]))
    means = []
    for games in blocks.values():
        leads = [sum(s[True]) / len(s[True]) - sum(s[False]) / len(s[False])
                 for s in games.values() if len(s) == 2]
        if leads:
            means.append(sum(leads) / len(leads))
    mean = sum(means) / len(means)
    variance = sum((each - mean) ** 2 for each in means) / (len(means) - 1)
    return mean, math.sqrt(variance / len(means))


def time_of(folder, agent):
    """Processor time of a decision, in microseconds."""
    spent = weight = 0
    with open(os.path.join(folder, "times.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["agent"] == agent:
                spent += int(row["cpu_sum_ns"])
                weight += int(row["cpu_weight"])
    return spent / weight / 1000 if weight else 0


def measure(options):
    rows = read_rows(options.csv)
    known = {(row["game"], row["agent"], row["opponent"]) for row in rows}
    for game, opponent, pattern, numbers, games in CURVES:
        for playouts in numbers:
            agent = pattern.format(playouts)
            if (game, agent, opponent) in known:
                continue
            wanted = max(40, int(games * options.games))
            with tempfile.TemporaryDirectory() as parent:
                folder = os.path.join(parent, "run")
                command = [options.croupier, "run", game, "--agents", agent, "--agents", opponent,
                           "--games", str(wanted), "--seed", "17", "--threads", "1", "--profile", "off",
                           "--out", folder]
                done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
                if done.returncode != 0:
                    sys.exit(done.stderr.decode())
                mean, error = ahead_of(folder, agent)
                rows.append({"game": game, "agent": agent, "opponent": opponent, "playouts": playouts,
                             "games": wanted, "ahead": f"{mean:.3f}", "error": f"{error:.3f}",
                             "us": f"{time_of(folder, agent):.1f}"})
            print(rows[-1], file=sys.stderr)
            with open(options.csv, "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 360, 220, 52, 34, 26, 34


def ticks_of(low, high):
    step = 10 ** math.floor(math.log10(high - low))
    while (high - low) / step < 3:
        step /= 2
    while (high - low) / step > 7:
        step *= 2
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [each * step for each in range(first, last + 1)]


def text_of(value, unit):
    if unit == "games":
        return f"{value:,}" if value < 1_000_000 else f"{value // 1_000_000:,} M"
    return f"{value:g} µs" if value < 1000 else f"{value / 1000:g} ms"


def panel(rows, column, line):
    unit = "us" if "us" in rows[0] else "games"
    points = sorted((float(row[unit]), float(row["ahead"]), 1.96 * float(row["error"])) for row in rows)
    low = min(0, min(y - e for _, y, e in points))
    high = max(0, max(y + e for _, y, e in points))
    margin = 0.06 * (high - low or 1)
    low, high = low - margin, high + margin
    first = math.floor(math.log10(points[0][0]))
    last = max(first + 1, math.ceil(math.log10(points[-1][0])))

    def x_of(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - first) / (last - first)

    def y_of(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    name = rows[0]["game"].split("/")[-1].removesuffix(".json")
    title = f"{name}: {rows[0]['agent'].split(':')[0]} against {rows[0]['opponent']}"
    out = [f'<g transform="translate({column * WIDTH} {line * HEIGHT})">',
           f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>']
    for tick in ticks_of(low, high):
        kind = "zero" if abs(tick) < 1e-9 else "grid"
        out.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y_of(tick):.1f}" '
                   f'y2="{y_of(tick):.1f}"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y_of(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for power in range(first, last + 1):
        x = x_of(10 ** power)
        out.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
                   f'{text_of(10 ** power, unit)}</text>')
    path = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y, _ in points)
    out.append(f'<polyline points="{path}"/>')
    for x, y, error in points:
        out.append(f'<line class="error" x1="{x_of(x):.1f}" x2="{x_of(x):.1f}" y1="{y_of(y - error):.1f}" '
                   f'y2="{y_of(y + error):.1f}"/>')
        out.append(f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3.5"/>')
    out.append("</g>")
    return out


def draw(options):
    games = {}
    for row in [row for path in options.csv or ["agents/curve.csv"] for row in read_rows(path)]:
        games.setdefault((row["game"], row["opponent"]), []).append(row)
    columns = 2
    lines = (len(games) + columns - 1) // columns
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * WIDTH} {lines * HEIGHT}" '
           'role="img" aria-label="Points ahead in a game">',
           "<style>text{font:11px sans-serif;fill:#444}.title{font-size:13px;fill:#111}"
           "line{stroke:#e2e2e2}.zero{stroke:#888}.error{stroke:#2a6db0;stroke-width:1.5}"
           "polyline{fill:none;stroke:#2a6db0;stroke-width:2}circle{fill:#2a6db0}</style>",
           f'<rect width="{columns * WIDTH}" height="{lines * HEIGHT}" fill="#fff"/>']
    for index, rows in enumerate(games.values()):
        out += panel(rows, index % columns, index // columns)
    out.append("</svg>")
    with open(options.svg, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("--croupier", default="croupier")
    measuring.add_argument("--csv", default="agents/curve.csv")
    measuring.add_argument("--games", type=float, default=1.0, help="how many times the usual number of games")
    measuring.set_defaults(run=measure)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--csv", action="append")
    drawing.add_argument("--svg", default="agents/curve.svg")
    drawing.set_defaults(run=draw)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
