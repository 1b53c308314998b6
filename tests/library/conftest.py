"""A cache of the test's own, and a hub on this machine with the demo model in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session, constants

from tests import hub as hubs
from tests.hub import Hub, Shelf

DEMO = "mlx-community/demo"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache."""
    folder = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    return folder


@pytest.fixture
def hub(cache: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that the client of this process asks; its cache is empty."""
    with hubs.running() as running:
        template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, running.address)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "ENDPOINT", running.address)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        files = {file.name: file.read_bytes() for file in sorted(demo_model.iterdir())}
        running.models[DEMO] = Shelf(files | {"model.py": b"raise SystemExit", "onnx/model.onnx": b"0" * 200_000})
        yield running
        close_session()


@pytest.fixture
def child_environment(hub: Hub, cache: Path) -> dict[str, str]:
    """What a child process needs to ask the same hub."""
    place = {"HF_ENDPOINT": hub.address, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "0"}
    return {**os.environ, **place}
