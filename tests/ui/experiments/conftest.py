"""The window of experiments without the rest of the program."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.bridge.model_sources import ModelFolders, Servers
from app.engine.types import Server
from app.library.keychain import ServerKeys
from app.ui.experiments.controller import ExperimentsController
from app.ui.look.theme import Theme
from tests.ui.alone import Alone


@pytest.fixture
def experiments(alone: Alone, theme: Theme, tmp_path: Path) -> Callable[..., ExperimentsController]:
    """Makes the controller for a user who knows these servers."""

    def make(*servers: Server) -> ExperimentsController:
        known = Servers(servers, ServerKeys(), alone)
        return alone.add(
            ExperimentsController(alone.playground, theme, tmp_path, ModelFolders((), alone), known, alone)
        )

    return make


@pytest.fixture
def controller(experiments: Callable[..., ExperimentsController]) -> ExperimentsController:
    return experiments()


@pytest.fixture
def window(alone: Alone, controller: ExperimentsController) -> Alone:
    return alone
