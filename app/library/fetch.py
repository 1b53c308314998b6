"""The child process that downloads one model: an order on stdin, what happens as lines of JSON on stdout."""

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from huggingface_hub import ModelInfo, constants

from app.engine.errors import UserError, details_of
from app.engine.types import Failure
from app.files import json_reader
from app.i18n import tr
from app.library import hub_requests, plan, transfer
from app.library.blobs import Repository
from app.library.failures import ERRORS, hub_failure, passes, wait_asked
from app.library.types import HubFile, RetryPolicy

Value = TypeVar("Value")
Say = Callable[[Mapping[str, Any]], None]

SPOKEN_EVERY_S = 0.1
SPARE_BYTES = 50_000_000
"""What is left free on the disk, for whoever else writes to it."""
TIMES = 2
"""What somebody took out of the cache meanwhile is fetched once more."""
NICENESS = 10
"""The model that generates meanwhile comes first."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why nothing happens, and for how long."""

    why: str
    seconds: float


def retrying(
    act: Callable[[], Value],
    progress: Callable[[], int],
    pace: RetryPolicy,
    tell: Callable[[Waiting | None], None],
    name: str,
) -> Value:
    """What `act` returns, tried again as long as there is `progress` or hope; what does not pass is raised."""
    failed, reached = 0, progress()
    while True:
        try:
            return act()
        except ERRORS as error:
            if not passes(error):
                raise
            # A file that is begun anew has gained nothing until it is further than it ever was.
            gained = progress() > reached
            failed, reached = (1 if gained else failed + 1), max(reached, progress())
            if failed >= pace.tries:
                raise
            seconds = wait_asked(error) or min(pace.longest_wait_s, pace.first_wait_s * 2 ** (failed - 1))
            if not gained or wait_asked(error):
                tell(Waiting(hub_failure(error, name).what, seconds))
                time.sleep(seconds)
                tell(None)


@dataclass(frozen=True, slots=True)
class DownloadRequest:
    """What to download."""

    model_id: str
    token: str | None = field(default=None, repr=False)
    pace: RetryPolicy = field(default_factory=RetryPolicy)


def fetch(order: DownloadRequest, say: Say) -> None:
    """Download a model into the cache and make it appear when it is whole; `say` tells how it goes and how it ended."""
    try:
        folder = _Fetch(order, say).run()
        say({"say": "done", "folder": str(folder)})
    except UserError as refused:
        say({"say": "failed", **asdict(refused.failure)})
    except ERRORS as error:
        say({"say": "failed", **asdict(hub_failure(error, order.model_id))})


class _Fetch:
    """One download, from asking the hub to the last link."""

    def __init__(self, order: DownloadRequest, say: Say) -> None:
        self._order = order
        self._say = say
        self._repository = Repository(Path(constants.HF_HUB_CACHE), order.model_id)
        self._spoken_at = 0.0

    def run(self) -> Path:
        info = self._ask()
        commit, files = plan.commit_of(info), plan.files_of(info)
        if not plan.weights_of(files):
            what = tr("“{name}” has no weights that mlx-lm reads (model*.safetensors).")
            what = what.format(name=self._order.model_id)
            raise UserError(what, tr("Choose an MLX or safetensors version of the model."), kind="weights")
        self._say_plan(files)
        self._check_room(files)
        for _ in range(TIMES):
            for index, file in enumerate(files):
                if not self._repository.has(file):
                    self._pull(index, file, commit)
        for file in files:
            self._repository.blob(file).stat()  # which says what is wrong where it is gone again
        folder = self._repository.link(commit, files)
        self._repository.sweep()
        return folder

    def _ask(self) -> ModelInfo:
        order = self._order
        ask = partial(hub_requests.model, order.model_id, order.token)
        return retrying(ask, lambda: 0, order.pace, self._tell_wait, order.model_id)

    def _say_plan(self, files: tuple[HubFile, ...]) -> None:
        listed = [{**asdict(file), "present": self._repository.present(file)} for file in files]
        self._say({"say": "plan", "files": listed})

    def _check_room(self, files: tuple[HubFile, ...]) -> None:
        missing = sum(file.size - self._repository.present(file) for file in files)
        self._repository.folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self._repository.folder).free
        if missing and missing + SPARE_BYTES > free:
            what = tr("{missing} GB are to come, and the disk has {free} GB free.")
            what = what.format(missing=f"{missing / 1e9:.2f}", free=f"{free / 1e9:.2f}")
            raise UserError(what, tr("Make room, then go on: what is here is kept."), kind="disk")

    def _pull(self, index: int, file: HubFile, commit: str) -> None:
        order, part = self._order, self._repository.part(file)
        address = hub_requests.file_address(order.model_id, commit, file.name)
        receive = partial(
            transfer.receive,
            address,
            hub_requests.headers(order.token),
            part,
            file.size,
            order.pace.silence_s,
            partial(self._tell_arrived, index),
        )
        reached = partial(self._repository.present, file)
        steps = transfer.Steps(
            partial(retrying, receive, reached, order.pace, self._tell_wait, order.model_id),
            partial(self._say, {"say": "checking"}),
            partial(self._tell_busy, file.name),
        )
        transfer.pull(self._repository, file, steps)
        self._say({"say": "file", "index": index, "done": file.size})

    def _tell_arrived(self, index: int, done: int) -> None:
        now = time.monotonic()
        if now - self._spoken_at >= SPOKEN_EVERY_S:
            self._spoken_at = now
            self._say({"say": "file", "index": index, "done": done})

    def _tell_busy(self, name: str, busy: bool) -> None:
        why = tr("Another program is downloading {name}.").format(name=name)
        self._tell_wait(Waiting(why, 0.0) if busy else None)

    def _tell_wait(self, waiting: Waiting | None) -> None:
        self._say({"say": "going"} if waiting is None else {"say": "waiting", **asdict(waiting)})


def main() -> int:
    """Read the order, fetch, and leave at once when the program that gave it has gone."""
    given = json_reader.parse(sys.stdin.readline())
    order = DownloadRequest(given["model_id"], given["token"], RetryPolicy(**given["pace"]))
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    os.nice(NICENESS)
    try:
        fetch(order, _print)
    except Exception as error:
        what = tr("The download broke off.")
        _print({"say": "failed", **asdict(Failure(what, tr("Try again."), details_of(error)))})
    return 0


def _print(message: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _leave_with_parent() -> None:
    """The pipe from the parent closes when it dies, however that happened."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
