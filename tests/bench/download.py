"""What a download costs the model that generates meanwhile."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.library.download_process import LaunchOptions
from app.library.download_queue import Downloads
from app.library.types import DownloadJob
from app.platform.shutdown import deadline
from tests.bench.engine import Bench
from tests.bench.lengths import length
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.bench.slow_hub import BYTES_PER_S, MODEL_ID

PAIRS = length(60, 1)
FLOWING = 0.6
"""The download counts as going on from this share of the line's pace."""
LOOK_S = 0.05
BURST_S = 0.2
PATIENCE_S = 60.0


class Loading:
    """One download that can be held and let go on."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.downloads = Downloads(folder, lambda model_id: None, starting=LaunchOptions((), environment))
        self.downloads.start(MODEL_ID)
        self._pause = threading.Event()
        self._until(lambda job: job.rate > FLOWING * BYTES_PER_S)

    def hold(self) -> None:
        """The child stands still, as if it were not there; its connection stays."""
        self._signal(signal.SIGSTOP)
        self._pause.wait(LOOK_S + BURST_S)  # a model that has just waited is slower at first, so both sides wait

    def go_on(self) -> None:
        """What the line has gathered comes in one burst, so that is waited for."""
        done = self._job().done
        self._signal(signal.SIGCONT)
        self._until(lambda job: job.done > done)
        self._pause.wait(BURST_S)

    def close(self) -> None:
        self._signal(signal.SIGCONT)
        self.downloads.close()
        self.downloads.wait(deadline(PATIENCE_S))

    def _job(self) -> DownloadJob:
        return self.downloads.jobs()[0]

    def _signal(self, number: signal.Signals) -> None:
        child = self.downloads._jobs[MODEL_ID].child
        assert child is not None
        os.kill(child._process.pid, number)

    def _until(self, true: Callable[[DownloadJob], bool]) -> None:
        for _ in range(round(PATIENCE_S / LOOK_S)):
            if true(self._job()):
                return
            assert self._job().failure is None, self._job().failure
            self._pause.wait(LOOK_S)
        raise TimeoutError(self._job())


def rows() -> list[Row]:
    bench = Bench()
    folder = Path(tempfile.mkdtemp(prefix="sluice-bench-"))
    try:
        with hub(folder) as environment:
            return [_row(bench, Loading(folder, environment))]
    finally:
        bench.engine.close()
        shutil.rmtree(folder)


def _row(bench: Bench, loading: Loading) -> Row:
    speed = bench.speed(bench.request)

    def meanwhile() -> float:
        loading.go_on()
        return speed()

    def alone() -> float:
        loading.hold()
        return speed()

    try:
        compared = compare(meanwhile, alone, PAIRS)
    finally:
        loading.close()
    return Row("download.throughput_ratio", compared.median, compared.detail())


@contextmanager
def hub(folder: Path) -> Iterator[dict[str, str]]:
    """A hub, and what the child process has to know to ask it."""
    with subprocess.Popen([sys.executable, "-m", "tests.bench.slow_hub"], stdout=subprocess.PIPE, text=True) as far:
        try:
            assert far.stdout is not None
            address = f"http://127.0.0.1:{far.stdout.readline().strip()}"
            place = {"HF_ENDPOINT": address, "HF_HUB_CACHE": str(folder / "hub"), "HF_HUB_OFFLINE": "0"}
            yield {**os.environ, **place}
        finally:
            far.kill()
