"""Studies whose answers are made up: what each variant had right, row by row."""

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import Limits, Reason, Request, Sampling
from app.evaluation.types import (
    AnswerKey,
    Check,
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    EvaluationVariant,
    Preference,
    PromptSet,
    Template,
    Vote,
)
from app.experiments.requests import chat

REQUEST = Request(chat("…"), Sampling(temperature=0), Limits(32))
NAMES = ("A", "B", "C", "D")
NASTY = '=1+1|<script>\ud800,"\n\x00'


def prompts(rows: int) -> PromptSet:
    return PromptSet(
        "sums", ("prompt", "expected"), [(f"{at} + 1", f"{at + 1}") for at in range(rows)], Template(), "d1"
    )


def study(rows: int, arms: int = 2, repeats: int = 1, check: CheckKind = CheckKind.EQUAL) -> Evaluation:
    made = tuple(EvaluationVariant(name, REQUEST) for name in NAMES[:arms])
    return Evaluation("Sums", prompts(rows), Template(), made, Check(check), repeats)


def answer(arm: int, row: int, right: bool | None, repeat: int = 0, text: str = "") -> EvaluationAnswer:
    return EvaluationAnswer(
        AnswerKey(arm, row, repeat), text or ("yes" if right else f"no, {arm}"), Reason.STOP, 4, 0.5, right
    )


def outcome(*marks: str) -> EvaluationOutcome:
    """For each variant a mark for each row: + right, - wrong, ? not judged, ! failed, a space for no answer."""
    made = study(max(map(len, marks)), len(marks))
    answers = []
    for arm, row_marks in enumerate(marks):
        for row, mark in enumerate(row_marks):
            if mark != " ":
                said = answer(arm, row, {"+": True, "-": False}.get(mark))
                answers.append(replace(said, reason=Reason.ERROR) if mark == "!" else said)
    return EvaluationOutcome(made, tuple(answers))


def voted(likes: Sequence[Preference], rows: int = 0, blind: bool = True) -> EvaluationOutcome:
    """Return two variants that were judged by hand, row by row."""
    made = study(rows or len(likes), check=CheckKind.BY_HAND)
    answers = tuple(
        answer(arm, row, None, text=f"{arm} of {row}") for row in range(rows or len(likes)) for arm in (0, 1)
    )
    return EvaluationOutcome(made, answers, tuple(Vote(0, 1, row, like, blind) for row, like in enumerate(likes)))


def nasty(made: EvaluationOutcome) -> EvaluationOutcome:
    """Everything that comes from outside."""
    study = made.study
    prompts = replace(
        study.prompts, title=NASTY, columns=("=cmd", NASTY), rows=[(NASTY, "-1")] * len(study.prompts.rows)
    )
    arms = tuple(replace(arm, name=f"{NASTY}{at}") for at, arm in enumerate(study.arms))
    answers = tuple(replace(each, text=f"{NASTY}{each.key.arm}", why=NASTY) for each in made.answers)
    return replace(made, study=replace(study, title=NASTY, prompts=prompts, arms=arms), answers=answers, why=NASTY)
