"""What a download costs the model that generates meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.library.child import Starting
from app.library.download import Downloads
from app.library.types import DownloadJob, DownloadState
from tests.bench.engine import Bench
from tests.bench.pairing import compare
from tests.bench.row import Row
from tests.bench.slow_hub import BYTES_PER_S, MODEL_ID

PAIRS = 24
FLOWING = 0.6
"""The download counts as going on from this share of the line's pace."""
LOOK_S = 0.05
PATIENCE_S = 60.0


class Loading:
    """One download that can be switched on and off."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._news = threading.Condition()
        self.downloads = Downloads(folder, self._changed, starting=Starting((), environment))
        self.rates: list[float] = []

    def _changed(self, model_id: str) -> None:
        with self._news:
            self._news.notify_all()

    def on(self) -> None:
        """Until bytes arrive as fast as the line allows."""
        self.downloads.start(MODEL_ID)
        self._until(lambda job: job.rate > FLOWING * BYTES_PER_S)

    def off(self) -> None:
        self.rates.append(self.job().rate)
        self.downloads.pause(MODEL_ID)
        self._until(lambda job: job.state is DownloadState.PAUSED)

    def job(self) -> DownloadJob:
        return self.downloads.jobs()[0]

    def _until(self, true: Callable[[DownloadJob], bool]) -> None:
        with self._news:
            for _ in range(round(PATIENCE_S / LOOK_S)):
                if true(self.job()):
                    return
                assert self.job().failure is None, self.job().failure
                self._news.wait(LOOK_S)
        raise TimeoutError(self.job())


def rows() -> list[Row]:
    bench = Bench()
    folder = Path(tempfile.mkdtemp(prefix="sluice-bench-"))
    try:
        with _hub(folder) as environment:
            return [_row(bench, Loading(folder, environment))]
    finally:
        bench.engine.close()
        shutil.rmtree(folder)


def _row(bench: Bench, loading: Loading) -> Row:
    speed = bench.speed(bench.request)

    def meanwhile() -> float:
        loading.on()
        measured = speed()
        loading.off()
        return measured

    try:
        compared = compare(meanwhile, speed, PAIRS)
    finally:
        loading.downloads.close()
    rates = sorted(loading.rates)
    detail = compared.detail() | {"bytes_per_s": rates[len(rates) // 2]}
    return Row("download.throughput_ratio", compared.median, "ratio", 0.97, "higher", detail)


@contextmanager
def _hub(folder: Path) -> Iterator[dict[str, str]]:
    """A hub, and what the child process has to know to ask it."""
    with subprocess.Popen([sys.executable, "-m", "tests.bench.slow_hub"], stdout=subprocess.PIPE, text=True) as hub:
        try:
            assert hub.stdout is not None
            address = f"http://127.0.0.1:{hub.stdout.readline().strip()}"
            place = {"HF_ENDPOINT": address, "HF_HUB_CACHE": str(folder / "hub"), "HF_HUB_OFFLINE": "0"}
            yield {**os.environ, **place}
        finally:
            hub.kill()
