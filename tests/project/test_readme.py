"""The README's example does what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_the_engine_alone(demo_model: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (PROJECT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *_, last = done.stdout.splitlines()
    assert re.fullmatch(r"(stop|length), \d+ tokens, 0 of \d+ prompt tokens cached", last), done.stdout
