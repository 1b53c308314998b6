"""The runs as a table, one run's receipt, and several runs compared."""

from __future__ import annotations

from app.widgets.runs.overlay import SpeedOverlay
from app.widgets.runs.values import CURVES, Compared
from app.widgets.runs.view import RunsView

__all__ = ["CURVES", "Compared", "RunsView", "SpeedOverlay"]
