"""Choices are scored as lm-evaluation-harness does, judged by each score, recorded and resumed."""

from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
    Alternative,
    ChatPrompt,
    ChoiceScore,
    Message,
    RawPrompt,
    Reason,
    Role,
    Sampling,
    Token,
    TokenLogprobs,
)
from app.evaluation.evaluation_run import run_evaluation
from app.evaluation.journal_entries import StudyKeeper, reopened
from app.evaluation.likelihood import choices_to_score, confidence_of, judge_scores
from app.evaluation.types import (
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationVariant,
    PromptSet,
    Scoring,
    Template,
)
from app.evaluation.verdict import verdict
from app.records.journal import open_journal
from tests.evaluation.sums import ASKED, TELLING, Adding, opened, sums
from tests.evaluation.sums import study as sums_study

CHOICES = '["a cat", "a very small dog", "é"]'
SCORES = (
    ChoiceScore("a cat", -4.0, 2, -1.0),
    ChoiceScore("a very small dog", -6.0, 4, -5.5),
    ChoiceScore("é", -4.5, 1, -9.0),
)
WAYS = tuple(
    EvaluationVariant(name, ASKED, by_likelihood=scored) for name, scored in (("scored", True), ("said", False))
)


def study(rows: int = 4, scoring: Scoring = Scoring.SUM) -> Evaluation:
    cells = [(f"{at} is", CHOICES, "a cat") for at in range(rows)]
    template = Template(expected="{expected}", raw=True)
    prompts = PromptSet("Animals", ("prompt", "choices", "expected"), [*cells, ("no", "", "a")], template, "d9")
    return Evaluation("Animals", prompts, template, WAYS, Check(CheckKind.LIKELIHOOD, scoring))


@pytest.mark.parametrize(
    ("source", "values", "continuations"),
    [
        (RawPrompt("It is"), {"choices": "a|b"}, [" a", " b"]),
        (RawPrompt("It is\n"), {"choices": "a|b"}, ["a", "b"]),
        (ChatPrompt((Message(Role.USER, "Is it?"),)), {"choices": "a|b"}, ["a", "b"]),
        (RawPrompt("It is"), {"choices": "a"}, []),
        (RawPrompt("So "), {"choices": "a|b", "continuation": "won."}, [" won.", " won."]),
    ],
)
def test_choices_follow_the_prompt_after_one_space(
    source: RawPrompt | ChatPrompt, values: dict[str, str], continuations: list[str]
) -> None:
    found = choices_to_score(source, values)
    assert [each.continuation for each in found] == continuations
    if "continuation" in values:
        assert [each.source for each in found] == [RawPrompt("So a"), RawPrompt("So b")]


@pytest.mark.parametrize(
    ("scoring", "chosen"),
    [
        (Scoring.SUM, "a cat"),
        (Scoring.CHARACTERS, "a very small dog"),
        (Scoring.BYTES, "a very small dog"),
        (Scoring.UNCONDITIONAL, "é"),
    ],
)
def test_judge_scores_takes_the_likeliest_choice_by_each_score(scoring: Scoring, chosen: str) -> None:
    values = {"choices": CHOICES}
    assert judge_scores(SCORES, scoring, values, chosen) == (True, "")
    right, why = judge_scores(SCORES, scoring, values, next(each.text for each in SCORES if each.text != chosen))
    assert right is False and chosen in why
    assert judge_scores(SCORES, scoring, values, "a bird")[0] is None
    unfinished = (replace(SCORES[0], unconditional=None, logprob=float("nan")), *SCORES[1:])
    assert judge_scores(unfinished, scoring, values, chosen)[0] is None


