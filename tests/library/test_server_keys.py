"""Keys of servers: what is given comes first, and the keychain is asked once, unless somebody wants to know anew."""

import pytest

from app.library import keychain
from app.library.server_keys import ServerKeys, account_of

ADDRESS = "http://[::1]:8080/v1"


def test_the_keychain_is_asked_once_or_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    chain: dict[str, str] = {}
    asked: list[str] = []

    def read(account: str) -> str | None:
        asked.append(account)
        return chain.get(account)

    monkeypatch.setattr(keychain, "read", read)
    keys = ServerKeys()
    assert [keys.of(ADDRESS), keys.of(ADDRESS)] == ["", ""] and asked == [account_of(ADDRESS)]
    chain[account_of(ADDRESS)] = "kept"
    assert (keys.of(ADDRESS), keys.of(ADDRESS, anew=True), keys.of(ADDRESS)) == ("", "kept", "kept")
    keys.give(ADDRESS, "given")
    assert (keys.of(ADDRESS), keys.of(ADDRESS, anew=True)) == ("given", "given")
    keys.give(ADDRESS, "")
    assert keys.of(ADDRESS) == "", "forgotten by the user, whatever the keychain still has"
    keys.forget(ADDRESS)
    assert keys.of(ADDRESS) == "kept" and len(asked) == 3
