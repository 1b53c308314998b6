"""What may stand in the repository: a lock that names no host and keeps step, no machine's paths, nothing heavy."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LOCK = (PROJECT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
LARGEST_FILE_BYTES = 12_000_000
# One way to say each of these, in pieces, so that this file doesn't hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(("/" + "work/", "/" + r"home/\w", "/" + r"Users/\w", "/" + "root/", "/" + "tmp/[a-z]"))
)
ADDRESS = re.compile(r"https?://|file:|--(extra-)?index-url|--find-links", re.IGNORECASE)


@pytest.fixture(scope="session")
def tracked() -> list[Path]:
    """Every file in git that is on the disk."""
    try:
        listing = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this copy of the project is not a git repository")
    return [PROJECT / name for name in listing.split("\0") if name and (PROJECT / name).is_file()]


def test_the_lock_names_no_host() -> None:
    assert not ADDRESS.search(LOCK)


def test_everything_locked_has_an_exact_version_and_hashes() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    unfixed = [entry.splitlines()[0] for entry in entries if not re.match(r"[\w.-]+==[\w.]+ ", entry)]
    unhashed = [entry.splitlines()[0] for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)]
    assert (unfixed, unhashed) == ([], [])


def test_the_lock_keeps_step_with_pyproject() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = settings["project"]["dependencies"] + settings["dependency-groups"]["dev"]
    names = {re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0].lower() for line in asked}
    locked = set(re.findall(r"^([\w.-]+)==", LOCK, re.MULTILINE))
    assert names <= locked


def test_qt_is_a_version_that_is_safe_on_python_3_11() -> None:
    version = re.search(r"^pyside6-essentials==(\d+)\.(\d+)", LOCK, re.MULTILINE)
    assert version
    assert (int(version[1]), int(version[2])) < (6, 12)


def test_no_file_names_a_machine_s_paths(tracked: list[Path]) -> None:
    found = []
    for file in tracked:
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{file.relative_to(PROJECT)}: {match[0]}" for match in MACHINE_PATHS.finditer(text)]
    assert found == []


def test_no_file_is_heavy(tracked: list[Path]) -> None:
    heavy = {str(file.relative_to(PROJECT)): file.stat().st_size for file in tracked}
    assert {name: size for name, size in heavy.items() if size > LARGEST_FILE_BYTES} == {}


def test_packaging_is_no_package(tracked: list[Path]) -> None:
    """With an `__init__.py` it would shadow the `packaging` that transformers imports."""
    assert PROJECT / "packaging" / "__init__.py" not in tracked
