import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from identity import MIN_MACOS
from tests.programs import tools

PROJECT = Path(__file__).parents[2]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
NEEDS_A_SECRET = re.compile(r"secrets\.[A-Z]")
PIN = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)\n")
OURS_ALONE = {"actions/checkout", "actions/download-artifact", "actions/upload-artifact"}
"""What may stand in a job with secrets: nothing that installs, builds or starts anything of others."""
RUNS_OTHERS = re.compile(
    r"\b(make|uvx?|pipx?|python\d*|npm|curl|brew|PyInstaller)\b|^ *open -|\.venv|--self-test|\.ci/", re.MULTILINE
)
ASKS_FOR_ONE = re.compile(r"secrets\.\w+ != ''")
TEXT_OF_OTHERS = re.compile(r"\$\{\{(?! *matrix\.)")
"""Put into a command, what somebody called a branch would be a command too."""


@pytest.fixture(params=WORKFLOWS, ids=lambda file: file.name)
def workflow(request: pytest.FixtureRequest) -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(request.param.read_text("utf-8"))
    return read


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_workflow_commands_exist(workflow: dict[Any, Any]) -> None:
    commands = str(workflow["jobs"])
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"make ([a-z-]+)", commands)) <= targets
    for file in re.findall(r"((?:packaging|\.ci)/[\w/.]+)", commands):
        assert (PROJECT / file).exists(), file


