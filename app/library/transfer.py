"""One file from the hub into the cache: what is here already is kept, what arrives is checked."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub.utils import WeakFileLock

from app.engine.errors import UserError
from app.i18n import tr
from app.library import hub_requests
from app.library.blobs import Repository, is_whole
from app.library.types import HubFile

PARTIAL = 206
DAMAGED_TRIES = 2
LOCK_S = 0.2

Arrived = Callable[[int], None]


class Steps(NamedTuple):
    """What happens on the way to a whole file."""

    fetch: Callable[[], None]
    """Bring its part up to its size."""
    checking: Callable[[], None]
    waiting: Callable[[bool], None]
    """Another program has the file in hand; it no longer has."""


def pull(repository: Repository, file: HubFile, steps: Steps) -> None:
    """Make a file whole. Programs that want the same one wait for each other."""
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
    what = tr("{name} arrived damaged {tries} times: its checksum is not the one that the hub tells.")
    what = what.format(name=file.name, tries=DAMAGED_TRIES)
    raise UserError(what, tr("Try again later, or tell the model's author."), kind="checksum")


def receive(address: str, headers: dict[str, str], part: Path, size: int, silence_s: float, arrived: Arrived) -> None:
    """Append to a part file what it lacks. Raises where the connection breaks; what has come is in the file."""
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
        if not _goes_on(answer, here):
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
    with ExitStack() as stack:
        try:
            stack.enter_context(WeakFileLock(lock, timeout=LOCK_S))
        except TimeoutError:
            waiting(True)
            stack.enter_context(WeakFileLock(lock))
            waiting(False)
        yield


def _goes_on(answer: httpx2.Response, here: int) -> bool:
    """Whether the hub began where it was told to, and not at the start of the file."""
    begins = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("-")[0]
    return here == 0 or (answer.status_code == PARTIAL and begins == str(here))


def _restart(part: Path) -> int:
    part.write_bytes(b"")
    return 0
