"""Calibration of variants: reliability diagram, expected calibration error, Brier score, and paired differences.

For scored choices, the confidence in a row is the probability of the likeliest choice, given that the answer is one of
the choices. These are probabilities by log-likelihood, whatever score the check uses.
For generated answers, it is the geometric mean of the probabilities of the answer's tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING, TypeAlias

from app.engine.types import Reason
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
CELLS = 1_000_000
"""The most numbers of resamples in memory."""
LEAST_ROWS = 20
"""With fewer rows, no calibration is reported."""
SEED = 1


@dataclass(frozen=True, slots=True)
class RowPrediction:
    confidence: float
    right: bool
    brier: float
    """Sum over the choices of (probability − 1 or 0)², from 0 to 2; of a generated answer (confidence − 1 or 0)²."""
    generated: bool = False


def predictions(outcome: EvaluationOutcome) -> tuple[Mapping[int, RowPrediction], ...]:
    """Return the prediction of each variant for each row with a checked answer and a confidence: the first repeat."""
    study = outcome.study
    found: tuple[dict[int, RowPrediction], ...] = tuple({} for _ in study.arms)
    for answer in outcome.answers:
        if answer.key.repeat or answer.reason is Reason.ERROR:
            continue
        if answer.confidence is not None and answer.right is not None:
            brier = (answer.confidence - answer.right) ** 2
            found[answer.key.arm][answer.key.row] = RowPrediction(answer.confidence, answer.right, brier, True)
        elif answer.scores:
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


def calibrate(
    every: Sequence[Mapping[int, RowPrediction]],
) -> tuple[tuple[Calibration, ...], tuple[CalibrationPair, ...]]:
    """Return the calibration of each variant that has enough rows.

    Also return the differences of all pairs of variants whose confidences are of the same kind.
    """
    rows = [tuple(each[row] for row in sorted(each)) for each in every]
    resampled = {arm: _Resampled(part) for arm, part in enumerate(rows) if len(part) >= LEAST_ROWS}
    pairs = []
    for first, second in combinations(resampled, 2):
        common = sorted(every[first].keys() & every[second].keys())
        if len(common) < LEAST_ROWS or rows[first][0].generated is not rows[second][0].generated:
            continue
        sides = [
            resampled[arm] if len(common) == len(rows[arm]) else _Resampled([every[arm][row] for row in common])
            for arm in (first, second)
        ]
        pairs.append(_pair(first, second, *sides))
    return tuple(_calibration(arm, each) for arm, each in resampled.items()), tuple(pairs)


def _calibration(arm: int, resampled: _Resampled) -> Calibration:
    rows = resampled.rows
    return Calibration(
        arm,
        len(rows),
        fmean(each.confidence for each in rows),
        _rate(sum(each.right for each in rows), len(rows)),
        mean_interval([each.confidence - each.right for each in rows]),
        resampled.interval,
        mean_interval([each.brier for each in rows]),
        resampled.chance,
        reliability_bins(rows),
    )


def _pair(first: int, second: int, one: _Resampled, other: _Resampled) -> CalibrationPair:
    """Compare two variants on the same rows. Both are resampled alike.

    The bias of either error is between 0 and its estimate, so the interval allows for both.
    """
    apart, half = other.error - one.error, Z * float((other.errors - one.errors).std())
    ece = Interval(apart, apart - other.bias - half, apart + one.bias + half)
    brier = mean_interval([its.brier - our.brier for our, its in zip(one.rows, other.rows, strict=True)])
    return CalibrationPair(first, second, len(one.rows), ece, brier)


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

        self.rows = rows
        self._confidence = np.array([each.confidence for each in rows])
        self._gaps = self._confidence - np.array([each.right for each in rows], float)
        self._bins = np.array([_bin(each.confidence) for each in rows])
        self.error = float(self._errors_of(self._bins[None], self._gaps[None])[0])

    @cached_property
    def errors(self) -> Floats:
        """The error of each bootstrap sample."""

        def draw(random: np.random.Generator, samples: int) -> Floats:
            drawn = random.integers(len(self.rows), size=(samples, len(self.rows)))
            return self._errors_of(self._bins[drawn], self._gaps[drawn])

        return self._simulate(draw)

    @cached_property
    def _calibrated(self) -> Floats:
        """The error of each simulated calibrated model with these confidences."""

        def draw(random: np.random.Generator, samples: int) -> Floats:
            rights = random.random((samples, len(self.rows))) < self._confidence
            return self._errors_of(self._bins[None].repeat(samples, 0), self._confidence - rights)

        return self._simulate(draw)

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

    def _simulate(self, draw: Callable[[np.random.Generator, int], Floats]) -> Floats:
        import numpy as np

        random, step = np.random.default_rng(SEED), max(1, CELLS // len(self.rows))
        return np.concatenate([draw(random, min(step, RESAMPLES - at)) for at in range(0, RESAMPLES, step)])

    def _errors_of(self, bins: NDArray[np.intp], gaps: Floats) -> Floats:
        """Return the error of each sample. Both arrays have a line for each sample."""
        import numpy as np

        samples = len(bins)
        cells = bins + BINS * np.arange(samples)[:, None]
        sums = np.bincount(cells.ravel(), gaps.ravel(), samples * BINS).reshape(samples, BINS)
        errors: Floats = np.abs(sums).sum(axis=1) / len(self.rows)
        return errors


def _bin(confidence: float) -> int:
    return min(int(confidence * BINS), BINS - 1)


def _rate(right: int, count: int) -> Interval:
    return Interval(right / count, *wilson(right, count))
