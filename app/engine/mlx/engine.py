"""The engine on mlx-lm: owns the model and the KV cache, and does one run at a time on one thread."""

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import mlx.core as mx
from mlx_lm.generate import wired_limit

from app.engine import jobs
from app.engine.draft_length import COST_OF_EACH, StepCosts
from app.engine.errors import UserError, without_panic
from app.engine.jobs import Job, Result
from app.engine.mlx import adapter, memory
from app.engine.mlx.batch import BatchRun, validate_batch_request
from app.engine.mlx.cache_comparison import compare_caches
from app.engine.mlx.caches.disk_cache import stamp_of
from app.engine.mlx.caches.prompt_cache import PromptCache
from app.engine.mlx.choices import score_choices
from app.engine.mlx.failures import is_device, load_failure, pass_failure
from app.engine.mlx.interpretability.ablation import ablate
from app.engine.mlx.interpretability.attention import read_attention, read_attention_matrix
from app.engine.mlx.interpretability.hidden_states import read_hidden_states
from app.engine.mlx.interpretability.logit_lens import read_lens
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.loading import blas
from app.engine.mlx.loading.load import CalledOffError, check_room, load
from app.engine.mlx.loading.locate import locate
from app.engine.mlx.measuring.draft_steps import measure_draft_steps, propose_tokens
from app.engine.mlx.measuring.measure import measure_decoding, measure_speeds
from app.engine.mlx.measuring.profile_run import measure_run
from app.engine.mlx.measuring.token_reads import count_reads
from app.engine.mlx.perplexity import compare_tokens, score_tokens
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.mlx.run import Generation
from app.engine.mlx.validate_request import check_request, exact_prompt, requested_prompt, validate
from app.engine.model_files.adapter import look_at
from app.engine.model_files.folder import Folder, look
from app.engine.model_files.tokenizer import check_limits
from app.engine.protocol import Collect, Emit, StopFlag, failed_run
from app.engine.types import (
    CacheMissReason,
    Cancellation,
    DraftModel,
    ExactPrompt,
    Failure,
    Finish,
    Loading,
    LoadRequest,
    Memory,
    Model,
    PromptSource,
    RawPrompt,
    Reason,
    Request,
    Reusable,
    SpelledToken,
    Tuning,
)
from app.files.regular_files import expand_home
from app.i18n import tr

POOL_SHARE = 8
"""The caches of inactive conversations get the recommended memory divided by this."""
PROBE_TEXT = "Hello, world! 1234567890\n\tdef f(x): return x  # “naïve” 日本語 한국어 🙂👩‍🚀"
PROMPT_JOBS: dict[type[Any], Callable[[JobContext, tuple[int, ...], Any], object]] = {
    jobs.ScoreTokens: score_tokens,
    jobs.CompareTokens: compare_tokens,
    jobs.CompareCaches: compare_caches,
    jobs.ReadLens: read_lens,
    jobs.ReadAttention: read_attention,
    jobs.ReadAttentionMatrix: read_attention_matrix,
    jobs.ReadHiddenStates: read_hidden_states,
    jobs.Ablate: ablate,
    jobs.ProposeTokens: propose_tokens,
}
"""The functions of jobs that prefill a prompt: they get its token ids."""
OTHER_JOBS: dict[type[Any], Callable[[JobContext, Any], object]] = {
    jobs.ScoreChoices: score_choices,
    jobs.CountReads: count_reads,
    jobs.MeasureSpeeds: measure_speeds,
    jobs.MeasureDecoding: measure_decoding,
    jobs.MeasureDraftSteps: measure_draft_steps,
}


