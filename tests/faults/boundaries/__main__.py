"""The child that makes one attack: `python -m tests.faults.boundaries MODULE NUMBER SECONDS`; its last line is JSON."""

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from app.launch import keep_few_heaps
from tests import conftest  # before Qt: the same surroundings as every test has


def main(name: str, number: int, seconds: float) -> None:
    from PySide6.QtWidgets import QApplication

    from app.ui.shell.application import Application
    from tests.faults import boundaries
    from tests.faults.boundary import attacked

    conftest.keep_apart()
    keep_few_heaps()  # as the program does
    application = QApplication.instance() or Application([])
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            result = attacked(boundaries.of(name)[number], Path(folder), seconds)
        print(json.dumps(asdict(result)), flush=True)
    finally:
        del application
        conftest.pytest_unconfigure()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
