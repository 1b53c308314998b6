"""The token inspector: one token of an answer with its figures, alternatives and fork controls."""

from app.ui.inspector.panel import InspectorPanel
from app.ui.inspector.subject import InspectedToken

__all__ = ["InspectedToken", "InspectorPanel"]
