"""Every picture has a scene and a language that there is; every scene is in a picture, and README shows real ones."""

from __future__ import annotations

import inspect
import re

from app.words import LANGUAGES
from tests.conftest import PROJECT
from tests.pictures import scenes
from tests.pictures.looks import PICTURES


def test_every_look_can_be_taken() -> None:
    assert {look.language for look in PICTURES.values()} <= set(LANGUAGES)
    made_here = inspect.getmembers(scenes, lambda each: inspect.isfunction(each) and each.__module__ == scenes.__name__)
    assert {look.scene for look in PICTURES.values()} == {name for name, _ in made_here}


def test_readme_shows_pictures_that_are_taken_of_the_program() -> None:
    shown = re.findall(r"\(resources/pictures/([\w-]+)\.png\)", (PROJECT / "README.md").read_text("utf-8"))
    assert shown
    assert set(shown) <= set(PICTURES)
