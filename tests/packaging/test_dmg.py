import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import tools

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
HDIUTIL = """
word=$1; last=; mount=
for each in "$@"; do
    [ "$last" = -mountpoint ] && mount=$each
    last=$each
done
case $word in
attach) [ -d "$mount" ] || { echo "hdiutil: attach failed - No such file or directory" >&2; exit 1; } ;;
create | convert) : > "$last" ;;
esac
"""
TOOLS = {
    "uname": "echo Darwin",
    "ditto": 'exec /bin/cp -R "$1" "$2"',
    "osascript": "cat > /dev/null",
    "stat": "echo 95000000",
    "sleep": ":",
    "hdiutil": HDIUTIL,
    "codesign": ":",
}


@pytest.mark.parametrize("identity", ["", "Developer ID Application: Somebody"])
def test_disk_image_is_built_with_the_app(tmp_path: Path, identity: str) -> None:
    project, calls = tmp_path / "project", tmp_path / "calls"
    for folder in (project / "packaging", project / "app", project / "dist" / "Sluice.app", tmp_path / "work"):
        folder.mkdir(parents=True)
    shutil.copy(PROJECT / "packaging" / "dmg.sh", project / "packaging")
    (project / "app" / "__init__.py").write_text('__version__ = "1.2"\n')
    (project / "dist" / "background.png").touch()
    path = f"{tools(tmp_path / 'tools', **TOOLS)}:/usr/bin:/bin"
    environment = {"PATH": path, "CALLS": str(calls), "TMPDIR": str(tmp_path / "work")}
    done = subprocess.run(
        ["/bin/bash", "packaging/dmg.sh"],
        cwd=project,
        env=environment | {"CODESIGN_IDENTITY": identity},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "dist/Sluice-1.2.dmg: 95 MB; at most 100 MB\n"
    words = [line.split()[1] for line in calls.read_text().splitlines() if line.startswith("hdiutil")]
    assert words == ["create", "attach", "detach", "convert"]
    assert ("codesign" in calls.read_text()) is bool(identity)
    assert not list((tmp_path / "work").iterdir())
