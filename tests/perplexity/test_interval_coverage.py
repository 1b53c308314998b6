"""Coverage of the 95 % interval of a perplexity, in simulated texts whose tokens depend on each other."""

from collections.abc import Mapping
from math import exp, log

import numpy as np
import pytest

from app.perplexity.statistics import STRETCH, margin, perplexity_metrics

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
SHORT = {0: 0.7, 2: 0.3}
"""Shares of the variance by the number of tokens over which the dependence decreases by the factor e; 0: none."""
LONG = {0: 0.65, 2: 0.3, 60: 0.05}
"""Fitted to SmolLM2-135M-Instruct on the README of Node.js (2,269 tokens): its autocorrelation is 0.24 at the next
token, 0.03 at 17 to 64 tokens, and 0.01 at 65 to 128 tokens.
"""


def texts(count: int, tokens: int, parts: Mapping[int, float]) -> Array:
    """Simulate the surprisal of each token in nats: skewed, often near 0, at most some 30."""
    random = np.random.default_rng(5)
    latent = np.zeros((tokens, count))
    for length, share in parts.items():
        noise = random.standard_normal((tokens, count))
        kept = exp(-1 / length) if length else 0.0
        noise[1:] *= (1 - kept**2) ** 0.5
        for at in range(1, tokens if kept else 0):
            noise[at] += kept * noise[at - 1]
        latent += share**0.5 * noise
    return nats(latent.T)


def nats(latent: Array) -> Array:
    return np.asarray(1.6 * np.maximum(0.0, latent + 1.1) ** 2)


def expected() -> float:
    """Return the mean of `nats` of a standard normal number, by numerical integration."""
    grid = np.linspace(-10.0, 10.0, 200_001)
    density = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    return float((nats(grid) * density).sum() * (grid[1] - grid[0]))


def coverage(count: int, tokens: int, parts: Mapping[int, float]) -> float:
    """Return the share of texts whose interval, a factor of the perplexity, includes the true perplexity."""
    hits, truth = 0, exp(expected())
    for row in texts(count, tokens, parts):
        found = perplexity_metrics(row.tolist(), 4 * tokens)
        assert found.standard_error is not None
        factor = exp(margin(found.standard_error, tokens))
        hits += found.perplexity / factor <= truth <= found.perplexity * factor
    return hits / count


def test_simulated_texts_have_the_intended_mean_and_dependence() -> None:
    made = texts(40, 2_000, LONG)
    assert made.mean() == pytest.approx(expected(), rel=0.05)
    off = made - made.mean()
    near, far = ((off[:, :-lag] * off[:, lag:]).mean() / off.var() for lag in (1, 40))
    assert 0.15 < near < 0.25 and 0.01 < far < 0.05


def test_interval_is_a_factor_of_the_perplexity() -> None:
    row = texts(1, 8 * STRETCH, SHORT)[0]
    found = perplexity_metrics(row.tolist(), 1)
    assert log(found.perplexity) == pytest.approx(found.nats_per_token)
    assert found.perplexity_standard_error == pytest.approx(found.perplexity * (found.standard_error or 0.0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "lengths"),
    [(SHORT, (512, 1_024, 2_048, 4_096)), (LONG, (2_048, 3_000, 4_096))],
    ids=["short dependence", "long dependence"],
)
def test_interval_covers_the_perplexity_in_95_percent_of_texts(
    parts: Mapping[int, float], lengths: tuple[int, ...]
) -> None:
    """1,000 texts of each length; the shares of 3,000 texts have a standard error of 0.4 points."""
    shares = [coverage(1_000, tokens, parts) for tokens in lengths]
    assert 0.94 <= sum(shares) / len(shares) <= 0.96, shares
