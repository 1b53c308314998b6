"""Looks through the locks for versions with known weaknesses: `make audit`.

pip-audit asks an open advisory database, and is fetched for the occasion by uvx, pipx or pip, so that it is no part of
the environment. Whatever could not be looked up is said: no finding is not the same as no weakness.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LOCKS = tuple(sorted(FOLDER.glob("*.lock")))
PIN = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)
TOOL = "pip-audit"
FETCHERS = (("uvx", TOOL), ("pipx", "run", TOOL))
SWITCHES = ("--no-deps", "--disable-pip", "--vulnerability-service", "osv", "--progress-spinner", "off")
CLEAN, FOUND, NOT_ASKED = 0, 1, 2
Version = tuple[str, str]
Round = dict[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """Which versions were looked up, and what is known against them."""

    looked_up: frozenset[Version]
    findings: tuple[str, ...]


def main(locks: Sequence[Path] = LOCKS) -> int:
    """0: nothing is known against any; 1: something is; 2: not all of them could be looked up."""
    wanted = sorted({pin for lock in locks for pin in PIN.findall(lock.read_text("utf-8"))})
    with tempfile.TemporaryDirectory() as folder:
        try:
            tool = _tool(Path(folder))
            answers = [_ask(tool, each, Path(folder)) for each in _rounds(wanted)]
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            return _not_asked(error)
    return _tell(wanted, answers)


def _tool(folder: Path) -> Sequence[str]:
    """How pip-audit is called here."""
    fetcher = next((fetcher for fetcher in FETCHERS if shutil.which(fetcher[0])), None)
    if fetcher is not None:
        return fetcher
    venv.create(folder / "tool", with_pip=True)
    programs = folder / "tool" / "bin"
    command = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TOOL]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return (str(programs / TOOL),)


def _rounds(wanted: Sequence[Version]) -> Iterator[Round]:
    """Each version once, whichever system or Python it is for; a package has one version in each round."""
    left = list(wanted)
    while left:
        asked: Round = {}
        for name, version in left:
            asked.setdefault(name, version)
        yield asked
        left = [(name, version) for name, version in left if asked[name] != version]


def _ask(tool: Sequence[str], asked: Round, folder: Path) -> Answer:
    """Raises ValueError with what pip-audit said where it found nobody to ask."""
    file, report = folder / "asked.txt", folder / "report.json"
    file.write_text("".join(f"{name}=={version}\n" for name, version in asked.items()), "utf-8")
    report.unlink(missing_ok=True)
    command = [*tool, "--requirement", str(file), *SWITCHES, "--format", "json", "--output", str(report)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(report.read_text("utf-8"))["dependencies"]
    except (OSError, ValueError, TypeError, KeyError):
        raise ValueError(_last_line(done.stderr)) from None
    known = [package for package in packages if "vulns" in package]
    looked_up = frozenset((package["name"], package["version"]) for package in known)
    return Answer(looked_up, tuple(finding for package in known for finding in _findings(package)))


def _findings(package: dict[str, Any]) -> Iterator[str]:
    for weakness in package["vulns"]:
        names = ", ".join((weakness["id"], *weakness.get("aliases", ())))
        mended = ", ".join(weakness.get("fix_versions", ())) or "none yet"
        yield f"{package['name']} {package['version']}: {names}; mended in {mended}"


def _tell(wanted: Sequence[Version], answers: Sequence[Answer]) -> int:
    findings = [finding for answer in answers for finding in answer.findings]
    looked_up = frozenset().union(*(answer.looked_up for answer in answers))
    unknown = [f"{name} {version}" for name, version in wanted if (name, version) not in looked_up]
    known = "1 weakness is known" if len(findings) == 1 else f"{len(findings)} weaknesses are known"
    print("\n".join([*findings, f"{len(wanted) - len(unknown)} of {len(wanted)} versions were looked up, {known}."]))
    if unknown:
        print(f"Nobody knows of {', '.join(unknown)}.", file=sys.stderr)
    return FOUND if findings else NOT_ASKED if unknown else CLEAN


def _not_asked(error: Exception) -> int:
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
    print(f"Nothing was audited: the advisory database could not be asked ({_last_line(said)}).", file=sys.stderr)
    return NOT_ASKED


def _last_line(said: str) -> str:
    return (said.strip().splitlines() or ["it said nothing"])[-1]


if __name__ == "__main__":
    sys.exit(main())
