"""Every script of the project, as shellcheck sees it."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def test_shellcheck_finds_nothing() -> None:
    if (checker := shutil.which("shellcheck")) is None:
        pytest.skip("shellcheck is not here: sudo apt-get install shellcheck")
    scripts = [*sorted(PROJECT.glob("packaging/**/*.sh")), PROJECT / ".ci" / "run"]
    ours = [str(script) for script in scripts if "build" not in script.relative_to(PROJECT).parts]
    assert len(ours) > 6
    done = subprocess.run([checker, *ours], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


ON_A_MAC = [
    *sorted((PROJECT / "packaging" / "mac_check").glob("*.sh")),
    *(PROJECT / "packaging" / f"{name}.sh" for name in ("app", "dmg", "mac_check", "setup", "sign")),
]
"""Those that run under its bash 3.2, with BSD's tools."""
OF_BASH_4 = (
    *(r"\b(?:declare|local|typeset) -\w*[An]", r"\b(?:mapfile|readarray|coproc)\b", r"\$\{\w+(?:,|\^|@)"),
    *("&>>", r"\|&", ";;?&", r"\bwait -n", r"\$\{?(?:BASHPID|EPOCHSECONDS|EPOCHREALTIME)", r"\[\[ -v"),
    *(r"\{\d+\.\.\d+\.\.", r"read -\w*t 0\.", r"\bshopt -s (?:globstar|lastpipe)"),
)
OF_GNU = (
    *(r"(?:^ *|[|;&(] *)(?:timeout|tac|nproc|realpath|sha256sum|ldd) ", r"\breadlink -f", r"\bsed (?:-\w*i|-\w*r)"),
    *(r"\bdate (?:-d|--|\+%N|\+%s%N)", r"\bstat (?:-c|--)", r"\bgrep -\w*P", r"\bsort -\w*V", "-printf"),
    *(r"\bxargs -\w*r", r"\bbase64 -w", r"\bmktemp --", r"\bcp -\w*[lb]", r"\bdu -\w*b", r"\bdf -\w*B"),
    *(r"\bhead -n -", r"\btar .*--owner", r"\bfind -"),
)
NEWER = {
    "bash 4": "|".join(OF_BASH_4),
    "an array, which bash 3.2 takes for unset where it is empty": r"^ *\w+=\(|\[@\]",
    "GNU": "|".join(OF_GNU),
}


def newer(script: str, file: Path) -> list[str]:
    """What a Mac doesn't know, in lines that are not for another system alone."""
    lines = [line for line in script.splitlines() if not re.match(r" *#", line)]
    return [f"{file.name}: {kind}: {line.strip()}" for line in lines for kind in NEWER if re.search(NEWER[kind], line)]


def test_a_mac_s_old_bash_and_bsd_s_tools_know_all_of_it() -> None:
    assert [fault for file in ON_A_MAC for fault in newer(file.read_text("utf-8"), file)] == []


@pytest.mark.parametrize(
    "line",
    [
        *("declare -A seen", "mapfile -t lines", "echo ${name,,}", "echo ${name^^}", "make &>> log", "make |& tee x"),
        *(
            "wait -n",
            "echo $BASHPID",
            "local -n other=$1",
            "read -rt 0.5 line",
            "for n in {1..9..2}; do",
            "files=(a b)",
        ),
        *(
            'run "${files[@]}"',
            "timeout 5 make",
            "x=$(timeout 5 make)",
            "readlink -f x",
            "sed -i s/a/b/ x",
            "date -d now",
        ),
        *(
            "stat -c %s x",
            "grep -P x y",
            "sort -V x",
            "find . -printf x",
            "echo | xargs -r rm",
            "cp -al a b",
            "nproc --all",
        ),
    ],
)
def test_what_a_mac_does_not_know_is_found(line: str) -> None:
    assert newer(f"x=1\n    {line}\n", Path("x.sh"))
    assert not newer(f"x=1\n    # {line}\n", Path("x.sh"))


def test_no_function_is_long() -> None:
    """As in Python: twenty lines."""
    for file in ON_A_MAC:
        for name, body in re.findall(r"^(\w+)\(\) \{(.*?)^\}", file.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            assert body.count("\n") <= 21, f"{file.name}: {name}"


def test_each_script_is_one() -> None:
    for file in ON_A_MAC:
        assert subprocess.run(["/bin/bash", "-n", str(file)], capture_output=True, check=False).stderr == b""


def test_the_makefile_is_one_of_make_3_81() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    newer_than_it = r"^\.ONESHELL|^\.RECIPEPREFIX|::=|!=|\$\(file |^undefine|^private|\$\(guile|&:"
    assert re.findall(newer_than_it, makefile, re.MULTILINE) == []
