import json
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

from app.controls import AT_FIRST, Controls, Mode
from app.engine.types import KV, Limits, OutputFormat, Sampling
from app.files import settings
from app.files.settings import Advanced, Layout, NewSessionDefaults, Settings, SettingsWriter
from app.platform.shutdown import deadline
from app.presets import Preset, PresetStore
from tests import earlier_files
from tests.malformed_json import spoiled
from tests.odd_files import ODD
from tests.patience import WAIT_S

CHANGED = Settings(
    model="mlx-community/Qwen3-0.6B-4bit",
    draft="/models/small",
    presets=PresetStore(
        own=(Preset("Mine", Sampling(top_k=3), Limits(9, ("a",)), sets_limits=True),),
        chosen="Mine",
        of_models=(("/models/large", "Mine"),),
    ),
    folders=("/models", "/more models"),
    enter_sends=False,
    language="ko",
    beginning=NewSessionDefaults(True, Controls(system="Be kind.", sampling=Sampling(top_p=0.9), observe=5)),
    cache="/big/hub",
    keep_days=90,
    told_before=1.5e9,
    advanced=Advanced(memory_gb=12.5, prefill_chunk=512, frame_ms=16, kept_gb=1.5, saved_gb=20.0),
    shortcuts=(("new_session", ("Ctrl+Alt+J", "F5")), ("regenerate", ())),
    recent_actions=("about", "stop"),
    recent_models=("/models/large", "/models/small"),
    layout=Layout(
        "AdnQywADAAA=",
        (200, 600, 300),
        (500, 160),
        side_shown=False,
        side_tab="exact_prompt",
        more_shown=True,
        folded=("kv",),
        end_probability_shown=True,
        curve_measured=True,
    ),
    controls=Controls(
        mode=Mode.RAW,
        system="Be brief. 🌊",
        sampling=Sampling(temperature=0.0, top_k=40, logit_bias=((3, -1.5), (9, 2.0))),
        limits=Limits(max_tokens=-1, stop_strings=("\n\n", "ende"), stop_ids=(7,)),
        seed=42,
        kv=KV(reuse=False, bits=4, group_size=32, max_size=None),
        draft_tokens=5,
        interval=0,
    ),
)


def kept(folder: Path) -> Path:
    return folder / settings.FILE


@pytest.mark.parametrize("value", [Settings(), CHANGED])
def test_load_after_save_returns_the_settings(tmp_path: Path, value: Settings) -> None:
    settings.save(value, tmp_path / "deep" / "er")
    assert settings.load(tmp_path / "deep" / "er") == (value, None)


def test_load_old_file_is_written_unchanged(tmp_path: Path) -> None:
    kept(tmp_path).write_text(earlier_files.SETTINGS_FILE, "utf-8")
    value, unread = settings.load(tmp_path)
    assert (value.controls, unread) == (earlier_files.CONTROLS, None)
    assert (value.model, value.draft) == ("demo", "/models/small")
    assert value.beginning == NewSessionDefaults(True, earlier_files.BEGINNING)
    settings.save(value, tmp_path)
    written = json.loads(kept(tmp_path).read_text("utf-8"))
    earlier = json.loads(earlier_files.as_written_now(earlier_files.SETTINGS_FILE))
    place, before = written["settings"].pop("layout"), earlier["settings"].pop("layout")
    assert place.pop("curve_measured") is False, "nobody had been told of it yet"
    assert (place.pop("side_shown"), place.pop("side_tab"), place.pop("more_shown")) == (True, "controls", False)
    assert place.pop("tables") == [], "as the program has them"
    assert place.items() <= before.items(), "what it had of the panes of then is gone"
    assert written["settings"].pop("recent_models") == []
    assert written["settings"].pop("native_look") is False
    assert written["settings"].pop("adapter") == ""
    for field in ("kept_gb", "saved_gb", "keeps_packed"):
        assert not written["settings"]["advanced"].pop(field)
    assert written["settings"].pop("notify") == "long"
    assert written["settings"]["presets"].pop("systems") == []
    for field in ("system", "form"):
        assert {preset.pop(field) for preset in written["settings"]["presets"]["own"]} <= {None}
    for controls in (written["settings"], written["settings"]["beginning"]["saved"]):
        assert controls.pop("form") == asdict(OutputFormat())
        assert controls.pop("tools") == ""
        assert controls.pop("lookup_tokens") == 0
    for each in (
        *written["settings"]["presets"]["own"],
        written["settings"],
        written["settings"]["beginning"]["saved"],
    ):
        assert each["limits"].pop("think_budget") == -1
        assert each["sampling"].pop("top_n_sigma") == 0
    assert written == earlier


