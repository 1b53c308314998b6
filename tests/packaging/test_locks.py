import re
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LOCKS = {file.stem: file.read_text("utf-8") for file in sorted((PROJECT / "packaging").glob("*.lock"))}
MAIN_LOCK, APP_LOCK = LOCKS["requirements"], LOCKS["app-requirements"]
PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS.values(), ids=LOCKS)
def test_lock_has_exact_versions_with_hashes_and_names_no_host(lock: str) -> None:
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links", lock, re.IGNORECASE)
    entries = re.split(r"\n(?=\S)", lock.strip())
    assert all(PIN.match(entry) and re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)


def test_locks_keep_step_with_pyproject_and_with_each_other() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    groups = settings["dependency-groups"]
    locked, of_the_app = dict(PIN.findall(MAIN_LOCK)), dict(PIN.findall(APP_LOCK))
    assert names(settings["project"]["dependencies"] + groups["dev"]) <= locked.keys()
    assert names(groups["app"]) <= of_the_app.keys()
    shared = locked.keys() & of_the_app.keys()
    assert {name: locked[name] for name in shared} == {name: of_the_app[name] for name in shared}


@pytest.mark.parametrize("cuda", ["12", "13"])
def test_cuda_lock_differs_from_the_main_lock_in_the_backend_only(cuda: str) -> None:
    """Another backend in the same environment would overwrite MLX's library."""
    lock = LOCKS[f"requirements-cuda{cuda}"]
    locked, of_the_main = set(PIN.findall(lock)), set(PIN.findall(MAIN_LOCK))
    assert {name for name, _ in of_the_main - locked} == {"mlx-cpu"}
    added = {name for name, _ in locked - of_the_main}
    assert f"mlx-cuda-{cuda}" in added
    assert all(name.startswith("nvidia-") for name in added - {f"mlx-cuda-{cuda}"})
    assert "platform_machine == 'aarch64'" in lock


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0].lower() for line in requirements}
