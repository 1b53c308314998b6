"""`make mac-check`: on Linux all that is not the Mac's, in its short form; on a Mac of stand-ins what is."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bundles import bundle

import mac_report
from tests.programs import program, tools

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
NAME, HOST, SERIAL, SIGNER = "Gundelfinger", "gundels-rechner", "C02QQ1PLANTED", "Waltraut Weber"
STEPS = subprocess.run(
    [str(PROJECT / "packaging" / "mac_check.sh"), "--list"], capture_output=True, text=True, check=True
).stdout.split()
FINGERPRINTS = [each.encode() for each in (NAME, HOST, SERIAL, SIGNER, "secret prompt")]
TELLTALE = f'echo "of {NAME.upper()} on {HOST}.local, Serial Number: {SERIAL}"'


@dataclass(frozen=True, slots=True)
class Checked:
    """What a run of it left."""

    done: subprocess.CompletedProcess[str]
    folder: Path

    @property
    def report(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.files["report.json"])
        return read

    @property
    def outcomes(self) -> dict[str, str]:
        return {step["step"]: step["outcome"] for step in self.report["steps"]}

    def facts(self, name: str) -> dict[str, tuple[str, str]]:
        (step,) = [each for each in self.report["steps"] if each["step"] == name]
        return {fact["name"]: (fact["verdict"], fact["found"]) for fact in step["facts"]}

    @property
    def files(self) -> dict[str, bytes]:
        """In the archive, in its order."""
        (archive,) = self.folder.glob("sluice-mac-report-20??-??-??.tar.gz")
        with tarfile.open(archive) as packed:
            assert {(each.uid, each.uname, each.gname) for each in packed} == {(0, "", "")}
            read = {each.name.partition("/")[2]: packed.extractfile(each) for each in packed}
            return {name: file.read() for name, file in read.items() if file is not None}


def running() -> str:
    """The command lines of all processes."""
    return subprocess.run(["ps", "-axww", "-o", "args="], capture_output=True, text=True, check=True).stdout


def run(project: Path, into: Path, environment: Mapping[str, str], *switches: str) -> Checked:
    for folder in (into, into.parent / "tmp"):
        folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [str(project / "packaging" / "mac_check.sh"), "--no-questions", "--into", str(into), *switches],
        env={**os.environ, "CALLS": str(into / "calls"), "TMPDIR": str(into.parent / "tmp"), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Checked(done, into)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of somebody with a name, whose tools name the machine wherever they can."""
    home = tmp_path_factory.mktemp("homes") / NAME
    tools(home / "tools", uv=TELLTALE, hostname=f"echo {HOST}.local", id=f"echo 'Greta {NAME}'", ioreg=TELLTALE)
    (home / "python").symlink_to(sys.executable)
    return home


def of_somebody(home: Path) -> dict[str, str]:
    path = f"{home / 'tools'}:{os.environ['PATH']}"
    return {"HOME": str(home), "USER": NAME, "PATH": path, "PYTHON": sys.executable, "PROMPT": "secret prompt"}


