"""The panel of controls: what the next run will be asked."""

from app.widgets.controls.panel import WITHOUT_TEMPLATE, ControlsPanel
from app.widgets.controls.preset_bar import PresetList
from app.widgets.controls.section import Section
from app.widgets.controls.values import ControlValues, DraftOffer, Room

__all__ = ["WITHOUT_TEMPLATE", "ControlValues", "ControlsPanel", "DraftOffer", "PresetList", "Room", "Section"]
