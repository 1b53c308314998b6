"""The panel of controls: the settings of the next run."""

from app.ui.controls.panel import WITHOUT_TEMPLATE, ControlsPanel
from app.ui.controls.preset_bar import PresetList
from app.ui.controls.section import Section
from app.ui.controls.values import Room

__all__ = ["WITHOUT_TEMPLATE", "ControlsPanel", "PresetList", "Room", "Section"]
