"""The plans of a lesson's experiments."""

from pathlib import Path

from app.engine.types import Failure, Model
from app.experiments.questions import find_experiment
from app.experiments.types import Plan
from app.lessons.types import Step
from app.library import drafts_and_adapters

DRAFT = "draft"
"""The experiment that needs a draft model."""


def plan_of(step: Step, model: Model, models: Path) -> Plan | Failure:
    """Return the plan of a step's experiment. `models`: the bundled models. Slow: it may look for a draft model."""
    experiment = find_experiment(step.experiment)
    assert experiment is not None, "read_lesson checks the name"
    draft = str(model.draft.folder) if model.draft is not None else ""
    if step.experiment == DRAFT and not draft:
        helpers = drafts_and_adapters.drafts_around(model.folder, models)
        draft = next((str(each.model.folder) for each in helpers if not each.why_not), "")
    return experiment.plan(step.basis(experiment, model, draft))
