"""Record the `--json` of each headless command on the demo model; `python -m tests.golden.verbs` renews it all.

Each command runs twice while it is recorded. Values that differ are measurements, and aren't compared.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
EXPECTED = HERE / "verbs.json"
ROWS = HERE / "data" / "rows.csv"
TEXT = HERE / "data" / "text.txt"
DEMO = "resources/models/demo"
DRAFT = "resources/models/demo-draft"
RELATIVE = 1e-3
"""Between processors and BLAS libraries."""
MEASURED = "measured"
VARYING = (
    "python",
    "chip",
    "machine",
    "system",
    "folder",
    "app",
    "sluice",
    "mlx",
    "mlx_lm",
    "points",
    "computed_in",
    "memory_peak",
)
"""Names of values that differ between computers, or whose number differs between runs."""
ALL_MEASURED = ("why",)
"""Commands that measure everything they print: only the names of their values are compared."""

VERBS: dict[str, tuple[str, ...]] = {
    "ask": ("ask", "Count from 1 to 5.", "--temperature", "0", "--max-tokens", "40"),
    "ask --regex": ("ask", "A number?", "--regex", "[0-9]{3}", "--temperature", "0"),
    "ask --raw": ("ask", "Once upon a time", "--raw", "--temperature", "0.8", "--seed", "7", "--max-tokens", "20"),
    "inside": ("inside", "Count from 1 to 3.", "--leave-out"),
    "weigh": ("weigh", str(TEXT.relative_to(PROJECT)), "--raw", "--against", DRAFT),
    "run": ("run", str(ROWS.relative_to(PROJECT)), "--max-tokens", "24", "--arm", "warm=temperature=0.9"),
    "experiment": ("experiment", "stops", "--max-tokens", "20", "--repeats", "2"),
    "why": ("why", "--context", "64"),
}


def printed(verb: str, data: Path) -> Any:
    """Return what the command prints as JSON."""
    command = [sys.executable, "-m", "app", *VERBS[verb], "--json", "--model", DEMO, "--data-dir", str(data)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.replace(f"{PROJECT}/", ""))


def masked(one: Any, other: Any) -> Any:
    """Return `one` with each value that isn't the same in `other` replaced by a mark."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {name: MEASURED if name in VARYING else masked(one[name], other[name]) for name in one}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [masked(*pair) for pair in zip(one, other, strict=True)]
    return one if one == other else MEASURED


def differences(expected: Any, found: Any, position: str = "") -> list[str]:
    """Return the places where what a command printed isn't what was recorded."""
    if expected == MEASURED:
        return []
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        return [line for name in expected for line in differences(expected[name], found[name], f"{position}.{name}")]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        return [line for index, pair in pairs for line in differences(*pair, f"{position}[{index}]")]
    if isinstance(expected, float) and isinstance(found, float) and found == pytest.approx(expected, rel=RELATIVE):
        return []
    return [] if expected == found else [f"{position}: {found!r} instead of {expected!r}"]


def main() -> None:
    with TemporaryDirectory() as data:
        pairs = {verb: (printed(verb, Path(data)), printed(verb, Path(data))) for verb in VERBS}
    said = {verb: masked(*pair) for verb, pair in pairs.items()}
    said |= {verb: dict.fromkeys(said[verb], MEASURED) for verb in ALL_MEASURED}
    EXPECTED.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
