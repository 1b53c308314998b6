"""Players with a loaded scripted model, with and without a journal on disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.bridge.playing import Player, keeping, loaded


@pytest.fixture
def player(qtbot: QtBot) -> Iterator[Player]:
    with loaded(qtbot) as made:
        yield made


@pytest.fixture
def journaled(qtbot: QtBot, tmp_path: Path) -> Iterator[Player]:
    with keeping(qtbot, tmp_path) as made:
        yield made
