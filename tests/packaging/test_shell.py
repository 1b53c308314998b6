"""The scripts that a Mac runs, and the Makefile: of bash 3.2, BSD's tools and make 3.81. `make lint` has shellcheck."""

import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[2]


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


def test_mac_scripts_use_only_bash_3_2_and_bsd_tools() -> None:
    assert newer("declare -A seen\nfiles=(a b)\nsed -i s/a/b/ x\n# wait -n\n", Path("x.sh"))[2:]
    assert [fault for file in ON_A_MAC for fault in newer(file.read_text("utf-8"), file)] == []


def test_mac_scripts_have_valid_bash_syntax() -> None:
    for file in ON_A_MAC:
        assert subprocess.run(["/bin/bash", "-n", str(file)], capture_output=True, check=False).stderr == b""


def test_makefile_uses_only_make_3_81() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    newer_than_it = r"^\.ONESHELL|^\.RECIPEPREFIX|::=|!=|\$\(file |^undefine|^private|\$\(guile|&:"
    assert re.findall(newer_than_it, makefile, re.MULTILINE) == []
