"""The filters as their definitions say, in plain NumPy and float64, and random distributions to try them on."""

import math
import random

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.engine.sampling_filters import SamplingFilter
from app.engine.types import Alternative, Sampling

SEEDS = st.integers(0, 2**32 - 1)
SPARED = 3
"""The one id that XTC never takes out."""

Floats = NDArray[np.float64]


def random_case(seed: int) -> tuple[Floats, Sampling]:
    """Log-probabilities of a small vocabulary, from nearly even to nearly certain, and settings, each often at 0."""
    numbers = np.random.default_rng(seed)
    logits = numbers.normal(0, numbers.choice([0.3, 1.0, 2.5, 5.0]), numbers.integers(12, 150))
    choose = random.Random(seed)
    sampling = Sampling(
        temperature=choose.choice([0.0, 1.0, choose.uniform(0.2, 3)]),
        top_p=choose.choice([0.0, 1.0, choose.uniform(0.05, 0.99)]),
        top_k=choose.choice([0, choose.randint(1, 12), choose.randint(12, 200)]),
        min_p=choose.choice([0.0, choose.uniform(0.005, 0.6)]),
        min_tokens_to_keep=choose.choice([1, choose.randint(2, 9)]),
        xtc_probability=choose.choice([0.0, 0.0, choose.uniform(0.1, 0.9), 1.0]),
        xtc_threshold=choose.uniform(0.01, 0.5),
        top_n_sigma=choose.choice([0.0, 0.0, choose.uniform(0.3, 3)]),
    )
    return np.asarray(logits - np.log(np.exp(logits).sum())), sampling


def candidates(logprobs: Floats, count: int) -> list[Alternative]:
    return [Alternative(int(each), f"t{each}", float(logprobs[each]), 0.0) for each in np.argsort(-logprobs)[:count]]


def deviation(logprobs: Floats) -> float:
    return float(logprobs[np.isfinite(logprobs)].std())


def removed(
    logprobs: Floats, sampling: Sampling, strikes: bool, spared: frozenset[int] = frozenset({SPARED})
) -> dict[int, SamplingFilter]:
    """Which ids can't be chosen, and who took each of them out first; `strikes`: XTC does, where it is on."""
    order = [int(each) for each in np.argsort(-logprobs)]
    likely = np.exp(logprobs)
    gone: dict[int, SamplingFilter] = {}
    if sampling.temperature == 0:
        return dict.fromkeys(order[1:], SamplingFilter.GREEDY)

    def left() -> list[int]:
        return [each for each in order if each not in gone]

    if sampling.top_n_sigma > 0:
        bound = logprobs.max() - sampling.top_n_sigma * deviation(logprobs)
        gone |= {each: SamplingFilter.TOP_N_SIGMA for each in order if logprobs[each] < bound}
    if 0 < sampling.top_p < 1:
        above, last, total = 0.0, 0.0, sum(likely[each] for each in left())
        for each in left():
            if above < sampling.top_p * total:
                last = likely[each]
            elif likely[each] < last:
                gone[each] = SamplingFilter.TOP_P
            above += likely[each]
    if sampling.min_p > 0:
        bound = sampling.min_p * likely[order[0]]
        for each in left():
            if likely[each] < bound and each not in order[: sampling.min_tokens_to_keep]:
                gone[each] = SamplingFilter.MIN_P
    if strikes and sampling.xtc_probability > 0:
        total = sum(likely[each] for each in left())
        above_threshold = [each for each in left() if likely[each] / total > sampling.xtc_threshold]
        gone |= {each: SamplingFilter.XTC for each in above_threshold[:-1] if each not in spared}
    if sampling.top_k > 0:
        gone |= dict.fromkeys(left()[sampling.top_k :], SamplingFilter.TOP_K)
    return gone


def probabilities(logprobs: Floats, sampling: Sampling, spared: frozenset[int] = frozenset({SPARED})) -> Floats:
    """What each id is drawn with: the temperature comes last, and XTC strikes at its chance."""
    plain, struck = (_drawn(logprobs, sampling, removed(logprobs, sampling, each, spared)) for each in (False, True))
    return np.asarray((1 - sampling.xtc_probability) * plain + sampling.xtc_probability * struck)


def _drawn(logprobs: Floats, sampling: Sampling, gone: dict[int, SamplingFilter]) -> Floats:
    weights = np.exp((logprobs - logprobs.max()) / (sampling.temperature or math.inf))
    weights[list(gone)] = 0
    return np.asarray(weights / weights.sum())
