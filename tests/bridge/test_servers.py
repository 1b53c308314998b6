"""The list of servers: names, places, and what a file that was edited by hand can't do."""

from PySide6.QtCore import QObject

from app.bridge.servers import Servers, wants_warning
from app.engine.types import Server
from app.library.server_keys import ServerKeys

STUDIO, CELLAR = Server("http://127.0.0.1:8080/v1", "Studio"), Server("http://192.0.2.7:8080/v1")


def made(*kept: Server) -> tuple[Servers, QObject]:
    parent = QObject()
    return Servers(kept, ServerKeys(), parent), parent


def test_a_server_goes_by_its_name_or_its_host() -> None:
    servers, _parent = made(STUDIO, CELLAR)
    assert servers.name_of(STUDIO.address) == "Studio"
    assert servers.name_of(CELLAR.address) == "192.0.2.7:8080"
    assert servers.name_of("https://elsewhere/v1") == "elsewhere"


def test_an_edited_server_keeps_its_place_and_nobody_stands_there_twice() -> None:
    servers, _parent = made(STUDIO, CELLAR)
    servers.put(Server("https://studio/v1", "Studio"), STUDIO.address)
    assert [each.address for each in servers.kept] == ["https://studio/v1", CELLAR.address]
    servers.put(Server(CELLAR.address, "Both"), "https://studio/v1")
    assert [each.name for each in servers.kept] == ["Both"]


def test_what_is_no_address_is_left_out_of_the_list() -> None:
    servers, _parent = made(Server("http://[", "broken"), Server("ftp://x"), Server(""), STUDIO)
    assert servers.kept == (STUDIO,)


def test_only_plain_text_to_another_machine_is_warned_of() -> None:
    assert wants_warning(CELLAR)
    assert not wants_warning(Server(CELLAR.address, accepted=True))
    assert not wants_warning(STUDIO)
    assert not wants_warning(Server("https://elsewhere/v1"))
