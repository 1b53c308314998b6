"""What the start is spared, and that nothing of it is left behind."""

import builtins
import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.platform.bootstrap import PLAIN, bypass_pyside_import, freeze_gc

AFTER_QT = f"""
import builtins, linecache, sys
from PySide6 import QtCore
from app.platform.bootstrap import bypass_pyside_import
assert builtins.__import__ is not builtins.{PLAIN}, "PySide does without by itself: app.platform.bootstrap may go"
bypass_pyside_import()
import wave
assert wave.__file__ not in linecache.cache
QtCore.QObject().objectName()
"""

LATER = {
    "mlx",
    "transformers",
    "pyqtgraph",
    "httpx2",
    "asyncio",
    "qasync",
    "app.roofline.measurement_store",
    "app.engine.prompt_parts",
    "app.experiments.run",
    "app.library.download",
    "app.ui.interpretability.lens_cells",
    "app.ui.picker.dialog",
    "app.ui.runs.view",
    "app.ui.serving.dialog",
    "app.ui.settings.window",
    "app.ui.shell.early_imports",
    "app.ui.code.controller_run_code",
    "app.ui.experiments.window",
    "app.ui.study_window",
}
"""What nobody sees in a window that has just been opened."""
BUILT = f"""
import sys
from app.__main__ import build
window = build(["--data-dir", sys.argv[1], "--engine", "echo"])
print(*sorted({LATER!r} & set(sys.modules)))
"""


@pytest.fixture(autouse=True)
def collecting_again() -> Iterator[None]:
    by_itself = gc.isenabled()
    yield
    gc.enable() if by_itself else gc.disable()


def test_freeze_gc_excludes_what_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(gc.isenabled()))
    gc.enable()
    with freeze_gc():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert frozen == [False], "the first collection would look at all of it"


def test_freeze_gc_failing_start_restores_collection() -> None:
    gc.disable()
    with freeze_gc():
        pass
    assert not gc.isenabled()
    gc.enable()
    with pytest.raises(LookupError), freeze_gc():
        raise LookupError
    assert gc.isenabled()


def test_bypass_pyside_import_reads_no_source() -> None:
    done = subprocess.run([sys.executable, "-c", AFTER_QT], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_start_before_first_paint_imports_little(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_bypass_pyside_import_without_pyside_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(builtins, PLAIN, raising=False)
    before = builtins.__import__
    bypass_pyside_import()
    assert builtins.__import__ is before
