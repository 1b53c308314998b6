"""What "What's this?" answers: a paragraph for each control and each part of the window, by its object name."""

from app.ui.guide.explanations.controls import CONTROLS
from app.ui.guide.explanations.parts import PARTS
from app.ui.guide.explanations.windows import WINDOWS

EXPLAINED = {**PARTS, **CONTROLS, **WINDOWS}

__all__ = ["CONTROLS", "EXPLAINED", "PARTS", "WINDOWS"]
