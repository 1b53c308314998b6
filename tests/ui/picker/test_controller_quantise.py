"""A model made smaller from the picker: whatever happens, its child process does not outlive it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bridge.tasks import Wire
from app.library.child import Child, Starting
from app.library.types import DownloadState
from app.quantising import convert
from app.quantising.choice import Choice
from app.quantising.convert import Conversion
from app.ui.picker import controller_quantise as module


def test_called_off_between_two_orders_its_child_is_gone(
    demo_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Child] = []
    ended: list[Child] = []

    class Watched(Child):
        def __init__(self, starting: Starting) -> None:
            super().__init__(starting)
            started.append(self)

        def end(self) -> str:
            ended.append(self)
            return super().end()

    conversion = Conversion(demo_model)
    monkeypatch.setattr(convert, "Child", Watched)
    monkeypatch.setattr(convert, "check_target", lambda to, needed: conversion.cancel())
    to = tmp_path / "four"
    job = module._make(conversion, Choice(4), to, tmp_path / "text", Wire(lambda job: None))
    assert (job.state, job.folder) == (DownloadState.DONE, None) and not to.exists()
    assert len(started) == 1 and ended == started
