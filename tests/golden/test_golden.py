"""What earlier versions wrote is read, and exports and `--json` outputs stay as they were recorded."""

import json
from pathlib import Path

import pytest

from app.files import settings
from tests.golden import exports, verbs

pytestmark = pytest.mark.slow


def test_exports_of_a_recorded_data_folder_stay_byte_identical(tmp_path: Path) -> None:
    exports.unpack(tmp_path)
    found = dict(exports.exports(tmp_path))
    assert found.keys() == {file.name for file in exports.EXPECTED.iterdir()}
    changed = [name for name, text in found.items() if text.encode() != (exports.EXPECTED / name).read_bytes()]
    assert not changed


def test_settings_of_a_recorded_data_folder_are_read_and_written_alike(tmp_path: Path) -> None:
    exports.unpack(tmp_path)
    recorded = json.loads((tmp_path / "settings.json").read_bytes())
    kept, unread = settings.load(tmp_path)
    assert unread is None
    settings.save(kept, tmp_path)
    added_later = recorded["settings"]
    added_later["advanced"]["keeps_packed"] = False
    added_later["lookup_tokens"] = added_later["beginning"]["saved"]["lookup_tokens"] = 0
    assert json.loads((tmp_path / "settings.json").read_bytes()) == recorded


@pytest.mark.parametrize("verb", verbs.VERBS)
def test_verb_prints_the_recorded_json(verb: str, tmp_path: Path) -> None:
    expected = json.loads(verbs.EXPECTED.read_text("utf-8"))[verb]
    assert not verbs.differences(expected, verbs.printed(verb, tmp_path))
