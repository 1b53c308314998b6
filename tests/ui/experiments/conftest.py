"""The window of experiments without the rest of the program."""

from pathlib import Path

import pytest

from app.bridge.model_sources import ModelFolders, Servers
from app.library.keychain import ServerKeys
from app.ui.experiments.controller import ExperimentsController
from app.ui.look.theme import Theme
from tests.ui.alone import Alone


@pytest.fixture
def controller(alone: Alone, theme: Theme, tmp_path: Path) -> ExperimentsController:
    folders, servers = ModelFolders((), alone), Servers((), ServerKeys(), alone)
    return alone.add(ExperimentsController(alone.playground, theme, tmp_path, folders, servers, alone))


@pytest.fixture
def window(alone: Alone, controller: ExperimentsController) -> Alone:
    return alone
