"""The models on this machine: bundled ones, the Hugging Face cache, and folders that the user added."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.library.types import LocalModel, Source


def models(bundled: Path, folders: Sequence[Path] = ()) -> tuple[LocalModel, ...]:
    """Every model there is; those that mlx-lm can't open come too, with the reason. Reads files: not for a UI thread.

    `bundled` is the folder that holds the program's own models, `folders` are models or folders of models.
    """
    raise NotImplementedError


def describe(folder: Path, source: Source = Source.FOLDER) -> LocalModel:
    """What can be told of one model's folder without loading it."""
    raise NotImplementedError
