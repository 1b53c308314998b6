"""A process that shows the window, tells how long that took since the process began, and is gone."""

import os
import sys
import tempfile
import time
from importlib import import_module

from app.__main__ import build
from tests.bench.window_stage import PaintWatch, live

HEAVY = ("mlx_lm", "transformers", "pyqtgraph", "numpy")
"""What must not be imported by then."""
PATIENCE_S = 60.0


def main(kind: str, began: float) -> None:
    """`eager` imports everything first, as a program does that doesn't care."""
    if kind == "eager":
        for name in HEAVY:
            import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        window = build(["--data-dir", folder])
        PaintWatch(window, lambda: _tell(began))
        window.show()
        live(PATIENCE_S)


def _tell(began: float) -> None:
    print(1000 * (time.time() - began), *(name for name in HEAVY if name in sys.modules), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