def test_workflow_reads_only_keeps_no_token_and_takes_no_text_of_others(workflow: dict[Any, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in workflow[True], "others' branches with our secrets"
    for step in steps(workflow):
        assert not TEXT_OF_OTHERS.search(step.get("run", ""))
        if str(step.get("uses", "")).startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_workflow_runners_are_current(workflow: dict[Any, Any]) -> None:
    told = (PROJECT / ".github" / "runners.txt").read_text("utf-8")
    assert re.search(r"as of 20\d\d-\d\d-\d\d", told)
    current = {line for line in told.splitlines() if not line.startswith("#")}
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        assert {job["runs-on"], *matrix.get("system", ())} - {"${{ matrix.system }}"} <= current


def test_app_workflow_uses_a_python_built_for_old_macs() -> None:
    app = yaml.safe_load((PROJECT / ".github" / "workflows" / "app.yml").read_text("utf-8"))
    building = app["jobs"]["macos"]["env"]
    assert building["UV_PYTHON_PREFERENCE"] == "only-managed"
    assert building["MACOSX_DEPLOYMENT_TARGET"] == MIN_MACOS


def test_workflows_pass_without_secrets(workflow: dict[Any, Any]) -> None:
    """A step that uses one is skipped where there is none."""
    for step in steps(workflow):
        if NEEDS_A_SECRET.search(str(step.get("env", "")) + step.get("run", "")):
            assert "env.HAS_CERTIFICATE == 'true'" in step["if"]


def test_workflow_actions_are_pinned_to_reviewed_commits() -> None:
    """A tag can be moved; the same action is the same commit everywhere."""
    found: dict[str, set[tuple[str, str]]] = {}
    for file in WORKFLOWS:
        text = file.read_text("utf-8")
        pinned = PIN.findall(text)
        assert len(pinned) == len(re.findall(r"\buses:", text)), file.name
        for action, commit, version in pinned:
            found.setdefault(action, set()).add((commit, version))
    assert found and all(len(commits) == 1 for commits in found.values()), found


def test_jobs_with_secrets_run_only_our_code(workflow: dict[Any, Any]) -> None:
    assert not NEEDS_A_SECRET.search(str(workflow.get("env", "")))
    for name, job in workflow["jobs"].items():
        if not NEEDS_A_SECRET.search(str(job)):
            continue
        assert not NEEDS_A_SECRET.search(ASKS_FOR_ONE.sub("", str(job.get("env", "")))), f"all steps of {name} see it"
        used = {step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step}
        assert used <= OURS_ALONE, name
        for step in job["steps"]:
            assert not RUNS_OTHERS.search(step.get("run", "")), step["run"]
        for file in set(re.findall(r"packaging/[\w.]+\.sh", str(job["steps"]))):
            assert not RUNS_OTHERS.search(commands_of(PROJECT / file)), file


def commands_of(script: Path) -> str:
    """Without remarks, and without the picture that is drawn where none was brought along."""
    lines = script.read_text("utf-8").splitlines()
    brought = '[ -f "$BACKGROUND" ] || "$PYTHON" packaging/dmg_background.py "$BACKGROUND"'
    ours = [line for line in lines if line != brought and "readonly PYTHON=" not in line]
    return "\n".join(line.partition("# ")[0] for line in ours if "leave " not in line)


def test_jobs_have_only_the_permissions_they_need(workflow: dict[Any, Any]) -> None:
    """Only what publishes may write, and it has none of the project's code, nor anybody's."""
    for name, job in workflow["jobs"].items():
        assert 0 < job["timeout-minutes"] <= 60, name
        if "write" in str(job.get("permissions", "")):
            assert name == "release"
            assert [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step] == [
                "actions/download-artifact"
            ]
            assert not any(RUNS_OTHERS.search(step.get("run", "")) for step in job["steps"])


IDENTITY = '[ "$1" != find-identity ] || echo "  1) 0123 \\"Developer ID Application: Somebody (ABC)\\""'
MACH_O = bytes.fromhex("cffaedfe0c00000100000000060000000000000000000000") + bytes(64)


@pytest.mark.slow
@pytest.mark.parametrize("notarized", [True, False])
def test_signing_script_removes_its_keychain(tmp_path: Path, notarized: bool) -> None:
    """With stand-ins for the Mac's tools: each binary, then the app; the keychain goes, whatever happens."""
    if shutil.which("file") is None:
        pytest.skip("file is not here: sudo apt-get install file")
    project, calls = tmp_path / "project", tmp_path / "calls"
    inside = project / "dist" / "Sluice.app" / "Contents"
    for folder in (project / "packaging", inside / "MacOS", tmp_path / "work"):
        folder.mkdir(parents=True)
    shutil.copy(PROJECT / "packaging" / "sign.sh", project / "packaging")
    for name in ("MacOS/Sluice", "a library.dylib"):
        (inside / name).write_bytes(MACH_O)
    (inside / "Info.plist").write_text("<plist/>")
    tools(project / "packaging", **{"dmg.sh": ":"})
    path = f"{tools(tmp_path / 'tools', codesign=':', security=IDENTITY, xcrun=':', spctl=':')}:/usr/bin:/bin"
    (project / "dist" / "Sluice-1.dmg").touch()
    secrets = {"CERTIFICATE": "YWJj", "CERTIFICATE_PASSWORD": "secret word"}
    secrets |= {"NOTARY_KEY": "key" if notarized else "", "NOTARY_KEY_ID": "id", "NOTARY_ISSUER": "issuer"}
    environment = {"PATH": path, "CALLS": str(calls), "TMPDIR": str(tmp_path / "work"), **secrets}
    done = subprocess.run(
        ["/bin/bash", "packaging/sign.sh"], cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    called = calls.read_text().splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    signed = [line.rsplit("(ABC) ", 1)[-1] for line in called if line.startswith("codesign --force")]
    assert sorted(signed[:-1]) == ["dist/Sluice.app/Contents/MacOS/Sluice", "dist/Sluice.app/Contents/a library.dylib"]
    assert signed[-1] == "--deep dist/Sluice.app"
    assert [line for line in called if "notarytool submit dist/Sluice-1.dmg" in line] == [] or notarized
    assert any("notarytool" in line for line in called) is notarized
    assert called.index("dmg.sh ") > max(at for at, line in enumerate(called) if line.startswith("codesign"))
    assert called[-1].startswith("security delete-keychain")
    assert not list((tmp_path / "work").iterdir())
