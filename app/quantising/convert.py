"""A model quantised by a child process of ours: it appears under its name when it is whole, or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from app.engine.folder import look
from app.engine.refusal import RefusedError, details_of, named
from app.engine.types import Failure
from app.figures import size
from app.launch import QUANTISE_SWITCH
from app.library import plan, supported
from app.library.child import Child, Starting, spoken_command
from app.library.weights import count, quantization_of
from app.quantising import layers
from app.quantising.card import card
from app.quantising.cost import Cost
from app.quantising.layers import Choice, Layers, Outcome
from app.words import tr

MARK = ".quantising"
INSIDE = "model"
"""One folder deeper than where models are looked for."""
SPARE_BYTES = 50_000_000
"""What is left free on the disk, for whoever else writes to it."""
OWN = ("config.json", "model.safetensors.index.json")
"""What the conversion writes itself."""
WEIGHTS = ".safetensors"

Answer = TypeVar("Answer")
Tell = Callable[[int, int], object]
"""Bytes of weights that are done, and all."""


class Conversion:
    """Of one model, one question after the other, on any thread; `cancel` comes from another one, and is final.

    Every answer may be a Failure instead; that of a cancelled conversion is of the kind "cancelled".
    """

    def __init__(self, source: Path, starting: Starting | None = None) -> None:
        self.source = source
        self._starting = starting or Starting(spoken_command(QUANTISE_SWITCH))
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._cancelled = False
        self._layers: Layers | None = None

    def layers(self) -> Layers | Failure:
        """What a choice is made from."""
        return _answered(self._known)

    def convert(self, choice: Choice, to: Path, tell: Tell = lambda done, total: None) -> Outcome | Failure:
        """Into a folder that isn't there yet; what was made is counted in its own files."""
        return _answered(lambda: self._convert(choice, to.absolute(), tell))

    def compare(self, made: Path, text: str, tell: Tell = lambda done, total: None) -> Cost | Failure:
        """With the original, on this text."""
        order = {"do": "compare", "folder": str(self.source), "made": str(made), "text": text}
        return _answered(lambda: Cost(**self._ask(order, tell)))

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._child is not None:
                self._child.kill()

    def close(self) -> None:
        """Nothing more is asked, and the child is gone."""
        self.cancel()
        self._end()

    def _known(self) -> Layers:
        if self._layers is None:
            check_source(self.source)
            self._layers = layers.read(self._ask({"do": "layers", "folder": str(self.source)}))
        return self._layers

    def _convert(self, choice: Choice, to: Path, tell: Tell) -> Outcome:
        known = self._known()
        if choice.recipe and choice.recipe not in known.recipes:
            what = tr("The recipe {name} does not know the layers of this model.").format(name=choice.recipe)
            raise RefusedError(what, tr("Choose bits for all layers."), kind="recipe")
        foreseen = known.foresee(choice)
        check_target(to, foreseen.bytes)
        _sweep(to.parent)
        beside = Path(tempfile.mkdtemp(prefix=f".{os.getpid()}-", suffix=MARK, dir=to.parent))
        try:
            inside = beside / INSIDE
            asked = {"folder": str(self.source), "to": str(inside), "choice": asdict(foreseen.choice)}
            self._ask({"do": "convert", **asked}, tell)
            made = self._finish(inside, to, foreseen)
            inside.rename(to)
        except (OSError, RefusedError) as error:
            if shutil.disk_usage(to.parent).free < SPARE_BYTES and not self._cancelled:
                raise _no_room(foreseen.bytes, to.parent) from error
            raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        return made

    def _finish(self, inside: Path, to: Path, foreseen: Outcome) -> Outcome:
        """What belongs to the model beside its weights is taken over as it is, so that its tokens are the same."""
        for file in self.source.iterdir():
            if plan.is_needed(file.name) and file.name not in OWN and file.suffix != WEIGHTS:
                shutil.copyfile(file, inside / file.name)
        looked = look(inside)
        counted = count(looked.weight_files, quantization_of(looked.config))
        made = Outcome(foreseen.choice, counted.bytes, counted.bytes * 8 / counted.numbers, counted.unpacked)
        (inside / "README.md").write_text(card(self.source, to.name, made), "utf-8")
        if self._cancelled:
            raise _cancelled()
        return made

    def _ask(self, order: Mapping[str, Any], tell: Tell = lambda done, total: None) -> Mapping[str, Any]:
        with self._lock:
            if self._cancelled:
                raise _cancelled()
            self._child = self._child or Child(self._starting)
            child = self._child
        try:
            for message in child.messages(order):
                match message.pop("say"):
                    case "progress":
                        tell(message["done"], message["total"])
                    case "failed":
                        raise RefusedError.of(Failure(**message))
                    case _:
                        return message
        except KeyboardInterrupt:
            self.close()
            raise
        details = self._end()
        if self._cancelled:
            raise _cancelled()
        what = tr("The process that quantises ended without a word.")
        raise RefusedError(what, tr("Close other programs, and try again."), details)

    def _end(self) -> str:
        with self._lock:
            child, self._child = self._child, None
        return child.end() if child is not None else ""


def check_source(folder: Path) -> None:
    """Raises RefusedError for what can't be quantised."""
    if (folder / "adapter_config.json").is_file() and not (folder / "config.json").is_file():
        what = tr("“{name}” is an adapter, which has no weights of its own to quantise.")
        raise RefusedError(what.format(name=named(folder.name)), tr("Choose the model that it belongs to."))
    looked = look(folder)
    if (refusal := supported.refusal(looked.model_type)) is not None:
        raise RefusedError.of(refusal)
    if quantization_of(looked.config):
        what = tr("“{name}” is quantised already: once more would only add errors.").format(name=named(folder.name))
        raise RefusedError(what, tr("Choose the model that it was made from."))


def check_target(to: Path, needed: int) -> None:
    """Raises RefusedError where nothing can be written, or not so much."""
    if os.path.lexists(to):
        what = tr("There is something at {place} already.").format(place=to)
        raise RefusedError(what, tr("Choose another place."), kind="target")
    to.parent.mkdir(parents=True, exist_ok=True)
    if needed + SPARE_BYTES > shutil.disk_usage(to.parent).free:
        raise _no_room(needed, to.parent)


def _no_room(needed: int, folder: Path) -> RefusedError:
    what = tr("The model takes {size}, and the disk has {free} free.")
    what = what.format(size=size(needed), free=size(shutil.disk_usage(folder).free))
    return RefusedError(what, tr("Make room, or choose another place."), kind="disk")


def _cancelled() -> RefusedError:
    return RefusedError(tr("The conversion was cancelled."), tr("Nothing of it is left."), kind="cancelled")


def _sweep(folder: Path) -> None:
    """What a program left that was killed in the middle."""
    for left in folder.glob(f".*-*{MARK}"):
        with suppress(ValueError, OSError):
            try:
                os.kill(int(left.name[1:].partition("-")[0]), 0)
            except ProcessLookupError:
                shutil.rmtree(left)


def _answered(ask: Callable[[], Answer]) -> Answer | Failure:
    try:
        return ask()
    except RefusedError as refused:
        return refused.failure
    except OSError as error:
        what = tr("The model could not be written or read ({reason}).").format(reason=error.strerror or error)
        return Failure(what, tr("Choose another place."), details_of(error), "disk")
