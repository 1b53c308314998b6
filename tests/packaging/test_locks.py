"""The lock of what freezes the program: as strict as the other one, and beside it without a quarrel."""

import re
import tomllib
from pathlib import Path

import pytest

import installed

PROJECT = Path(__file__).parents[2]
LOCK = (PROJECT / "packaging" / "app-requirements.lock").read_text("utf-8")
MAIN_LOCK = (PROJECT / "packaging" / "requirements.lock").read_text("utf-8")
PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)


def test_it_names_no_host() -> None:
    assert not re.search(r"https?://|file:|--(extra-)?index-url|--find-links", LOCK, re.IGNORECASE)


def test_everything_has_an_exact_version_and_hashes() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert all(PIN.match(entry) and re.search(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries)


def test_it_keeps_step_with_pyproject_and_the_main_lock() -> None:
    groups = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    asked = {re.split(r"[\[<>=!~; ]", line, maxsplit=1)[0] for line in groups["app"]}
    locked = dict(PIN.findall(LOCK))
    assert asked <= set(locked)
    shared = {name: version for name, version in PIN.findall(MAIN_LOCK) if name in locked}
    assert shared == {name: locked[name] for name in shared}


@pytest.mark.parametrize(
    ("lock", "absent"),
    [
        (f"pytest=={pytest.__version__} ; sys_platform == 'linux' \\\n    --hash=sha256:00\n", []),
        ("pytest==0.1 \\\n", ["pytest"]),
        ("no-such-package==1\n", ["no-such-package"]),
    ],
)
def test_what_is_missing_from_the_environment_is_found(lock: str, absent: list[str]) -> None:
    assert installed.missing(lock) == absent
