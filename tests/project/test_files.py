import re
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
LOCK = (PROJECT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
LARGEST_FILE_BYTES = 12_000_000
# One way to say each of these, in pieces, so that this file doesn't hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(("/" + "work/", "/" + r"home/\w", "/" + r"Users/\w", "/" + "root/", "/" + "tmp/[a-z]"))
)


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


BANNED_IN_NAMES = """
    acquaint ahead announcing asking callers calm coding commanding crowds dress drive elbow feed foreseeing foresight
    ghosts guiding inspecting judging keeping laboratory making manners mending patience picking place preferring
    pressing returning room showing surprising taking telling touring tracing wardrobe ways wishes
"""
"""Words that are in no name of a module of the program: each has a term of the trade."""


def test_names_of_modules_have_no_banned_word() -> None:
    banned, modules = BANNED_IN_NAMES.split(), sorted((PROJECT / "app").rglob("*.py"))
    assert modules
    assert [str(each) for each in modules if set(each.stem.split("_")).intersection(banned)] == []
