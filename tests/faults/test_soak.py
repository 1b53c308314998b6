"""A random user at the real window: whatever it does, the phase, the buttons, the page and the journal agree.

`make soak` goes on for ten minutes, seed after seed, on the demo models too, and looks whether anything has grown.
"""

import os
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from pytestqt.exceptions import capture_exceptions

from tests.faults.soak.drive import Soak
from tests.faults.soak.holdings import Holdings

SEED = int(os.environ.get("SLUICE_SOAK_SEED", "4"))
"""This one once ended in a crash."""
MINUTES = float(os.environ.get("SLUICE_SOAK_MINUTES", "0"))
STEPS = 450 if MINUTES else 150
USUAL = ("OpenType support missing", "Keyboard event not accepted")
"""Qt's messages about fonts that are not installed, and about test keys that no widget takes."""
SCHEMES = ("http", "https", "mailto", "file")
FLAT_KB, FLAT_SHARE = 20_000, 0.1
"""What may be allocated more than before: by the C library, and of Python's blocks.

The libraries leave 57 kB behind with each load of a model, and a random user opens some hundred.
"""
WARM_LIVES = 12
"""Windows that are opened until fonts, caches of pictures and MLX's buffers are as large as they become."""


class Browser(QObject):
    """Takes the addresses that would go to the browser."""

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        pass


@pytest.fixture
def no_browser() -> Iterator[None]:
    browser = Browser()
    for scheme in SCHEMES:
        # The stub asks for bytes, which the library refuses.
        QDesktopServices.setUrlHandler(scheme, browser, "open")  # type: ignore[arg-type]
    yield
    for scheme in SCHEMES:
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
def heard(qtlog: Any) -> Iterator[Callable[[], list[str]]]:
    """Return what Qt and Python have complained of so far, so that a soak ends at the step that is to blame."""
    with capture_exceptions() as errors:
        yield lambda: [
            *("".join(traceback.format_exception(*error)) for error in errors),
            *(each.message for each in qtlog.records if each.log_type_name != "QtDebugMsg" and not each.ignored),
        ]


@pytest.mark.slow
@pytest.mark.usefixtures("qapp", "no_browser")
@pytest.mark.qt_log_ignore(*USUAL, extend=True)
def test_random_user_breaks_nothing(heard: Callable[[], list[str]], tmp_path: Path) -> None:
    end, seed, lives = time.monotonic() + 60 * MINUTES, SEED, list[Holdings]()
    while seed == SEED or time.monotonic() < end:
        folder = tmp_path / str(seed)
        folder.mkdir()
        soak = Soak(seed, folder, heard, real=bool(MINUTES))
        soak.run(STEPS)
        lives += soak.lives
        seed += 1
    if len(lives) > WARM_LIVES + 1:
        first, last = lives[WARM_LIVES], lives[-1]
        assert (first.threads, first.handles) == (last.threads, last.handles)
        assert last.in_use_kb - first.in_use_kb <= FLAT_KB
        assert last.blocks <= (1 + FLAT_SHARE) * first.blocks
