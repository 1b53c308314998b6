"""Checks that a release is ready, or prints its notes from the changelog.

usage: release.py            exits 1 with a line for each reason against a release
       release.py --done     the same after the build; writes dist/release-notes.md and prints what a person has to do
       release.py --notes    prints the notes
       release.py --cask     prints the cask for Homebrew, in which the workflow puts the checksum of the disk image
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from identity import BUNDLE_ID

ROOT = Path(__file__).parents[1]
CASK = "packaging/homebrew/sluice.rb"
COPIES = {
    "CITATION.cff": r"^version: (.+)$",
    f"packaging/linux/{BUNDLE_ID}.metainfo.xml": r'<release version="([^"]+)"',
}
"""Files that other programs read, with the pattern of the version in them."""


def version_of(root: Path) -> str:
    """Return the version, which is in app/__init__.py alone."""
    text = (root / "app" / "__init__.py").read_text("utf-8")
    return "".join(re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE))


def notes(root: Path, version: str) -> str:
    """Return the changelog's section of this version; empty if there is none."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(version)} – [\d-]+\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return f"{found[1].strip()}\n" if found else ""


def stale_copies(root: Path, version: str) -> Iterator[str]:
    for file, pattern in COPIES.items():
        found = re.search(pattern, (root / file).read_text("utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            yield f"{file} doesn't have version {version}."


def faults(root: Path, version: str) -> Iterator[str]:
    """Yield the reasons against a release."""
    yield from stale_copies(root, version)
    if shutil.which("uv") is None:
        yield "uv is missing: it builds the wheel."
    if not notes(root, version):
        yield f'CHANGELOG.md has no section "## {version} – DATE".'
    if _git(root, "status", "--porcelain"):
        yield "There are changes that aren't committed."
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"The tag v{version} exists: raise __version__ in app/__init__.py."


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def todo(version: str) -> str:
    """Return what only a person can do."""
    return f"""\
Version {version} is checked and built. Now:
1. Install dist/sluice_lm-{version}-py3-none-any.whl, open a model of your own, and read dist/release-notes.md.
2. git tag --sign v{version} --cleanup=whitespace --file dist/release-notes.md && git push origin v{version}
   The workflow app.yml then builds, signs and publishes the app, the packages and the cask.
3. uv publish dist/sluice_lm-{version}*    (needs a token of the package index)
4. Copy sluice.rb of the published release into the Homebrew tap.
5. Raise __version__ in app/__init__.py, and the copies of it that `make release` names.
"""


def main(arguments: list[str], root: Path = ROOT) -> int:
    version = version_of(root)
    if arguments == ["--notes"]:
        text = notes(root, version)
        sys.stdout.write(text)
        return 0 if text else 1
    if arguments == ["--cask"]:
        sys.stdout.write((root / CASK).read_text("utf-8").replace("VERSION", version))
        return 0
    reasons = list(faults(root, version))
    sys.stderr.writelines(f"{reason}\n" for reason in reasons)
    if not reasons and arguments == ["--done"]:
        (root / "dist" / "release-notes.md").write_text(notes(root, version), "utf-8")
        sys.stdout.write(todo(version))
    return min(len(reasons), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
