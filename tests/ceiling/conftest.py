"""Nothing is measured for long."""

import pytest

from app.ceiling import measuring, probes
from app.engine.mlx.measuring import measure


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PASS_S", "STREAM_S", "PRODUCT_S", "DECODE_S"):
        monkeypatch.setattr(measure, name, 0.02)
    monkeypatch.setattr(measuring, "WATCHED_TOKENS", 8)
    monkeypatch.setattr(probes, "LONGEST", 100)
