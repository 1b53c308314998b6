"""The window: lays the widgets out, wires intents to the playground and the playground's states to the widgets."""

from __future__ import annotations

from app.window.main_window import MainWindow

__all__ = ["MainWindow"]
