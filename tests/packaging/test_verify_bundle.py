import plistlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bundles import ARM64, INFO, X86_64, binary, bundle, kernels, universal

import macho
import verify_bundle
from verify_bundle import Bundle

BAD_FUNCTION_CALL = "__ZTVNSt3__117bad_function_callE"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return bundle(tmp_path)


def test_sound_bundle_has_no_faults(app: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify_bundle.main([str(app), "--macos", "14.0"]) == 0
    assert "4 binaries, 0 faults" in capsys.readouterr().out


def written(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda contents: (contents / name).write_bytes(content)


def removed(name: str) -> Callable[[Path], object]:
    return lambda contents: (contents / name).unlink()


def folder(name: str) -> Callable[[Path], object]:
    return lambda contents: (contents / name).mkdir()


def flatten(contents: Path) -> None:
    """What a careless copy does: each link becomes what it pointed to."""
    flat = contents.with_name("flat")
    (contents / "Resources" / "core.so").symlink_to("../Frameworks/core.so")
    shutil.copytree(contents, flat)
    shutil.rmtree(contents)
    flat.rename(contents)


def without_mlx(contents: Path) -> None:
    (contents / "Frameworks/libmlx.dylib").unlink()
    (contents / "Frameworks/mlx/lib/libmlx.dylib").unlink()


CORE, INFO_PLIST = "Frameworks/core.so", "Info.plist"
FAULTS: dict[str, Callable[[Path], object]] = {
    "no Metal kernels beside libmlx.dylib in Frameworks/mlx/lib": removed("Frameworks/mlx/lib/mlx.metallib"),
    "the Metal kernels ask for macOS 26.2, the bundle for 14.0": written(
        "Resources/mlx/lib/mlx.metallib", kernels(26, 2)
    ),
    "code among the resources: Resources/core.so": flatten,
    f"core.so expects {BAD_FUNCTION_CALL}, which macOS has since 15.4": written(
        CORE, binary(oldest=(26, 0), undefined=[BAD_FUNCTION_CALL])
    ),
    "dangling link Frameworks/gone.so": lambda contents: (contents / "Frameworks/gone.so").symlink_to("nowhere.so"),
    "not for Apple silicon: Frameworks/core.so": written(CORE, binary(processor=X86_64)),
    "looks for /opt/homebrew/lib/libfoo.dylib": written(CORE, binary(["/opt/homebrew/lib/libfoo.dylib"])),
    "looks for @rpath/libjaccl.dylib in @loader_path/mlx/lib: it isn't there": written(
        CORE, binary(["@rpath/libjaccl.dylib"], ["@loader_path/mlx/lib"])
    ),
    "a folder with a dot would be taken for a framework: Frameworks/numpy.libs": folder("Frameworks/numpy.libs"),
    "LSBackgroundOnly": written(INFO_PLIST, plistlib.dumps(INFO | {"LSBackgroundOnly": True})),
    "LSMinimumSystemVersion is 15.4, above 14.0": written(
        INFO_PLIST, plistlib.dumps(INFO | {"LSMinimumSystemVersion": "15.4"})
    ),
    "Info.plist can't be read": written(INFO_PLIST, b"not a plist"),
    "the program itself is missing, or can't be executed": lambda contents: (contents / "MacOS/Sluice").chmod(0o644),
    "libmlx.dylib is missing": without_mlx,
    "not needed: Frameworks/QtWebEngineCore.framework": folder("Frameworks/QtWebEngineCore.framework"),
}
"""What is found, and what is planted for it."""


@pytest.mark.parametrize("named", FAULTS)
def test_bundle_with_a_fault_is_refused_with_its_name(
    app: Path, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    FAULTS[named](app / "Contents")
    assert verify_bundle.main([str(app), "--macos", "14.0"]) == 1
    assert named in capsys.readouterr().out


def test_unfinished_bundle_may_lack_python(app: Path) -> None:
    (app / "Contents" / "MacOS" / "Sluice").unlink()
    (app / "Contents" / "Frameworks" / "core.so").write_bytes(binary(["@rpath/Python3"]))
    assert Bundle(app, finished=False).check().faults == []
    assert len(Bundle(app).check().faults) == 2


@pytest.mark.parametrize("place", ["core.so", "Python.framework/Versions/3.13/Python", "numpy/core.so"])
def test_library_built_for_a_newer_macos_is_a_fault(app: Path, place: str) -> None:
    """Python's own library too, where Homebrew built it for the Mac that it stands on."""
    file = app / "Contents" / "Frameworks" / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(binary(oldest=(15, 0)))
    fault = f"Frameworks/{place} is built for macOS 15.0, the bundle asks for 14.0"
    assert Bundle(app).check().faults == [fault]


def test_qt_modules_built_for_a_newer_macos_are_a_remark(app: Path) -> None:
    """Qt for Python's own modules: as new as they were then, and no newer."""
    file = app / "Contents" / "Frameworks" / "PySide6" / "QtCore.abi3.so"
    file.parent.mkdir()
    file.write_bytes(binary(oldest=(15, 0)))
    found = Bundle(app).check()
    assert (found.faults, dict(found.remarks)) == ([], {"built for macOS 15.0": 1})
    file.write_bytes(binary(oldest=(26, 0)))
    assert len(Bundle(app).check().faults) == 1


def test_universal_binary_is_read_and_thinned(tmp_path: Path) -> None:
    arm = binary(["@rpath/a.dylib"], ["@loader_path"], (14, 4), ["_one", "_two"])
    file = tmp_path / "lib.dylib"
    file.write_bytes(universal((X86_64, binary(processor=X86_64)), (ARM64, arm)))
    intel_part, part = macho.slices(file)
    assert (intel_part.processor, part.processor, part.oldest_macos) == ("x86_64", "arm64", (14, 4))
    assert (part.libraries, part.rpaths) == (("@rpath/a.dylib",), ("@loader_path",))
    assert part.undefined == {"_one", "_two"}
    assert macho.thin(file.read_bytes(), "arm64") == arm
    with pytest.raises(ValueError, match="no part for arm64"):
        macho.thin(binary(processor=X86_64), "arm64")
