import inspect
from pathlib import Path

from app.i18n import LANGUAGES
from tests.pictures import scenes
from tests.pictures.looks import PICTURES
from tests.project.documents import documents


def test_pictures_have_existing_scenes_and_languages() -> None:
    assert {look.language for look in PICTURES.values()} <= set(LANGUAGES)
    made_here = inspect.getmembers(scenes, lambda each: inspect.isfunction(each) and each.__module__ == scenes.__name__)
    assert {look.scene for look in PICTURES.values()} == {name for name, _ in made_here}


def test_documents_show_every_picture() -> None:
    links = [link for document in documents() for link in document.links]
    shown = {Path(link).stem for link in links if Path(link).parent.name == "pictures"}
    assert shown == set(PICTURES)