def test_load_controls_are_clamped(tmp_path: Path) -> None:
    wrong = {"mode": "song", "seed": -7, "sampling": {"temperature": -5.0, "top_k": 3}, "draft_tokens": 99}
    saved = {"saved": {"interval": -1, "kv": {"bits": 7}}}
    kept(tmp_path).write_text(json.dumps({"version": 1, "settings": wrong | {"beginning": saved}}))
    value, _ = settings.load(tmp_path)
    assert value.controls == replace(AT_FIRST, sampling=Sampling(top_k=3))
    assert value.beginning.saved == Controls()


def test_load_invalid_values_become_defaults(tmp_path: Path) -> None:
    wrong = {
        "keep_days": 31,
        "told_before": 1.5e9,
        "advanced": {"memory_gb": -3.0, "prefill_chunk": 9_000_000, "frame_ms": 1},
        "seed": 7,
        "language": "xx",
        "layout": {"columns": [200, 10**12, 300], "rows": [540, -1]},
        "session": 10**30,
    }
    kept(tmp_path).write_text(json.dumps({"version": 1, "settings": wrong}))
    assert settings.load(tmp_path) == (Settings(controls=replace(AT_FIRST, seed=7)), None)
    kept(tmp_path).write_text('{"version": 1, "settings": {"advanced": {"memory_gb": NaN, "frame_ms": 8}}}')
    assert settings.load(tmp_path) == (Settings(advanced=Advanced(frame_ms=8)), None)


@pytest.mark.parametrize("cache", ["hub", "~nobody/hub", "/hub\0", "/\ud800"])
def test_load_relative_cache_becomes_default(tmp_path: Path, cache: str) -> None:
    """The environment could not carry it, and the program would not start."""
    kept(tmp_path).write_text(json.dumps({"version": 1, "settings": {"cache": cache}}))
    assert settings.load(tmp_path) == (Settings(), None)


def test_load_without_a_file_has_no_failure(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "absent") == (Settings(), None)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\xff\xfe\0",
        "{",
        "[]",
        "null",
        '{"version": 1}',
        '{"version": 99, "settings": {}}',
        '{"version": 1, "settings": {"seed": "one"}}',
        '{"version": 1, "settings": {"enter_sends": 1}}',
        '{"version": 1, "settings": {"model": []}}',
        '{"version": 1, "settings": {"sampling": 3}}',
        '{"version": 1, "settings": {"layout": {"columns": ["a"]}}}',
        '{"version": 1, "settings": {"sampling": {"logit_bias": [[1]]}}}',
        pytest.param(f'{{"version": 1, "settings": {{"sampling": {{"top_p": {10**400}}}}}}}', id="huge"),
        pytest.param("[" * 100_000, id="deep"),
    ],
)
def test_load_broken_file_is_set_aside(tmp_path: Path, content: str) -> None:
    kept(tmp_path).write_text(content, "latin-1")
    value, unread = settings.load(tmp_path)
    assert value == Settings()
    assert unread is not None
    assert settings.BROKEN in unread.sentence()
    assert (tmp_path / settings.BROKEN).read_text("latin-1") == content
    assert not kept(tmp_path).exists()


def test_load_missing_or_unknown_fields_are_accepted(tmp_path: Path) -> None:
    """Of a version without presets, and of a later one."""
    partial = {"mode": "raw", "sampling": {"temperature": 1}, "layout": {"rows": [1, 2]}, "of_the_future": True}
    kept(tmp_path).write_text(json.dumps({"version": 1, "settings": partial}))
    controls = replace(AT_FIRST, mode=Mode.RAW, sampling=Sampling(temperature=1.0))
    assert settings.load(tmp_path) == (Settings(layout=Layout(rows=(1, 2)), controls=controls), None)


