"""Files on the prompt: read once, shown as chips, sent in front of what is typed; what can't be read is said."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.controls import Mode
from app.records.attachments import Attachment, joined, split
from app.state import Phase
from app.ui.prompt import controller_attachments
from app.ui.prompt.attachments_row import AttachmentsRow
from app.ui.prompt.controller_attachments import EMPTY, NO_TEXT, PASTED_PICTURE, PICTURE, TOO_LARGE, TOO_MUCH
from app.ui.shell.main_window import MainWindow
from app.words import tr
from tests.ui.desk import Desk, act, named
from tests.ui.dropping import counted, drop, offered


def on_prompt(window: MainWindow, *paths: Path) -> None:
    assert drop(named(window, QPlainTextEdit, "prompt").viewport(), offered(*paths))


def files(window: MainWindow) -> tuple[Attachment, ...]:
    return named(window, AttachmentsRow, "attachments").files


def until(desk: Desk, condition: Callable[[], bool]) -> None:
    desk.qtbot.waitUntil(condition)


def refusal(desk: Desk, window: MainWindow) -> str:
    label = named(window, QLabel, "notice_what")
    until(desk, label.isVisible)
    said = label.text()
    named(window, QAbstractButton, "dismiss").click()
    until(desk, lambda: not label.isVisible())
    return said


def written(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / f"{name}.txt" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    return paths


@pytest.mark.in_korean
@pytest.mark.parametrize(
    "text", ["a", "", "```", "a\n````\nb", "`x`:\n```\ny\n```\n\n", "\n\n", "a`b", "no end\n```", "\u2029é한"]
)
def test_what_is_joined_is_found_again(text: str) -> None:
    attached = (Attachment("a.txt", text), Attachment("b c.py", "x\n"))
    for typed in ("", "and this?", "\n\n", "```\nmine\n```"):
        prompt = joined(attached, typed)
        assert split(prompt) == (attached, typed)


def test_what_only_looks_like_a_file_is_the_same_text_again() -> None:
    for prompt in (
        "`a`:\n````\nlonger than it need be\n````\n\nx",
        "`a`:\n```\nnever closed",
        "`a\n`:\n```\nb\n```\n\n",
    ):
        assert split(prompt) == ((), prompt)
        assert joined(*split(prompt)) == prompt


@pytest.mark.in_korean
def test_files_stand_in_front_in_their_order_and_are_counted(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    on_prompt(window, *written(tmp_path, b="second", a="first `quoted`"))
    until(desk, lambda: len(files(window)) == 2)
    row = named(window, AttachmentsRow, "attachments")
    until(desk, lambda: counted(row))
    named(window, QPlainTextEdit, "prompt").setPlainText("Which is shorter?")
    named(window, QAbstractButton, "send").click()
    until(desk, lambda: window.playground.state.phase is Phase.READY and bool(window.playground.state.turns))
    sent = "`b.txt`:\n```\nsecond\n```\n\n`a.txt`:\n```\nfirst `quoted`\n```\n\nWhich is shorter?"
    assert window.playground.state.turns[0].text == sent
    assert files(window) == ()
    assert not row.isVisible()


def test_a_file_alone_is_a_prompt(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    send = named(window, QAbstractButton, "send")
    assert not send.isEnabled()
    on_prompt(window, *written(tmp_path, a="alone"))
    until(desk, send.isEnabled)
    send.click()
    until(desk, lambda: window.playground.state.phase is Phase.READY and bool(window.playground.state.turns))
    assert window.playground.state.turns[0].text == "`a.txt`:\n```\nalone\n```\n\n"


@pytest.mark.in_korean
def test_a_chip_goes_by_pointer_and_by_key_and_the_keyboard_stays_at_the_prompt(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    on_prompt(window, *written(tmp_path, a="1", b="2", c="3"))
    until(desk, lambda: len(files(window)) == 3)
    QTest.mouseClick(removers(window)[1], Qt.MouseButton.LeftButton)
    assert [each.name for each in files(window)] == ["a.txt", "c.txt"]
    until(desk, lambda: len(removers(window)) == 2)
    first = removers(window)[0]
    assert first.accessibleName() == tr("Take {name} out of the prompt").format(name="a.txt")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert [each.name for each in files(window)] == ["c.txt"]
    assert named(window, QPlainTextEdit, "prompt").hasFocus()


def removers(window: MainWindow) -> list[QAbstractButton]:
    found = named(window, AttachmentsRow, "attachments").findChildren(QAbstractButton)
    return [each for each in found if each.isVisible()]


@pytest.mark.in_korean
def test_a_pasted_file_is_attached_and_an_address_is_typed(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    prompt = named(window, QPlainTextEdit, "prompt")
    QGuiApplication.clipboard().setMimeData(offered(*written(tmp_path, a="pasted")))
    prompt.paste()
    until(desk, lambda: len(files(window)) == 1)
    assert prompt.toPlainText() == ""
    address = QMimeData()
    address.setUrls([QUrl("https://example.org/a.txt")])
    address.setText("https://example.org/a.txt")
    QGuiApplication.clipboard().setMimeData(address)
    prompt.paste()
    assert prompt.toPlainText() == "https://example.org/a.txt"


@pytest.mark.in_korean
def test_a_picture_is_refused_in_a_sentence(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    picture = QImage(4, 4, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(tmp_path / "a.png"))
    on_prompt(window, tmp_path / "a.png")
    assert refusal(desk, window) == PICTURE.format(name="a.png")
    data = QMimeData()
    data.setImageData(picture)
    QGuiApplication.clipboard().setMimeData(data)
    named(window, QPlainTextEdit, "prompt").paste()
    assert refusal(desk, window) == PASTED_PICTURE


@pytest.mark.in_korean
def test_a_session_and_a_folder_do_what_they_do_on_the_window(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    opened: list[tuple[Path, ...]] = []
    window._features.prompt.attachments.open_wanted.disconnect()
    window._features.prompt.attachments.open_wanted.connect(opened.append)
    session = tmp_path / "a.sluice"
    session.write_text("{}")
    for target in (named(window, QPlainTextEdit, "prompt").viewport(), window):
        for path in (session, tmp_path):
            count = len(opened)
            assert drop(target, offered(path))
            until(desk, lambda: len(opened) > count)  # noqa: B023 (waited for there and then)
    assert opened == [(session,), (tmp_path,)] * 2
    assert named(window, QPlainTextEdit, "prompt").toPlainText() == ""


def test_a_text_dropped_beside_the_prompt_goes_there_too(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    assert drop(window, offered(*written(tmp_path, a="beside")))
    until(desk, lambda: len(files(window)) == 1)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb\nc"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        ("geschrieben wie früher".encode("utf-16"), "geschrieben wie früher"),
        (b"\xfe\xff\x00a\x00b", "ab"),
        ("가나다".encode(), "가나다"),
        (b"name,age\nAda,36\n", "name,age\nAda,36"),
    ],
)
def test_ways_to_write_a_text(desk: Desk, tmp_path: Path, content: bytes, text: str) -> None:
    window = desk.ready()
    (tmp_path / "a.csv").write_bytes(content)
    on_prompt(window, tmp_path / "a.csv")
    until(desk, lambda: len(files(window)) == 1)
    assert files(window)[0].text == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x7fELF\0\0\0", NO_TEXT),
        (b"text with a \0 in it", NO_TEXT),
        (b"\xff\xfea", NO_TEXT),
        ("früher".encode("latin-1"), NO_TEXT),
        ("ab".encode("utf-16-le"), NO_TEXT),
        (b"", EMPTY),
        (b" \n", EMPTY),
        (b"\xff\xd8\xff\xe0", PICTURE),
        (b"RIFF\0\0\0\0WEBP", PICTURE),
        (b"\0\0\0\x18ftypheic", PICTURE),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(desk: Desk, tmp_path: Path, content: bytes, said: str) -> None:
    window = desk.ready()
    (tmp_path / "a").write_bytes(content)
    on_prompt(window, tmp_path / "a")
    assert refusal(desk, window) == said.format(name="a")
    assert files(window) == ()


@pytest.mark.in_korean
def test_a_hundred_megabytes_are_not_even_read(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(100_000_000)
    on_prompt(window, tmp_path / "a.txt")
    assert refusal(desk, window) == TOO_LARGE.format(name="a.txt")


@pytest.mark.in_korean
def test_what_is_no_ordinary_file_is_refused_in_a_sentence(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    pipe, circle, gone = tmp_path / "pipe", tmp_path / "circle", tmp_path / "gone"
    os.mkfifo(pipe)
    circle.symlink_to(circle)
    (text,) = written(tmp_path, a="text")
    for path in (pipe, circle, gone):
        on_prompt(window, path)
        assert refusal(desk, window) == tr("“{name}” is no file.").format(name=path.name)
    on_prompt(window, tmp_path, text)
    assert refusal(desk, window) == tr("“{name}” is no file.").format(name=tmp_path.name)
    assert [each.name for each in files(window)] == ["a.txt"]


@pytest.mark.in_korean
def test_without_rights_it_is_said_why(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("app.ui.widgets.files.ordinary_files.open_ordinary", refuse)
    window = desk.ready()
    on_prompt(window, *written(tmp_path, a="secret"))
    assert refusal(desk, window) == tr("“{name}” could not be read: {why}.").format(
        name="a.txt", why="Permission denied"
    )


def test_more_than_any_prompt_can_hold_is_refused_together(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller_attachments, "LARGEST_BYTES", 10)
    window = desk.ready()
    on_prompt(window, *written(tmp_path, a="123456"))
    until(desk, lambda: len(files(window)) == 1)
    on_prompt(window, *written(tmp_path, b="123456"))
    assert refusal(desk, window) == TOO_MUCH
    assert len(files(window)) == 1


def test_a_name_can_t_pretend_to_be_another_text(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    path = tmp_path / "<b>a`\n```\nb`"
    path.write_text("<i>said</i>")
    on_prompt(window, path)
    until(desk, lambda: len(files(window)) == 1)
    (file,) = files(window)
    assert split(joined((file,), "x")) == ((file,), "x")
    label = named(window, QLabel, "attachment")
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert "&lt;i&gt;" in label.toolTip()


def test_on_a_page_the_text_is_put_where_the_cursor_is(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    prompt = window._parts.prompt
    on_prompt(window, *written(tmp_path, chat="of the chat"))
    until(desk, lambda: len(files(window)) == 1)
    window._features.prompt.set_mode(Mode.RAW.value)
    assert not named(window, AttachmentsRow, "attachments").isVisible()
    on_prompt(window, *written(tmp_path, page="of the page"))
    until(desk, lambda: prompt.text() == "of the page")
    window._features.prompt.set_mode(Mode.CHAT.value)
    assert named(window, AttachmentsRow, "attachments").isVisible()
    assert prompt.text() == "`chat.txt`:\n```\nof the chat\n```\n\n"


def test_an_earlier_prompt_is_edited_with_its_files_and_the_new_ones_come_back(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    on_prompt(window, *written(tmp_path, a="old"))
    until(desk, lambda: len(files(window)) == 1)
    desk.send(window, "Read it")
    sent = window.playground.state.turns[0].text
    on_prompt(window, *written(tmp_path, b="new"))
    until(desk, lambda: len(files(window)) == 1)
    window._features.prompt.edit(0)
    assert [each.name for each in files(window)] == ["a.txt"]
    assert window._parts.prompt.text() == sent
    named(window, QAbstractButton, "cancel_edit").click()
    assert [each.name for each in files(window)] == ["b.txt"]
    act(window, "regenerate").trigger()
    until(desk, lambda: window.playground.state.phase is Phase.READY)
    assert window.playground.state.turns[0].text == sent
