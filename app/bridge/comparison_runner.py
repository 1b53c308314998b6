"""Compares the open model with a quantized copy of it, which exists only during the comparison."""

from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.jobs import no_logits
from app.engine.types import Cancellation, Failure, LoadRequest, Model, Prefill
from app.i18n import tr
from app.lessons.comparison import QuantizedComparison
from app.perplexity import source
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.quantization.choice import QuantizationOutcome, QuantizationSettings
from app.quantization.convert import Conversion, temporary_folder

COPY = "copy"
BUSY = Failure(tr("The model is in use."), tr("Wait until the run has ended, and try again."))
CANCELLED = Failure(tr("The comparison was stopped."), tr("Run it again."), kind="cancelled")
OTHER_MODEL = Failure(tr("Another model was opened during the comparison."), tr("Run it again."))


class ComparisonRunner(QObject):
    """Runs one comparison at a time. The copy is in a temporary folder in `folder`."""

    progressed = Signal(str, int, int)
    """Progress in words, done, total; total 0: unknown."""
    ended = Signal(object)
    """QuantizedComparison, or Failure."""

    def __init__(self, playground: Playground, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._folder, self._tasks = playground, folder, Tasks(self)
        self._conversion: Conversion | None = None
        self._measurement: PerplexityMeasurement | None = None
        self._files = ExitStack()
        playground.prefill_advanced.connect(self._on_prefill_advanced)

    def start(self, text: str, bits: int) -> None:
        self._tasks.start(self._run(text, bits))

    def stop(self) -> None:
        """Stop it; `ended` follows."""
        if self._conversion is not None:
            self._conversion.cancel()
        else:
            self._playground.stop()

    def close(self) -> None:
        """Stop the conversion, since the program ends."""
        if self._conversion is not None:
            self._conversion.cancel()

    def discard(self) -> None:
        """Delete the temporary files."""
        if self._measurement is not None:
            self._measurement.close()
        self._files.close()

    async def _run(self, text: str, bits: int) -> None:
        model = self._playground.state.model
        if model is None or model.server:
            self.ended.emit(no_logits())
            return
        self.progressed.emit(tr("Creating a {bits}-bit copy…").format(bits=bits), 0, 0)
        self._conversion = conversion = Conversion(model.folder)
        made = await self._tasks.complete(partial(self._convert, conversion, bits))
        self._conversion = None
        if isinstance(made, Failure):
            await self._end(CANCELLED if made.kind == CANCELLED.kind else made)
            return
        outcome, copy = made
        job = PerplexityJob(source.prompt_of(text, raw=True), LoadRequest(str(model.folder)), LoadRequest(str(copy)))
        self._measurement = measurement = PerplexityMeasurement(job)
        done = partial(self._on_measured, model, outcome, measurement)
        if self._playground.state.model is not model:
            await self._end(OTHER_MODEL)
        elif not self._playground.measure_perplexity(measurement, done):
            await self._end(BUSY)

    def _convert(self, conversion: Conversion, bits: int) -> tuple[QuantizationOutcome, Path] | Failure:
        """Create the copy, on a thread."""
        with closing(conversion):
            self._folder.mkdir(parents=True, exist_ok=True)
            copy = self._files.enter_context(temporary_folder(self._folder)) / COPY
            made = conversion.convert(QuantizationSettings(bits), copy)
        if isinstance(made, Failure):
            self._files.close()  # here, since at the program's end nothing follows
            return made
        return made, copy

    def _on_measured(
        self, model: Model, copy: QuantizationOutcome, measurement: PerplexityMeasurement, outcome: object
    ) -> None:
        self._tasks.start(self._conclude(model, copy, measurement, outcome))

    async def _conclude(
        self, model: Model, copy: QuantizationOutcome, measurement: PerplexityMeasurement, outcome: object
    ) -> None:
        if isinstance(outcome, Failure | Cancellation):
            await self._end(outcome if isinstance(outcome, Failure) else CANCELLED)
            return
        scores = await self._tasks.try_in_thread(measurement.result)
        if isinstance(scores, Failure) or scores is None:
            await self._end(scores or CANCELLED)
        else:
            await self._end(QuantizedComparison(model.name, copy, scores))

    async def _end(self, outcome: QuantizedComparison | Failure) -> None:
        await self._tasks.complete(self.discard)
        self._measurement = None
        self.ended.emit(outcome)

    def _on_prefill_advanced(self, read: Prefill) -> None:
        if self._measurement is not None:
            words = tr("{done} of {total} tokens").format(done=f"{read.done:,}", total=f"{read.total:,}")
            self.progressed.emit(words, read.done, read.total)
