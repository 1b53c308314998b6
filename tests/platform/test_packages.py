import pytest

from app.platform import packages
from app.platform.packages import mlx_backend


@pytest.mark.parametrize(
    ("installed", "backend"),
    [
        (("mlx", "mlx-cuda-13"), "MLX 1.2, CUDA 13"),
        (("mlx", "mlx-cpu", "mlx-cuda-12"), "MLX 1.2, CUDA 12, CPU"),
        (("mlx",), "MLX 1.2"),
    ],
)
def test_mlx_backend_follows_the_installed_packages(
    installed: tuple[str, ...], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "installed_version", lambda package: "1.2" if package in installed else "")
    assert mlx_backend() == backend
