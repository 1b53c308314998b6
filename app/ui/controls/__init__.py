"""The panel of controls: what the next run will be asked."""

from app.ui.controls.panel import WITHOUT_TEMPLATE, ControlsPanel
from app.ui.controls.preset_bar import PresetList
from app.ui.controls.section import Section
from app.ui.controls.values import Room

__all__ = ["WITHOUT_TEMPLATE", "ControlsPanel", "PresetList", "Room", "Section"]
