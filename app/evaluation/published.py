"""Published results: an exported JSON file has its question, and a rerun is compared with its rates."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from app.engine.remote.address import server_model
from app.engine.types import Failure, LoadRequest
from app.evaluation.rates import rates, tallies
from app.evaluation.reading import BOUNDS, LARGEST_BYTES, digest_of
from app.evaluation.types import (
    MOST_REPEATS,
    MOST_TOGETHER,
    Check,
    Evaluation,
    EvaluationOutcome,
    EvaluationVariant,
    Interval,
    PromptSet,
    Template,
)
from app.files import json_reader, json_values, regular_files
from app.files.regular_files import is_folder
from app.i18n import tr
from app.library import cached
from app.number_format import percent
from app.records.run_environment import model_ref

WRONG_FILE = tr("Export the results as JSON, and verify that file.")


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """Everything that determines the answers, except the rows, which the answers have."""

    columns: tuple[str, ...]
    digest: str
    """Hash of columns and rows."""
    template: Template
    arms: tuple[EvaluationVariant, ...]
    """Each names its model, without a path. Files of earlier versions have paths, which aren't opened."""
    models: tuple[str, ...]
    """Revision or hash of the files of each variant's model and adapter; empty: unknown."""
    check: Check
    repeats: int
    together: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedResult:
    study: Evaluation
    models: tuple[str, ...]
    rates: Mapping[int, Interval]
    """By variant."""
    answers: Mapping[tuple[int, int, int], bool | None]
    """Whether each answer is right, by variant, row and repeat."""
    changes: tuple[str, ...]
    """Reasons why the file isn't as it was exported."""


class Verdict(StrEnum):
    REPRODUCED = "reproduced"
    OUTSIDE = "outside"
    ANOTHER = "another question"


@dataclass(frozen=True, slots=True)
class Verification:
    verdict: Verdict
    reasons: tuple[str, ...]


def question_facts(outcome: EvaluationOutcome) -> dict[str, Any]:
    """Return the question for the export; empty if the model is unknown."""
    study, opened = outcome.study, outcome.opened
    if opened is None and any(each.load is None for each in study.arms):
        return {}
    loads = [each.load or opened or LoadRequest("") for each in study.arms]
    question = PublishedQuestion(
        study.prompts.columns,
        study.prompts.digest,
        study.template,
        tuple(replace(each, load=_named(load)) for each, load in zip(study.arms, loads, strict=True)),
        tuple(map(model_hash, loads)),
        study.check,
        study.repeats,
        study.together,
        study.prompts.notes,
    )
    written: dict[str, Any] = json_values.write(PublishedQuestion, question)
    return {"question": written, "question_hash": _hash(written)}


def model_hash(load: LoadRequest) -> str:
    """Return the revision or the hash of the files of a model, and of its adapter."""
    return " ".join(files_hash(path) for path in (load.model, load.adapter) if path)


def files_hash(name: str) -> str:
    """Return the revision or the hash of the files of a folder, or of an id in the cache; empty: unknown."""
    folder = Path(name)
    if not is_folder(folder) and cached.id_of(name):
        return cached.commit_of(cached.folder_of(cached.id_of(name)))
    ref = model_ref(name, folder)
    return ref.revision or ref.digest


def _named(load: LoadRequest) -> LoadRequest:
    """Return the request with names in place of paths and addresses, which belong to one computer."""
    names = [_name(path) if path else path for path in (load.model, load.draft, load.adapter)]
    return LoadRequest(names[0] or "", names[1], adapter=names[2])


def _name(path: str) -> str:
    there = server_model(path)
    return there.name if there is not None else cached.name_of(path)


def read_published(path: Path) -> PublishedResult | Failure:
    """Read an exported JSON file, which is untrusted."""
    try:
        content = json_reader.read(io.BytesIO(regular_files.read(path, LARGEST_BYTES)), BOUNDS)
        found = _published(content)
    except json_values.UNFIT as error:
        reason = (isinstance(error, OSError) and error.strerror) or tr("it isn't an exported evaluation")
        if isinstance(error, json_reader.InvalidJsonError):
            reason = str(error)
        return Failure(
            tr("{file} can't be opened: {reason}.").format(file=path.name, reason=reason), WRONG_FILE, kind="file"
        )
    if not found.rates:
        what = tr("{file} has no rates: none of its answers was checked.")
        return Failure(what.format(file=path.name), WRONG_FILE, kind="file")
    return found


