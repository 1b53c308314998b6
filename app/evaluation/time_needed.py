"""Upper bound of an evaluation's time, if the speed of its models is known."""

from dataclasses import dataclass

from app.engine.types import LoadRequest, Model
from app.evaluation.evaluation_run import may_batch
from app.evaluation.types import Evaluation
from app.experiments.requests import bounded
from app.i18n import tr
from app.number_format import duration, spoken_speed


@dataclass(frozen=True, slots=True)
class RecentSpeeds:
    """The latest speeds of a model, in tokens per second."""

    of: LoadRequest
    reading: float
    writing: float


def most_seconds(study: Evaluation, prompt_tokens: int, speeds: RecentSpeeds, done: int = 0) -> float:
    """Return the seconds if each answer has max tokens and no rows are batched.

    `prompt_tokens`: of all rows; `done`: number of finished answers.
    """
    rows, arms = len(study.prompts.rows), len(study.arms)
    longest = sum(bounded(arm.request).limits.max_tokens for arm in study.arms)
    seconds = study.repeats * (arms * prompt_tokens / speeds.reading + rows * longest / speeds.writing)
    return seconds * (1 - done / (arms * rows * study.repeats))


def time_sentence(study: Evaluation, model: Model, prompt_tokens: int, speeds: RecentSpeeds, done: int = 0) -> str:
    """Return a sentence about the longest time; empty if another model has to be loaded.

    For batches it gives both bounds, since their gain isn't known before.
    """
    if any(load != speeds.of for load in (model.opened_by, *(arm.load or model.opened_by for arm in study.arms))):
        return ""
    seconds = most_seconds(study, prompt_tokens, speeds, done)
    known = {"most": duration(seconds), "speed": spoken_speed(speeds.writing)}
    if study.together < 2 or not all(may_batch(model, arm.request) for arm in study.arms):
        return tr("Takes up to {most} at {speed} (last measured).").format(**known)
    text = tr(
        "Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n rows take no longer "
        "than one row.",
        "Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n row take no longer "
        "than one row.",
        study.together,
    )
    return text.format(**known, least=duration(seconds / study.together))
