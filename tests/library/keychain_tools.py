"""Stand-ins for the programs that keep a secret."""

from pathlib import Path

SECRET_TOOL = """
case $1 in
store) cat > "$here/said"; cp "$here/said" "$here/kept" ;;
lookup) test -f "$here/kept" || exit 1; cat "$here/kept" ;;
clear) rm -f "$here/kept" ;;
*) exit 2 ;;
esac
"""
SECURITY = """
case $1 in
-i) cat > "$here/said"; read -r line < "$here/said"; printf %s "${line##* }" > "$here/kept" ;;
find-generic-password) test -f "$here/kept" || exit 44; cat "$here/kept"; echo ;;
delete-generic-password) test -f "$here/kept" || { echo "security: no such item" >&2; exit 44; }; rm "$here/kept" ;;
*) exit 2 ;;
esac
"""


class Tool:
    """A stand-in for the system's program, which notes what it is told."""

    def __init__(self, program: Path, script: str) -> None:
        self.program = program
        self.does(script)

    def does(self, script: str) -> None:
        self.program.write_text(f'#!/bin/sh\nhere=${{0%/*}}\necho "$@" >> "$here/arguments"\n{script}')
        self.program.chmod(0o755)

    def noted(self, name: str) -> str:
        file = self.program.parent / name
        return file.read_text() if file.exists() else ""
