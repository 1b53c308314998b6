"""The predefined experiments, one module each."""

from app.experiments.questions import (
    cache,
    determinism,
    draft,
    length,
    models,
    output_format,
    quantized,
    reuse,
    sampling,
    stops,
    sweep,
    template,
)
from app.experiments.types import Experiment

EXPERIMENTS: tuple[Experiment, ...] = tuple(
    module.EXPERIMENT
    for module in (
        cache,
        length,
        template,
        draft,
        sampling,
        output_format,
        reuse,
        quantized,
        models,
        stops,
        determinism,
        sweep,
    )
)
"""All experiments, in the order of the window's list."""


def find_experiment(name: str) -> Experiment | None:
    return next((each for each in EXPERIMENTS if each.name == name), None)
