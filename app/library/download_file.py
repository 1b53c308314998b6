"""Child process that downloads a model: a request on stdin, messages as lines of JSON on stdout."""

import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub import ModelInfo, constants
from huggingface_hub.utils import WeakFileLock

from app.engine.errors import UserError, details_of
from app.engine.types import Failure
from app.files import json_reader
from app.i18n import tr
from app.library import hub_requests, plan
from app.library.blobs import Repository, is_whole
from app.library.hub_requests import ERRORS, hub_failure, is_temporary, retry_after_s
from app.library.types import HubFile, RetryPolicy

PARTIAL = 206
DAMAGED_TRIES = 2
LOCK_S = 0.2

Arrived = Callable[[int], None]


class DownloadCallbacks(NamedTuple):
    """Callbacks for the steps of a file's download."""

    fetch: Callable[[], None]
    """Download the missing part."""
    checking: Callable[[], None]
    waiting: Callable[[bool], None]
    """True, every LOCK_S: another program has locked the file; False: it was released."""


def pull(repository: Repository, file: HubFile, steps: DownloadCallbacks) -> None:
    """Download a file completely. Programs that download the same file wait for each other."""
    with _locked(repository.lock(file), steps.waiting):
        for _ in range(DAMAGED_TRIES):
            if repository.has(file):
                return
            part = repository.part(file)
            steps.fetch()
            steps.checking()
            if is_whole(part, file):
                part.replace(repository.blob(file))
                return
            part.unlink(missing_ok=True)
    what = tr("The checksum of {name} was wrong {tries} times.")
    what = what.format(name=file.name, tries=DAMAGED_TRIES)
    raise UserError(what, tr("Try again later, or report it to the model's author."), kind="checksum")


def receive(address: str, headers: dict[str, str], part: Path, size: int, silence_s: float, arrived: Arrived) -> None:
    """Append the missing bytes to a part file. If the connection breaks, raise; received bytes stay."""
    part.parent.mkdir(parents=True, exist_ok=True)
    part.touch()
    here = part.stat().st_size
    if here > size:
        here = _restart(part)
    if here == size:
        return
    with hub_requests.opened(address, headers | {"Range": f"bytes={here}-"}, silence_s) as answer:
        if answer.status_code == hub_requests.PAST_THE_END:
            _restart(part)
            raise httpx2.RemoteProtocolError("the hub has less of the file than is here")
        if not _is_continued(answer, here):
            if answer.headers.get("Content-Length", str(size)) != str(size):
                raise httpx2.RemoteProtocolError("an answer that is not the file")
            here = _restart(part)
        with part.open("ab") as stream:
            for chunk in answer.iter_raw():
                stream.write(chunk)
                stream.flush()
                here += len(chunk)
                arrived(here)
                if here > size:
                    break
    if here < size:
        raise httpx2.RemoteProtocolError(f"the file ended after {here} of {size} bytes")


@contextmanager
def _locked(lock: Path, waiting: Callable[[bool], None]) -> Iterator[None]:
    lock.parent.mkdir(parents=True, exist_ok=True)
    is_free = True
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(WeakFileLock(lock, timeout=LOCK_S))
                break
            except TimeoutError:
                is_free = False
                waiting(True)
        if not is_free:
            waiting(False)
        yield


def _is_continued(answer: httpx2.Response, here: int) -> bool:
    begins = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("-")[0]
    return here == 0 or (answer.status_code == PARTIAL and begins == str(here))


def _restart(part: Path) -> int:
    part.write_bytes(b"")
    return 0


Value = TypeVar("Value")
Say = Callable[[Mapping[str, Any]], None]

SPOKEN_EVERY_S = 0.1
SPARE_BYTES = 50_000_000
"""Bytes of disk space to leave free."""
TIMES = 2
"""Number of attempts per file: a file that was deleted meanwhile is downloaded again."""
NICENESS = 10
"""Niceness of the process, since generation has priority."""


