"""Calibration of variants: reliability diagram, expected calibration error, Brier score, and paired differences.

The confidence in a row is the probability of the likeliest choice, given that the answer is one of the choices. Choices
are compared by their log-likelihood, whatever score the check uses: only that one is a probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, TypeAlias

from app.evaluation.likelihood import judge_scores, probabilities
from app.evaluation.paired_tests import CHANCE, Z
from app.evaluation.templates import expected_of
from app.evaluation.types import (
    Calibration,
    CalibrationPair,
    EvaluationOutcome,
    Interval,
    ReliabilityBin,
    Scoring,
)
from app.experiments.significance import wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

BINS = 10
"""Number of bins of equal width."""
RESAMPLES = 1_000
CELLS = 4_000_000
"""The most numbers of resamples in memory."""
LEAST_ROWS = 20
"""With fewer rows, no calibration is reported."""
SEED = 1


@dataclass(frozen=True, slots=True)
class RowPrediction:
    confidence: float
    right: bool
    brier: float
    """Sum over the choices of (probability − 1 or 0)²: from 0 to 2."""


def predictions(outcome: EvaluationOutcome) -> tuple[Mapping[int, RowPrediction], ...]:
    """Return the prediction of each variant for each row that has scores and an expected choice."""
    study = outcome.study
    found: tuple[dict[int, RowPrediction], ...] = tuple({} for _ in study.arms)
    for answer in outcome.answers:
        if answer.scores and not answer.key.repeat:
            values = study.prompts.values(answer.key.row)
            expected = expected_of(study.template, values)
            right, _ = judge_scores(answer.scores, Scoring.SUM, values, expected)
            if right is not None:
                chances = probabilities(answer.scores)
                texts = [each.text.strip() for each in answer.scores]
                place = texts.index(expected.strip())
                brier = sum((chance - (at == place)) ** 2 for at, chance in enumerate(chances))
                found[answer.key.arm][answer.key.row] = RowPrediction(max(chances), right, brier)
    return found


def calibrations(every: Sequence[Mapping[int, RowPrediction]]) -> tuple[Calibration, ...]:
    """Return the calibration of each variant that has enough rows."""
    return tuple(calibration(arm, tuple(each.values())) for arm, each in enumerate(every) if len(each) >= LEAST_ROWS)


def calibration_pairs(every: Sequence[Mapping[int, RowPrediction]]) -> tuple[CalibrationPair, ...]:
    found = []
    for first, second in combinations(range(len(every)), 2):
        rows = sorted(every[first].keys() & every[second].keys())
        if len(rows) >= LEAST_ROWS:
            sides = [[every[arm][row] for row in rows] for arm in (first, second)]
            found.append(calibration_pair(first, second, *sides))
    return tuple(found)


def calibration(arm: int, rows: Sequence[RowPrediction]) -> Calibration:
    resampled, right = _Resampled(rows), sum(each.right for each in rows)
    return Calibration(
        arm,
        len(rows),
        fmean(each.confidence for each in rows),
        _rate(right, len(rows)),
        mean_interval([each.confidence - each.right for each in rows]),
        resampled.interval,
        mean_interval([each.brier for each in rows]),
        resampled.chance,
        reliability_bins(rows),
    )


def calibration_pair(
    first: int, second: int, ours: Sequence[RowPrediction], theirs: Sequence[RowPrediction]
) -> CalibrationPair:
    """Compare two variants on the same rows. Both are resampled alike.

    The bias of either error is between 0 and its estimate, so the interval allows for both.
    """
    one, other = _Resampled(ours), _Resampled(theirs)
    apart, half = other.error - one.error, Z * float((other.errors - one.errors).std())
    ece = Interval(apart, apart - other.bias - half, apart + one.bias + half)
    brier = mean_interval([its.brier - our.brier for our, its in zip(ours, theirs, strict=True)])
    return CalibrationPair(first, second, len(ours), ece, brier)


def reliability_bins(rows: Sequence[RowPrediction]) -> tuple[ReliabilityBin, ...]:
    parts: list[list[RowPrediction]] = [[] for _ in range(BINS)]
    for each in rows:
        parts[_bin(each.confidence)].append(each)
    return tuple(
        ReliabilityBin(
            at / BINS,
            (at + 1) / BINS,
            len(part),
            fmean(each.confidence for each in part),
            _rate(sum(each.right for each in part), len(part)),
        )
        for at, part in enumerate(parts)
        if part
    )


def accuracy_at(rows: Sequence[RowPrediction], least: float) -> tuple[int, Interval | None]:
    """Return the number of rows with at least this confidence, and the share of right ones; None without rows."""
    sure = [each for each in rows if each.confidence >= least]
    return len(sure), _rate(sum(each.right for each in sure), len(sure)) if sure else None


def mean_interval(values: Sequence[float]) -> Interval:
    middle = fmean(values)
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Interval(middle, middle - half, middle + half)


class _Resampled:
    """The expected calibration error of rows, of bootstrap samples of them, and of simulated calibrated models."""

    def __init__(self, rows: Sequence[RowPrediction]) -> None:
        import numpy as np  # only for calibration

        self._confidence = np.array([each.confidence for each in rows])
        self._gaps = self._confidence - np.array([each.right for each in rows], float)
        self._member = np.zeros((len(rows), BINS))
        self._member[np.arange(len(rows)), [_bin(each.confidence) for each in rows]] = 1
        self.error = float(np.abs(self._gaps @ self._member).sum() / len(rows))

    @cached_property
    def errors(self) -> Floats:
        """The error of each bootstrap sample."""

        def counts(random: np.random.Generator, samples: int) -> Floats:
            rows = len(self._gaps)
            drawn: Floats = random.multinomial(rows, [1 / rows] * rows, size=samples) * self._gaps
            return drawn

        return self._simulate(counts)

    @cached_property
    def _calibrated(self) -> Floats:
        """The error of each simulated calibrated model with these confidences."""

        def gaps(random: np.random.Generator, samples: int) -> Floats:
            rights = random.random((samples, len(self._gaps))) < self._confidence
            return self._confidence - rights

        return self._simulate(gaps)

    @property
    def chance(self) -> float:
        """The p-value: how often a calibrated model has at least this error."""
        return float((1 + (self._calibrated >= self.error).sum()) / (1 + RESAMPLES))

    @property
    def bias(self) -> float:
        """By how much the error is too large: as much as that of a calibrated model, unless it is significant.

        Bootstrap samples have a larger error than the rows, by about as much as the rows' error is too large.
        """
        if self.chance > CHANCE:
            return float(self._calibrated.mean())
        return float(self.errors.mean()) - self.error

    @property
    def interval(self) -> Interval:
        """The estimate with its interval, which begins at 0 unless the error is significant."""
        half = Z * float(self.errors.std())
        low = max(0.0, self.error - self.bias - half) if self.chance <= CHANCE else 0.0
        return Interval(self.error, low, min(1.0, self.error + half))

    def _simulate(self, gaps: Callable[[np.random.Generator, int], Floats]) -> Floats:
        import numpy as np

        random, step = np.random.default_rng(SEED), max(1, CELLS // len(self._gaps))
        sizes = [min(step, RESAMPLES - at) for at in range(0, RESAMPLES, step)]
        parts = [np.abs(gaps(random, size) @ self._member).sum(axis=1) / len(self._gaps) for size in sizes]
        return np.concatenate(parts)


def _bin(confidence: float) -> int:
    return min(int(confidence * BINS), BINS - 1)


def _rate(right: int, count: int) -> Interval:
    return Interval(right / count, *wilson(right, count))