def test_evaluation_scores_and_generates_side_by_side_and_resumes(tmp_path: Path) -> None:
    engine, asked, seen = EchoEngine(TELLING), study(scoring=Scoring.UNCONDITIONAL), list[EvaluationAnswer]()
    model = opened(engine)
    journal = open_journal(tmp_path)
    keeper = StudyKeeper(journal, asked, model)
    found = run_evaluation(
        engine,
        asked,
        model,
        StopFlag(),
        lambda note: seen.append(note) if isinstance(note, EvaluationAnswer) else None,
        keeper,
    )
    scored = [each for each in found.answers if each.key.arm == 0]
    assert len(found.answers) == 10 and len(seen) == 10
    assert [len(each.scores) for each in scored] == [3, 3, 3, 3, 0]
    assert all(each.reason is Reason.STOP and each.scores[0].unconditional is not None for each in scored[:-1])
    assert scored[-1].right is None and "choices" in scored[-1].why
    warm = replace(WAYS[0], name="warm", request=replace(ASKED, sampling=Sampling(0.7)))
    repeated = replace(found, study=replace(asked, arms=(*WAYS, warm)))
    assert "warm has the scores of scored: only" in " ".join(verdict(repeated).sentences)
    assert "has the scores" not in " ".join(verdict(found).sentences)
    names = {each.scoring for each in verdict(found).scorings}
    assert names == set(Scoring)
    number = StudyKeeper(journal, asked, model)._number
    assert number
    again = reopened(journal, number)
    assert isinstance(again, tuple)
    stored = [replace(each, seconds=0.0) for each in again[1].answers]
    assert stored == [replace(each, seconds=0.0) for each in found.answers]
    journal.close()


def test_evaluation_of_choices_pauses_after_the_current_row() -> None:
    engine, pause = EchoEngine(TELLING), StopFlag()
    asked = replace(study(8), arms=WAYS[:1])
    found = run_evaluation(engine, asked, opened(engine), StopFlag(), lambda note: pause.ask(), pause=pause)
    assert found.stopped and len(found.answers) < 3 and not found.why


def recorded(*tokens: tuple[str, float]) -> list[Token]:
    """Return tokens with these texts and probabilities."""
    made = []
    for at, (text, probability) in enumerate(tokens):
        chosen = Alternative(at, text, log(probability), 0.0)
        made.append(Token(at, at, text, (), 0.0, observed=TokenLogprobs(chosen, 1, (), 0.0, 0.0, 0.0)))
    return made


@pytest.mark.parametrize(
    ("tokens", "answer", "confidence"),
    [
        ([(" Par", 0.5), ("is", 0.125), ("", 0.9)], " Paris", 0.25),
        (
            [("<think>", 0.1), ("Paris?", 0.1), ("</think>", 0.1), ("\n\n", 0.1), ("Paris", 0.25), ("", 0.9)],
            "Paris",
            0.25,
        ),
        ([("", 0.5), ("é", 0.125), ("\nQ:", 0.9)], "é", 0.25),
        ([("is", 0.25), ("", 0.9)], "Paris", 0.25),
        ([("A", 0.25), ("\n", 0.9), ("Answer", 0.9), (":", 0.9)], "A", 0.25),
        ([("", 0.9)], "", None),
        ([("Paris", 0.25)], "Rome", None),
    ],
)
def test_confidence_is_the_geometric_mean_over_the_tokens_of_the_answer(
    tokens: list[tuple[str, float]], answer: str, confidence: float | None
) -> None:
    found = confidence_of(recorded(*tokens), answer, ("Answer:",))
    assert found == (pytest.approx(confidence) if confidence is not None else None)


def test_confidence_of_checked_answers_is_recorded_and_calibrated(tmp_path: Path) -> None:
    arms = tuple(EvaluationVariant(name, replace(ASKED, observe=observe)) for name, observe in (("a", 1), ("b", 0)))
    asked, engine, journal = replace(sums_study(sums(24)), arms=arms), Adding(), open_journal(tmp_path)
    model = opened(engine)
    keeper = StudyKeeper(journal, asked, model)
    found = run_evaluation(engine, asked, model, StopFlag(), keep=keeper)
    assert {each.batch for each in engine.asked} == {8, 16}
    known = [each.confidence for each in found.answers]
    assert known == [pytest.approx(0.5)] * 24 + [None] * 24
    (calibration,) = verdict(found).calibrations
    assert (calibration.arm, calibration.n) == (0, 24) and calibration.confidence == pytest.approx(0.5)
    assert "underconfident" in " ".join(verdict(found).sentences)
    assert [each.confidence for each in keeper.answers(StopFlag())] == known
    journal.close()