def _published(content: Any) -> PublishedResult:  # noqa: ANN401
    question = json_values.recall(PublishedQuestion, content["question"])
    if len(question.models) != len(question.arms):
        raise ValueError
    if not (1 <= question.repeats <= MOST_REPEATS and 1 <= question.together <= MOST_TOGETHER):
        raise ValueError
    names = [str(arm["name"]) for arm in content["arms"]]
    numbers = {name: at for at, name in enumerate(names)}
    rows: dict[int, tuple[str, ...]] = {}
    answers = {}
    for each in content["answers"]:
        row = int(each["row"]) - 1
        rows[row] = tuple(str(each["values"][name]) for name in question.columns)
        answers[numbers[each["arm"]], row, int(each["repeat"]) - 1] = each["right"]
    cells = [rows[row] for row in range(int(content["rows"]))]
    changes = []
    if digest_of(question.columns, cells) != question.digest:
        changes.append(tr("The rows in the file are not those that its hash names."))
    if _hash(content["question"]) != content["question_hash"]:
        changes.append(tr("The settings in the file were changed after its export."))
    prompts = PromptSet(
        str(content["title"]), question.columns, cells, question.template, question.digest, question.notes
    )
    arms = tuple(replace(arm, name=name) for arm, name in zip(question.arms, names, strict=True))
    study = Evaluation(
        prompts.title, prompts, question.template, arms, question.check, question.repeats, question.together
    )
    known = {at: arm for at, arm in enumerate(content["arms"]) if arm["rate"] is not None}
    intervals = {at: Interval(float(it["rate"]), float(it["low"]), float(it["high"])) for at, it in known.items()}
    return PublishedResult(study, question.models, intervals, answers, tuple(changes))


def other_models(published: PublishedResult, loads: Sequence[LoadRequest]) -> tuple[str, ...]:
    """Return a reason for each variant whose model has other files than the published one."""
    text = tr("{variant}: {model} has other files than the published model.")
    return tuple(
        text.format(variant=arm.name, model=_name(load.model))
        for arm, load, known in zip(published.study.arms, loads, published.models, strict=True)
        if known and model_hash(load) != known
    )


def compare(published: PublishedResult, rerun: EvaluationOutcome) -> Verification:
    """Compare the rates of a rerun with the published confidence intervals."""
    found = {each.arm: each for each in rates(rerun, tallies(rerun))}
    reasons, is_outside = [], False
    for at, arm in enumerate(published.study.arms):
        was, now = published.rates.get(at), found.get(at)
        if was is None:
            continue
        if now is None:
            is_outside = True
            reasons.append(tr("{variant}: none of its answers was checked.").format(variant=arm.name))
            continue
        outside = not was.low <= now.rate <= was.high
        is_outside = is_outside or outside
        text = tr("{variant}: {now} right; published: {was} (95 % CI {low} to {high}).")
        if outside:
            text = tr("{variant}: {now} right, outside the published interval: {was} (95 % CI {low} to {high}).")
        shares = {"now": now.rate, "was": was.middle, "low": was.low, "high": was.high}
        shown = {name: percent(share, 1) for name, share in shares.items()}
        reasons.append(text.format(variant=arm.name, **shown))
    right = {(it.key.arm, it.key.row, it.key.repeat): it.right for it in rerun.answers}
    same = sum(key in right and right[key] == value for key, value in published.answers.items())
    text = tr(
        "{same} of %n answers are judged as published.",
        "{same} of %n answer is judged as published.",
        len(published.answers),
    )
    reasons.append(text.format(same=f"{same:,}"))
    return Verification(Verdict.OUTSIDE if is_outside else Verdict.REPRODUCED, tuple(reasons))


def _hash(question: object) -> str:
    return hashlib.sha256(json.dumps(question, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
