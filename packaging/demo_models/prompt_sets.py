"""Write the prompt sets that come with Sluice: what the evaluation asks, as files, each row once."""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from corpus import draw
from dialogue import Exchange
from skills import copying, counting, memory, smalltalk, sums
from words import new_name

TO = Path(__file__).parents[2] / "resources" / "sets"
SEED = "sets"
Row = dict[str, object]


def summed() -> Iterator[Row]:
    """Each held-out pair in each wording, in an order of chance."""
    pairs = [(a, b, form) for a, b in sums.new_pairs() for form in sums.ADD]
    Random(f"{SEED}:sums").shuffle(pairs)
    for a, b, form in pairs:
        yield {"prompt": form.format(a=a, b=b), "expected": a + b}


def counted() -> Iterator[Row]:
    """Between ends that were kept out of the corpus."""
    rng = Random(f"{SEED}:counting")
    while True:
        first, last = counting.pair(rng)
        if counting.is_new(first, last):
            form = rng.choice(counting.UP if last >= first else counting.DOWN)
            yield {"prompt": form.format(a=first, b=last), "expected": counting.figures(first, last)}


def copied() -> Iterator[Row]:
    """Words in an order that nobody would write."""
    rng = Random(f"{SEED}:copying")
    while True:
        exchange = copying.repeat(rng)
        yield {"prompt": exchange.ask, "expected": exchange.answer}


def named() -> Iterator[Row]:
    """A name from outside the corpus, told two or three turns ago; the answers between are those that were taught."""
    rng = Random(f"{SEED}:names")
    while True:
        who = new_name(rng)
        told, asked = memory.told_name(rng, who)
        between = [
            draw(rng, ((smalltalk.talk, 1), (sums.add, 1), (counting.count, 1))) for _ in range(rng.choice((1, 2)))
        ]
        yield {"messages": [turn for each in (told, *between) for turn in _turns(each)]} | {
            "prompt": asked.ask,
            "expected": who,
        }


def _turns(exchange: Exchange) -> tuple[Row, Row]:
    return {"role": "user", "text": exchange.ask}, {"role": "assistant", "text": exchange.answer}


SETS = {"sums": (summed, 200), "counting": (counted, 200), "copying": (copied, 150), "names": (named, 150)}


def written(name: str) -> str:
    """A set as JSON, a row on each line."""
    source, size = SETS[name]
    lines = dict.fromkeys(json.dumps(row, ensure_ascii=False) for row in islice(source(), 2 * size))
    return "\n".join(islice(lines, size)) + "\n"


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    TO.mkdir(exist_ok=True)
    for name in SETS:
        (TO / f"{name}.jsonl").write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    main()
