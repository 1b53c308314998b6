"""What "What's this?" answers: a paragraph for each control and each part of the window, by its object name."""

from app.window.explained.controls import CONTROLS
from app.window.explained.parts import PARTS
from app.window.explained.types import Explained
from app.window.explained.windows import WINDOWS

EXPLAINED = {**PARTS, **CONTROLS, **WINDOWS}

__all__ = ["CONTROLS", "EXPLAINED", "PARTS", "WINDOWS", "Explained"]
