"""Hostile text, in short: our own strings everywhere, a large paste, a long answer, markup in every corner."""

import pytest
from PySide6.QtWidgets import QApplication

from tests.faults import text
from tests.faults.hostile import OWN
from tests.faults.markup import seen_as_markup
from tests.standins.samples import Samples

pytestmark = pytest.mark.usefixtures("qapp")


def test_what_is_said_comes_back_whole() -> None:
    assert text.said_and_kept(OWN).lost == ()


def test_titles_and_searches() -> None:
    assert text.titled_and_sought(OWN).lost == ()


def test_a_paste_and_a_long_answer() -> None:
    assert text.pasted(300_000).lost == ()
    assert text.answered(2_000).lost == ()


def test_bytes_that_are_no_text(samples: Samples) -> None:
    files = [each for each in samples.stress_files() if each.stat().st_size < 30_000]
    assert len(files) > 2
    assert text.imported(files).lost == ()


def test_nobody_s_words_are_markup() -> None:
    assert seen_as_markup() == []
    assert not QApplication.activeModalWidget()
