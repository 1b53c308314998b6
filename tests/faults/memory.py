"""Memory: short of it a run is refused or ends with its text kept, and the program goes on with something smaller."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests import models
from tests.faults.table import Row

POINT = "memory"
PATIENCE_S = 300
CONTEXT = 700


def rows() -> list[Row]:
    """In full; all of it also in the short form."""
    with tempfile.TemporaryDirectory() as folder:
        model = models.tiny_llama(Path(folder) / "model", max_position_embeddings=CONTEXT)
        return [limited(model), smaller(), to_the_end_of_the_context(model), *_on_linux(model)]


def limited(model: Path) -> Row:
    """A low limit, set in the settings: the answer ends before its KV cache outgrows it."""
    said = starved("limit", model)
    whole = (said["reason"], said["kind"]) == ("error", "memory") and 0 < said["tokens"] < CONTEXT and said["text"]
    return _row("a run beyond the memory limit", said, bool(whole))


def smaller() -> Row:
    """A limit too low for the demo model, which is refused before it is read: its draft model opens and writes."""
    models = Path(__file__).parents[2] / "resources" / "models"
    said = _asked("smaller", models / "demo", models / "demo-draft")
    wanted = {"large": ["memory", "memory"], "small": True, "reason": "length", "tokens": 3}
    return Row(POINT, "something smaller under the same limit", 1, () if said == wanted else (str(said),))


def to_the_end_of_the_context(model: Path) -> Row:
    """An endless answer grows its KV cache as far as the model can see."""
    said = starved("context", model)
    return _row("an answer to the end of the context", said, said["reason"] == "context full" and said["text"] > 0)


def out_of_addresses(model: Path) -> Row:
    """The process may take hardly any more, not even a thread's stack: the run ends with an error, and no more."""
    said = starved("addresses", model)
    return _row("hardly any address space left", said, said["reason"] == "error" and bool(said["details"]))


def starved(how: str, model: Path) -> dict[str, Any]:
    """What the child said; what it left unsaid is a loss of its own."""
    nothing = {"reason": "", "kind": "", "details": "", "tokens": 0, "text": 0, "opens": False}
    return nothing | _asked(how, model)


def _asked(how: str, *models: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.faults.starved", how, *map(str, models)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    broke = {"reason": f"exit code {done.returncode}: {done.stderr[-400:]}"}
    found: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else broke
    return found


def _on_linux(model: Path) -> list[Row]:
    if sys.platform == "linux":
        return [out_of_addresses(model)]
    return [Row(POINT, "hardly any address space left", 0, skipped="only Linux limits it")]


def _row(tried: str, said: dict[str, Any], held: bool) -> Row:
    return Row(POINT, tried, 1, () if held and said["opens"] else (str(said),))
