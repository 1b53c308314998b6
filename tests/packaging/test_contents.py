"""What goes into the frozen program: the rules that no build would complain about."""

from importlib.util import find_spec
from pathlib import Path

import bundles
import pytest

import contents
import kernels
import weigh
from identity import MIN_MACOS, SESSION_SUFFIX, SESSION_TYPE
from info_plist import info_plist

PROJECT = Path(__file__).parents[2]


def test_what_is_imported_by_name_is_installed() -> None:
    assert all(find_spec(name) for name in (*contents.BY_NAME, *contents.ALSO))


def test_what_is_bundled_is_what_the_program_asks_for_and_no_tool() -> None:
    names = {name.lower() for name in contents.packages()}
    assert {"mlx-lm", "transformers", "pyqtgraph", "tokenizers"} <= names
    assert not names & {"pytest", "mypy", "ruff", "hf-xet", "hf_xet"}


def test_nothing_is_excluded_that_the_program_imports() -> None:
    out = set(contents.excluded())
    assert {"transformers.models.qwen2.modeling_qwen2", "readline"} <= out
    assert not {name for name in out if name.startswith(("app.", "transformers.models.auto."))}
    assert "transformers.models.qwen2.tokenization_qwen2" not in out


def test_both_programs_that_serve_a_model_are_bundled() -> None:
    served = {"mlx_lm.server", "mlx._distributed_utils.launch"}
    assert all(find_spec(name) for name in served)
    assert not served & set(contents.excluded())


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
    file = tmp_path / kernels.FILE
    file.write_bytes(bundles.kernels(*target))
    assert kernels.oldest_macos(file) == oldest


def test_what_holds_no_kernels_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / kernels.FILE).write_bytes(b"MT")
    with pytest.raises(ValueError, match="no Metal kernels"):
        kernels.target(tmp_path / kernels.FILE)


def test_the_session_s_type_is_declared_and_claimed() -> None:
    told = info_plist("1.2.3", "14.0")
    (declared,) = told["UTExportedTypeDeclarations"]
    claimed = [kind for document in told["CFBundleDocumentTypes"] for kind in document["LSItemContentTypes"]]
    assert declared["UTTypeIdentifier"] == SESSION_TYPE
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": [SESSION_SUFFIX]}
    assert claimed == [SESSION_TYPE, "public.folder"]
    ranks = [document["LSHandlerRank"] for document in told["CFBundleDocumentTypes"]]
    assert ranks == ["Owner", "Alternate"], "what has the rank None can't be dropped on the Dock icon"


def test_the_mac_is_told_of_the_network_and_the_languages() -> None:
    told = info_plist("1.2.3", "14.0")
    network = told["NSLocalNetworkUsageDescription"]
    assert "network" in network and "serve " not in network, "it serves on this machine alone"
    languages = {file.stem.removeprefix("sluice_") for file in (PROJECT / "resources" / "languages").glob("*.ts")}
    assert set(told["CFBundleLocalizations"]) == {"en"} | languages


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


def test_the_newest_kernels_are_weighed_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those for macOS 26.2 have 214 MB, where those for 14.0 have 147."""
    for name, size_mb in (("rest", 180), (kernels.FILE, 215)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size_mb * 1_000_000)
    assert weigh.main(tmp_path) == 0
    assert "Metal kernels" in capsys.readouterr().out
    (tmp_path / kernels.FILE).rename(tmp_path / "other")
    assert weigh.main(tmp_path) == 1


@pytest.mark.parametrize(("name", "size_mb"), [("rest", 191), (kernels.FILE, 231)])
def test_neither_the_kernels_nor_the_rest_may_grow(tmp_path: Path, name: str, size_mb: int) -> None:
    (tmp_path / kernels.FILE).touch()
    with (tmp_path / name).open("wb") as file:
        file.truncate(size_mb * 1_000_000)
    assert weigh.main(tmp_path) == 1
