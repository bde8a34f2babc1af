#!/usr/bin/env python3
"""Plays any legal move, chosen by the number that comes with the question."""
import json
import sys


def answer(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer({"type": "hello", "protocol": 1, "name": "random bot"})
    elif message["type"] == "choose":
        moves = message["moves"]
        answer({"type": "move", "move": moves[message["random"] % len(moves)]})
    elif message["type"] == "quit":
        break
