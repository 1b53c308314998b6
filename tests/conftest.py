"""What every test runs under: no screen, no network, no user's files or keychain, and nothing left behind."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

# Libraries read these when they are imported, so they stand before any import of them.
HOME = Path(tempfile.mkdtemp(prefix="sluice-tests-"))
os.environ |= {
    "HOME": str(HOME),
    "HF_HOME": str(HOME / "huggingface"),
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # On the CPU mlx compiles each kernel with a C++ compiler at first use: ten seconds and more.
    "MLX_DISABLE_COMPILE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Without a session bus the keyring is out of reach.
    "DBUS_SESSION_BUS_ADDRESS": f"unix:path={HOME / 'no-bus'}",
}
for kind in ("CACHE", "CONFIG", "DATA", "RUNTIME", "STATE"):
    variable = "XDG_RUNTIME_DIR" if kind == "RUNTIME" else f"XDG_{kind}_HOME"
    place = HOME / kind.lower()
    place.mkdir(mode=0o700)
    os.environ[variable] = str(place)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from hypothesis import settings as hypothesis_settings  # noqa: E402

from app.library import keychain  # noqa: E402
from tests import garbage, leaks, models, offline  # noqa: E402
from tests.standins.samples import REAL, STAND_IN, Samples  # noqa: E402

# A shared machine may stall for seconds: a deadline would measure the neighbours.
hypothesis_settings.register_profile("sluice", deadline=None, database=None, print_blob=True)
hypothesis_settings.load_profile("sluice")

PROJECT = Path(__file__).parent.parent
REAL_DATA = PROJECT.parent / "shared" / "realdata"
DEMO_MODELS = PROJECT / "resources" / "models"


def pytest_configure() -> None:
    keep_apart()
    garbage.keep_aside()


def keep_apart() -> None:
    """From the network and from the user's keychain: for whatever drives the program outside of pytest too."""
    offline.watch()
    keychain.SECURITY = str(HOME / "no-security")


def pytest_unconfigure() -> None:
    """Leave mlx's streams in order (the process may abort at exit without) and remove the pretended home."""
    if "mlx.core" in sys.modules:
        sys.modules["mlx.core"].clear_streams()
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(autouse=True)
def leaves_nothing_behind() -> Iterator[None]:
    """Fail the test that leaves a thread, a running timer or a window, or that reached for the network."""
    with leaks.watched(), offline.checked():
        yield


@pytest.fixture(scope="module", autouse=True)
def takes_its_garbage_along() -> Iterator[None]:
    """Qt's objects in cycles are destroyed here, before a thread of the next tests may come upon them."""
    garbage.set_aside()
    yield
    gc.collect()


@pytest.fixture(scope="session")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    """Models, tokenizers, templates and texts of our own, each made when a test asks for it."""
    return Samples(STAND_IN, tmp_path_factory.mktemp("stand-ins"))


@pytest.fixture(scope="module", params=[STAND_IN, REAL])
def samples(request: pytest.FixtureRequest, stand_ins: Samples) -> Samples:
    """The stand-ins, then what nobody on this project wrote, where it is: one test meets both."""
    if request.param == STAND_IN:
        return stand_ins
    if not REAL_DATA.is_dir():
        pytest.skip("the real data is not here: ../shared/realdata is absent")
    return Samples(REAL, REAL_DATA)


@pytest.fixture(scope="session")
def demo_model() -> Path:
    """The bundled demo model."""
    return _bundled("demo")


@pytest.fixture(scope="session")
def demo_draft() -> Path:
    """The bundled draft model that speeds the demo model up."""
    return _bundled("demo-draft")


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random llama with plain RoPE and plain KV caches."""
    return models.tiny_llama(tmp_path_factory.mktemp("models") / "tiny-llama")


@pytest.fixture(scope="session")
def llama3_rope(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random llama with llama3-scaled RoPE."""
    return models.llama3_rope(tmp_path_factory.mktemp("models") / "llama3-rope")


@pytest.fixture(scope="session")
def sliding_window(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random gemma3 with a rotating cache."""
    return models.sliding_window(tmp_path_factory.mktemp("models") / "sliding-window")


@pytest.fixture(scope="session")
def recurrent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Mamba."""
    return models.recurrent(tmp_path_factory.mktemp("models") / "recurrent")


def _bundled(name: str) -> Path:
    folder = DEMO_MODELS / name
    if not (folder / "config.json").is_file():
        pytest.skip(f"the bundled model is not here: resources/models/{name} is absent")
    return folder
