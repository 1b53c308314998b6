"""The few requests that searching and looking closer make, through the hub's own client and with a time limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import httpx2  # the HTTP client that huggingface_hub is built on
from huggingface_hub import ModelInfo, constants, get_session, get_token
from huggingface_hub.utils import hf_raise_for_status

from app import __version__

TIMEOUT_S = 10.0

Params = Mapping[str, str | int | Sequence[str]]


def models(params: Params, token: str | None) -> list[ModelInfo]:
    """One page of a search. The client's own `list_models` would wait for minutes where the hub refuses."""
    answer = _get(f"{constants.ENDPOINT}/api/models", params, token).json()
    if not isinstance(answer, list):
        raise ValueError("the answer to a search is no list")
    return [ModelInfo(**{"siblings": None, **item}) for item in answer]


def model(model_id: str, token: str | None) -> ModelInfo:
    """All that the hub knows of a model, its files' sizes and checksums included."""
    answer: dict[str, Any] = _get(f"{constants.ENDPOINT}/api/models/{model_id}", {"blobs": "true"}, token).json()
    return ModelInfo(**answer)


def text(model_id: str, commit: str, name: str, token: str | None) -> str:
    """A small text file of a model."""
    address = file_address(model_id, commit, name)
    return _get(address, {}, token).content.decode("utf-8", "replace")


def file_address(model_id: str, commit: str, name: str) -> str:
    """Where the hub answers with a file, or sends on to where it lies."""
    return f"{constants.ENDPOINT}/{model_id}/resolve/{commit}/{quote(name)}"


def headers(token: str | None) -> dict[str, str]:
    """With the given token, else with that of the hub's own login if there is one.

    The client's own way to build them asks the hub for a list of other programs first, to tell which one is running it.
    """
    known = token or (None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token())
    built = {"User-Agent": f"sluice/{__version__}"}
    return built | {"Authorization": f"Bearer {known}"} if known else built


def _get(address: str, params: Params, token: str | None) -> httpx2.Response:
    answer = get_session().get(address, params=dict(params), headers=headers(token), timeout=TIMEOUT_S)
    hf_raise_for_status(answer)
    return answer
