import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize("module", ["app.platform.qt_libraries", "app"])
def test_missing_qt_libraries_are_named_with_the_install_command(tmp_path: Path, module: str) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux has Qt's libraries from the system")
    linker = tmp_path / "ldd"
    linker.write_text(
        "#!/bin/sh\nprintf '\\tlibX11.so.6 => not found\\n\\tlibxcb-icccm.so.4 => not found\\n\\tlibz.so.1 => /lib\\n'"
    )
    linker.chmod(0o755)
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").touch()
    (tmp_path / "PySide6" / "QtCore.py").write_text("raise ImportError('libX11.so.6: cannot open shared object file')")
    found = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-m", module, *(["xcb"] if module != "app" else [])],
        cwd=PROJECT,
        env=os.environ | found | {"QT_QPA_PLATFORM": "xcb", "SLUICE_STARTED_OVER": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr == (
        "Qt misses libX11.so.6, libxcb-icccm.so.4 for xcb; install with:"
        " sudo apt-get install --yes libx11-6 libxcb-icccm4\n"
    )
