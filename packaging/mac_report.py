"""Puts the report of `make mac-check` together: REPORT.md, report.json and what the steps left, in one archive.

usage: mac_report.py RESULTS ARCHIVE

Nothing goes in that isn't looked through for names before, but pictures of our own window. For any Python since 3.9.
"""

import io
import json
import platform
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from privacy import Nameless

PROJECT = Path(__file__).resolve().parents[1]
TOLD = {
    "machine": "which machine this is",
    "environment": "setting everything up, and what is in it then",
    "device": "what MLX computes on, and the engine's thread",
    "truth": "cached and batched against alone, alternatives against float64",
    "memory": "memory refused, wired, and left behind by 200 runs",
    "pictures": "the window in all looks",
    "build": "the frozen program",
    "signature": "its signature, and what Gatekeeper says",
    "moved": "it proves itself elsewhere, opened and quarantined",
    "opening": "files opened cold and warm, a second start, children",
    "keychain": "a token kept, read and forgotten",
    "bench": "the measurements, each with its bar",
    "offscreen": "lint, types and all tests, without a screen",
    "cocoa": "the tests of the window, on the screen",
    "crashes": "what crashed meanwhile",
}
"""What each step is about."""
RED = ("failed", "took too long")
MISSED = "does not hold"
"""As `tests/bench` says it."""
MANY = 4
"""So many facts of one name are a list, and no rows of the table."""
TEXTS = (".txt", ".json", ".md", ".tsv", ".log")
LAST_LINES = 25
LARGEST_TEXT_BYTES = 400_000
LARGEST_BYTES = 20_000_000
"""Of all pictures together: a report goes by mail."""

Step = dict[str, Any]
Fact = dict[str, str]


def main(results: Path, archive: Path) -> None:
    nameless = Nameless(PROJECT, results)
    steps = list(_steps(results, nameless))
    by_hand = list(_facts(results / "by-hand" / "facts.tsv", nameless))
    report = {"made": time.strftime("%Y-%m-%d"), "system": platform.system(), "steps": steps, "by_hand": by_hand}
    files = {
        "REPORT.md": nameless.text(markdown(report)).encode(),
        "report.json": nameless.text(json.dumps(report, indent=1, ensure_ascii=False)).encode(),
    }
    files = {**files, **{name: content for name, content in _left(results, nameless) if name not in files}}
    folder = archive.name[: -len(".tar.gz")]
    with tarfile.open(archive, "w:gz") as packed:
        for name, content in files.items():
            packed.addfile(_entry(f"{folder}/{name}", content), io.BytesIO(content))
    (results / "REPORT.md").write_bytes(files["REPORT.md"])


def markdown(report: dict[str, Any]) -> str:
    """What went wrong first; then all that was done, and each figure with its unit."""
    steps: list[Step] = report["steps"]
    counted = Counter(step["outcome"] for step in steps)
    lines = [
        f"# Sluice on {_machine(steps)}",
        "",
        f"Made on {report['made']} by `make mac-check`: "
        + ", ".join(f"{n} {word}" for word, n in counted.items())
        + ".",
        "",
        *_failures(steps),
        *_missed(steps),
        *_table(steps),
        *_answers(report["by_hand"]),
        *(line for step in steps for line in _section(step)),
    ]
    return "\n".join(lines)


def _machine(steps: list[Step]) -> str:
    told = {fact["name"]: fact["found"] for step in steps if step["step"] == "machine" for fact in step["facts"]}
    system = f"macOS {told['macOS']}" if "macOS" in told else told.get("system", platform.system())
    chip = told.get("machdep.cpu.brand_string") or told.get("processor") or told.get("architecture", "")
    return f"{system}, {chip}" if chip else system


def _failures(steps: list[Step]) -> Iterator[str]:
    red = [step for step in steps if step["outcome"] in RED]
    yield f"## What went wrong: {len(red) or 'nothing'}"
    yield ""
    for step in red:
        late = f" ({step['limit_s'] // 60} minutes)" if step["outcome"] == RED[1] else ""
        yield f"### {step['step']} {step['outcome']}{late}"
        yield ""
        yield from (
            f"- **{_cell(fact['name'])}**: {_cell(fact['found'])} {fact['unit']}".rstrip() for fact in _fails(step)
        )
        yield from (f"- {_cell(fact['found'])}" for fact in step["facts"] if fact["name"] == "red")
        yield from ("", "The last lines of its log:", "", *(f"    {line}" for line in step["last"]), "")