@pytest.fixture(scope="module")
def on_linux(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Checked:
    if sys.platform != "linux":
        pytest.skip("on a Mac it is tried as it is")
    return run(PROJECT, tmp_path_factory.mktemp("linux") / NAME, of_somebody(home), "--short")


def test_report_on_linux_runs_every_step_that_needs_no_mac(on_linux: Checked) -> None:
    assert on_linux.done.returncode == 0, on_linux.files["REPORT.md"].decode()
    assert list(on_linux.outcomes) == STEPS
    only = {name for name, outcome in on_linux.outcomes.items() if outcome == "only on a Mac"}
    assert only == {"signature", "cocoa"}
    absent = {name for name, outcome in on_linux.outcomes.items() if outcome == "not here"}
    assert absent <= {"build", "moved", "keychain"}
    assert {on_linux.outcomes[name] for name in set(STEPS) - only - absent} == {"passed"}


def test_report_is_the_first_file_and_has_figures_with_units(on_linux: Checked) -> None:
    first, second, *others = on_linux.files
    assert (first, second) == ("REPORT.md", "report.json")
    assert {"pictures/documents/first-start.png", "bench/bench.json", "device/log.txt"} <= set(others)
    text = on_linux.files[first].decode()
    assert text.index("## What went wrong: nothing") < text.index("## All steps") < text.index("## Machine")
    assert "| memory limit | " in text and " GB |" in text and " MB |" in text


def test_report_names_no_user_and_no_machine(on_linux: Checked) -> None:
    """Not in what the archive says of its files either."""
    assert NAME.upper() in (on_linux.folder / "build" / "mac-check" / "machine" / "facts.tsv").read_text()
    (archive,) = on_linux.folder.glob("*.tar.gz")
    packed = subprocess.run(["gzip", "-dc", str(archive)], capture_output=True, check=True).stdout
    assert [name for name in FINGERPRINTS if name.lower() in packed.lower()] == []
    assert b"[name]" in on_linux.files["machine/facts.tsv"]


def test_report_leaves_no_process_and_no_file(on_linux: Checked) -> None:
    """Of processes and of files; a lock of ours stays in the system's own place."""
    scratch = on_linux.folder.parent / "tmp"
    assert str(scratch) not in running()
    assert {each.name for each in scratch.iterdir()} <= {f"sluice-{os.getuid()}"}


def test_questions_by_hand_are_recorded_in_the_report(tmp_path: Path) -> None:
    """Who has gone is not waited for; what is wrong stands first."""
    facts = tmp_path / "by-hand" / "facts.tsv"
    facts.parent.mkdir()
    done = subprocess.run(
        ["packaging/mac_check/questions.sh"],
        cwd=PROJECT,
        env={**os.environ, "FACTS": str(facts), "SYSTEM": "Linux"},
        input="y\n\nno, never\n",
        capture_output=True,
        text=True,
        check=True,
    )
    questions = (PROJECT / "packaging" / "mac_check" / "questions.txt").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in facts.read_text("utf-8").splitlines()]
    assert len(questions) == 20 and [row[1] for row in rows] == questions
    assert [row[0] for row in rows] == ["holds", "told", "fails", *["told"] * 17]
    assert done.stdout.count("[y/n]") == 4
    mac_report.main(tmp_path, tmp_path / "sluice-mac-report-2026-01-01.tar.gz")
    told = Checked(done, tmp_path).files["REPORT.md"].decode()
    first, second = f"| {questions[2]} | **no** |", f"| {questions[0]} | yes |"
    assert told.index(first) < told.index(second) < told.index(f"| {questions[1]} | not tried |")


LIBRARY = f". {PROJECT}/packaging/mac_check/limit.sh; GRACE_S=1;"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("limited 9 true", 0),
        ("limited 9 sh -c 'exit 7'", 7),
        ("limited 1 sh -c 'sleep 610 & sleep 610'", 124),
        ("limited 1 sh -c 'trap : TERM; sleep 610; sleep 610'", 124),
        ("limited 9 sh -c 'sleep 610 & exit 0'", 0),
    ],
)
def test_step_with_a_time_limit_ends_with_its_children(command: str, code: int) -> None:
    """On a Mac there is no `timeout`."""
    quiet = subprocess.DEVNULL  # a pipe would be waited for
    ended = subprocess.run(["/bin/bash", "-uc", f"{LIBRARY} {command}"], stdout=quiet, stderr=quiet, timeout=60)
    assert ended.returncode == code
    assert "sleep 610" not in running()


# On a Mac of stand-ins.

