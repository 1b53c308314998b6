"""The steps of `make mac-check` that only a Mac takes, on stand-ins, and the facts that steps write."""

import json
from pathlib import Path

import pytest

from tests.mac_check import crashes
from tests.mac_check.facts import Facts

HEAD = {"app_name": "Sluice", "timestamp": "2026-11-23", "bug_type": "309"}
BODY = {
    "userID": 501,
    "procPath": "/" + "Users/planted/Sluice.app/Contents/MacOS/Sluice",
    "exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
    "termination": {"indicator": "Abort trap: 6"},
    "faultingThread": 1,
    "usedImages": [{"name": "libsystem_kernel.dylib"}, {"name": "libmlx.dylib"}],
    "threads": [
        {"frames": []},
        {"name": "engine", "frames": [{"imageIndex": 0, "symbol": "__pthread_kill"}, {"imageIndex": 1}]},
    ],
}


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    return Facts(tmp_path / "facts.tsv")


def rows(folder: Path) -> list[list[str]]:
    return [line.split("\t") for line in (folder / "facts.tsv").read_text("utf-8").splitlines()]


def test_crash_report_names_no_user(tmp_path: Path) -> None:
    (tmp_path / "Sluice-2026.ips").write_text(f"{json.dumps(HEAD)}\n{json.dumps(BODY)}")
    (tmp_path / "Safari-2026.ips").write_text("of another program")
    (tmp_path / "python3.13-2026.ips").write_text("{}\n{}")
    told = list(crashes.reports(tmp_path, 0))
    where = "engine: libsystem_kernel.dylib:__pthread_kill < libmlx.dylib:?"
    assert told == [f"Sluice: EXC_CRASH SIGABRT Abort trap: 6; {where}", "a report that could not be read: KeyError"]
    assert list(crashes.reports(tmp_path, (tmp_path / "Sluice-2026.ips").stat().st_mtime + 60)) == []


def test_crash_in_the_program_s_log_is_reported(facts: Facts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crashes, "ON_A_MAC", False)
    monkeypatch.setenv("SCRATCH", str(tmp_path / "scratch"))
    monkeypatch.setenv("OUT", str(tmp_path / "results" / "crashes"))
    log = tmp_path / "results" / "moved" / "crash.log"
    log.parent.mkdir(parents=True)
    log.write_text("")
    crashes.look(facts)
    assert not facts.failed
    log.write_text('Fatal Python error: Aborted\n\n  File "/of/somebody/run.py", line 7 in go\n')
    crashes.look(facts)
    assert facts.failed and rows(tmp_path)[-1] == ["told", "in the log", "run.py 7 go", ""]
