"""The panel of controls: the settings of the next run."""

from app.ui.controls.panel import ControlsPanel

__all__ = ["ControlsPanel"]
