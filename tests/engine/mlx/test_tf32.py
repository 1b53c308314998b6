"""TF32 of simulated devices."""

import mlx.core as mx
import pytest

from app.engine.mlx.tf32 import is_tf32_allowed


@pytest.mark.parametrize(
    ("architecture", "environment", "is_allowed"),
    [
        ("sm_90", "0", False),
        ("sm_90", "1", True),
        ("sm_120", None, True),
        ("sm_120", "", False),
        ("sm_90", "true", False),
        ("sm_90", " 2x", True),
        ("sm_90", "00", False),
        ("sm_75", "1", None),
        ("applegpu_g17s", "0", False),
        ("applegpu_g15s", "1", None),
        ("x86_64", "1", None),
    ],
)
def test_tf32_depends_on_device_and_environment(
    architecture: str, environment: str | None, is_allowed: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mx, "device_info", lambda: {"architecture": architecture})
    monkeypatch.delenv("MLX_ENABLE_TF32", raising=False)
    if environment is not None:
        monkeypatch.setenv("MLX_ENABLE_TF32", environment)
    assert is_tf32_allowed() is is_allowed
