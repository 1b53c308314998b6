"""Downloads into the shared Hugging Face cache: a queue of child processes that can really be stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.library.types import DownloadJob

AT_ONCE = 2


class Downloads:
    """All downloads of the program. `changed` is called with a model's id, from any thread, when its state changes.

    Figures that flow (bytes, rate, time left) call nobody: read `jobs()` on a clock of your own. None of the methods
    waits for the network; `close` waits for the children to end, which are killed.
    """

    def __init__(self, folder: Path, changed: Callable[[str], None], at_once: int = AT_ONCE) -> None:
        """`folder` keeps the list of unfinished downloads; those of last time come back paused."""
        raise NotImplementedError

    def jobs(self) -> tuple[DownloadJob, ...]:
        """Every download as it stands now, in the order of their beginning."""
        raise NotImplementedError

    def start(self, model_id: str, token: str | None = None) -> None:
        """Download a model, or go on with one that was paused, has failed or was left unfinished last time.

        `token` goes to the child through a pipe and is kept nowhere; without it the hub's own login is used.
        """
        raise NotImplementedError

    def pause(self, model_id: str) -> None:
        """Stop it now and keep what is here."""
        raise NotImplementedError

    def cancel(self, model_id: str) -> None:
        """Stop it now, delete what it had fetched, and take it off the list."""
        raise NotImplementedError

    def dismiss(self, model_id: str) -> None:
        """Take a download that is done off the list."""
        raise NotImplementedError

    def close(self) -> None:
        """The program quits: stop all, keep what is here and the list."""
        raise NotImplementedError
