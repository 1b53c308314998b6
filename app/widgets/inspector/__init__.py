"""The token inspector: one token of an answer, what was nearly said in its place, and the way on from there."""

from app.widgets.inspector.panel import InspectorPanel
from app.widgets.inspector.subject import Subject

__all__ = ["InspectorPanel", "Subject"]
