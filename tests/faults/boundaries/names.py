"""Names of folders and files: the system allows any bytes but a slash, and links that lead anywhere."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from app import settings
from app.library import local, used
from tests.faults.boundary import Blow, Boundary
from tests.faults.windows import Scene, scene

SENDER = "another system, an archive, a mounted disk"
ODD = os.fsdecode(b"mod\xffel \xc3\x28 \n")
DEMO = Path(__file__).parents[3] / "resources" / "models" / "demo"


@contextmanager
def kept(made: Scene) -> Iterator[Blow]:
    """The folder of data and the model are called so: it is opened, answers, and is there at the next start."""
    numbers = count()
    with TemporaryDirectory() as folder:
        model = Path(folder) / ODD
        shutil.copytree(DEMO, model)

        def blow() -> None:
            data = Path(folder) / f"{ODD}{next(numbers)}"
            with scene(data) as other:
                other.window.open_path(str(model))
                other.until(lambda: other.state.model is not None and other.state.model.folder == model)
                other.until_ready()
                assert other.say("Hello")
                assert other.journal.folder == data, other.journal.failure
            found, unread = settings.load(data)
            assert unread is None and str(model) in found.folders, found.folders
            assert model in used.read(data)
            with scene(data) as other:
                assert [turn.text for turn in other.state.turns][:1] == ["Hello"]

        yield blow


@contextmanager
def listed(made: Scene) -> Iterator[Blow]:
    """A folder of models that are none, as the list of models reads it: each is told in a sentence, or passed over."""
    import_module("huggingface_hub")  # a second, once, while nothing else goes on
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(DEMO, folder / ODD)
        for kind in ("loop", "device", "pipe", "gone", "out", "deep"):
            (folder / kind).mkdir()
        (folder / "loop" / "config.json").symlink_to("config.json")
        (folder / "device" / "config.json").symlink_to("/dev/zero")
        os.mkfifo(folder / "pipe" / "config.json")
        (folder / "gone" / "config.json").symlink_to("nowhere")
        (folder / "out" / "config.json").symlink_to("/etc/passwd")
        (folder / "out" / "up").symlink_to("..")
        (folder / "deep" / "config.json").write_bytes(b"[" * 1_000_000)
        (folder / "round").symlink_to("round")

        def blow() -> None:
            found: list[object] = []

            async def ask() -> None:
                found.extend(await made.window._features.picker._tasks.in_thread(local.models, folder, [folder]))

            made.window._features.picker._tasks.start(ask())
            while not found:
                made.live(2)
            assert len([each for each in found if getattr(each, "unusable", None) is None]) == 1, found

        yield blow


BOUNDARIES = (
    Boundary("a path", SENDER, "any name", "names that are no UTF-8", kept, grown_mb=500, lag_ms=None),
    Boundary("a folder of models", SENDER, "ordinary files", "links in circles, to devices and pipes", listed),
)
