import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from app.files.regular_files import IrregularFileError, open_regular, read, set_aside
from tests.odd_files import ODD


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_open_regular_pipe_is_refused_at_once(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "odd")
    with pytest.raises(IrregularFileError, match="not a regular file"):
        read(tmp_path / "odd", 100)


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_set_aside_pipe_is_renamed(tmp_path: Path, make: Callable[[Path], object]) -> None:
    for number in (1, 2):
        make(tmp_path / "odd")
        kind = stat.S_IFMT((tmp_path / "odd").lstat().st_mode)
        assert set_aside(tmp_path / "odd") == tmp_path / f"odd.aside-{number}"
        assert stat.S_IFMT((tmp_path / f"odd.aside-{number}").lstat().st_mode) == kind
        assert not (tmp_path / "odd").exists()


def test_set_aside_regular_file_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    moved = [name for name in ("file", "link", "dangling", "absent", "loop") if set_aside(tmp_path / name) is not None]
    assert moved == ["loop"]


def test_read_broken_link_raises(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "gone", 100)
    with pytest.raises((OSError, RuntimeError)):
        read(tmp_path / "loop", 100)


def test_read_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read(file, 5) == b"12345"
    with pytest.raises(IrregularFileError, match="too large"):
        read(file, 4)


def test_read_file_without_size_stops_at_the_limit() -> None:
    """The system's own say that they have no bytes at all."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("only Linux has such files")
    with pytest.raises(IrregularFileError, match="too large"):
        read(status, 10)


def test_open_regular_swapped_file_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    file.write_bytes(b"1")
    os.mkfifo(pipe)
    ordinary = file.stat()
    monkeypatch.setattr(Path, "stat", lambda self: ordinary)
    with pytest.raises(IrregularFileError, match="not a regular file"):
        open_regular(pipe, 100)
