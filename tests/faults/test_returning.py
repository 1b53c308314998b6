"""Going back to what was read before, in short; and that a wrong cache would be seen."""

from collections.abc import Mapping
from typing import Any

import pytest

from app.engine.mlx.caches.kept import KeptCache
from app.engine.types import LoadRequest
from tests.faults.returning import made, walked


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, LoadRequest]:
    return made(tmp_path_factory.mktemp("returning"))


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_kept_changes_no_token(known: Mapping[str, LoadRequest], seed: int) -> None:
    assert walked(known, 40, seed).lost == ()


def test_a_wrong_cache_is_caught(known: Mapping[str, LoadRequest], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {"plain": known["plain"]}
    right = KeptCache.made

    def wrong(self: KeptCache, tokens: int) -> tuple[list[Any], tuple[int, ...]]:
        caches, ids = right(self, tokens)
        caches[0].keys = caches[0].keys[..., ::-1, :]
        return caches, ids

    monkeypatch.setattr(KeptCache, "made", wrong)
    assert walked(plain, 15, 1).lost
