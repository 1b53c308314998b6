"""Versions of installed packages, and MLX's backend, without importing them."""

BACKENDS = {"mlx-metal": "Metal", "mlx-cuda-13": "CUDA 13", "mlx-cuda-12": "CUDA 12", "mlx-cpu": "CPU"}
"""Backends of MLX by the package that contains them."""


def installed_version(package: str) -> str:
    """Return the version of a package; empty if it isn't installed."""
    # This import takes as long as all others of a start, and would delay the first paint.
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def mlx_backend() -> str:
    """Return for instance "MLX 0.32.4, CPU". Of two installed backends, one has overwritten the other."""
    installed = [backend for package, backend in BACKENDS.items() if installed_version(package)]
    return ", ".join((f"MLX {installed_version('mlx')}", *installed))
