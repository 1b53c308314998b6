import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import audit
from tests.programs import program

pytestmark = pytest.mark.slow

LOCK = """jinja2==3.1.5 ; sys_platform == 'darwin' \\
    --hash=sha256:00
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:00
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:00
"""
WEAK = {"id": "PYSEC-1", "aliases": ["CVE-2"], "fix_versions": ["3.1.6", "3.2"]}
JINJA = {"name": "jinja2", "version": "3.1.5", "vulns": [WEAK]}
OLD = {"name": "numpy", "version": "2.4.6", "vulns": []}
NEW = {"name": "numpy", "version": "2.5.5", "vulns": []}


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    file = tmp_path / "some.lock"
    file.write_text(LOCK)
    return file


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that is on the PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def stands_in(programs: Path, script: str) -> None:
    """For uvx, called `uvx pip-audit --requirement ASKED …`; the report goes where its last argument says."""
    program(programs / "uvx", f"asked=$3\nfor file; do :; done\n{script}")


def answers(*packages: Mapping[str, object]) -> str:
    """Of these packages those that are asked for; as pip-audit does, it fails where there are findings."""
    told = {f"{each['name']}=={each['version']}": json.dumps(each) for each in packages}
    cases = "\n".join(f"'{name}') found=\"$found$comma\"'{content}'; comma=, ;;" for name, content in told.items())
    loop = f'found=; comma=\nwhile read -r line; do case "$line" in\n{cases}\nesac; done < "$asked"'
    return f'{loop}\necho "{{\\"dependencies\\": [$found]}}" > "$file"; exit 1'


def test_audit_lists_known_weaknesses(programs: Path, lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of what other systems and other Pythons get."""
    stands_in(programs, answers(JINJA, OLD, NEW))
    assert audit.main([lock]) == audit.FOUND
    assert capsys.readouterr().out.splitlines() == [
        "jinja2 3.1.5: PYSEC-1, CVE-2; mended in 3.1.6, 3.2",
        "3 of 3 versions were looked up, 1 weakness is known.",
    ]


def test_audit_without_findings_says_so(programs: Path, lock: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in(programs, answers(JINJA | {"vulns": []}, OLD, NEW))
    assert audit.main([lock, lock]) == audit.CLEAN
    said = capsys.readouterr()
    assert said.out == "3 of 3 versions were looked up, 0 weaknesses are known.\n" and not said.err


def test_audit_of_unknown_packages_reports_them_as_not_checked(
    programs: Path, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skipped = {"name": "jinja2", "version": "3.1.5", "skip_reason": "not in the database"}
    stands_in(programs, answers(skipped, NEW))
    assert audit.main([lock]) == audit.NOT_ASKED
    said = capsys.readouterr()
    assert said.out == "1 of 3 versions were looked up, 0 weaknesses are known.\n"
    assert said.err == "Nobody knows of jinja2 3.1.5, numpy 2.4.6.\n"
    stands_in(programs, answers(JINJA, NEW))
    assert audit.main([lock]) == audit.FOUND


@pytest.mark.parametrize(
    "script",
    ["echo 'ConnectionError: no network' >&2; exit 1", 'echo "[]" > "$file"', "exit 0", 'echo "{" > "$file"'],
)
def test_audit_without_an_answer_fails(
    programs: Path, lock: Path, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stands_in(programs, script)
    assert audit.main([lock]) == audit.NOT_ASKED
    assert capsys.readouterr().err.startswith("Nothing was audited: the advisory database could not be asked (")


def test_audit_without_uvx_uses_pip(
    programs: Path, lock: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A place of its own, which is gone afterwards; here with a pip that finds nothing."""
    made: list[Path] = []

    def create(folder: Path, with_pip: bool) -> None:
        made.append(folder)
        (folder / "bin").mkdir(parents=True)
        program(folder / "bin" / "python", "echo 'ERROR: no such package' >&2\nexit 1")

    monkeypatch.setattr("venv.create", create)
    assert audit.main([lock]) == audit.NOT_ASKED
    assert "(ERROR: no such package)" in capsys.readouterr().err
    assert len(made) == 1 and not made[0].exists()


def test_audit_reads_every_pin_of_the_locks() -> None:
    for lock in audit.LOCKS:
        pins = audit.PIN.findall(lock.read_text("utf-8"))
        assert len(pins) == lock.read_text("utf-8").count("==") - lock.read_text("utf-8").count(" == ") > 0
