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


def unlink_kernels(contents: Path) -> None:
    (contents / "Frameworks" / "mlx" / "lib" / "mlx.metallib").unlink()


def newer_kernels(contents: Path) -> None:
    (contents / "Resources" / "mlx" / "lib" / "mlx.metallib").write_bytes(kernels(26, 2))


def flatten(contents: Path) -> None:
    """What a careless copy does: each link becomes what it pointed to."""
    flat = contents.with_name("flat")
    (contents / "Resources" / "core.so").symlink_to("../Frameworks/core.so")
    shutil.copytree(contents, flat)
    shutil.rmtree(contents)
    flat.rename(contents)


def newer_library(contents: Path) -> None:
    (contents / "Frameworks" / "core.so").write_bytes(binary(oldest=(26, 0), undefined=[BAD_FUNCTION_CALL]))


def dangling(contents: Path) -> None:
    (contents / "Frameworks" / "gone.so").symlink_to("nowhere.so")


def intel(contents: Path) -> None:
    (contents / "Frameworks" / "core.so").write_bytes(binary(processor=X86_64))


def of_the_builder(contents: Path) -> None:
    (contents / "Frameworks" / "core.so").write_bytes(binary(["/opt/homebrew/lib/libfoo.dylib"]))


def absent(contents: Path) -> None:
    (contents / "Frameworks" / "core.so").write_bytes(binary(["@rpath/libjaccl.dylib"], ["@loader_path/mlx/lib"]))


def dotted_folder(contents: Path) -> None:
    (contents / "Frameworks" / "numpy.libs").mkdir()


def console(contents: Path) -> None:
    (contents / "Info.plist").write_bytes(plistlib.dumps(INFO | {"LSBackgroundOnly": True}))


def later(contents: Path) -> None:
    (contents / "Info.plist").write_bytes(plistlib.dumps(INFO | {"LSMinimumSystemVersion": "15.4"}))


def unreadable(contents: Path) -> None:
    (contents / "Info.plist").write_bytes(b"not a plist")


def no_program(contents: Path) -> None:
    (contents / "MacOS" / "Sluice").chmod(0o644)


def no_mlx(contents: Path) -> None:
    (contents / "Frameworks" / "libmlx.dylib").unlink()
    (contents / "Frameworks" / "mlx" / "lib" / "libmlx.dylib").unlink()


def web_engine(contents: Path) -> None:
    (contents / "Frameworks" / "QtWebEngineCore.framework").mkdir()


@pytest.mark.parametrize(
    ("plant", "named"),
    [
        (unlink_kernels, "no Metal kernels beside libmlx.dylib in Frameworks/mlx/lib"),
        (newer_kernels, "the Metal kernels ask for macOS 26.2, the bundle for 14.0"),
        (flatten, "code among the resources: Resources/core.so"),
        (newer_library, f"core.so expects {BAD_FUNCTION_CALL}, which macOS has since 15.4"),
        (dangling, "dangling link Frameworks/gone.so"),
        (intel, "not for Apple silicon: Frameworks/core.so"),
        (of_the_builder, "looks for /opt/homebrew/lib/libfoo.dylib"),
        (absent, "looks for @rpath/libjaccl.dylib in @loader_path/mlx/lib: it isn't there"),
        (dotted_folder, "a folder with a dot would be taken for a framework: Frameworks/numpy.libs"),
        (console, "LSBackgroundOnly"),
        (later, "LSMinimumSystemVersion is 15.4, above 14.0"),
        (unreadable, "Info.plist can't be read"),
        (no_program, "the program itself is missing, or can't be executed"),
        (no_mlx, "libmlx.dylib is missing"),
        (web_engine, "not needed: Frameworks/QtWebEngineCore.framework"),
    ],
)
def test_bundle_with_a_fault_is_refused_with_its_name(
    app: Path, plant: Callable[[Path], None], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(app / "Contents")
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
