"""A journal in a folder of its own, closed when the test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.records import writer
from app.records.journal import Journal, open_journal

Opener = Callable[[Path | None], Journal]


@pytest.fixture(autouse=True)
def patient_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer to write than a window would wait; tests want the answer."""
    monkeypatch.setattr(writer, "SETTLE_S", 10.0)


@pytest.fixture
def opener() -> Iterator[Opener]:
    """Opens journals that are closed in the end; closing one before is well."""
    opened: list[Journal] = []

    def open_one(folder: Path | None) -> Journal:
        opened.append(open_journal(folder))
        return opened[-1]

    yield open_one
    for journal in opened:
        journal.close()


@pytest.fixture
def journal(opener: Opener, tmp_path: Path) -> Journal:
    found = opener(tmp_path / "data")
    assert found.failure is None
    return found
