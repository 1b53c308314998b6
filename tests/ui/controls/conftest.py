"""The controls in a window of their own."""

import pytest

from app.files.settings import Settings
from app.ui.controls import ControlsPanel
from app.ui.controls.controller import ControlsController
from app.ui.controls.sampling_picture import SamplingPicture
from app.ui.look.theme import Theme
from tests.ui.alone import Alone


@pytest.fixture
def controls(alone: Alone, theme: Theme) -> ControlsController:
    panel, picture = ControlsPanel(theme), SamplingPicture(theme)
    panel.show_below("picture", "Effect of sampling", picture)
    panel.fold(Settings().layout.folded)
    panel.show_more(False)
    alone.put(panel)
    made = alone.add(ControlsController(alone.playground, None, panel=panel, picture=picture, parent=alone))
    alone.open_model()
    return made


@pytest.fixture
def window(alone: Alone, controls: ControlsController) -> Alone:
    """The window in which the controls are."""
    return alone
