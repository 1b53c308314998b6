"""What goes into the frozen program: the rules that no build would complain about."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path

import pytest

import contents
import weigh
from identity import MIN_MACOS, SESSION_SUFFIX, SESSION_TYPE
from info_plist import info_plist


def test_what_is_imported_by_name_is_installed() -> None:
    assert all(find_spec(name) for name in (*contents.BY_NAME, *contents.ALSO))


def test_nothing_is_excluded_that_the_program_imports() -> None:
    out = set(contents.excluded())
    assert "transformers.models.qwen2.modeling_qwen2" in out
    assert not {name for name in out if name.startswith(("app.", "transformers.models.auto."))}
    assert "transformers.models.qwen2.tokenization_qwen2" not in out


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
        ("mlx/lib/libmlx.so", True),
        ("mlx/include/mlx/array.h", False),
        ("resources/models/demo/config.json", True),
        ("resources/pictures/window.png", False),
    ],
)
def test_what_stays(place: str, kept: bool) -> None:
    assert contents.kept(place) is kept


@pytest.mark.parametrize(("target", "oldest"), [((14, 0), MIN_MACOS), ((13, 0), MIN_MACOS), ((26, 2), "26.2")])
def test_the_bundle_asks_for_the_macos_of_its_kernels(tmp_path: Path, target: tuple[int, int], oldest: str) -> None:
    kernels = tmp_path / "mlx.metallib"
    kernels.write_bytes(struct.pack("<4s8xHH", b"MTLB", *target) + bytes(100))
    assert contents.oldest_macos(kernels) == oldest


def test_what_holds_no_kernels_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "mlx.metallib").write_bytes(b"MT")
    with pytest.raises(ValueError, match="no Metal kernels"):
        contents.kernels_target(tmp_path / "mlx.metallib")


def test_the_session_s_type_is_declared_and_claimed() -> None:
    told = info_plist("1.2.3", "14.0")
    (declared,) = told["UTExportedTypeDeclarations"]
    claimed = [kind for document in told["CFBundleDocumentTypes"] for kind in document["LSItemContentTypes"]]
    assert declared["UTTypeIdentifier"] == SESSION_TYPE
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": [SESSION_SUFFIX]}
    assert claimed == [SESSION_TYPE, "public.folder"]


def test_the_scale_counts_files_and_no_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_bytes(bytes(1_500_000))
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert weigh.weights(tmp_path) == {"a": 1_500_000}
    assert weigh.main(tmp_path) == 0
    assert "1.5 MB" in capsys.readouterr().out


def test_too_heavy_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weigh, "LIMIT_MB", 1)
    (tmp_path / "a").write_bytes(bytes(1_000_001))
    assert weigh.main(tmp_path) == 1
    assert weigh.main(tmp_path / "absent") == 1
