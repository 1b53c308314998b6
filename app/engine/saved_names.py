"""Names of the cache files of sessions: session id and checksum."""

from pathlib import Path

SUFFIX = ".safetensors"


def name_of(session: int, total: int) -> str:
    return f"{session}-{total:08x}{SUFFIX}"


def session_of(path: Path) -> int | None:
    """Return the session id in a file name; None for any other file."""
    first, between, rest = path.name.removesuffix(SUFFIX).partition("-")
    ours = between and first.isascii() and first.isdecimal() and len(first) < 20 and len(rest) == 8
    return int(first) if ours else None


def saved_files(folder: Path | None) -> list[Path]:
    found = folder.glob(f"*{SUFFIX}") if folder is not None else ()
    return [path for path in found if session_of(path) is not None and path.is_file()]


def saved_sessions(folder: Path) -> set[int]:
    """Return the sessions with files in this folder."""
    return {session for path in saved_files(folder) if (session := session_of(path)) is not None}
