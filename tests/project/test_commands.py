from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import program
from tests.project.documents import MAKEFILE, PROJECT, TARGETS, documents

README = (PROJECT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_table_of_commands_equals_the_makefile() -> None:
    told = re.findall(r"^\| `make ([a-z-]+)` \|", CONTRIBUTING, re.MULTILINE)
    assert sorted(told) == sorted(TARGETS)
    assert {"setup", "run", "test", "bench", "lock"} <= set(told)


def test_folders_in_the_documents_exist() -> None:
    (plan,) = [block for each in documents() for block in each.blocks("") if block.startswith("app/ ")]
    folders: list[str] = []
    for indent, name in re.findall(r"^( *)(\S+)", plan, re.MULTILINE):
        folders[len(indent) // 2 :] = [name]
        assert (PROJECT / "/".join(folders)).exists(), name


def test_ci_runs_the_readme_s_test_command() -> None:
    commands = re.search(r"```sh\n(make run.*?)```", README, re.DOTALL)
    assert commands
    test_command = commands[1].splitlines()[1].split("#")[0].strip()
    last_command, ending = (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-2:]
    assert last_command.startswith(test_command)
    assert ending.startswith("exit")


def made_of(target: str, project: Path = PROJECT, **variables: str) -> str:
    """What make would do."""
    command = ["make", "--dry-run", "--directory", str(project), target]
    outer = ("MAKEFLAGS", "MAKEOVERRIDES")  # with the variables of the command that runs the tests
    environment = {name: value for name, value in os.environ.items() if name not in outer} | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_make_languages_without_git_reads_the_code(tmp_path: Path) -> None:
    """Of no code there are no texts, and the translators' files would be emptied."""
    program(tmp_path / "git", "exit 127")
    asked = made_of("languages", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert {"app/i18n/__init__.py", "app/ui/serving/dialog.py"} <= set(asked.split())


GPU_QUERY = "--query-gpu=driver_version,compute_cap --format=csv,noheader"
CPU_LOCK, CUDA_LOCK = "requirements.lock", "requirements-cuda13.lock"
WITHOUT_PYTHON = "Sluice needs Python 3.11 to 3.14 with its venv module, or uv: install one of them"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


class Machine:
    """A machine with few programs: a PATH of stand-ins, and a copy of the scripts to run on it."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.project = folder / "project"
        self.programs.mkdir()
        (self.project / "packaging").mkdir(parents=True)
        for name in ("bash", "cat", "dirname", "head", "mkdir", "rm", "sort"):
            self.has(name, f'exec {shutil.which(name)} "$@"')
        for lock in ("", "-cuda12", "-cuda13"):
            machines = "x86_64 arm64 aarch64" if lock else "x86_64 arm64"
            text = " or ".join(f"platform_machine == '{each}'" for each in machines.split())
            (self.project / "packaging" / f"requirements{lock}.lock").write_text(text, encoding="utf-8")
        script = (PROJECT / "packaging" / "setup.sh").read_text(encoding="utf-8")
        (self.project / "packaging" / "setup.sh").write_text(script, encoding="utf-8")

    def has(self, name: str, script: str) -> None:
        program(self.programs / name, script)

    def is_a(self, system: str, processor: str) -> None:
        self.has("uname", f'test "$1" = -s && echo {system} || echo {processor}')

    def is_linux_with_uv(self, processor: str = "x86_64") -> None:
        self.is_a("Linux", processor)
        self.has("getconf", "echo glibc 2.39")
        self.has_uv()

    def has_nvidia_smi(self, output: str) -> None:
        self.has("nvidia-smi", f"test \"$*\" = '{GPU_QUERY}' && printf '{output}'")

    def has_uv(self) -> None:
        """It tells what it was asked, and makes nothing of an environment but a Python that says so too."""
        python = self.project / ".venv" / "bin" / "python"
        self.has(
            "uv",
            'test "$1" != cache || { echo "$HOME/cache"; exit; }\n'
            'echo "uv ($MACOSX_DEPLOYMENT_TARGET) $* $UV_NO_CACHE" >> "$HOME/asked"; test "$1" = pip || '
            f"{{ mkdir -p {python.parent} && echo exit > {python} && /bin/chmod +x {python}; }}",
        )

    def has_python(self) -> None:
        """Without uv: one whose environment's Python tells what pip was asked."""
        self.has("python3.13", 'case "$*" in *venv*) exec /bin/cp -r "$HOME/environment" .venv;; esac')
        self.has("mktemp", '/bin/mkdir "$HOME/wheels" && echo "$HOME/wheels"')
        python = self.project / "environment" / "bin" / "python"
        python.parent.mkdir(parents=True)
        program(python, 'test "$2" != pip || echo "$*" >> "$HOME/asked"')

    def lock(self) -> str:
        """The one that was installed last."""
        return self.asked()[-1].split("--requirement packaging/")[1].split()[0]

    def asked(self) -> list[str]:
        return (self.project / "asked").read_text("utf-8").splitlines()

    def begin(self, **variables: str) -> subprocess.Popen[str]:
        """A set-up that goes on."""
        script = str(self.project / "packaging" / "setup.sh")
        environment = {"PATH": str(self.programs), "HOME": str(self.project), **variables}
        pipe = subprocess.PIPE
        return subprocess.Popen(["/bin/bash", script], env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def set_up(self, **variables: str) -> subprocess.CompletedProcess[str]:
        with self.begin(**variables) as run:
            said, wrong = run.communicate()
        return subprocess.CompletedProcess(run.args, run.returncode, said, wrong)


@pytest.mark.parametrize(
    ("system", "processor", "version", "sentence"),
    [
        (
            "Darwin",
            "x86_64",
            "",
            "Sluice runs on macOS with Apple silicon and on Linux (x86-64, aarch64); this is",
        ),
        ("Darwin", "arm64", "13.6.1", "Sluice needs macOS 14 or newer; this is 13.6.1."),
        ("Linux", "x86_64", "glibc 2.31", "Sluice needs Linux with glibc 2.35 or newer"),
        ("Linux", "aarch64", "glibc 2.36", "Sluice needs Linux with glibc 2.39 or newer"),
        ("Linux", "aarch64", "glibc 2.39", "packaging/requirements.lock has no packages for Linux aarch64"),
        ("Linux", "x86_64", "glibc 2.36", WITHOUT_PYTHON),
        ("Darwin", "arm64", "26.1", WITHOUT_PYTHON),
    ],
)
def test_setup_on_an_unsuitable_machine_fails_with_one_sentence(
    machine: Machine, system: str, processor: str, version: str, sentence: str
) -> None:
    machine.is_a(system, processor)
    machine.has("sw_vers", f"echo {version}")
    machine.has("getconf", f"echo {version}" if version else "exit 1")
    machine.has("python3", "exit 1")  # too old, or without venv
    run = machine.set_up()
    assert run.returncode == 1
    assert run.stderr.startswith(sentence)
    assert run.stderr.count("\n") == 1


def test_setup_on_a_new_mac_installs_wheels_for_macos_14(machine: Machine) -> None:
    """Or its bundle would run on no older one, and weigh 70 MB more."""
    machine.is_a("Darwin", "arm64")
    machine.has("sw_vers", "echo 26.1")
    machine.has_uv()
    assert machine.set_up().returncode == 0
    (installed,) = [line for line in machine.asked() if "pip install" in line]
    assert installed.startswith("uv (14.0) ") and "--python-platform aarch64-apple-darwin" in installed


def test_setup_with_pip_on_a_new_mac_installs_wheels_for_macos_14(machine: Machine) -> None:
    machine.is_a("Darwin", "arm64")
    machine.has("sw_vers", "echo 26.1")
    machine.has_python()
    run = machine.set_up()
    assert run.returncode == 0, run.stderr
    wheels = machine.project / "wheels"
    fetched, installed = machine.asked()
    assert f"pip download --platform macosx_14_0_arm64 --dest {wheels} " in fetched
    assert f"pip install --no-index --find-links {wheels} " in installed
    assert not wheels.exists()


@pytest.mark.parametrize(
    ("processor", "output", "lock"),
    [
        ("x86_64", "580.65.06, 7.5\n", CUDA_LOCK),
        ("x86_64", "580, 12.0\n", CUDA_LOCK),
        ("x86_64", "590.1, 6.1\n590.1, 9.0\n", CUDA_LOCK),
        ("x86_64", "570.124.06, 9.0\n", CPU_LOCK),
        ("x86_64", "580.65.06, 7.0\n", CPU_LOCK),
        ("x86_64", "580.65.06, [N/A]\n", CPU_LOCK),
        ("x86_64", "NVIDIA-SMI has failed: no driver 999, 9.9\n", CPU_LOCK),
        ("x86_64", "", CPU_LOCK),
        ("x86_64", None, CPU_LOCK),
        ("aarch64", "580.95.05, 12.1\n", CUDA_LOCK),
    ],
)
def test_setup_chooses_the_backend_by_driver_and_gpu(
    machine: Machine, processor: str, output: str | None, lock: str
) -> None:
    machine.is_linux_with_uv(processor)
    if output is not None:  # else there is no driver
        machine.has_nvidia_smi(output)
    run = machine.set_up()
    assert run.returncode == 0, run.stderr
    assert machine.lock() == lock
    assert ("BACKEND=cpu make run" in run.stdout and "2 GB" in run.stdout) is (lock == CUDA_LOCK)


def test_setup_with_a_named_backend_installs_and_remembers_it(machine: Machine) -> None:
    machine.is_linux_with_uv()
    machine.has_nvidia_smi("580.65.06, 9.0\n")
    for variables in ({"BACKEND": "cpu"}, {}):
        assert machine.set_up(**variables).returncode == 0
        assert machine.lock() == CPU_LOCK
    assert machine.set_up(BACKEND="cuda12").returncode == 0
    assert machine.lock() == "requirements-cuda12.lock"
    assert machine.set_up(BACKEND="rocm").stderr == "BACKEND must be cpu, cuda12 or cuda13; it is rocm.\n"


@pytest.mark.parametrize(
    ("in_use", "named", "newer", "is_again"),
    [
        ("", "", "", False),
        ("", "cpu", "", False),
        ("", "cuda13", "", True),
        ("cuda13", "", "", False),
        ("cuda13", "cuda13", "", False),
        ("cuda13", "cpu", "", True),
        ("cuda13", "", CUDA_LOCK, True),
        ("cuda13", "", CPU_LOCK, False),
        ("cpu", "", CPU_LOCK, True),
    ],
)
def test_make_sets_up_again_for_another_backend_or_a_newer_lock(
    tmp_path: Path, in_use: str, named: str, newer: str, is_again: bool
) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE, "utf-8")
    for folder in ("packaging", ".venv"):
        (tmp_path / folder).mkdir()
    for name in (CPU_LOCK, CUDA_LOCK):
        (tmp_path / "packaging" / name).touch()
        os.utime(tmp_path / "packaging" / name, (2 if name == newer else 0, 2 if name == newer else 0))
    (tmp_path / ".venv" / "ready").touch()
    os.utime(tmp_path / ".venv" / "ready", (1, 1))
    if in_use:
        (tmp_path / ".venv" / "backend").write_text(f"{in_use}\n", "utf-8")
    assert ("packaging/setup.sh" in made_of("setup", project=tmp_path, BACKEND=named)) is is_again


def test_setup_refuses_a_linked_environment(machine: Machine, tmp_path: Path) -> None:
    machine.is_linux_with_uv()
    (tmp_path / "used by another folder").mkdir()
    (machine.project / ".venv").symlink_to(tmp_path / "used by another folder")
    done = machine.set_up()
    assert done.returncode == 1 and done.stderr.startswith(".venv is a link")
    assert list((tmp_path / "used by another folder").iterdir()) == []


def test_second_setup_in_the_same_folder_is_refused(machine: Machine) -> None:
    """As of an impatient user's second `make run`: it would clear the environment that is being filled."""
    machine.is_a("Linux", "x86_64")
    machine.has("getconf", "echo glibc 2.36")
    machine.has_uv()
    ask = (machine.programs / "uv").read_text("utf-8")
    machine.has("uv", f'test "$1" != pip || {{ echo filling; read -r word; }}\n{ask}')
    with machine.begin() as first:
        assert first.stdout is not None
        while first.stdout.readline() != "filling\n":
            pass
        second = machine.set_up()
        assert second.returncode == 1 and second.stderr.startswith("Another set-up goes on in this folder")
        first.communicate("go on\n")
    assert first.returncode == 0
    killed = machine.begin()
    assert killed.stdout is not None
    while killed.stdout.readline() != "filling\n":
        pass
    killed.kill()
    killed.communicate()
    machine.has("uv", ask)
    assert machine.set_up().returncode == 0, "nobody goes on with it"