def test_save_crash_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.save(CHANGED, tmp_path)

    def full(handle: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        settings.save(replace(CHANGED, model="another"), tmp_path)
    assert settings.load(tmp_path) == (CHANGED, None)
    assert [path.name for path in tmp_path.iterdir()] == [settings.FILE]


def test_user_folder_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert settings.user_folder() == tmp_path / "sluice"
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings.user_folder() == tmp_path / "Library" / "Application Support" / "Sluice"


def test_save_failing_replace_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(OSError, match=r"settings\.json"):
        settings.save(Settings(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
@pytest.mark.parametrize("before", [False, True], ids=["the first", "another one"])
def test_load_folder_in_its_place_is_set_aside(tmp_path: Path, make: Callable[[Path], object], before: bool) -> None:
    if before:
        (tmp_path / settings.BROKEN).write_text("{", "utf-8")
    make(kept(tmp_path))
    value, unread = settings.load(tmp_path)
    assert value == Settings()
    assert unread is not None and unread.aside is not None
    assert "could not be read" in unread.sentence()
    assert os.path.lexists(unread.aside) and not os.path.lexists(kept(tmp_path))
    settings.save(Settings(toured=True), tmp_path)
    assert settings.load(tmp_path) == (Settings(toured=True), None)


def test_save_large_texts_are_read_again(tmp_path: Path) -> None:
    value = Settings(controls=replace(AT_FIRST, system="long, " * 1_700_000))
    settings.save(value, tmp_path)
    assert settings.load(tmp_path) == (value, None)


def said_of(value: Settings) -> object:
    with TemporaryDirectory() as folder:
        settings.save(value, Path(folder))
        found: object = json.loads(kept(Path(folder)).read_text("utf-8"))
        return found


@pytest.mark.slow
@given(spoiled(said_of(CHANGED)))
def test_load_any_json_starts_with_valid_settings(said: object) -> None:
    with TemporaryDirectory() as folder:
        kept(Path(folder)).write_text(json.dumps(said), "utf-8")
        value, _ = settings.load(Path(folder))
        settings.save(value, Path(folder))
        assert settings.load(Path(folder)) == (value, None)


def test_save_path_with_other_bytes_is_kept(tmp_path: Path) -> None:
    odd = os.fsdecode(b"/models/\xff \xc3\x28")
    value = Settings(model=odd, folders=(odd,), cache=odd)
    settings.save(value, tmp_path)
    assert settings.load(tmp_path) == (value, None)


class Disk:
    """Takes settings one by one, as it is allowed to."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.begun, self.may_write = threading.Semaphore(0), threading.Semaphore(0)
        self.fails = False

    def save(self, settings: Settings) -> None:
        self.begun.release()
        assert self.may_write.acquire(timeout=WAIT_S)
        if self.fails:
            raise OSError(28, "No space left on device")
        self.written.append(settings.model)


def test_writer_pending_settings_only_last_is_written() -> None:
    disk = Disk()
    writer = SettingsWriter(disk.save, lambda error: None)
    writer.keep(Settings(model="first"))
    assert disk.begun.acquire(timeout=WAIT_S)
    for model in ("second", "third", "last"):
        writer.keep(Settings(model=model))
    assert disk.written == [], "it does not wait for the disk"
    disk.may_write.release(2)
    assert writer.wait(deadline(WAIT_S))
    assert disk.written == ["first", "last"]


def test_writer_hanging_disk_is_waited_for_until_the_deadline() -> None:
    disk = Disk()
    writer = SettingsWriter(disk.save, lambda error: None)
    writer.keep(Settings())
    assert not writer.wait(deadline(0.05))
    disk.may_write.release()
    assert writer.wait(deadline(WAIT_S))


def test_writer_failure_is_reported_and_retried(capsys: pytest.CaptureFixture[str]) -> None:
    disk, told = Disk(), list[Exception]()
    writer = SettingsWriter(disk.save, told.append)
    disk.may_write.release(4)
    disk.fails = True
    for _ in range(2):  # each change in the window of settings would tell it
        writer.keep(Settings())
        assert not writer.wait(deadline(WAIT_S))
        assert [str(error) for error in told] == ["[Errno 28] No space left on device"]
    assert "could not be saved" in capsys.readouterr().err
    disk.fails = False
    writer.keep(Settings(model="there is room"))
    assert writer.wait(deadline(WAIT_S))
    assert disk.written == ["there is room"]
    disk.fails = True
    writer.keep(Settings())
    assert not writer.wait(deadline(WAIT_S))
    assert len(told) == 2
