"""The settings in a window of their own."""

from pathlib import Path

import pytest

from app.files.settings import Settings
from app.library import cached
from app.ui.look.theme import Theme
from tests.ui.alone import Alone
from tests.ui.settings.setting import Setting, Start


@pytest.fixture
def setting(alone: Alone, theme: Theme, tmp_path: Path) -> Start:
    """Makes the controllers as they are at a start with these settings."""

    def start(settings: Settings) -> Setting:
        return Setting(alone, theme, tmp_path, settings, cached.folder_of_cache())

    return start