SLUICE = """
while [ $# -gt 0 ]; do
    if [ "$1" = --self-test ]; then mkdir -p "$2"; echo '{}' > "$2/report.json"; touch "$2/PASS"; fi
    shift
done
"""
OPEN = """
files=
while [ $# -gt 0 ]; do
    case $1 in
    -n | -W) ;;
    -a) shift ;;
    --args) shift; break ;;
    *.app) ;;
    *) files=$1 ;;
    esac
    shift
done
if [ "$1" = --self-test ]; then mkdir -p "$2"; touch "$2/PASS"; exit 0; fi
[ $# = 0 ] || echo "$*" > "$CALLS.last"
cd "$PYTHONPATH"
"$PLAYED_PYTHON" -m app $files $(cat "$CALLS.last") &
"""
PLUTIL = 'case $1 in -extract) echo 14.0 ;; -convert) echo "{}" ;; esac'
CODESIGN = f"""
case $* in
*-d\\ --verbose*) printf 'Identifier=x\\nAuthority=Developer ID Application: {SIGNER}\\nSignature=adhoc\\n' >&2 ;;
esac
"""
MAC = {
    "uname": "case $* in -m) echo arm64 ;; *) echo Darwin ;; esac",
    "sw_vers": "case $1 in -productVersion) echo 26.1 ;; *) echo 25B1 ;; esac",
    "sysctl": "case $2 in hw.memsize) echo 17179869184 ;; *brand*) echo Apple M3 Max ;; *) echo 4 ;; esac",
    "pmset": 'echo "Now drawing from AC Power"',
    "system_profiler": f'echo "Resolution: 3024 x 1964"; echo "Display Serial Number: {SERIAL}"',
    "open": OPEN,
    "plutil": PLUTIL,
    "codesign": CODESIGN,
    "ditto": 'exec /bin/cp -a "$1" "$2"',
    "spctl": 'echo "rejected (no usable signature)" >&2; exit 3',
    **dict.fromkeys(("security", "xattr", "caffeinate", "defaults", "pkgutil", "log", "make"), ":"),
}


@pytest.fixture(scope="module")
def on_a_mac(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    folder = tmp_path_factory.mktemp("mac")
    project = folder / "project"
    shutil.copytree(PROJECT / "packaging", project / "packaging", ignore=shutil.ignore_patterns("demo_models"))
    for name in ("app", "resources", "pyproject.toml", "README.md", "LICENSE"):
        (project / name).symlink_to(PROJECT / name)
    app = bundle(tmp_path_factory.mktemp("bundle"))
    program(app / "Contents" / "MacOS" / "Sluice", SLUICE)
    shutil.copytree(app, project / "dist" / "Sluice.app", symlinks=True)
    (project / "dist" / "background.png").touch()
    environment = of_somebody(home) | {"PLAYED_PYTHON": sys.executable, "PYTHONPATH": str(PROJECT)}
    environment["PATH"] = f"{tools(folder / 'mac', **MAC)}:{environment['PATH']}"
    only = ("machine", "signature", "moved", "opening")
    yield run(project, folder / "into", environment, *(word for name in only for word in ("--only", name)))


def test_steps_on_a_mac_call_its_tools(on_a_mac: Checked) -> None:
    calls = (on_a_mac.folder / "calls").read_text()
    for call in (
        "caffeinate -i -w ",
        "sw_vers -productVersion",
        "pmset -g batt",
        "codesign --verify --deep --strict --verbose=2 dist/Sluice.app",
        "plutil -lint dist/Sluice.app/Contents/Info.plist",
        "spctl --assess --type execute --verbose=4 dist/Sluice.app",
        "xattr -w com.apple.quarantine 0081;",
    ):
        assert f"\n{call}" in f"\n{calls}", call
    assert any(line.startswith("ditto dist/Sluice.app ") for line in calls.splitlines())
    assert any(line.startswith("open -W -n ") and "--self-test" in line for line in calls.splitlines())


def test_steps_on_a_mac_record_what_they_find(on_a_mac: Checked) -> None:
    told = on_a_mac.files["REPORT.md"].decode()
    assert told.startswith("# Sluice on macOS 26.1 (25B1), Apple M3 Max\n")
    holds = {
        name
        for step in on_a_mac.report["steps"]
        for name, each in on_a_mac.facts(step["step"]).items()
        if each[0] == "holds"
    }
    assert {
        "the signature holds",
        "the self-test, moved and with an empty home",
        "the self-test, opened by macOS",
        "a file opened cold is imported",
        "a file opened while it runs is imported",
        "a second copy gives way",
        "asked to leave, it leaves",
    } <= holds, told
    assert on_a_mac.facts("moved")["what Gatekeeper says of a downloaded one"][1] == "rejected (no usable signature)"


def test_report_does_not_name_the_signer(on_a_mac: Checked) -> None:
    everything = b"".join(on_a_mac.files.values()).lower()
    assert [name for name in FINGERPRINTS if name.lower() in everything] == []
    assert "Signature=adhoc" in on_a_mac.facts("signature")["signature"][1]
