"""Settings are written aside: in their order, the last ones always, and nobody waits longer than they may."""

import threading
import time

import pytest

from app.files.settings import Settings, SettingsWriter
from app.platform.shutdown import moment
from tests.patience import WAIT_S


class Disk:
    """Takes settings one by one, as it is allowed to."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.begun, self.may_write = threading.Semaphore(0), threading.Semaphore(0)
        self.fails = False

    def save(self, settings: Settings) -> None:
        self.begun.release()
        assert self.may_write.acquire(timeout=WAIT_S)
        if self.fails:
            raise OSError(28, "No space left on device")
        self.written.append(settings.model)


def test_writer_pending_settings_only_last_is_written() -> None:
    disk = Disk()
    writer = SettingsWriter(disk.save, lambda error: None)
    writer.keep(Settings(model="first"))
    assert disk.begun.acquire(timeout=WAIT_S)
    for model in ("second", "third", "last"):
        writer.keep(Settings(model=model))
    assert disk.written == [], "nobody waits for the disk"
    disk.may_write.release(2)
    assert writer.wait(moment(WAIT_S))
    assert disk.written == ["first", "last"]


def test_writer_hanging_disk_is_waited_for_until_the_deadline() -> None:
    disk = Disk()
    writer = SettingsWriter(disk.save, lambda error: None)
    writer.keep(Settings())
    began = time.monotonic()
    assert not writer.wait(moment(0.05))
    assert 0.05 <= time.monotonic() - began < WAIT_S / 2
    disk.may_write.release()
    assert writer.wait(moment(WAIT_S))


def test_writer_failure_is_reported_and_retried(capsys: pytest.CaptureFixture[str]) -> None:
    disk, told = Disk(), list[Exception]()
    writer = SettingsWriter(disk.save, told.append)
    disk.may_write.release(4)
    disk.fails = True
    for _ in range(2):  # each change in the window of settings would tell it
        writer.keep(Settings())
        assert not writer.wait(moment(WAIT_S))
        assert [str(error) for error in told] == ["[Errno 28] No space left on device"]
    assert "could not be kept" in capsys.readouterr().err
    disk.fails = False
    writer.keep(Settings(model="there is room"))
    assert writer.wait(moment(WAIT_S))
    assert disk.written == ["there is room"]
    disk.fails = True
    writer.keep(Settings())
    assert not writer.wait(moment(WAIT_S))
    assert len(told) == 2
