from pathlib import Path

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.bridge.model_sources import ModelFolders, Servers, wants_warning
from app.engine.types import Server
from app.library.keychain import ServerKeys

STUDIO, CELLAR = Server("http://127.0.0.1:8080/v1", "Studio"), Server("http://192.0.2.7:8080/v1")


def made(*kept: Server) -> tuple[Servers, QObject]:
    parent = QObject()
    return Servers(kept, ServerKeys(), parent), parent


def test_server_without_a_name_uses_its_host() -> None:
    servers, _parent = made(STUDIO, CELLAR)
    assert servers.name_of(STUDIO.address) == "Studio"
    assert servers.name_of(CELLAR.address) == "192.0.2.7:8080"
    assert servers.name_of("https://elsewhere/v1") == "elsewhere"


def test_server_edited_keeps_its_position() -> None:
    servers, _parent = made(STUDIO, CELLAR)
    servers.put(Server("https://studio/v1", "Studio"), STUDIO.address)
    assert [each.address for each in servers.entries] == ["https://studio/v1", CELLAR.address]
    servers.put(Server(CELLAR.address, "Both"), "https://studio/v1")
    assert [each.name for each in servers.entries] == ["Both"]


def test_servers_invalid_address_is_dropped() -> None:
    servers, _parent = made(Server("http://[", "broken"), Server("ftp://x"), Server(""), STUDIO)
    assert servers.entries == (STUDIO,)


def test_wants_warning_only_for_unencrypted_remote() -> None:
    assert wants_warning(CELLAR)
    assert not wants_warning(Server(CELLAR.address, accepted=True))
    assert not wants_warning(STUDIO)
    assert not wants_warning(Server("https://elsewhere/v1"))


def test_model_folders_add_a_folder_once_by_absolute_path(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QObject()
    folders = ModelFolders(("/a",), parent)
    with qtbot.waitSignal(folders.changed):
        folders.add(tmp_path)
    assert folders.names == ("/a", str(tmp_path))
    with qtbot.assertNotEmitted(folders.changed):
        folders.add(tmp_path)
        folders.set_folders(folders.names)
        folders.remove("/b")
    folders.add(Path("models"))
    assert folders.names[-1] == str(Path("models").absolute())


def test_model_folders_remove_several_with_one_signal(qapp: QObject) -> None:
    parent = QObject()
    folders = ModelFolders(("/a", "/b", "/c"), parent)
    told: list[tuple[str, ...]] = []
    folders.changed.connect(lambda: told.append(folders.names))
    folders.remove("/a", "/c")
    assert told == [("/b",)]
