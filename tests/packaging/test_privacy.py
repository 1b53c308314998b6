import ast
import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

import privacy
from tests.programs import program

PACKAGING = Path(__file__).parents[2] / "packaging"
HOST = "Grete’s MacBook Pro"
TOLD = {
    "id": "Greta Garbövna",
    "hostname": "gretes-macbook.허준.local",
    "scutil": HOST,
    "ioreg": '  "IOPlatformSerialNumber" = "C02XK1"\n  "IOPlatformUUID" = "0F9A-UUID"',
}
WAYS: dict[str, Callable[[str], str]] = {
    "as a Mac's Finder writes it": lambda text: unicodedata.normalize("NFD", text),
    "in JSON": lambda text: json.dumps(text)[1:-1],
    "in a link": quote,
}


@pytest.fixture
def nameless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> privacy.Nameless:
    """On a machine of Grete's."""
    tools, home = tmp_path / "tools", tmp_path / "gretchen77"
    tools.mkdir()
    home.mkdir()
    for name, said in TOLD.items():
        program(tools / name, f"cat <<'SAID'\n{said}\nSAID")
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "gretchen77")
    return privacy.Nameless(tmp_path / "gretchen77" / "한글" / "sluice", tmp_path / "at Acme's" / "mac-check")


@pytest.mark.parametrize(
    "name",
    [
        "gretchen77",
        "Gretchen77",
        "Garbövna",
        "greta garbövna",
        HOST,
        "gretes-macbook",
        "C02XK1",
        "0F9A-UUID",
        "Grete",
        "허준",
    ],
)
def test_user_name_is_removed(nameless: privacy.Nameless, name: str) -> None:
    assert nameless.text(f"said by {name}, of {name}_1") == "said by [name], of [name]_1"


@pytest.mark.parametrize("write", [*WAYS.values()], ids=[*WAYS])
def test_user_name_in_any_spelling_is_removed(
    nameless: privacy.Nameless, tmp_path: Path, write: Callable[[str], str]
) -> None:
    assert nameless.text(f"of {write('Garbövna')}.") == "of [name]."
    assert nameless.text(write(f"{tmp_path}/gretchen77/한글/sluice/app/x.py")) == "[project]/app/x.py"


def test_home_folders_are_shown_without_the_user_name(nameless: privacy.Nameless, tmp_path: Path) -> None:
    assert nameless.text(f'"{tmp_path}/gretchen77/models/a"') == '"~/models/a"'
    assert nameless.text(f"{tmp_path}/gretchen77/한글/sluice/app/x.py:3") == "[project]/app/x.py:3"
    assert nameless.text(f"{tmp_path}/at Acme's/mac-check/pictures/log.txt") == "[results]/pictures/log.txt"
    slash = "/"
    assert nameless.text(f"{slash}Users/anna/x, {slash}home/anna") == f"{slash}Users/…/x, {slash}home/…"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("mail to someone.else@example.org now", "mail to [address] now"),
        ("en0 a4:83:e7:00:11:22", "en0 [network card]"),
        ("from 192.168.3.4 to 127.0.0.1", "from [network address] to 127.0.0.1"),
        ("2001:db8:85a3::8a2e:370:7334, [fe80::1c2b%en0], ::1", "[network address], [[network address]%en0], ::1"),
        ("2a02:8071:1:2:3:4:5:6 tests/x.py::test_a std::bad", "[network address] tests/x.py::test_a std::bad"),
        ("Serial Number (system): C02XXXX", "Serial Number (system): [serial number]"),
        ("token hf_abcdefghijk", "token [token]"),
        ("0F9A1B2C-0000-1111-2222-0123456789ab", "[identity]"),
        ("Apple M3 Pro, MacBook", "Apple M3 Pro, MacBook"),
        ("mlx 0.32.4, 12:30:11, the root of a tree", "mlx 0.32.4, 12:30:11, the root of a tree"),
    ],
)
def test_identifiers_of_a_machine_are_removed(nameless: privacy.Nameless, text: str, left: str) -> None:
    assert nameless.text(text) == left


def test_report_script_runs_on_the_python_of_macos() -> None:
    """Nothing is set up where the set-up failed: there the report is made by Python 3.9."""
    newer = ("slots=", "strict=", "datetime.UTC", "removeprefix(", "batched(", " | None")
    for name in ("privacy.py", "mac_report.py"):
        source = (PACKAGING / name).read_text("utf-8")
        ast.parse(source, feature_version=(3, 9))
        assert not any(word in source for word in newer)
