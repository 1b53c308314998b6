"""The attention patterns of an answer: the heads grouped by what they do, and the attention matrix of one head."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QTreeView, QWidget

from app.engine.types import Attention, AttentionMatrix, ExactPrompt, Head, HeadGroup
from app.i18n import tr
from app.number_format import chance
from app.records.export import as_csv
from app.records.inspection_results import JsonObject
from app.ui.interpretability.attention_tab import PROOF, matrix_csv
from app.ui.interpretability.cell_map import NOWHERE, CellMap, CellSize, CellTable
from app.ui.interpretability.inspections import HEAD_ORDER, HeadId
from app.ui.look import GAP_PX, Color, Size, Theme, scaled
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import SmallPrint, as_tip, in_column, in_row, layout_widget, named, plain_label

CELL_SIZE = CellSize(least=(2, 2), most=(36, 36), square=True)
HEADS_PX = 230
HEAD = Qt.ItemDataRole.UserRole
TITLES = (tr("Head"), tr("Score"))
NAMES = {
    HeadGroup.INDUCTION: tr("Induction"),
    HeadGroup.PREVIOUS: tr("Previous token"),
    HeadGroup.DUPLICATE: tr("Duplicate token"),
    HeadGroup.LOCAL: tr("Local"),
    HeadGroup.BROAD: tr("Broad"),
    HeadGroup.FIRST: tr("First token (sink)"),
}
SHARE = tr("Score: mean share of the attention, without the first token, over the last 64 tokens.")
MEANINGS = {
    HeadGroup.INDUCTION: tr("Attends to the token after an earlier occurrence of the current token. At least 40 %."),
    HeadGroup.PREVIOUS: tr("Attends to the token before the current one. At least 40 %."),
    HeadGroup.DUPLICATE: tr("Attends to earlier occurrences of the current token. At least 40 %."),
    HeadGroup.LOCAL: tr("Attends to the current token and the 7 tokens before it. At least 60 %."),
    HeadGroup.BROAD: tr("None of the other groups. Score: exp(entropy) of the attention ÷ number of tokens."),
    HeadGroup.FIRST: tr("Attention sink: at least 90 % of the attention goes to the first token."),
}
SINKS_TIP = tr("Show the attention to the first token. Without it, the colors show the other weights more clearly")


class HeadTree(QTreeView):
    """The heads by group. `picked` carries the HeadId of a selected head."""

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "inside_head_groups", tr("Attention heads by group"))
        self._is_filled = False
        """Whether a change of the current row is the user's."""
        self._items = QStandardItemModel(0, len(TITLES), self)
        self._items.setHorizontalHeaderLabels(list(TITLES))
        self.setModel(self._items)
        self.setFont(theme.font(Size.NORMAL))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.selectionModel().currentChanged.connect(self._emit_current)

    @property
    def current(self) -> HeadId | None:
        found = self.currentIndex().siblingAtColumn(0).data(HEAD)
        return HeadId(*found) if found else None

    def show_heads(self, attention: Attention, current: HeadId | None) -> None:
        """Show all heads; `current` is selected. Broad heads and sinks, which are many, are folded."""
        groups = attention.by_group()
        self._is_filled = False
        self._items.removeRows(0, self._items.rowCount())
        for group in (*HEAD_ORDER, HeadGroup.FIRST):
            if heads := groups[group]:
                self._add(group, heads, current)
        self._is_filled = True

    def _add(self, group: HeadGroup, heads: Sequence[Head], current: HeadId | None) -> None:
        tip = MEANINGS[group]
        if group not in (HeadGroup.BROAD, HeadGroup.FIRST):
            tip = f"{tip} {SHARE}"
        title = QStandardItem(tr("{group} ({count})").format(group=NAMES[group], count=len(heads)))
        title.setToolTip(as_tip(tip))
        self._items.invisibleRootItem().appendRow([title, QStandardItem()])
        for head in heads:
            name, score = QStandardItem(f"L{head.layer} H{head.head}"), QStandardItem(chance(head.scores[group]))
            name.setData((head.layer, head.head), HEAD)
            score.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            for item in (name, score):
                item.setToolTip(as_tip(f"{_describe_scores(head)}\n{tip}"))
            title.appendRow([name, score])
            if (head.layer, head.head) == current:
                self.setCurrentIndex(name.index())
        is_folded = group in (HeadGroup.BROAD, HeadGroup.FIRST)
        self.setExpanded(title.index(), not is_folded or self.currentIndex().parent() == title.index())

    def _emit_current(self) -> None:
        if self._is_filled and self.current is not None:
            self.picked.emit(self.current)


