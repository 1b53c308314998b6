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


def test_modules_imported_by_name_are_installed() -> None:
    assert all(find_spec(name) for name in (*contents.BY_NAME, *contents.ALSO))


def test_bundled_packages_are_the_program_s_and_no_tools() -> None:
    names = {name.lower() for name in contents.packages()}
    assert {"mlx-lm", "transformers", "pyqtgraph", "tokenizers"} <= names
    assert not names & {"pytest", "mypy", "ruff", "hf-xet", "hf_xet"}


def test_data_files_of_packages_exist() -> None:
    places = {place: file.stat().st_size for file, place in contents.data_files()}
    assert places.keys() == {f"{package}/{name}" for package, name in contents.DATA.items()}
    assert all(places.values())


def test_excluded_modules_are_not_imported_by_the_program() -> None:
    out = set(contents.excluded())
    assert {"transformers.models.qwen2.modeling_qwen2", "readline"} <= out
    assert not {name for name in out if name.startswith(("app.", "transformers.models.auto."))}
    assert "transformers.models.qwen2.tokenization_qwen2" not in out


def test_bundle_contains_both_server_programs() -> None:
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
def test_kept_files_are_those_that_the_program_needs(place: str, kept: bool) -> None:
    assert contents.kept(place) is kept


@pytest.mark.parametrize(("target", "oldest"), [((14, 0), MIN_MACOS), ((13, 0), MIN_MACOS), ((26, 2), "26.2")])
def test_bundle_requires_the_macos_of_its_metal_kernels(tmp_path: Path, target: tuple[int, int], oldest: str) -> None:
    file = tmp_path / kernels.FILE
    file.write_bytes(bundles.kernels(*target))
    assert kernels.oldest_macos(file) == oldest


def test_info_plist_declares_and_claims_the_session_type() -> None:
    told = info_plist("1.2.3", "14.0")
    (declared,) = told["UTExportedTypeDeclarations"]
    claimed = [kind for document in told["CFBundleDocumentTypes"] for kind in document["LSItemContentTypes"]]
    assert declared["UTTypeIdentifier"] == SESSION_TYPE
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": [SESSION_SUFFIX]}
    assert claimed == [SESSION_TYPE, "public.folder"]
    ranks = [document["LSHandlerRank"] for document in told["CFBundleDocumentTypes"]]
    assert ranks == ["Owner", "Alternate"], "what has the rank None can't be dropped on the Dock icon"


def test_info_plist_names_network_use_and_languages() -> None:
    told = info_plist("1.2.3", "14.0")
    network = told["NSLocalNetworkUsageDescription"]
    assert "network" in network and "serve " not in network, "it serves on this machine alone"
    languages = {file.stem.removeprefix("sluice_") for file in (PROJECT / "resources" / "languages").glob("*.ts")}
    assert set(told["CFBundleLocalizations"]) == {"en"} | languages


@pytest.mark.parametrize(
    ("sizes_mb", "code"),
    [
        ({"rest": 180, kernels.FILE: 215}, 0),
        ({"rest": 180, "other": 215}, 1),
        ({"rest": 191, kernels.FILE: 0}, 1),
        ({"rest": 0, kernels.FILE: 231}, 1),
    ],
)
def test_metal_kernels_have_their_own_size_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sizes_mb: dict[str, int], code: int
) -> None:
    """Those for macOS 26.2 have 214 MB, where those for 14.0 have 147."""
    for name, size_mb in sizes_mb.items():
        with (tmp_path / name).open("wb") as file:
            file.truncate(size_mb * 1_000_000)
    assert weigh.main(tmp_path) == code
    assert ("Metal kernels" in capsys.readouterr().out) is (kernels.FILE in sizes_mb)
