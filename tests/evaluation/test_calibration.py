"""Calibration figures equal a direct computation, and planted errors are found."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from app.engine.types import ChoiceScore, Reason
from app.evaluation.calibration import (
    BINS,
    RowPrediction,
    accuracy_at,
    calibrate,
    predictions,
)
from app.evaluation.types import (
    AnswerKey,
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationVariant,
    PromptSet,
    Template,
)
from tests.evaluation.sums import ASKED

CHOICES = ("a", "b", "c", "d")
Floats = npt.NDArray[np.float64]


def outcome(rows: int, sharpness: Sequence[float], seed: int = 5) -> EvaluationOutcome:
    """Return made-up scores: the truth is drawn from a distribution, and a variant multiplies its logits."""
    random = np.random.default_rng(seed)
    logits = random.normal(0, 1.5, (rows, 4))
    truths = (shares(logits).cumsum(axis=1) > random.random((rows, 1))).argmax(axis=1)
    cells = [("?", "a|b|c|d", CHOICES[truth]) for truth in truths]
    template = Template(expected="{expected}")
    prompts = PromptSet("made up", ("prompt", "choices", "expected"), cells, template, "d")
    arms = tuple(EvaluationVariant(str(each), ASKED, by_likelihood=True) for each in sharpness)
    answers = tuple(
        EvaluationAnswer(
            AnswerKey(arm, row),
            "",
            Reason.STOP,
            4,
            0.1,
            None,
            scores=tuple(
                ChoiceScore(text, float(by * logit), 1) for text, logit in zip(CHOICES, logits[row], strict=True)
            ),
        )
        for arm, by in enumerate(sharpness)
        for row in range(rows)
    )
    return EvaluationOutcome(Evaluation("made up", prompts, template, arms, Check(CheckKind.LIKELIHOOD)), answers)


def shares(logits: Floats) -> Floats:
    found: Floats = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return found


def true_error(sharpness: float) -> float:
    """Return the calibration error of a variant in `outcome`, with the true probabilities instead of drawn truths."""
    logits = np.random.default_rng(1).normal(0, 1.5, (200_000, 4))
    stated = shares(sharpness * logits)
    best = stated.argmax(axis=1)[:, None]
    confidence, truth = (np.take_along_axis(each, best, axis=1)[:, 0] for each in (stated, shares(logits)))
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return float(np.abs(np.bincount(bins, confidence - truth)).sum()) / len(logits)


def test_calibration_equals_a_direct_computation() -> None:
    made = outcome(300, (1.7,))
    predicted = predictions(made)
    (found,), _ = calibrate(predicted)
    rows = predicted[0]
    logits = np.array([[each.logprob for each in answer.scores] for answer in made.answers])
    chances = shares(logits)
    truths = np.array([CHOICES.index(cells[2]) for cells in made.study.prompts.rows])
    confidence, right = chances.max(axis=1), chances.argmax(axis=1) == truths
    assert found.brier.middle == pytest.approx(((chances - np.eye(4)[truths]) ** 2).sum(axis=1).mean())
    error = 0.0
    for at in range(BINS):
        inside = (confidence >= at / BINS) & (confidence < (at + 1) / BINS)
        if inside.any():
            error += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    assert found.ece.middle == pytest.approx(error)
    assert found.overconfidence.middle == pytest.approx(confidence.mean() - right.mean())
    assert sum(each.n for each in found.bins) == found.n == 300
    sure = confidence >= 0.8
    count, accuracy = accuracy_at(tuple(rows.values()), 0.8)
    assert count == sure.sum() and accuracy is not None and accuracy.middle == pytest.approx(right[sure].mean())
    assert accuracy_at((), 0.8) == (0, None)


def test_calibration_judges_calibrated_and_overconfident_models() -> None:
    calm, bold, shy = calibrate(predictions(outcome(200, (1, 2.5, 0.4))))[0]
    assert calm.chance > 0.05 and calm.ece.low == 0
    assert bold.chance <= 0.05 and bold.ece.low > 0 and bold.overconfidence.low > 0
    assert shy.chance <= 0.05 and shy.overconfidence.high < 0


def test_calibration_pair_of_equal_variants_has_no_difference() -> None:
    _, (found,) = calibrate(predictions(outcome(50, (1, 1))))
    assert (found.ece.middle, found.brier.middle, found.brier.low, found.brier.high) == (0, 0, 0, 0)
    _, (found,) = calibrate(predictions(outcome(200, (1, 2.5))))
    assert found.ece.low > 0 and found.brier.low > 0


def test_calibration_needs_enough_rows() -> None:
    assert calibrate(predictions(outcome(19, (1, 1)))) == ((), ())


def test_calibration_pairs_have_common_rows_and_one_kind_of_confidence() -> None:
    first, second = predictions(outcome(50, (1, 2)))
    _, (pair,) = calibrate((first, {row: second[row] for row in range(10, 40)}))
    assert pair.n == 30
    answers = {row: RowPrediction(0.75, row % 2 == 0, 0.25, generated=True) for row in range(40)}
    calibrated, pairs = calibrate((first, answers, answers))
    assert [(each.first, each.second) for each in pairs] == [(1, 2)]
    assert calibrated[1].ece.middle == pytest.approx(0.25) and calibrated[1].brier.middle == 0.25


@pytest.mark.slow
def test_calibration_intervals_cover_the_truth_in_a_thousand_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports: see docs/statistics.md."""
    monkeypatch.setattr("app.evaluation.calibration.RESAMPLES", 300)
    for sharpness in (1.0, 2.5):
        truth = true_error(sharpness)
        covered = 0
        for seed in range(1_000):
            found = calibrate(predictions(outcome(200, (sharpness,), seed=seed + 10)))[0][0].ece
            covered += found.low <= truth <= found.high
        assert 930 <= covered <= 970, (sharpness, covered)


@pytest.mark.slow
def test_calibration_pair_intervals_cover_no_difference_and_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calibrated variants have the difference 0; a bold one has an error of 0.1."""
    monkeypatch.setattr("app.evaluation.calibration.RESAMPLES", 200)
    random = np.random.default_rng(3)
    for excess in (0.0, 0.1):
        covered = 0
        for _ in range(300):
            confidence = random.uniform(0.25, 1, (2, 100))
            right = random.random((2, 100)) < confidence - [[0], [excess]]
            sides = [
                {at: RowPrediction(*row, 0.0) for at, row in enumerate(zip(*side, strict=True))}
                for side in zip(confidence, right, strict=True)
            ]
            found = calibrate(sides)[1][0].ece
            covered += found.low <= excess <= found.high
        assert covered >= 278, (excess, covered)
