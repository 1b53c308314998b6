"""Files on the prompt: read once, shown as chips, sent in front of the typed text."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.controls import Mode
from app.i18n import tr
from app.records.attachments import Attachment, join_attachments, split
from app.state import Phase
from app.ui.prompt import controller_attachments
from app.ui.prompt.controller_attachments import EMPTY, NO_TEXT, PASTED_PICTURE, PICTURE, TOO_LARGE, TOO_MUCH
from app.ui.prompt.editor import AttachmentsRow
from tests.ui.chat_room import ChatRoom
from tests.ui.desk import Desk, named
from tests.ui.dropping import counted, drop, offered
from tests.ui.file_dialogs import file_dialog
from tests.ui.room import Rooms


@pytest.fixture
def room(rooms: Rooms) -> ChatRoom:
    made = ChatRoom(rooms)
    made.enter()
    return made


def on_prompt(room: ChatRoom, *paths: Path) -> None:
    assert drop(room.editor.field.viewport(), offered(*paths))


def files(room: ChatRoom) -> tuple[Attachment, ...]:
    return room.part(AttachmentsRow, "attachments").files


def names(room: ChatRoom) -> list[str]:
    return [each.name for each in files(room)]


def attach(room: ChatRoom, folder: Path, **texts: str) -> None:
    """Drop files with these texts on an empty prompt."""
    on_prompt(room, *written(folder, **texts))
    room.until(lambda: len(files(room)) == len(texts))


def refusal(room: ChatRoom) -> str:
    label = room.part(QLabel, "notice_what")
    room.until(label.isVisible)
    said = label.text()
    room.press("dismiss")
    room.until(lambda: not label.isVisible())
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
def test_split_of_joined_files_returns_them(text: str) -> None:
    attached = (Attachment("a.txt", text), Attachment("b c.py", "x\n"))
    for typed in ("", "and this?", "\n\n", "```\nmine\n```"):
        prompt = join_attachments(attached, typed)
        assert split(prompt) == (attached, typed)


def test_split_of_a_lookalike_returns_the_text() -> None:
    for prompt in (
        "`a`:\n````\nlonger than it need be\n````\n\nx",
        "`a`:\n```\nnever closed",
        "`a\n`:\n```\nb\n```\n\n",
    ):
        assert split(prompt) == ((), prompt)
        assert join_attachments(*split(prompt)) == prompt


@pytest.mark.in_korean
def test_files_are_sent_in_front_in_order_and_counted(room: ChatRoom, tmp_path: Path) -> None:
    attach(room, tmp_path, b="second", a="first `quoted`")
    row = room.part(AttachmentsRow, "attachments")
    room.until(lambda: counted(row))
    room.send("Which is shorter?")
    sent = "`b.txt`:\n```\nsecond\n```\n\n`a.txt`:\n```\nfirst `quoted`\n```\n\nWhich is shorter?"
    assert room.state.turns[0].text == sent
    assert files(room) == ()
    assert not row.isVisible()


def test_file_alone_is_a_prompt(room: ChatRoom, tmp_path: Path) -> None:
    send = room.part(QAbstractButton, "send")
    assert not send.isEnabled()
    attach(room, tmp_path, a="alone")
    assert send.isEnabled()
    send.click()
    room.until(lambda: room.state.phase is Phase.READY and bool(room.state.turns))
    assert room.state.turns[0].text == "`a.txt`:\n```\nalone\n```\n\n"


def removers(room: ChatRoom) -> list[QAbstractButton]:
    found = room.part(AttachmentsRow, "attachments").findChildren(QAbstractButton)
    return [each for each in found if each.isVisible()]


@pytest.mark.in_korean
def test_chip_is_removed_by_pointer_and_by_key(room: ChatRoom, tmp_path: Path) -> None:
    attach(room, tmp_path, a="1", b="2", c="3")
    QTest.mouseClick(removers(room)[1], Qt.MouseButton.LeftButton)
    assert names(room) == ["a.txt", "c.txt"]
    room.until(lambda: len(removers(room)) == 2)
    first = removers(room)[0]
    assert first.accessibleName() == tr("Remove {name} from the prompt").format(name="a.txt")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert names(room) == ["c.txt"]


@pytest.mark.in_korean
def test_chosen_files_are_attached(room: ChatRoom, tmp_path: Path) -> None:
    room.press("attach")
    dialog = file_dialog(room.editor.window())
    dialog.filesSelected.emit([str(path) for path in written(tmp_path, a="1", b="2")])
    dialog.done(0)
    room.until(lambda: names(room) == ["a.txt", "b.txt"])


@pytest.mark.in_korean
def test_pasted_file_is_attached_and_pasted_address_is_text(room: ChatRoom, tmp_path: Path) -> None:
    QGuiApplication.clipboard().setMimeData(offered(*written(tmp_path, a="pasted")))
    room.editor.field.paste()
    room.until(lambda: len(files(room)) == 1)
    assert room.typed == ""
    address = QMimeData()
    address.setUrls([QUrl("https://example.org/a.txt")])
    address.setText("https://example.org/a.txt")
    QGuiApplication.clipboard().setMimeData(address)
    room.editor.field.paste()
    assert room.typed == "https://example.org/a.txt"


@pytest.mark.in_korean
def test_picture_is_refused(room: ChatRoom, tmp_path: Path) -> None:
    picture = QImage(4, 4, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(tmp_path / "a.png"))
    on_prompt(room, tmp_path / "a.png")
    assert refusal(room) == PICTURE.format(name="a.png")
    data = QMimeData()
    data.setImageData(picture)
    QGuiApplication.clipboard().setMimeData(data)
    room.editor.field.paste()
    assert refusal(room) == PASTED_PICTURE


@pytest.mark.slow
@pytest.mark.in_korean
def test_drop_on_the_window_opens_sessions_and_folders_and_attaches_texts(desk: Desk, tmp_path: Path) -> None:
    window = desk.ready()
    opened: list[tuple[Path, ...]] = []
    attachments = window._features.prompt.attachments
    attachments.open_wanted.disconnect()
    attachments.open_wanted.connect(opened.append)
    session = tmp_path / "a.sluice"
    session.write_text("{}")
    for target in (named(window, QPlainTextEdit, "prompt").viewport(), window):
        for path in (session, tmp_path):
            count = len(opened)
            assert drop(target, offered(path))
            desk.qtbot.waitUntil(lambda: len(opened) > count)  # noqa: B023 (waited for there and then)
    assert opened == [(session,), (tmp_path,)] * 2
    assert named(window, QPlainTextEdit, "prompt").toPlainText() == ""
    assert drop(window, offered(*written(tmp_path, a="beside")))
    row = named(window, AttachmentsRow, "attachments")
    desk.qtbot.waitUntil(lambda: [each.text for each in row.files] == ["beside"])


def test_texts_of_all_encodings_and_line_ends_are_read(room: ChatRoom, tmp_path: Path) -> None:
    contents = {
        "a": (b"a\r\nb\rc\n", "a\nb\nc"),
        "b": (b"\xef\xbb\xbfwith a mark", "with a mark"),
        "c": ("geschrieben wie früher".encode("utf-16"), "geschrieben wie früher"),
        "d": (b"\xfe\xff\x00a\x00b", "ab"),
        "e": ("가나다".encode(), "가나다"),
        "f.csv": (b"name,age\nAda,36\n", "name,age\nAda,36"),
    }
    for name, (content, _) in contents.items():
        (tmp_path / name).write_bytes(content)
    on_prompt(room, *(tmp_path / name for name in contents))
    room.until(lambda: len(files(room)) == len(contents))
    assert {each.name: each.text for each in files(room)} == {name: text for name, (_, text) in contents.items()}


def test_binary_files_are_refused(room: ChatRoom, tmp_path: Path) -> None:
    for content, said in (
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
    ):
        (tmp_path / "a").write_bytes(content)
        on_prompt(room, tmp_path / "a")
        assert refusal(room) == said.format(name="a"), content
        assert files(room) == ()


@pytest.mark.in_korean
def test_large_files_and_folders_are_refused(room: ChatRoom, tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    on_prompt(room, large)
    assert refusal(room) == TOO_LARGE.format(name="large")
    on_prompt(room, tmp_path, *written(tmp_path, a="text"))
    assert refusal(room) == tr("“{name}” is not a file.").format(name=tmp_path.name)
    assert names(room) == ["a.txt"]


@pytest.mark.in_korean
def test_unreadable_file_is_refused_with_the_reason(
    room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("app.ui.widgets.files.regular_files.open_regular", refuse)
    on_prompt(room, *written(tmp_path, a="secret"))
    assert refusal(room) == tr("“{name}” could not be read: {why}.").format(name="a.txt", why="Permission denied")


def test_too_many_files_are_refused_together(room: ChatRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller_attachments, "MAX_BYTES", 10)
    attach(room, tmp_path, a="123456")
    on_prompt(room, *written(tmp_path, b="123456"))
    assert refusal(room) == TOO_MUCH
    assert len(files(room)) == 1


def test_file_name_is_no_fence(room: ChatRoom, tmp_path: Path) -> None:
    path = tmp_path / "<b>a`\n```\nb`"
    path.write_text("<i>said</i>")
    on_prompt(room, path)
    room.until(lambda: len(files(room)) == 1)
    (file,) = files(room)
    assert split(join_attachments((file,), "x")) == ((file,), "x")
    label = room.part(QLabel, "attachment")
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert "&lt;i&gt;" in label.toolTip()


def test_file_on_a_raw_page_is_inserted_at_the_cursor(room: ChatRoom, tmp_path: Path) -> None:
    row = room.part(AttachmentsRow, "attachments")
    attach(room, tmp_path, chat="of the chat")
    room.set_mode(Mode.RAW)
    assert not row.isVisible()
    on_prompt(room, *written(tmp_path, page="of the page"))
    room.until(lambda: room.editor.text() == "of the page")
    room.set_mode(Mode.CHAT)
    assert row.isVisible()
    assert room.editor.text() == "`chat.txt`:\n```\nof the chat\n```\n\n"


def test_edited_prompt_has_its_files_and_new_ones_return(room: ChatRoom, tmp_path: Path) -> None:
    attach(room, tmp_path, a="old")
    room.send("Read it")
    sent = room.state.turns[0].text
    attach(room, tmp_path, b="new")
    room.prompting.edit(0)
    assert names(room) == ["a.txt"]
    assert room.editor.text() == sent
    room.press("cancel_edit")
    assert names(room) == ["b.txt"]
    assert room.playground.regenerate()
    room.until_phase(Phase.READY)
    assert room.state.turns[0].text == sent
