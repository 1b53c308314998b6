"""The window of prompt sets without the rest of the program."""

from pathlib import Path

import pytest

from app.bridge.model_sources import ModelFolders
from app.ui.evaluation.controller import EvaluationController
from app.ui.look.theme import Theme
from tests.ui.alone import Alone
from tests.ui.evaluation.room import Room


@pytest.fixture
def room(alone: Alone, theme: Theme, tmp_path: Path) -> Room:
    alone.add(EvaluationController(alone.playground, theme, tmp_path, None, ModelFolders((), alone), alone))
    return Room(alone.qtbot, alone)
