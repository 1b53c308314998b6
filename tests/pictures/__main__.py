"""Take all pictures, or those named: each in a process of its own, since a language is chosen once."""

import argparse
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from app.platform.startup import preload_blas
from tests.pictures.looks import PICTURES, Look

RESOURCES = Path(__file__).parents[2] / "resources"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PICTURES, []], metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--into", type=Path, default=RESOURCES / "pictures", help="the folder of the pictures")
    parser.add_argument("--states", action="store_true", help="take every state in every look instead, and check it")
    parser.add_argument("--native", action="store_true", help="in the Mac's own controls")
    parser.add_argument("--take", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.take:
        preload_blas()
        return _take_state(given.take, given.into) if given.states else _take(given.take, given.into, given.native)
    given.into.mkdir(parents=True, exist_ok=True)
    switches = [f"--{name}" for name in ("states", "native") if getattr(given, name)]
    failed = [name for name in _wanted(given.names, given.states) if not _taken(name, given.into, switches)]
    if failed:
        print(f"These pictures could not be taken: {', '.join(failed)}.", file=sys.stderr)
    return len(failed)


def _wanted(names: list[str], states: bool) -> list[str]:
    if not states:
        return names or list(PICTURES)
    from tests.pictures.states import STATES

    return list(STATES)


def _taken(name: str, into: Path, switches: list[str]) -> bool:
    command = [sys.executable, "-m", "tests.pictures", "--take", name, "--into", str(into), *switches]
    return subprocess.run(command, check=False, env={"QT_QPA_PLATFORM": "offscreen", **os.environ}).returncode == 0


def _take(name: str, into: Path, native: bool) -> int:
    from app.i18n import translation

    look = replace(PICTURES[name], native=native)
    if translation.begin(look.language, RESOURCES / "languages") != look.language:
        print(f"{look.language} is not there: make setup", file=sys.stderr)
        return 1
    from tests.pictures.animation import save_animation
    from tests.pictures.studio import Studio

    path = into / f"{name}.png"
    with Studio(look) as studio:
        if look.moving:
            save_animation(studio.record(), path)
            return 0
        return 0 if studio.take().save(str(path)) else 1


def _take_state(name: str, into: Path) -> int:
    """One state in all its looks; what is wrong with them is told."""
    from tests.pictures.states import STATES, looks
    from tests.pictures.studio import Studio

    found, made = [], STATES[name]
    with Studio(Look(name), made.knobs, made.model) as studio:
        shown = made.act(studio) or studio.window
        for look in looks(name):
            title = f"{name} {look.width}x{look.height} {look.text_percent} {look.appearance}"
            found += [f"{title}: {each}" for each in studio.faults(look, shown)]
            shown.grab().save(str(into / f"{title.replace(' ', '-')}.png"))
    print(*found, sep="\n", end="\n" if found else "")
    return min(1, len(found))


if __name__ == "__main__":
    sys.exit(main())
