"""Looks through the locks for versions with known weaknesses: `make audit`.

pip-audit asks an open advisory database, and is fetched for the occasion by uvx or pipx, so that it is no part of the
environment. Where it can't be had or can't ask, that is said: no finding is not the same as no weakness.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LOCKS = (FOLDER / "requirements.lock", FOLDER / "app-requirements.lock")
FETCHERS = (("uvx", "pip-audit"), ("pipx", "run", "pip-audit"))
SWITCHES = ("--disable-pip", "--require-hashes", "--vulnerability-service", "osv", "--progress-spinner", "off")
CLEAN, FOUND, NOT_ASKED = 0, 1, 2


def main(locks: Sequence[Path] = LOCKS) -> int:
    """0: nothing is known against any; 1: something is; 2: nobody could be asked."""
    tool = next((fetcher for fetcher in FETCHERS if shutil.which(fetcher[0])), None)
    if tool is None:
        return _not_asked("pip-audit is fetched by uvx or pipx: install one of them")
    findings: list[str] = []
    looked_at = 0
    for lock in locks:
        report, said = _ask(tool, lock)
        if report is None:
            return _not_asked(said)
        looked_at += len(report["dependencies"])
        findings += _findings(lock, report)
    print("\n".join([*findings, f"{looked_at} versions were looked at, {len(findings)} weaknesses are known."]))
    return FOUND if findings else CLEAN


def _ask(tool: Sequence[str], lock: Path) -> tuple[dict[str, Any] | None, str]:
    """What pip-audit found, or what it said where it found nobody to ask."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = [*tool, "--requirement", str(lock), *SWITCHES, "--format", "json", "--output", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            report = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            return None, (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return (report, "") if isinstance(report, dict) and "dependencies" in report else (None, "it wrote no report")


def _findings(lock: Path, report: dict[str, Any]) -> Iterator[str]:
    for package in report["dependencies"]:
        for weakness in package.get("vulns", ()):
            mended = ", ".join(weakness.get("fix_versions", ())) or "none yet"
            yield f"{lock.name}: {package['name']} {package['version']}: {weakness['id']}, mended in {mended}"


def _not_asked(why: str) -> int:
    print(f"Nothing was audited, since the advisory database could not be asked ({why}).", file=sys.stderr)
    return NOT_ASKED


if __name__ == "__main__":
    sys.exit(main())
