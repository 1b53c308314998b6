"""A plugin for pytest: the program speaks Korean. It comes before the program."""

from __future__ import annotations

from pathlib import Path

from app import language

LANGUAGES = Path(__file__).parents[2] / "resources" / "languages"

if language.begin("ko", LANGUAGES) != "ko":
    raise FileNotFoundError("resources/languages/sluice_ko.qm is not there: make setup")
