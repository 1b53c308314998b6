import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from app import i18n
from app.i18n import tr, translation

TEXTS = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS><TS version="2.1" language="ko"><context><name></name>
<message><source>Send</source><translation>보내기</translation></message>
<message numerus="yes"><source>%n runs</source><comment>%n run</comment>
<translation><numerusform>실행 %n개</numerusform></translation></message>
<message><source>To search and download, start Sluice without HF_HUB_OFFLINE.</source>
<translation>다시 시작하세요.</translation></message></context></TS>"""
FETCH = "import sys, app.__main__ as program; from pathlib import Path; "
FETCH += "program.resources_folder = lambda: Path({folder!r}); "
FETCH += "sys.argv[1:] = [program.FETCH_SWITCH, 'ko']; sys.exit(program.main())"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    before = QLocale()
    yield
    i18n.set_translator(None)
    QLocale.setDefault(before)


@pytest.fixture(scope="module")
def languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of compiled texts, made by Qt's own tool."""
    tmp_path = tmp_path_factory.mktemp("languages")
    (tmp_path / "ko.ts").write_text(TEXTS, "utf-8")
    release = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run([release, "-silent", tmp_path / "ko.ts", "-qm", tmp_path / "sluice_ko.qm"], check=True)
    return tmp_path


def test_begin_translates_into_the_chosen_language(languages: Path) -> None:
    assert translation.begin("ko", languages) == "ko"
    assert i18n.current_language() == "ko"
    assert tr("Send") == "보내기"
    assert tr("%n runs", "%n run", 1_000) == "실행 1,000개"
    assert tr("A text that nobody translated") == "A text that nobody translated"
    assert QLocale().language() == QLocale.Language.Korean


def test_begin_english_needs_no_file(tmp_path: Path) -> None:
    assert translation.begin("en", tmp_path) == "en"
    assert i18n.current_language() == ""
    assert tr("Send") == "Send"
    assert QLocale().language() == QLocale.Language.English


def test_begin_without_the_file_is_english(tmp_path: Path) -> None:
    assert translation.begin("ko", tmp_path) == "en"
    assert tr("%n runs", "%n run", 1) == "1 run"


@pytest.mark.parametrize(
    ("system", "spoken"),
    [(["ko-KR", "en-US"], "ko"), (["de-DE", "ko"], "ko"), (["de-DE"], "en"), (["en-GB", "ko-KR"], "en"), ([], "en")],
)
def test_begin_without_a_choice_follows_the_system(
    system: list[str], spoken: str, languages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _self: system)
    assert translation.begin("", languages) == spoken
    assert translation.begin("tlh", languages) == spoken


@pytest.mark.slow
def test_download_process_has_the_same_language(languages: Path) -> None:
    (languages / "languages").symlink_to(languages)
    command = [sys.executable, "-c", FETCH.format(folder=str(languages))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None and child.stdout is not None
        child.stdin.write('{"model_id": "a/b", "token": null, "pace": {}}\n')
        child.stdin.flush()
        told = json.loads(child.stdout.readline())
    assert (told["kind"], told["todo"]) == ("offline", "다시 시작하세요.")


def test_import_of_main_translates_nothing() -> None:
    """What is said while the main module is imported would stay English."""
    program = (
        "from app import i18n\n"
        "said = []\n"
        "i18n.set_translator(lambda text, comment, n: said.append(text) or '')\n"
        "import app.__main__, app.i18n.translation\n"
        "print(said)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
