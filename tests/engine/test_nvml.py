"""An NVIDIA GPU whose driver is simulated."""

import ctypes
import os
from collections.abc import Iterator
from typing import Any

import pytest

from app.engine.nvml import NvidiaGpu, ProcessSample, find_gpu

OK, UNSUPPORTED = 0, 3
OWN, OTHER = os.getpid(), 1


class Driver:
    """The functions of NVML, which write into the given addresses and return an error code."""

    def __init__(self, code: int = OK, processes: dict[int, int] | None = None, reasons: int = 0) -> None:
        self._code, self._processes, self._reasons = code, processes or {}, reasons

    def nvmlInit_v2(self) -> int:
        return self._code

    def nvmlDeviceGetHandleByPciBusId_v2(self, pci_bus_id: bytes, handle: Any) -> int:
        handle._obj.value = 7
        return self._code if pci_bus_id == b"0000:19:00.0" else UNSUPPORTED

    def nvmlDeviceGetProcessUtilization(self, _handle: object, samples: Any, count: Any, since: Any) -> int:
        assert since.value == 1_500_000
        for at, (process, percent) in enumerate(self._processes.items()):
            samples[at] = ProcessSample(process, 2_000_000, percent)
        count._obj.value = len(self._processes)
        return self._code

    def nvmlDeviceGetClockInfo(self, _handle: object, kind: int, clock: Any) -> int:
        clock._obj.value = 1_200 * kind
        return self._code

    def nvmlDeviceGetMaxClockInfo(self, _handle: object, kind: int, clock: Any) -> int:
        clock._obj.value = 1_980 * kind
        return self._code

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, _handle: object, reasons: Any) -> int:
        reasons._obj.value = self._reasons
        return self._code


def gpu(*given: Any) -> NvidiaGpu:
    return NvidiaGpu(Driver(*given), ctypes.c_void_p(7))


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    find_gpu.cache_clear()
    yield
    find_gpu.cache_clear()


@pytest.mark.parametrize(
    ("processes", "share"),
    [
        ({OWN: 60, OTHER: 25, OTHER + 1: 5}, 0.3),
        ({OWN: 60}, 0.0),
        ({OWN: 100, OTHER: 100, OTHER + 1: 90}, 1.0),
        ({OTHER: 25}, None),
        ({}, None),
    ],
)
def test_others_share_needs_the_own_process(processes: dict[int, int], share: float | None) -> None:
    assert gpu(OK, processes).others_share(1.5) == (None if share is None else pytest.approx(share))


def test_clock_is_relative_and_slowed_by_temperature_or_power_only() -> None:
    assert gpu().clock() == pytest.approx(1_200 / 1_980)
    assert not gpu(OK, {}, 0x1 | 0x2 | 0x10).is_slowed() and gpu(OK, {}, 0x1 | 0x40).is_slowed()


def test_gpu_without_an_answer_is_unknown() -> None:
    silent = gpu(UNSUPPORTED, {OWN: 1}, 0x40)
    assert silent.others_share(1.5) is None and silent.clock() is None and not silent.is_slowed()


@pytest.mark.parametrize(("driver", "is_found"), [(Driver(), True), (Driver(UNSUPPORTED), False), (object(), False)])
def test_find_gpu_needs_driver_and_device(driver: object, is_found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: driver)
    assert (find_gpu("0000:19:00.0") is not None) is is_found
    assert find_gpu("0000:20:00.0") is None


def test_find_gpu_of_a_driver_without_a_function_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: Driver())
    monkeypatch.delattr(Driver, "nvmlDeviceGetMaxClockInfo")
    assert find_gpu("0000:19:00.0") is None