class MlxEngine:
    """All methods are called on the same thread: mlx-lm's streams belong to the thread that made them."""

    def __init__(self, collect: Collect = gc.collect) -> None:
        self._collect = collect
        self._main: LoadedModel | None = None
        self._draft: LoadedModel | None = None
        self._cache = PromptCache()
        self._tuning = Tuning()
        self._set_pool_budget()
        self._unchecked = False
        """The user opened the model despite the memory warning."""
        self._device_failed = False
        """The device has failed since the model was opened."""
        if memory.on_cpu():
            mx.disable_compile()  # the CPU backend would run a C++ compiler for each kernel: seconds, up to a minute

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        """Open the model, draft model and adapter, or nothing. After an invalid name the open model stays."""
        try:
            folder = locate(request.model)
            beside = locate(request.draft) if request.draft else None
            with without_panic():
                return self._open(folder, beside, request, emit, stop)
        except CalledOffError:
            return Cancellation()
        except UserError as refused:
            return refused.failure
        except Exception as error:
            return load_failure(error)
        finally:
            self._free_memory()

    def has_model(self) -> bool:
        return self._main is not None

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        import numpy  # noqa: F401  # while a prompt is being written, for the candidates of its answer

        try:
            main = self._loaded()
            prompt = exact_prompt(source, main)
        except UserError as refused:
            return refused.failure
        main.previewed = (source, prompt, time.monotonic())
        return prompt

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        prompt = self.render(source)
        if isinstance(prompt, Failure):
            return prompt
        # Tokens that the tokenizer adds before any text are left out.
        own = len(prompt.text) - len(source.text) if isinstance(source, RawPrompt) else 0
        ids = [token for token, (start, _) in zip(prompt.ids, prompt.offsets, strict=True) if start >= own]
        with without_panic():
            return self._loaded().spelling.token_texts(ids)

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        if not request.kv.enabled or self._main is None:
            return Reusable(hindrance=CacheMissReason.BARE)
        drafting, strength = self._draft_for(request) is not None, request.sampling.adapter_strength
        found = self._cache.reusable(ids, request.kv, self._main, drafting, strength, request.session)
        return replace(found, prefill_speed=self._main.pace.tokens_per_s)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        started = time.monotonic()
        if request.form:  # a new format is tried in a child process, and a vocabulary of 150,000 takes most of a second
            emit(Loading(tr("Compiling the output format"), 0, 0))
        try:
            main = self._intact_model()
            check_request(request, main, self._draft)
            checked = time.monotonic()
            prompt = requested_prompt(request, main)
            rendering = time.monotonic() - checked
            main.at_strength(request.sampling.adapter_strength)
        except UserError as refused:
            if stop.asked:  # Stop may come while a chat template runs
                return failed_run(stop, None, Reason.STOPPED)
            return failed_run(stop, refused.failure)
        if main.model.context is not None and len(prompt.ids) >= main.model.context:
            return failed_run(stop, _too_long(len(prompt.ids), main.model.context), Reason.CONTEXT_FULL)
        draft = self._draft_for(request)
        run = Generation(main, draft, self._cache, prompt, request, emit, stop, self._weights(), self._unchecked)
        finish = run.go()
        finish = replace(finish, rendering=rendering, times=replace(finish.times, started=started))
        self._check_device(finish.failure)
        return finish

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        """Do a job without a change of the conversation's cache, and free its memory afterwards."""
        found: Any
        try:
            main = self._intact_model(getattr(job, "strength", 1.0))
            found = self._do(job, JobContext(main, self._cache, emit, stop, self._draft))
        except PrefillStoppedError:
            found = Cancellation()
        except UserError as refused:
            found = refused.failure
        except Exception as error:
            found = pass_failure(error)
        finally:
            mx.clear_cache()
        if isinstance(found, Failure):
            self._check_device(found)
        if isinstance(job, jobs.PromptJob):
            emit(self.memory())
        return cast("Result | Failure | Cancellation", found)

    def _do(self, job: Any, context: JobContext) -> object:
        main, emit, stop = context.main, context.emit, context.stop
        if isinstance(job, jobs.MeasureRun):
            prompt, draft = validate(job.request, main, self._draft), self._draft_for(job.request)
            main.at_strength(job.request.sampling.adapter_strength)
            return measure_run(main, draft, prompt, job.request, emit, job.keep, stop, self._weights())
        if not isinstance(job, jobs.PromptJob):
            return OTHER_JOBS[type(job)](context, job)
        ids = exact_prompt(job.source, main).ids
        if main.model.context is not None and len(ids) > main.model.context:
            return _too_long(len(ids), main.model.context)
        with wired_limit(main.module):
            return PROMPT_JOBS[type(job)](context, ids, job)

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        try:
            main = self._intact_model()
            prompts = [validate_batch_request(request, main) for request in requests]
            main.at_strength(_one_strength(requests) if main.adapted is not None else 1.0)
            together = BatchRun(main, self._cache, prompts, requests, emits, stop, self._weights())
        except UserError as refused:
            return tuple(failed_run(stop, refused.failure) for _ in requests)
        finishes = together.go()
        for finish in finishes:
            self._check_device(finish.failure)
        return finishes

    def tune(self, tuning: Tuning) -> None:
        self._tuning = tuning
        memory.set_limit(tuning.memory_limit)
        self._set_pool_budget()
        self._cache.saved.tune(Path(tuning.saved_to) if tuning.saved_to else None, tuning.saved_bytes)
        self._open_disk_cache()
        if self._main is not None:
            self._main.pace.set_step_size(tuning.prefill_chunk)

    def save(self) -> None:
        if self._main is None or not self._tuning.saved_bytes:
            return
        try:
            self._cache.save(self._main.pace.tokens_per_s)
        except Exception:  # a failed device: its caches can't be read
            self._cache.clear()

    def forget(self, session: int) -> None:
        self._cache.forget(session)

    def memory(self) -> Memory:
        found = memory.read(self._weights(), memory.kv_bytes(self._cache.caches), self._cache.others.size)
        return replace(found, saved=self._cache.saved.state()) if self._tuning.saved_to else found

    def unload(self) -> None:
        self.save()
        self._cache.clear()
        self._main = self._draft = None
        self._open_disk_cache()
        self._free_memory()

    def close(self) -> None:
        """Unload, and clear MLX's streams: without that the process may abort at its exit."""
        self.unload()
        mx.clear_streams()

    def _open(self, folder: Path, beside: Path | None, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model:
        """Open a model. It is reused if only its draft model or adapter changes; another one is unloaded first.

        If the folder has no model or the model can't fit, nothing is unloaded.
        """
        main_folder, draft_folder = look(folder), look(beside) if beside else None
        for each in filter(None, (main_folder, draft_folder)):
            check_limits(each)
        file = look_at(expand_home(request.adapter), main_folder) if request.adapter else None
        arrays = adapter.read(file) if file is not None else {}
        main, present = self._main, self._draft and self._draft.model.folder
        same = main is not None and (present, main.model.adapter) == (beside, file and file.adapter)
        if main is None or (main.model.folder, main.model.dtype) != (folder, request.dtype) or same:
            if not request.anyway:
                check_room(main_folder, freed=int(mx.get_active_memory()))
            self.unload()
            main = load(
                main_folder,
                emit,
                stop,
                ignores_memory=request.anyway,
                keeps_packed=self._tuning.keeps_packed,
                dtype=request.dtype,
            )
            self._unchecked = request.anyway
        if draft_folder is None:
            draft = None
        elif self._draft is not None and present == beside:
            draft = self._draft
        else:
            draft = _open_draft(main, draft_folder, emit, stop, self._tuning.keeps_packed)
        main.at_strength(0)
        main.adapted = adapter.attach(main.module, file, arrays, main.model.raised) if file is not None else None
        main.model = replace(main.model, adapter=file.adapter if file is not None else None)
        main.pace.set_step_size(self._tuning.prefill_chunk)
        blas.fit_threads(main.model.weights)
        self._cache.add_to_pool()
        if draft is not self._draft:
            self.save()
            self._cache.clear()
        self._cache.drop()
        self._main, self._draft = main, draft
        self._open_disk_cache()
        if draft is None:
            return main.model
        model = draft.model
        described = DraftModel(
            model.name, model.folder, model.parameters, model.weights, model.raised, model.format.unpacked
        )
        return replace(main.model, draft=described, can=replace(main.model.can, draft=True))

    def _set_pool_budget(self) -> None:
        self._cache.others.budget = self._tuning.kept_bytes or memory.limit_bytes() // POOL_SHARE
        self._cache.others.shrink(self._cache.others.budget)

    def _open_disk_cache(self) -> None:
        main = self._main if self._tuning.saved_bytes else None
        stamp = ""
        with suppress(OSError):  # its files may have been deleted
            stamp = stamp_of(main, self._draft) if main is not None else ""
        self._cache.saved.open(stamp)

    def _check_device(self, failure: Failure | None) -> None:
        if is_device(failure):
            self._device_failed = True
            self._cache.clear()
            memory.recover()

    def _intact_model(self, strength: float = 1.0) -> LoadedModel:
        """Return the model. After a device failure it is opened again, since its memory may be corrupt."""
        model, draft = self._loaded().model, self._draft
        if not self._device_failed:
            return self._loaded().at_strength(strength)
        beside = draft.model.folder if draft else None
        draft, self._device_failed = None, False
        self.unload()
        try:
            request = replace(model.opened_by, anyway=self._unchecked)
            self._open(model.folder, beside, request, lambda event: None, StopFlag())
        except UserError:
            raise
        except Exception as error:
            raise UserError.of(load_failure(error)) from None
        return self._loaded().at_strength(strength)

    def _free_memory(self) -> None:
        """Collect garbage and free MLX's buffers: reference cycles hold a third of a model's memory."""
        self._collect()
        memory.free_buffers()

    def _weights(self) -> int:
        """Return the bytes of all weights. A draft model counts even if the run doesn't use it."""
        beside = self._main.model.adapter if self._main else None
        models = sum(loaded.model.weights for loaded in (self._main, self._draft) if loaded)
        return models + (beside.weights if beside else 0)

    def _draft_for(self, request: Request) -> LoadedModel | None:
        """Return the draft model for a run. Prompt lookup and generation without a KV cache use none."""
        return self._draft if request.draft_tokens and request.kv.enabled and not request.looks_up else None

    def _loaded(self) -> LoadedModel:
        if self._main is None:
            raise UserError(tr("No model is loaded."), tr("Choose a model first."), kind="empty")
        return self._main


def _one_strength(requests: Sequence[Request]) -> float:
    strengths = {request.sampling.adapter_strength for request in requests}
    if len(strengths) == 1:
        return strengths.pop()
    raise UserError(
        tr("A batch needs the same adapter strength in all requests."), tr("Run the variants one by one."), kind="batch"
    )


def _open_draft(main: LoadedModel, folder: Folder, emit: Emit, stop: StopFlag, keeps_packed: bool) -> LoadedModel:
    if refused := main.model.can.refusal("draft"):
        raise UserError(refused, tr("Continue without a draft model."), kind="draft")
    draft = load(folder, emit, stop, keeps_packed=keeps_packed, dtype=main.model.dtype)
    if (why := draft_refusal(main, draft)) is not None:
        raise UserError(why, tr("Choose another draft model, or continue without one."), kind="draft")
    draft.step_costs = StepCosts(COST_OF_EACH + draft.model.weights / main.model.weights)
    return draft


def draft_refusal(main: LoadedModel, draft: LoadedModel) -> str | None:
    """Explain why `draft` can't propose tokens to `main`: the library checks nothing and fails silently."""
    if not draft.plain_cache:
        return tr("The draft model's KV cache can't be trimmed.")
    if main.model.vocabulary != draft.model.vocabulary:
        why = tr("The two models have vocabularies of different sizes: {main} and {draft} tokens.")
        return why.format(main=f"{main.model.vocabulary:,}", draft=f"{draft.model.vocabulary:,}")
    ids, draft_ids = (each.tokenizer.encode(PROBE_TEXT, add_special_tokens=False) for each in (main, draft))
    if list(ids) != list(draft_ids):
        return tr("The two models tokenize the same text differently.")
    return None


def _too_long(length: int, context: int) -> Failure:
    what = tr("The prompt has {length} tokens, but the context window holds {context}.")
    what = what.format(length=f"{length:,}", context=f"{context:,}")
    return Failure(what, tr("Shorten it, or start a new session."), kind="context")
