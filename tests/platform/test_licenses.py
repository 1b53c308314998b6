import json
import re
import tomllib
from pathlib import Path

import pytest

from app.platform import licenses
from app.platform.licenses import ComponentLicense, normal

PROJECT = Path(__file__).parents[2]
TEXTS = PROJECT / "resources" / "licences"
ELSEWHERE = {"mlx-metal", "mlx-cpu"}
"""Packages that only one of the two systems has."""


@pytest.fixture(scope="module")
def parts() -> tuple[ComponentLicense, ...]:
    return licenses.everything(TEXTS, PROJECT / "LICENSE")


def test_roots_equal_pyproject() -> None:
    asked = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    asked_names, roots = ({re.split(r"[\[<>=!~; ]", line)[0] for line in lines} for lines in (asked, licenses.ROOTS))
    assert asked_names == roots


def test_everything_has_all_locked_packages(parts: tuple[ComponentLicense, ...]) -> None:
    locked = set(re.findall(r"^([\w.-]+)==", (PROJECT / "packaging" / "requirements.lock").read_text("utf-8"), re.M))
    groups = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    tools = {
        normal(package.name) for package in licenses.packages(re.split("[<>=]", line)[0] for line in groups["dev"])
    }
    told = {normal(part.name) for part in parts}
    assert locked - ELSEWHERE <= told | tools
    assert told & locked, "what is bundled is in the lock"


def test_everything_has_license_and_text(parts: tuple[ComponentLicense, ...]) -> None:
    assert [part.name for part in parts if not part.license or not part.text] == []
    assert len({part.name for part in parts}) == len(parts)


def test_everything_has_other_parts(parts: tuple[ComponentLicense, ...]) -> None:
    versions = {part.name: part.version for part in parts}
    assert parts[0].name == "Sluice"
    assert {"Python", "Qt", "OpenBLAS", "PyInstaller's starter"} <= set(versions)
    assert versions["Qt"].startswith("6.")


def test_everything_has_compiled_in_parts(parts: tuple[ComponentLicense, ...]) -> None:
    (tokenizers,) = (part for part in parts if part.name == "tokenizers")
    assert re.search(r"Compiled into it:\n(.+\n)*esaxx-rs \S+ Apache-2.0", tokenizers.text)


@pytest.mark.slow
def test_everything_has_bundled_system_libraries(tmp_path: Path) -> None:
    system = [{"name": "libfoo1 (of the system)", "licence": "MIT", "about": "Carried along.", "text": "As is."}]
    (tmp_path / licenses.SYSTEM_LIBRARIES).write_text(json.dumps(system), "utf-8")
    (found,) = (part for part in licenses.everything(tmp_path, tmp_path / "absent") if "system" in part.name)
    assert found == ComponentLicense("libfoo1 (of the system)", "", "MIT", "Carried along.\n\nAs is.")