def _missed(steps: list[Step]) -> Iterator[str]:
    """A bar that is missed fails no step: on a busy machine one always is."""
    missed = [fact for step in steps for fact in step["facts"] if fact["found"].endswith(MISSED)]
    if missed:
        yield from ("## Bars that were missed", "")
        yield from (f"- {fact['name']}: {fact['found'][: -len(MISSED)].strip()}" for fact in missed)
        yield ""


def _table(steps: list[Step]) -> Iterator[str]:
    yield from (
        "## All steps",
        "",
        "| step | | outcome | seconds | held | failed |",
        "| --- | --- | --- | ---: | ---: | ---: |",
    )
    for step in steps:
        held = sum(fact["verdict"] == "holds" for fact in step["facts"])
        why = "".join(f": {_cell(fact['found'])}" for fact in step["facts"] if fact["name"] == "not tried")
        took = f"{step['seconds']} | {held} | {len(_fails(step))}" if step["facts"] else " | | "
        yield f"| {step['step']} | {TOLD[step['step']]} | {step['outcome']}{why} | {took} |"
    yield ""


def _answers(answers: list[Fact]) -> Iterator[str]:
    if answers:
        yield from ("## By hand", "", "| question | answer |", "| --- | --- |")
        for fact in sorted(answers, key=lambda each: each["verdict"] != "fails"):
            yield f"| {_cell(fact['name'])} | {'**no**' if fact['verdict'] == 'fails' else fact['found'] or 'yes'} |"
        yield ""


def _section(step: Step) -> Iterator[str]:
    counted = Counter(fact["name"] for fact in step["facts"])
    rows = [fact for fact in step["facts"] if counted[fact["name"]] < MANY]
    if rows and step["outcome"] != "not here":
        yield from (
            f"## {step['step'].capitalize()}: {TOLD[step['step']]}",
            "",
            "| what | found | |",
            "| --- | --- | --- |",
        )
        for fact in rows:
            verdict = {"told": "", "holds": "holds", "fails": "**FAILS**"}[fact["verdict"]]
            yield f"| {_cell(fact['name'])} | {_cell(fact['found'])} {fact['unit']} | {verdict} |".replace("  |", " |")
        yield ""
    for name in (name for name in counted if counted[name] >= MANY):
        yield from (f"    {fact['found']} {fact['unit']}".rstrip() for fact in step["facts"] if fact["name"] == name)
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _fails(step: Step) -> list[Fact]:
    return [fact for fact in step["facts"] if fact["verdict"] == "fails"]


def _steps(results: Path, nameless: Nameless) -> Iterator[Step]:
    """In the order in which they were taken."""
    read = {file: json.loads(file.read_text("utf-8")) for file in results.glob("*/step.json")}
    for file, step in sorted(read.items(), key=lambda each: int(each[1]["number"])):
        last = _text(file.with_name("log.txt")).splitlines()[-LAST_LINES:]
        step["facts"] = list(_facts(file.with_name("facts.tsv"), nameless))
        step["last"] = [nameless.text(line) for line in last]
        yield step


def _facts(file: Path, nameless: Nameless) -> Iterator[Fact]:
    for line in _text(file).splitlines():
        parts = nameless.text(line).split("\t") + [""] * 3
        yield dict(zip(("verdict", "name", "found", "unit"), parts))  # noqa: B905  # Python 3.9 knows no `strict`


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            opened.seek(max(0, file.stat().st_size - LARGEST_TEXT_BYTES))
            return opened.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _left(results: Path, nameless: Nameless) -> Iterator[tuple[str, bytes]]:
    """Logs and reports without names; pictures as they are, as long as they are few enough to be sent."""
    room = LARGEST_BYTES
    for file in sorted(results.rglob("*"), key=lambda each: (len(each.parts), str(each))):
        if not file.is_file() or file.is_symlink():
            continue
        if file.suffix in TEXTS:
            yield str(file.relative_to(results)), nameless.text(_text(file)).encode()
        elif file.suffix == ".png" and file.stat().st_size <= room and _wanted(file):
            room -= file.stat().st_size
            yield str(file.relative_to(results)), file.read_bytes()


def _wanted(file: Path) -> bool:
    """Of the hundreds of looks of each state only the usual one, in both schemes."""
    return file.parent.name != "states" or "-1280x800-100-" in file.name


def _entry(name: str, content: bytes) -> tarfile.TarInfo:
    """Without whose it was."""
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mtime = int(time.time())
    return entry


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
