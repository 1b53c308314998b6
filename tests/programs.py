"""Shell scripts in the place of the system's programs."""

from pathlib import Path


def program(file: Path, script: str) -> None:
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def tools(folder: Path, **scripts: str) -> Path:
    """Programs that log in the file $CALLS how they are called."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in scripts.items():
        program(folder / name, f'echo "{name} $*" >> "$CALLS"\n{script}')
    return folder
