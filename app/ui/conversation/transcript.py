"""The conversation as it streams: only appends text, and scrolls with it for a reader at the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import islice, takewhile
from re import escape, finditer

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, QSignalBlocker, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextFrame,
)
from PySide6.QtWidgets import QFrame, QMenu

from app.engine.types import Channel, Role, VisibleText
from app.i18n import tr
from app.ui.document.following import Following, PaintedScrolling
from app.ui.document.formulas import Formulas
from app.ui.document.latex import FormulaPicture, LatexFormula
from app.ui.document.markdown_writer import CODE_SCHEME, can_be_opened, shown_address
from app.ui.document.page import BRANCH_SCHEME, FOLD_SCHEME, MENU_SCHEME, Page, code_text, page_text, selected_text
from app.ui.document.page_look import PageLook
from app.ui.document.reading_position import ReadingPosition, find_place, place_at, preserve_selection
from app.ui.document.turns import ONLY, AnswerView, Branch, PageTurn, TurnAction, turn_at, turn_of
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.tokens.text import CONVERSATION, TokenText
from app.ui.widgets import as_tip, named
from app.ui.widgets.no_picture import no_picture
from app.ui.widgets.plain_text import as_mime, copy_text

INDENT_PX = 24
RADIUS_PX = 10
REVEALED_SHARE = 0.4
"""Share of the height from the top within which a revealed ending is placed, since details open below the page."""
LAST_TURN_ACTIONS = (TurnAction.REGENERATE, TurnAction.CONTINUE)
"""Actions that are the window's own on the last turn, with their shortcuts."""
TIPS = {
    CODE_SCHEME: tr("Copy this code"),
    FOLD_SCHEME: tr("Show or hide the reasoning"),
    MENU_SCHEME: tr("Copy, edit and more"),
    BRANCH_SCHEME: tr("Show another branch of this turn"),
}


