"""Stores the distributions of one model over a text in a temporary file, for comparison with another model.

It stores complete distributions if the disk has room, otherwise the likeliest tokens, whose sum gives the mass of the
rest.
"""

from __future__ import annotations

import tempfile
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.engine.errors import UserError
from app.i18n import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

Logprobs: TypeAlias = "NDArray[np.float32]"
Ids: TypeAlias = "NDArray[np.int32]"

LARGEST_BYTES = 4_000_000_000
LIKELIEST = 256
FLOAT_BYTES = 4


class Distributions:
    """A temporary file of rows that are written and then read once, in order. Deleted when the program ends."""

    def __init__(self, count: int, vocabulary: int, largest: int = LARGEST_BYTES) -> None:
        self.vocabulary = vocabulary
        self.whole = count * vocabulary * FLOAT_BYTES <= largest or vocabulary <= LIKELIEST
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 – closed with this

    def __enter__(self) -> Distributions:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()

    def put(self, rows: Logprobs) -> None:
        """Write rows of natural logarithms. Raises UserError if the disk can't be written."""
        if not self.whole:
            ids = np.argpartition(rows, -LIKELIEST, axis=1)[:, -LIKELIEST:].astype(np.int32)
            rows = np.concatenate((ids.view(np.float32), np.take_along_axis(rows, ids, axis=1)), axis=1)
        try:
            rows.tofile(self._file)
        except OSError as error:
            what = tr("The temporary file for the model's distributions could not be written ({reason}).")
            todo = tr("Free disk space, or choose a shorter text.")
            raise UserError(what.format(reason=error.strerror or error), todo, str(error), "disk") from None

    def rewind(self) -> None:
        self._file.flush()
        self._file.seek(0)

    def take(self, count: int) -> tuple[Ids | None, Logprobs]:
        """Return the ids and logarithms of the next rows. Ids are None if the rows have all ids."""
        width = self.vocabulary if self.whole else 2 * LIKELIEST
        rows = np.fromfile(self._file, np.float32, count * width).reshape(count, width)
        return (None, rows) if self.whole else (rows[:, :LIKELIEST].view(np.int32), rows[:, LIKELIEST:])
