"""The audit lists what is known, and never takes silence for safety."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import audit

WEAK = {
    "dependencies": [
        {"name": "jinja2", "version": "3.1.5", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.6"]}]},
        {"name": "numpy", "version": "2.0", "vulns": []},
        {"name": "mlx", "skip_reason": "not on this system"},
    ]
}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An otherwise empty PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def stands_in(programs: Path, script: str) -> None:
    """For uvx; the report goes where its last argument says."""
    program = programs / "uvx"
    program.write_text(f"#!/bin/sh\nfor file; do :; done\n{script}\n")
    program.chmod(0o755)


def writes(report: object) -> str:
    return f"echo '{json.dumps(report)}' > \"$file\"; exit 1"


def test_what_is_known_is_listed(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in(programs, writes(WEAK))
    assert audit.main([Path("some.lock")]) == audit.FOUND
    assert capsys.readouterr().out.splitlines() == [
        "some.lock: jinja2 3.1.5: PYSEC-1, mended in 3.1.6",
        "3 versions were looked at, 1 weaknesses are known.",
    ]


def test_nothing_known_is_said(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in(programs, writes({"dependencies": [{"name": "numpy", "version": "2.0", "vulns": []}]}))
    assert audit.main([Path("a.lock"), Path("b.lock")]) == audit.CLEAN
    assert "2 versions were looked at, 0 weaknesses" in capsys.readouterr().out


@pytest.mark.parametrize(
    "script", ["echo 'ConnectionError: no network' >&2; exit 1", writes([]), "exit 0", 'echo "{" > "$file"']
)
def test_silence_is_not_safety(programs: Path, script: str, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in(programs, script)
    assert audit.main([Path("some.lock")]) == audit.NOT_ASKED
    assert capsys.readouterr().err.startswith("Nothing was audited, since the advisory database could not be asked (")


def test_without_the_tool_nothing_is_audited(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main([Path("some.lock")]) == audit.NOT_ASKED
    assert "uvx or pipx" in capsys.readouterr().err