class AttentionPage(QWidget):
    head_wanted = Signal(object)
    """The HeadId whose matrix is to be shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._prompt: ExactPrompt | None = None
        self._attention: Attention | None = None
        self._matrix: AttentionMatrix | None = None
        self._heads = HeadTree(theme)
        self._title = plain_label("inside_pattern", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._map = CellMap(theme, "inside_pattern_map", tr("Attention pattern"), CELL_SIZE)
        self._sinks = named(
            QCheckBox(tr("Show attention sinks")), "inside_sinks", tr("Show attention sinks"), SINKS_TIP
        )
        self._scale = TokenScale(theme)
        self._weight = SmallPrint(theme, "inside_pattern_weight", "text")
        self._proof = SmallPrint(theme, "inside_pattern_proof")
        scaled(theme, self._heads, QWidget.setFixedWidth, HEADS_PX)
        below = in_row(self._sinks, (self._scale, 1))
        parts = in_column(self._title, (self._map, 1), self._weight, below, self._proof)
        in_row(self._heads, (layout_widget(parts), 1), on=self, gap=2 * GAP_PX, margins=(0, GAP_PX, 0, 0))
        self._heads.picked.connect(self.head_wanted)
        self._sinks.toggled.connect(self._show)
        self._map.pointed.connect(self._point)
        self._map.picked.connect(self._point)

    @property
    def head(self) -> HeadId | None:
        """The selected head."""
        return self._heads.current

    def show_attention(self, prompt: ExactPrompt, attention: Attention, head: HeadId | None) -> None:
        """Show the heads, with this one selected."""
        if attention is not self._attention:
            self._prompt, self._attention, self._matrix = prompt, attention, None
            self._map.hide()
            self._weight.say("")
            self._proof.say("")
            self._heads.show_heads(attention, head)

    def show_matrix(self, matrix: AttentionMatrix) -> None:
        """Show the matrix of the selected head."""
        self._title.setText(self._describe_head(matrix))
        if matrix is not self._matrix:
            self._matrix = matrix
            self._show()
        self._map.show()

    def show_missing(self, words: str, is_coming: bool) -> None:
        """Say why the matrix of the selected head isn't shown. Until one comes, the previous pattern stays."""
        self._title.setText(words)
        self._map.setVisible(is_coming and self._matrix is not None)

    def forget(self) -> None:
        self._prompt = self._attention = self._matrix = None

    def as_csv(self) -> str:
        """Return the matrix, or the scores of all heads if there is none."""
        if self._matrix is not None and self._prompt is not None:
            return matrix_csv(self._prompt, self._matrix)
        heads = self._attention.heads if self._attention is not None else ()
        rows = ((each.layer, each.head, each.group, *(each.scores.get(group) for group in HeadGroup)) for each in heads)
        return as_csv(("layer", "head", "group", *HeadGroup), rows)

    def as_json(self) -> JsonObject:
        """Return the scores of all heads, and the matrix of the selected one."""
        prompt, matrix = self._prompt, self._matrix
        heads = self._attention.heads if self._attention is not None else ()
        data: JsonObject = {
            "heads": [
                {"layer": each.layer, "head": each.head, "group": each.group, "scores": dict(each.scores)}
                for each in heads
            ]
        }
        if matrix is not None and prompt is not None:
            rows = np.array(matrix.weights, np.float32).reshape(matrix.size, -1).round(6).tolist()
            texts = [text for _, text in prompt.texts()]
            data["matrix"] = {"layer": matrix.layer, "head": matrix.head, "tokens": texts, "weights": rows}
        return data

    def _show(self) -> None:
        matrix, prompt = self._matrix, self._prompt
        if matrix is None or prompt is None:
            return
        weights = np.array(matrix.weights, np.float32).reshape(matrix.size, -1)
        weights[np.triu_indices(matrix.size, 1)] = np.nan
        if not self._sinks.isChecked() and matrix.size > 1:
            weights[:, 0] = np.nan
        most = float(np.nanmax(weights)) or 1.0
        labels = [legible(text) for _, text in prompt.texts()]
        table = CellTable(weights / most, labels, labels, self._describe, summary=self._describe_head(matrix))
        strongest = np.unravel_index(int(np.nanargmax(weights)), weights.shape)
        self._map.show_table(table, (int(strongest[0]), int(strongest[1])))
        self._scale.show_ends(chance(0), chance(most), Color.LIKELY)
        self._proof.say(PROOF.format(difference=f"{matrix.max_difference:.0e}" if matrix.max_difference else "0"))
        self._point(NOWHERE, NOWHERE)

    def _describe_head(self, matrix: AttentionMatrix) -> str:
        heads = self._attention.heads if self._attention is not None else ()
        head = next((each for each in heads if (each.layer, each.head) == (matrix.layer, matrix.head)), None)
        name = tr("Layer {layer}, head {head}").format(layer=matrix.layer, head=matrix.head)
        return f"{name}: {NAMES[head.group]}" if head is not None else name

    def _point(self, row: int, column: int) -> None:
        """Describe the cell at the pointer, or else that of the cursor."""
        if self._matrix is not None:
            cell = (row, column) if row != NOWHERE else self._map.cursor_cell
            self._weight.say(self._describe(*cell))

    def _describe(self, row: int, column: int) -> str:
        matrix, prompt = self._matrix, self._prompt
        assert matrix is not None and prompt is not None
        if column > row:
            return tr("No attention to later tokens")
        one, other = (legible(prompt.text_of(each)) for each in (row, column))
        share = chance(matrix.weights[row * matrix.size + column])
        return tr("From “{one}” ({row}) to “{other}” ({column}): {share}").format(
            one=one, other=other, row=row, column=column, share=share
        )


def _describe_scores(head: Head) -> str:
    known = ((NAMES[group], head.scores[group]) for group in HeadGroup if group in head.scores)
    return " · ".join(f"{name} {chance(score)}" for name, score in known)
