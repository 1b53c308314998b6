import shutil
import sys
from pathlib import Path

import pytest

import system_libraries


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lends libraries")
def test_missing_system_library_is_named_with_its_package() -> None:
    library = next(Path("/usr/lib/x86_64-linux-gnu").glob("libz.so.1*"), None)
    if library is None or shutil.which("dpkg") is None:
        pytest.skip("no Debian here")
    (part,) = system_libraries.parts([library])
    assert part["name"] == "zlib1g (of the system)"
    assert library.resolve().name in part["about"]
    assert part["text"] == "" or "Zlib" in part["licence"] + part["text"]


def test_bundled_libraries_are_not_reported_as_missing(tmp_path: Path) -> None:
    assert system_libraries.parts([tmp_path / "libmlx.so"]) == []
