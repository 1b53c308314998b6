"""A conversion killed at any moment, or the program that asked for it: no half model stays that opens."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

from app.engine.types import Failure
from app.library import local
from app.quantization.choice import QuantizationSettings
from app.quantization.convert import MARK, Conversion

READY = "ready\n"
ASKING = f"""
import sys
from pathlib import Path
from app.quantization.convert import Conversion
from app.quantization.choice import QuantizationSettings
conversion = Conversion(Path(sys.argv[1]))
conversion.predict(QuantizationSettings(4))
sys.stdout.write({READY!r})
sys.stdout.flush()
conversion.convert(QuantizationSettings(4), Path(sys.argv[2]))
conversion.close()
"""


def killed(model: Path, folder: Path, random: Random, parent: bool) -> Iterator[str]:
    """What is wrong afterwards: the model is there as a whole or not at all, and what is left is swept."""
    to = folder / "four"
    folder.mkdir()
    (_kill_parent if parent else _kill_child)(model, to, random)
    if to.exists() and not opens(to):
        yield "a half model stands in its place"
    rest = [name for name in names(folder) if name != to.name]
    if any(not name.endswith(MARK) for name in rest) or (rest and not parent):
        yield f"it left {rest}"
    if [each.folder for each in local.models(folder)] != [to] * to.exists():
        yield "the list has what is no model"
    with closing(Conversion(model)) as conversion:
        if isinstance(failure := conversion.convert(QuantizationSettings(4), folder / "next"), Failure):
            yield failure.sentence
    if set(names(folder)) - {to.name} != {"next"}:
        yield f"after the next one there is {names(folder)}"
    if to.exists() and texts_of_tensors(to) != texts_of_tensors(folder / "next"):
        yield "its weights are others"


def names(folder: Path) -> list[str]:
    """Of all that lies there, hidden or not."""
    return sorted(each.name for each in folder.iterdir())


def opens(folder: Path) -> bool:
    """As the list of models finds it, with all that the header of its weights speaks of."""
    found = local.describe(folder)
    return found.unusable is None and found.parameters is not None


def texts_of_tensors(folder: Path) -> dict[str, str]:
    """What its weights are, in short, by name."""
    import mlx.core as mx
    import numpy as np

    found: dict[str, str] = {}
    for file in folder.glob("*.safetensors"):
        arrays = mx.load(str(file))
        assert isinstance(arrays, dict)
        for name, array in arrays.items():
            found[name] = sha256(np.array(array.view(mx.uint8)).tobytes()).hexdigest()
    return found


def _kill_child(model: Path, to: Path, random: Random) -> None:
    with closing(Conversion(model)) as conversion:
        conversion.predict(QuantizationSettings(4))
        timer = threading.Timer(random.uniform(0, 0.12), conversion.cancel)
        timer.start()
        conversion.convert(QuantizationSettings(4), to)
        timer.join()


def _kill_parent(model: Path, to: Path, random: Random) -> None:
    command = [sys.executable, "-c", ASKING, str(model), str(to)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as asking:
        assert asking.stdout is not None and asking.stdout.readline() == READY
        time.sleep(random.uniform(0, 0.12))
        asking.kill()
        asking.stdout.read()  # its child has the same pipe for none of its own, so this ends with the parent