@dataclass(frozen=True, slots=True)
class RetryPause:
    """A pause before a retry: the reason and the seconds."""

    why: str
    seconds: float


def retrying(
    act: Callable[[], Value],
    progress: Callable[[], int],
    pace: RetryPolicy,
    tell: Callable[[RetryPause | None], None],
    name: str,
) -> Value:
    """Return `act()`; retry after temporary failures while `progress` grows."""
    failed, reached = 0, progress()
    while True:
        try:
            return act()
        except ERRORS as error:
            if not is_temporary(error):
                raise
            # A restarted file makes progress only beyond its earlier size.
            gained = progress() > reached
            failed, reached = (1 if gained else failed + 1), max(reached, progress())
            if failed >= pace.tries:
                raise
            seconds = retry_after_s(error) or min(pace.longest_wait_s, pace.first_wait_s * 2 ** (failed - 1))
            if not gained or retry_after_s(error):
                tell(RetryPause(hub_failure(error, name).what, seconds))
                time.sleep(seconds)
                tell(None)


@dataclass(frozen=True, slots=True)
class DownloadRequest:
    model_id: str
    token: str | None = field(default=None, repr=False)
    pace: RetryPolicy = field(default_factory=RetryPolicy)


def fetch(order: DownloadRequest, say: Say) -> None:
    """Download a model into the cache, and link it when it is complete; `say` gets the messages."""
    try:
        folder = _Fetch(order, say).run()
        say({"say": "done", "folder": str(folder)})
    except UserError as refused:
        say({"say": "failed", **asdict(refused.failure)})
    except ERRORS as error:
        say({"say": "failed", **asdict(hub_failure(error, order.model_id))})


class _Fetch:
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
            self._repository.blob(file).stat()  # raises the reason if it is gone again
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
            what = tr("The download needs {missing} GB, and the disk has {free} GB free.")
            what = what.format(missing=f"{missing / 1e9:.2f}", free=f"{free / 1e9:.2f}")
            raise UserError(what, tr("Free disk space, then resume; the downloaded part is still there."), kind="disk")

    def _pull(self, index: int, file: HubFile, commit: str) -> None:
        order, part = self._order, self._repository.part(file)
        address = hub_requests.file_address(order.model_id, commit, file.name)
        fetch_part = partial(
            receive,
            address,
            hub_requests.headers(order.token),
            part,
            file.size,
            order.pace.silence_s,
            partial(self._tell_arrived, index),
        )
        reached = partial(self._repository.present, file)
        steps = DownloadCallbacks(
            partial(retrying, fetch_part, reached, order.pace, self._tell_wait, order.model_id),
            partial(self._say, {"say": "checking"}),
            partial(self._tell_busy, file.name),
        )
        pull(self._repository, file, steps)
        self._say({"say": "file", "index": index, "done": file.size})

    def _tell_arrived(self, index: int, done: int) -> None:
        now = time.monotonic()
        if now - self._spoken_at >= SPOKEN_EVERY_S:
            self._spoken_at = now
            self._say({"say": "file", "index": index, "done": done})

    def _tell_busy(self, name: str, busy: bool) -> None:
        why = tr("Another program is downloading {name}.").format(name=name)
        self._tell_wait(RetryPause(why, 0.0) if busy else None)

    def _tell_wait(self, waiting: RetryPause | None) -> None:
        self._say({"say": "going"} if waiting is None else {"say": "waiting", **asdict(waiting)})


def main() -> int:
    """Read the request and download; exit at once when the parent has ended."""
    request = json_reader.parse(sys.stdin.readline())
    order = DownloadRequest(request["model_id"], request["token"], RetryPolicy(**request["pace"]))
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    os.nice(NICENESS)
    try:
        fetch(order, _print)
    except Exception as error:
        what = tr("The download was interrupted.")
        _print({"say": "failed", **asdict(Failure(what, tr("Try again."), details_of(error)))})
    return 0


def _print(message: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _exit_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)
