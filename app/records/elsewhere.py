"""Runs on servers: which they are, and whether the server was given the seed."""

from __future__ import annotations

from app.engine.remote.address import server_model
from app.engine.types import Finish
from app.records.types import ModelRef, RunRecord


def is_elsewhere(model: ModelRef) -> bool:
    """A server computed with it."""
    return server_model(model.folder) is not None


def was_seeded(model: ModelRef, finish: Finish | None) -> bool:
    """Whether the seed of the settings was used; of a server's run that has not ended nobody knows."""
    return not is_elsewhere(model) or (finish is not None and finish.wire is not None and finish.wire.seeded)


def seed_of(run: RunRecord) -> int | None:
    """The seed that makes this run happen again; None: there was none."""
    return run.request.sampling.seed if was_seeded(run.model, run.finish) else None
