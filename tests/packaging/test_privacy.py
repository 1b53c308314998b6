"""What leaves the machine names nobody: each kind of name is planted, and gone."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import privacy

PACKAGING = Path(__file__).parents[2] / "packaging"
HOST = "Grete’s MacBook Pro"
TOLD = {
    "id": "Greta Garbovna",
    "hostname": "gretes-macbook.local",
    "scutil": HOST,
    "ioreg": '  "IOPlatformSerialNumber" = "C02XK1"\n  "IOPlatformUUID" = "0F9A-UUID"',
}


@pytest.fixture
def nameless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> privacy.Nameless:
    """On a machine of Grete's."""
    tools, home = tmp_path / "tools", tmp_path / "gretchen77"
    tools.mkdir()
    home.mkdir()
    for name, said in TOLD.items():
        (tools / name).write_text(f"#!/bin/sh\ncat <<'SAID'\n{said}\nSAID\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "gretchen77")
    return privacy.Nameless(tmp_path / "gretchen77" / "code" / "sluice")


@pytest.mark.parametrize(
    "name",
    ["gretchen77", "Gretchen77", "Garbovna", "greta garbovna", HOST, "gretes-macbook", "C02XK1", "0F9A-UUID", "Grete"],
)
def test_a_name_is_taken_out(nameless: privacy.Nameless, name: str) -> None:
    assert nameless.text(f"said by {name}, of {name}_1") == "said by [name], of [name]_1"


def test_folders_are_told_without_whose_they_are(nameless: privacy.Nameless, tmp_path: Path) -> None:
    assert nameless.text(f'"{tmp_path}/gretchen77/models/a"') == '"~/models/a"'
    assert nameless.text(f"{tmp_path}/gretchen77/code/sluice/app/x.py:3") == "[project]/app/x.py:3"
    slash = "/"
    assert nameless.text(f"{slash}Users/anna/x, {slash}home/anna") == f"{slash}Users/…/x, {slash}home/…"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("mail to someone.else@example.org now", "mail to [address] now"),
        ("en0 a4:83:e7:00:11:22", "en0 [network card]"),
        ("from 192.168.3.4 to 127.0.0.1", "from [network address] to 127.0.0.1"),
        ("Serial Number (system): C02XXXX", "Serial Number (system): [serial number]"),
        ("token hf_abcdefghijk", "token [token]"),
        ("0F9A1B2C-0000-1111-2222-0123456789ab", "[identity]"),
        ("Apple M3 Pro, MacBook", "Apple M3 Pro, MacBook"),
        ("mlx 0.32.4, 12:30:11, the root of a tree", "mlx 0.32.4, 12:30:11, the root of a tree"),
    ],
)
def test_what_only_one_machine_has_is_taken_out(nameless: privacy.Nameless, text: str, left: str) -> None:
    assert nameless.text(text) == left


def test_a_mac_s_own_python_can_read_it() -> None:
    """Nothing is set up where the set-up failed: there the report is made by Python 3.9."""
    for name in ("privacy.py", "mac_report.py"):
        source = (PACKAGING / name).read_text("utf-8")
        ast.parse(source, feature_version=(3, 9))
        assert "from __future__ import annotations" in source
        assert not any(word in source for word in ("slots=", "strict=", "datetime.UTC", "removeprefix(", "batched("))
