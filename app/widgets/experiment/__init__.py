"""Experiments: what to ask on the left, what was measured on the right."""

from __future__ import annotations

from app.widgets.experiment.cells import Titles
from app.widgets.experiment.values import Choice, Going, Offer, Setup
from app.widgets.experiment.view import ExperimentView

__all__ = ["Choice", "ExperimentView", "Going", "Offer", "Setup", "Titles"]