class Transcript(TokenText):
    wanted = Signal(object, int)
    """The TurnAction and the index of the turn."""
    branch_wanted = Signal(int, int)
    """Index of the turn; −1 for its previous branch, 1 for its next one."""
    word_clicked = Signal(int, bool, int)
    """A word of an answer: index of the turn, whether it is reasoning, and the word's offset in that text."""
    link_requested = Signal(str)
    """Address to show to the user, and to open after confirmation."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        named(self, "transcript", tr("Transcript"), description=CONVERSATION)
        self._raw = False
        self.is_keeping_place = False
        """A turn is being replaced in its place."""
        self._window_actions: Mapping[TurnAction, QAction] = {}
        self._prepare_document()
        self._page = Page(self.document(), PageLook(theme), self.view)
        self._following = Following(self)
        self.anchorClicked.connect(self._open_link)
        self.highlighted.connect(self._show_address)
        theme.changed.connect(self._apply_theme)

    @property
    def following(self) -> bool:
        """True if the reader is at the end, where new text appears."""
        return self._following.at_end

    @property
    def formulas(self) -> Formulas:
        return self._page.formulas

    def show_formulas(self, pictures: Mapping[LatexFormula, FormulaPicture | None]) -> None:
        """Draw the formulas that have got pictures, and keep the reading position."""
        top = self.cursorForPosition(QPoint(self.viewport().width() // 2, GAP_PX))
        before, following, bar = self.cursorRect(top).top(), self.following, self.verticalScrollBar()
        with preserve_selection(self):
            self._page.show_formulas(self._turns, pictures)
        if not following:
            bar.setValue(bar.value() + self.cursorRect(top).top() - before)

    def set_window_actions(self, actions: Mapping[TurnAction, QAction]) -> None:
        self._window_actions = actions

    def set_view(self, view: AnswerView) -> None:
        """Change the view and keep the reading position."""
        if view is not self.view:
            self.view = view
            self._point(None)
            self._rewrite()

    def set_raw(self, raw: bool) -> None:
        """Switch later turns to a raw page."""
        self._raw = raw

    def add_turn(
        self,
        index: int,
        role: Role,
        content: str | tuple[VisibleText, ...],
        ending: str = "",
        branch: Branch = ONLY,
        writer: str = "",
    ) -> None:
        turn = PageTurn(index, role, self._raw, branch, writer)
        shown = (VisibleText(Channel.NORMAL, content),) if isinstance(content, str) else content
        for piece in shown:
            turn.take(piece)
        turn.ending = ending
        turn.done = True
        self._turns.append(turn)
        self._page.add(turn)

    def begin_answer(self, index: int, branch: Branch = ONLY, writer: str = "") -> None:
        """Add an empty answer, which `append_shown` fills."""
        self._turns.append(PageTurn(index, Role.ASSISTANT, self._raw, branch, writer))
        self._page.begin(self._turns[-1])

    def continue_answer(self) -> None:
        if self._turns:
            self._layer.forget()
            self._page.reopen(self._turns[-1])

    def append_shown(self, shown: tuple[VisibleText, ...], reasoning_tokens: int = 0) -> None:
        """Append new text. `reasoning_tokens` is the number for the complete answer so far."""
        if not shown or not self._turns:
            return
        with preserve_selection(self):
            self._page.write(self._turns[-1], shown)
            self._count_reasoning(self._turns[-1], reasoning_tokens)

    def end_answer(self, ending: str, reasoning_tokens: int = 0) -> None:
        """Complete the answer; `ending` is the finish line below it."""
        if not self._turns:
            return
        turn = self._turns[-1]
        turn.ending = ending
        with preserve_selection(self):
            self._count_reasoning(turn, reasoning_tokens)
            self._page.end(turn)

    def remove_from(self, index: int) -> None:
        remaining = [turn for turn in self._turns if turn.index < index]
        if len(remaining) < len(self._turns):
            self.forget_tokens(index)
            self._page.cut_from(self._turns[len(remaining)])
            self._turns[:] = remaining
            if not remaining:
                self._page.formulas.forget()

    def plain_text(self) -> str:
        return page_text(self.document(), 0, self.document().characterCount() - 1)

    def turn_text(self, index: int) -> str:
        turn = turn_of(self._turns, index)
        return turn.text if turn is not None else ""

    def pick_at(self, position: QPoint) -> None:
        super().pick_at(position)
        if self.view is not AnswerView.TOKENS and not self.textCursor().hasSelection() and not self.anchorAt(position):
            self._click_word(self.cursorForPosition(position))

    def _click_word(self, cursor: QTextCursor) -> None:
        """Find a displayed word in the source text, by its number: the markup between the words isn't displayed."""
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        word, start = cursor.selectedText().strip(), cursor.selectionStart()
        turn = turn_at(self._turns, start)
        if not word or turn is None or turn.role is not Role.ASSISTANT:
            return
        begun = [each for each in turn.passages if each.start is not None and each.start.position <= start]
        if not begun or begun[-1].start is None or (turn.tail is not None and turn.tail.position <= start):
            return
        passage, before = begun[-1], page_text(self.document(), begun[-1].start.position, start)
        is_reasoning = passage.voice is Channel.REASONING
        offset = sum(each.length for each in begun[:-1] if (each.voice is Channel.REASONING) is is_reasoning)
        if (place := _find_nth(word, passage.text, before.count(word))) is not None:
            self.word_clicked.emit(turn.index, is_reasoning, offset + place)

    def current_turn(self) -> int | None:
        """Return the index of the turn at the text cursor; None without one."""
        return self.turn_of(self.textCursor().position()) if self._turns else None

    def turn_of(self, position: int) -> int:
        turn = turn_at(self._turns, position)
        return turn.index if turn is not None else 0

    def folded_text(self, index: int) -> str:
        turn = turn_of(self._turns, index)
        return "\n".join(each.text for each in turn.passages if each.folded) if turn is not None else ""

    def unfold(self, index: int) -> None:
        turn = turn_of(self._turns, index)
        folded = [each for each in turn.passages if each.folded] if turn is not None else []
        for passage in folded:
            passage.unfolded = True
        if folded:
            self._rewrite()

    def scroll_to_latest(self) -> None:
        self._following.go()

    def actions_of(self, index: int) -> tuple[TurnAction, ...]:
        turn = turn_of(self._turns, index)
        return turn.actions if turn is not None else ()

    def apply(self, action: TurnAction, index: int) -> None:
        """Copy the text of a turn, or emit the action."""
        if action is TurnAction.COPY:
            copy_text(self.turn_text(index))
        else:
            self.wanted.emit(action, index)

    def buttons_place(self, index: int, size: QSize) -> QPoint | None:
        """Return the corner for the buttons of a turn: after or below an answer's ending, or above a prompt.

        None without a place.
        """
        turn = turn_of(self._turns, index)
        if turn is None or turn.raw or not turn.done:
            return None
        if (box := self._page.box_of(turn)) is not None:
            rect = self._box_rect(box)
            return QPoint(round(rect.right()) - size.width(), round(rect.top()) - size.height())
        place = self._page.buttons_place(turn).translated(-self._offset())
        if place.isEmpty():
            return None
        if place.left() + size.width() > self.viewport().width():  # they would cover the words
            return QPoint(self.ending_rect(index).left(), round(place.bottom()))
        return QPoint(round(place.left()), round(place.center().y() - size.height() / 2))

    @contextmanager
    def keep_place(self, index: int) -> Iterator[None]:
        """Keep the beginning of a turn in its place while the turn is replaced."""
        turn = turn_of(self._turns, index)
        top = self._rect_at(turn.start.position).top() if turn is not None and turn.start is not None else None
        self.is_keeping_place, self._following.at_end = True, False
        yield
        self.is_keeping_place = False
        turn, bar = turn_of(self._turns, index), self.verticalScrollBar()
        if top is not None and turn is not None and turn.start is not None:
            bar.setValue(bar.value() + self._rect_at(turn.start.position).top() - top)
        self._following.update_at_end()

    def reveal_ending(self, index: int) -> None:
        """Scroll to the finish line of a turn, and don't follow the end."""
        top, room = self.ending_rect(index).top(), self.viewport().height() * REVEALED_SHARE
        bar = self.verticalScrollBar()
        if not 0 <= top <= room:
            bar.setValue(round(bar.value() + top - room))
        self._following.update_at_end()

    def keep_room(self, height: int) -> None:
        """Keep `height` pixels free below the text, so that the finish line moves nothing."""
        if self.viewportMargins().bottom() != height:
            self.setViewportMargins(0, 0, 0, height)

    def ending_rect(self, index: int, height: int = 0) -> QRect:
        """Set the height of the finish line of a turn (default: the last), and return its place in the viewport."""
        turn = turn_of(self._turns, index) or (self._turns[-1] if self._turns else None)
        place = self._page.ending_place(turn, height) if turn is not None else QRectF()
        return place.translated(-self._offset()).toRect()

    def _prepare_document(self) -> None:
        self.setUndoRedoEnabled(False)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        PaintedScrolling(self)
        self._take_font()
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )

    def _take_font(self) -> None:
        self.setFont(self._theme.font(Size.PROSE))
        self.document().setDefaultFont(self._theme.font(Size.PROSE))
        self.document().setIndentWidth(self._theme.scaled(INDENT_PX))

    def _paint_boxes(self, place: QRect) -> None:
        boxes = list(takewhile(lambda box: box.top() <= place.bottom(), self._visible_boxes(place.topLeft())))
        if not boxes:  # usual while an answer streams
            return
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(Color.USER))
            for box in boxes:
                painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)

    def _visible_boxes(self, place: QPoint) -> Iterator[QRectF]:
        """Yield the background boxes of the user turns from a point of the viewport downwards."""
        first = turn_at(self._turns, self.cursorForPosition(place).position())
        for turn in islice(self._turns, self._turns.index(first) if first is not None else 0, None):
            box = self._page.box_of(turn)
            if box is not None:
                yield self._box_rect(box)

    def _box_rect(self, box: QTextFrame) -> QRectF:
        form, around = box.frameFormat(), self.document().documentLayout().frameBoundingRect(box)
        # The extra height of a line is below its letters.
        below = form.bottomMargin() + GRID_PX
        return around.adjusted(form.leftMargin(), form.topMargin(), 0, -below).translated(-self._offset())

    def _count_reasoning(self, turn: PageTurn, tokens: int) -> None:
        passage = turn.count_reasoning(tokens)
        if passage is not None:
            self._page.update_fold(passage)

    def _rewrite(self) -> None:
        self._layer.forget()
        place = self._place()
        offset = self._rect_at(place.position).top() if place is not None else 0
        following = self.following
        bar = self.verticalScrollBar()
        with QSignalBlocker(bar):
            self._page.rewrite(self._turns, PageLook(self._theme), self.view)
            self._page.fit(self.viewport().width(), self.width(), self._turns)
        self._following.at_end = following
        if following:
            self._following.stay()
        elif place is not None:
            bar.setValue(bar.value() + self._rect_at(find_place(place, self._turns, self.document())).top() - offset)
        self._following.update_button()

    def _rect_at(self, position: int) -> QRect:
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        return self.cursorRect(cursor)

    def _place(self) -> ReadingPosition | None:
        top = self.cursorForPosition(QPoint(self.viewport().width() // 2, GAP_PX))
        return place_at(top.position(), self._turns, self.document())

    def _apply_theme(self) -> None:
        self._take_font()
        self._rewrite()

    def _open_link(self, url: QUrl) -> None:
        if can_be_opened(url.toString()):
            self.link_requested.emit(shown_address(url))
            return
        if url.scheme() == CODE_SCHEME:
            copy_text(code_text(self.document(), url.toString()))
            return
        index, _, number = url.path().partition("/")
        turn = turn_of(self._turns, int(index)) if index.isdigit() else None
        if turn is not None and url.scheme() == FOLD_SCHEME:
            turn.passages[int(number)].unfolded ^= True
            self._rewrite()
        elif turn is not None and url.scheme() == MENU_SCHEME:
            # The click on the link has placed the text cursor there.
            self.open_menu(turn.index, self.viewport().mapToGlobal(self.cursorRect().bottomLeft()))
        elif turn is not None and url.scheme() == BRANCH_SCHEME:
            self.branch_wanted.emit(turn.index, int(number))

    def open_menu(self, index: int, place: QPoint) -> None:
        """Open the menu of a turn at a place on the screen."""
        self._popup(self._menu(turn_of(self._turns, index)), place)

    def _popup(self, menu: QMenu, place: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _show_address(self, url: QUrl) -> None:
        self.viewport().setToolTip(TIPS.get(url.scheme()) or as_tip(shown_address(url)))

    def _menu(self, turn: PageTurn | None) -> QMenu:
        menu = self.createStandardContextMenu()
        for standard in menu.actions():
            if not standard.isEnabled() or standard.isSeparator():
                menu.removeAction(standard)
        if turn is not None:
            menu.addSeparator()
            is_last = turn is self._turns[-1]
            for wish in turn.actions if is_last else (each for each in turn.actions if each is not TurnAction.CONTINUE):
                act = self._window_actions.get(wish)
                if act is not None and is_last and wish in LAST_TURN_ACTIONS:
                    menu.addAction(act)
                else:
                    menu.addAction(act.text() if act is not None else wish.words).setData((wish, turn.index))
        menu.triggered.connect(partial(self._choose, turn))
        return menu

    def _choose(self, turn: PageTurn | None, action: QAction) -> None:
        """Trigger an action, unless the conversation has changed while the menu was open."""
        if action.data() is None or not any(each is turn for each in self._turns):
            return
        wish, index = action.data()
        self.apply(TurnAction(wish), index)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load no resource, neither from the network nor from the disk."""
        return no_picture()

    def createMimeDataFromSelection(self) -> QMimeData:
        return as_mime(selected_text(self.textCursor(), self._turns))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if by_mouse:
            self.pick_at(event.pos())
        position = self.cursorForPosition(event.pos()).position() if by_mouse else self.textCursor().position()
        self._popup(self._menu(turn_at(self._turns, position)), event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.take_key(event):
            return
        if event.key() == Qt.Key.Key_End and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.scroll_to_latest()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Stay at the end when first shown. Qt would scroll to the text cursor."""
        following = self.following
        super().showEvent(event)
        if following:
            self.scroll_to_latest()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint_boxes(event.rect())
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._page.fit(self.viewport().width(), self.width(), self._turns)
        self._following.stay()
        self._following.update_button()


def _find_nth(word: str, text: str, number: int) -> int | None:
    """Return the position of a word after `number` others of its kind."""
    return next(islice((found.start() for found in finditer(escape(word), text)), number, None), None)
