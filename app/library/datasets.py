"""Files of datasets on the Hugging Face hub: a list, and downloads into the cache that continue after an interruption.

Calls wait for the network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.errors import AbortedError, UserError
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, Failure
from app.i18n import tr
from app.library import plan
from app.library.blobs import DATASETS, Repository
from app.library.cached import commit_of
from app.library.hub import NAME
from app.library.local import cache_folder
from app.library.types import HubFile, RetryPolicy

if TYPE_CHECKING:
    from huggingface_hub.hf_api import RepoSibling

MOST_FILES = 2_000
PACE = RetryPolicy(tries=4, longest_wait_s=4.0)


@dataclass(frozen=True, slots=True)
class DatasetFiles:
    """The readable files of a dataset at a commit."""

    dataset: str
    commit: str
    files: tuple[HubFile, ...]


def files_of(dataset: str, suffixes: Sequence[str], token: str | None = None) -> DatasetFiles | Failure:
    """Return the files of a dataset that have one of these suffixes, sorted by name."""
    from app.library import hub_requests
    from app.library.hub_requests import ERRORS

    if not NAME.fullmatch(dataset):
        what = tr("“{name}” isn't the id of a dataset, which is AUTHOR/NAME.").format(name=dataset[:80])
        return Failure(what, tr("Check the name."), kind="absent")
    try:
        info = hub_requests.dataset(dataset, token)
        wanted = (each for each in info.siblings or () if _is_wanted(each, tuple(suffixes)))
        files = sorted(map(plan.file_of, wanted), key=lambda file: file.name)
        return DatasetFiles(dataset, plan.commit_of(info), tuple(files[:MOST_FILES]))
    except ERRORS as error:
        return _failure(error, dataset)


def cached_file(dataset: str, name: str) -> Path | None:
    """Return a file of the dataset that was downloaded before; None: it isn't in the cache."""
    folder = Repository(cache_folder(), dataset, DATASETS).folder
    file = folder / "snapshots" / commit_of(folder) / name
    return file if ".." not in file.parts and file.is_file() else None


def download(
    found: DatasetFiles,
    file: HubFile,
    arrived: Callable[[int], None],
    stop: StopFlag,
    token: str | None = None,
    pace: RetryPolicy = PACE,
) -> Path | Failure | Cancellation:
    """Download a file into the cache, and return its path. After Stop, the downloaded part stays and is resumed.

    `arrived` gets the number of bytes so far, on this thread.
    """
    from app.library import hub_requests
    from app.library.download_file import DownloadCallbacks, pull, receive, retrying
    from app.library.hub_requests import ERRORS

    repository = Repository(cache_folder(), found.dataset, DATASETS)

    def count(done: int) -> None:
        if stop.asked:
            raise AbortedError(Cancellation())
        arrived(done)

    address = hub_requests.file_address(f"{DATASETS}/{found.dataset}", found.commit, file.name)
    part = repository.part(file)

    def fetch() -> None:
        receive(address, hub_requests.headers(token), part, file.size, pace.silence_s, count)

    reached = partial(repository.present, file)

    def poll(_: object) -> None:
        count(reached())

    ask = partial(retrying, fetch, reached, pace, poll, found.dataset)
    try:
        poll(None)
        pull(repository, file, DownloadCallbacks(ask, lambda: None, poll))
        return repository.link(found.commit, [file]) / file.name
    except AbortedError as aborted:
        return aborted.outcome
    except UserError as refused:
        return refused.failure
    except ERRORS as error:
        return _failure(error, found.dataset)


def _is_wanted(sibling: RepoSibling, suffixes: tuple[str, ...]) -> bool:
    """Return whether a file can be read, and its name is safe as a path in the cache."""
    name: object = sibling.rfilename
    if not isinstance(name, str) or not name.isprintable() or len(name) > plan.LONGEST_NAME or "\\" in name:
        return False
    has_odd_part = any(not part or part.startswith(".") for part in name.split("/"))
    return not has_odd_part and name.lower().endswith(suffixes)


def _failure(error: BaseException, dataset: str) -> Failure:
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    from app.library.hub_requests import hub_failure

    failure = hub_failure(error, dataset)
    if isinstance(error, RepositoryNotFoundError) and not isinstance(error, GatedRepoError):
        what = tr("The hub has no dataset “{name}”, or it is private.").format(name=dataset)
        return Failure(what, tr("Check the name."), failure.details, failure.kind)
    return failure
