"""A disk that hangs, fails or takes its time, for a child process: a library that stands before the C library."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("slow_disk.c")


class SlowDisk:
    """For what is below one folder. A child's environment comes from here; orders count at once."""

    def __init__(self, folder: Path, beside: Path) -> None:
        self._folder = folder
        self._orders = beside / "orders"
        self._library = beside / "slow_disk.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True, capture_output=True)
        self.well()

    @property
    def environment(self) -> dict[str, str]:
        """The program starts itself over, which must not be left out of it."""
        return {
            "LD_PRELOAD": ":".join(filter(None, (os.environ.get("LD_PRELOAD"), str(self._library)))),
            "SLUICE_DISK": str(self._folder),
            "SLUICE_DISK_ORDERS": str(self._orders),
        }

    def well(self) -> None:
        self._orders.write_text("")

    def hang(self) -> None:
        """Nothing that is written comes back until this changes."""
        self._orders.write_text("hang")

    def fail(self) -> None:
        """As a cable that was pulled out."""
        self._orders.write_text("fail")

    def take(self, milliseconds: int) -> None:
        """Each call takes so long."""
        self._orders.write_text(str(milliseconds))


def why_not() -> str:
    """Why there is no such disk on this machine; empty: there is."""
    if sys.platform != "linux":
        return "a library is put before the C library's only on Linux"
    return "" if shutil.which("cc") is not None else "there is no compiler"
