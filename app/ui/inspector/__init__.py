"""The token inspector: one token of an answer, what was nearly said in its place, and the way on from there."""

from app.ui.inspector.panel import InspectorPanel
from app.ui.inspector.subject import InspectedToken

__all__ = ["InspectedToken", "InspectorPanel"]
