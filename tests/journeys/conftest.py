"""The real window on the bundled model."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.journeys.journey import Journey, journey


@pytest.fixture
def demo(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> Iterator[Journey]:
    """A first start: nothing is set, the bundled model and the journal are open."""
    with journey(qtbot, ["--data-dir", str(tmp_path)]) as made:
        made.until_ready()
        yield made
