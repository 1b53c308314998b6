"""All mutations by seed: the same number is the same mutation, with the same luck, on every machine."""

from functools import cache
from random import Random

from tests.faults.mutations import config, files, templates, tokenizer, weights
from tests.faults.mutations.mutation import Mutation

KINDS = (files, weights, config, tokenizer, templates)


@cache
def catalogue() -> tuple[Mutation, ...]:
    return tuple(mutation for kind in KINDS for mutation in kind.all_of_them())


def chosen(seed: int) -> tuple[Mutation, Random]:
    """Each kind once before any comes again with other luck."""
    every = catalogue()
    return every[seed % len(every)], Random(seed)
