"""The short form: one spoiled model of each sort, and what the attack does when a child breaks."""

import sys

from tests.faults.models import attack, short
from tests.faults.mutations.catalogue import catalogue, chosen

BREAKING = """
import json, os, sys, time
for seed in map(int, sys.argv[2:]):
    told = {"seed": seed, "name": f"number {seed}"}
    print(json.dumps(told), flush=True)
    if seed == 2:
        os.abort()
    if seed == 3:
        time.sleep(600)
    print(json.dumps(told | {"ended": "generates", "wrong": [], "seconds": 7.0 * (seed == 4), "grown": 0}), flush=True)
"""


def test_each_spoiled_model_ends_in_an_answer_or_in_one_sentence() -> None:
    endings = list(attack(short()))
    assert [f"{each.name}: {wrong}" for each in endings for wrong in each.wrong] == []
    assert len(endings) == len(short())
    assert {each.ended == "generates" for each in endings} == {True, False}


def test_a_crash_and_a_hang_are_told_and_the_others_go_on() -> None:
    endings = list(attack([1, 2, 3, 4, 5], 0.5, [sys.executable, "-c", BREAKING]))
    assert [each.seed for each in endings] == [1, 2, 3, 4, 5]
    assert [each.ended for each in endings] == ["generates", "crashes", "hangs", "generates", "generates"]
    assert [bool(each.wrong) for each in endings] == [False, True, True, True, False]


def test_a_seed_is_always_the_same_mutation() -> None:
    mutation, luck = chosen(7)
    again, same = chosen(7)
    assert (mutation.name, luck.random()) == (again.name, same.random())
    later, other = chosen(7 + len(catalogue()))
    assert later.name == mutation.name
    assert luck.random() != other.random()


def test_no_two_mutations_share_a_name() -> None:
    names = [mutation.name for mutation in catalogue()]
    assert len(names) == len(set(names)) >= 500
