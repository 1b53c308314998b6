"""What goes into the frozen program beside what PyInstaller finds by itself, and what stays out.

Imports only what is installed to run the program, so that the tests can ask it too.
"""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from app.platform import licenses

# Imported by a name that is put together at run time, or from C++.
BY_NAME = ("app", "mlx", "mlx_lm.models", "mlx_lm.tool_parsers", "mlx_lm.chat_templates")
ALSO = ("truststore", "sentencepiece", "ziamath.fonts")
DATA = {"ziamath": "fonts/STIXTwoMath-Regular.ttf", "latex2mathml": "unimathsymbols.txt"}
"""Files that packages read, and for which PyInstaller has no hook: one each, by package."""
LEFT_OUT = {"hf-xet": "hf_xet"}
"""Packages that others ask for and the program never uses: it downloads by itself."""
NOT_BY_NAME = re.compile(
    r"mlx\.(_distributed|include|share|__main__)"
    r"|mlx_lm\.models\.olmo$"  # leaves the process when a package of its own is missing
)

# Only with torch of any use: 38 MB of source that transformers would read twice at every start.
_TORCH_ONLY = re.compile(r"(modeling|modular|image_processing|video_processing|feature_extraction|processing)_")
_TRANSFORMERS_PARTS = (
    "cli exporters loss pipelines testing_utils trainer trainer_callback trainer_seq2seq trainer_utils training_args"
).split()
# readline's library would put all of the program under the GPL, and there is no terminal to read from.
_NEVER = """
    readline rlcompleter curses _curses _curses_panel
    torch torchvision torchaudio tensorflow jax jaxlib flax onnxruntime scipy pandas matplotlib PIL cv2 sklearn numba
    cupy h5py datasets IPython ipykernel jupyter notebook tkinter _tkinter turtle idlelib lib2to3 ensurepip pip wheel
    setuptools pkg_resources pytest _pytest pytestqt hypothesis mypy mypyc ruff importlinter grimp nose macholib
    altgraph PyInstaller numpy.f2py numpy.distutils huggingface_hub.cli
    pyqtgraph.examples pyqtgraph.opengl pyqtgraph.jupyter pyqtgraph.canvas
    mlx_lm.models.olmo mlx_lm.evaluate mlx_lm.share mlx_lm.upload mlx_lm.chat mlx_lm.benchmark
    PySide6.QtQml PySide6.QtQuick PySide6.QtQuickWidgets PySide6.QtQuick3D PySide6.QtSql PySide6.QtPrintSupport
    PySide6.QtDesigner PySide6.QtMultimedia PySide6.QtWebEngineCore PySide6.QtWebEngineWidgets
""".split()

_DROPPED = re.compile(
    r"^PySide6/Qt/translations/(?!qtbase_(ko)\.qm)|^PySide6/Qt/qml/"
    r"|^(PySide6/Qt/lib/)?libQt6EglF"
    r"|^PySide6/Qt/plugins/(egldeviceintegrations|generic|networkinformation|platforminputcontexts/libqtvirtual)"
    r"|^PySide6/Qt/plugins/imageformats/libqpdf"
    r"|^PySide6/Qt/plugins/platforms/libq(eglfs|linuxfb|vnc|vkkhr|minimalegl)"
    r"|^PySide6/Qt/plugins/platformthemes/libqgtk3"
    r"|^mlx/(include|share)/|^mlx/.*\.pyi$|^resources/pictures/"
    r"|^(libcudart|libgtk-3|libgdk|libatk|libatspi|libcairo|libpango|libgdk_pixbuf|libthai|libdatrie|libpixman"
    r"|libjpeg)[-_.\w]*\.so"
)


def excluded() -> list[str]:
    """Modules that are never bundled."""
    return [*_NEVER, *LEFT_OUT.values(), *(f"transformers.{part}" for part in _TRANSFORMERS_PARTS), *_torch_only()]


def packages() -> list[str]:
    """The distributions that are bundled, as the environment has them."""
    return [package.name for package in licenses.packages() if licenses.normal(package.name) not in LEFT_OUT]


def data_files() -> Iterator[tuple[Path, str]]:
    """Each file of DATA, with its place in the bundle."""
    for package, name in DATA.items():
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None
        yield Path(spec.origin).parent / name, f"{package}/{name}"


def kept(place: str) -> bool:
    """Whether a file at this place of the bundle stays."""
    return not _DROPPED.search(place.replace("\\", "/"))


def metal_libraries() -> tuple[list[Path], Path]:
    """On a Mac: mlx's libraries, and the kernels that must lie beside the one that loads them."""
    spec = find_spec("mlx")
    places = (spec.submodule_search_locations if spec is not None else None) or ()
    folder = next(folder for place in places if (folder := Path(place) / "lib").is_dir())
    return sorted(folder.glob("*.dylib")), folder / "mlx.metallib"


def _torch_only() -> Iterator[str]:
    spec = find_spec("transformers")
    assert spec is not None and spec.origin is not None
    # `auto` stays whole: the tokenizers' own table asks all of it.
    for file in sorted((Path(spec.origin).parent / "models").glob("*/*.py")):
        if file.parent.name != "auto" and _TORCH_ONLY.match(file.name):
            yield f"transformers.models.{file.parent.name}.{file.stem}"
