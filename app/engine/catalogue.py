"""All settings of a run by name: label, meaning, advice, section.

Used by the panel, What's This?, the help, receipts, experiments and error messages. It is part of the engine because
the engine's errors use the same labels. Its texts are translated on import. Modules that are imported before the
language is set can't import it, so the ranges are in `app.engine.ranges`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from app.engine.ranges import RANGES
from app.engine.types import Sampling
from app.i18n import tr


class PanelSection(Enum):
    MAIN = "main"
    ADAPTER = "adapter"
    SAMPLING = "sampling"
    PENALTIES = "penalties"


@dataclass(frozen=True, slots=True)
class Setting:
    """`meaning` defines it, `advice` says when to change it."""

    words: str
    meaning: str = ""
    advice: str = ""
    unit: str = ""
    section: PanelSection | None = None
    needs: str = ""
    """Name of the setting on which this one depends. If that is neutral (temperature: 0), this has no effect."""
    is_in_mlx_lm: bool = True
    """False for a filter that mlx-lm's `make_sampler` lacks."""
    step: float = 0.05
    slider_to: float = 0.0
    """Maximum of its slider; larger values are typed. 0: no slider."""

    @property
    def text(self) -> str:
        return f"{self.meaning} {self.advice}".strip()

    @property
    def inside(self) -> str:
        """The label for use within a sentence."""
        return self.words if self.words[:2].isupper() else f"{self.words[:1].lower()}{self.words[1:]}"


_TOKENS = tr("tokens")
_WINDOW = tr("Number of last tokens that the penalty applies to; 0 means all.")

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "model": Setting(tr("Model")),
        "mode": Setting(tr("Mode")),
        "system": Setting(
            tr("System prompt"),
            tr("Instructions before the conversation: the model's role, and how to answer."),
            tr("It uses prompt tokens in every turn. After a change the whole conversation is prefilled again."),
        ),
        "reply_start": Setting(
            tr("Reply prefix"),
            tr("The model continues from this text. Its tokens are part of the prompt."),
            tr("It controls the format better than an instruction: start with “{” for JSON, or with a list item."),
        ),
        "arguments": Setting(tr("Arguments")),
        "temperature": Setting(
            tr("Temperature"),
            tr("Randomness of sampling. 0 is greedy: always the most likely token."),
            tr("Low for facts and code, around 0.7 for varied text. Far above 1 the text becomes incoherent."),
            section=PanelSection.MAIN,
            slider_to=2.0,
        ),
        "top_p": Setting(
            tr("Top-p"),
            tr("Nucleus sampling: keeps the most likely tokens whose probabilities add up to this value."),
            tr("It removes the long tail of unlikely tokens. 0.9 to 0.95 is usual; 1 keeps all."),
            section=PanelSection.MAIN,
            needs="temperature",
            slider_to=1.0,
        ),
        "top_k": Setting(
            tr("Top-k"),
            tr("Keeps this many of the most likely tokens; 0 keeps all."),
            tr("The number is the same at every token, however certain the model is there."),
            _TOKENS,
            section=PanelSection.SAMPLING,
            needs="temperature",
        ),
        "min_p": Setting(
            tr("Min-p"),
            tr("Removes tokens whose probability is below this share of the most likely token's."),
            tr("It removes many tokens only where the model is certain. Try 0.05 with a high temperature."),
            section=PanelSection.SAMPLING,
            needs="temperature",
            step=0.01,
        ),
        "min_tokens_to_keep": Setting(
            tr("Tokens to keep"),
            tr("Always keep at least this many tokens, even if min-p would remove them."),
            unit=_TOKENS,
            section=PanelSection.SAMPLING,
            needs="min_p",
        ),
        "top_n_sigma": Setting(
            tr("Top-nσ"),
            tr("Keeps tokens whose logit is at most n standard deviations (σ) below the largest; 0 keeps all."),
            tr("The kept tokens don't depend on the temperature. Try 1 with a high temperature."),
            section=PanelSection.SAMPLING,
            needs="temperature",
            is_in_mlx_lm=False,
        ),
        "xtc_probability": Setting(
            tr("XTC probability"),
            tr("Probability that XTC acts at a token: it removes all tokens above the threshold but the least likely."),
            tr("It makes stories less predictable. Leave it at 0 for facts and code."),
            section=PanelSection.SAMPLING,
            needs="temperature",
        ),
        "xtc_threshold": Setting(
            tr("XTC threshold"),
            tr("Probability above which XTC may remove a token."),
            section=PanelSection.SAMPLING,
            needs="xtc_probability",
            step=0.01,
        ),
        "repetition_penalty": Setting(
            tr("Repetition penalty"),
            tr("Above 1 makes tokens that already occurred less likely, below 1 more likely."),
            tr("1.05 to 1.2 helps against repetition. More also penalizes commas, names and “the”."),
            section=PanelSection.PENALTIES,
        ),
        "repetition_window": Setting(
            tr("Repetition window"), _WINDOW, unit=_TOKENS, section=PanelSection.PENALTIES, needs="repetition_penalty"
        ),
        "presence_penalty": Setting(
            tr("Presence penalty"),
            tr("Subtracted once from the logit of every token that occurred within the presence window."),
            tr("Raise it for new words and topics."),
            section=PanelSection.PENALTIES,
        ),
        "presence_window": Setting(
            tr("Presence window"), _WINDOW, unit=_TOKENS, section=PanelSection.PENALTIES, needs="presence_penalty"
        ),
        "frequency_penalty": Setting(
            tr("Frequency penalty"),
            tr("Subtracted from a token's logit once for each time that it occurred within the frequency window."),
            section=PanelSection.PENALTIES,
        ),
        "frequency_window": Setting(
            tr("Frequency window"), _WINDOW, unit=_TOKENS, section=PanelSection.PENALTIES, needs="frequency_penalty"
        ),
        "logit_bias": Setting(
            tr("Logit bias"),
            tr("Added to the logit of a token: 100 nearly forces it, -100 nearly forbids it."),
            tr("A word can be several tokens, with or without a space before it: ban each spelling."),
        ),
        "seed": Setting(
            tr("Seed"),
            tr("Random seed. Same seed, prompt and settings: same tokens on the same computer and library versions."),
            tr("Empty: a new seed for each run. Fix it to compare settings."),
            needs="temperature",
        ),
        "max_tokens": Setting(
            tr("Max tokens"),
            tr("Maximum number of tokens in a run; then its finish reason is “length”."),
            tr("Raise it if answers end in mid-sentence, or press Continue. The limit isn't part of the prompt."),
            _TOKENS,
        ),
        "stop_strings": Setting(
            tr("Stop strings"),
            tr("The answer ends before the first of these strings, however it is tokenized."),
            tr(
                "Text that may be the beginning of a stop string is held back. Useful for formats: stop at "
                "“User:” or “```”."
            ),
        ),
        "stop_ids": Setting(
            tr("Stop tokens"),
            tr("Token ids that end a run, in addition to the model's EOS tokens."),
            tr("Use it if a model doesn't stop because its files list the wrong EOS token."),
        ),
        "think_budget": Setting(
            tr("Reasoning budget"),
            tr("Maximum reasoning tokens. Then the model's end-of-reasoning tag is inserted."),
            tr("Answers come sooner, but may be worse. If reasoning starts again, it is ended again."),
            _TOKENS,
        ),
        "form_kind": Setting(
            tr("Output format"),
            tr("Constrains decoding: only tokens that keep the output valid, and EOS only where it is complete."),
            tr("The model doesn't see the format: ask for it too. Reasoning and reply prefix aren't constrained."),
        ),
        "tools": Setting(
            tr("Tools"),
            tr("Functions that the model may call, as JSON. The chat template puts them into the prompt."),
            tr("Sluice doesn't run tools. A call is shown below the answer, and you enter its result."),
        ),
        "form_schema": Setting(tr("JSON schema")),
        "form_choices": Setting(tr("Choices")),
        "form_regex": Setting(tr("Regular expression")),
        "form_grammar": Setting(tr("Lark grammar")),
        "form_numbers": Setting(tr("Number of a range")),
        "observe": Setting(
            tr("Alternatives"),
            tr("Records the most likely alternatives of each token with their probabilities (top-k logprobs)."),
            tr("Needed by the token view, the inspector and the sampling picture, which shows the cost in speed."),
        ),
        "draft": Setting(
            tr("Draft model"),
            tr("Speculative decoding: a small model proposes tokens, and the large one verifies several in one step."),
            tr(
                "Greedy output is unchanged, up to rounding. Above temperature 0, a fixed number of draft tokens gives "
                "another text of the same distribution. Faster only if most proposals are accepted."
            ),
        ),
        "draft_tokens": Setting(
            tr("Draft tokens"),
            tr("Number of tokens that the draft model proposes in each step."),
            tr("Automatic proposes only as many as pay on this computer. 0 turns the draft model off."),
            _TOKENS,
        ),
        "lookup_tokens": Setting(
            tr("Prompt lookup tokens"),
            tr("Number of tokens that prompt lookup proposes in each step: the text after an earlier match."),
            tr("Automatic proposes only as many as pay on this computer. The output is unchanged, up to rounding."),
            _TOKENS,
        ),
        "adapter": Setting(
            tr("Adapter"),
            tr("Small layers that were trained on top of a model (LoRA or DoRA); the model's files stay as they are."),
            tr("Choosing another one, or none, leaves the model in memory."),
        ),
        "adapter_strength": Setting(
            tr("Adapter strength"),
            tr("Factor on the adapter's scale: 1 as trained, 0 the base model."),
            tr("Values between show the adapter's effect. The prompt is prefilled again after a change."),
            section=PanelSection.ADAPTER,
            slider_to=2.0,
        ),
        "interval": Setting(
            tr("Stream interval"),
            tr("Show text every N tokens; generation is unchanged. “Only at the end” is like mlx-lm's generate()."),
            unit=_TOKENS,
        ),
        "prefill_step": Setting(
            tr("Prefill step"),
            tr("Number of prompt tokens that are prefilled in one pass. 0 is automatic, by the measured speed."),
            unit=_TOKENS,
        ),
        "kv_enabled": Setting(
            tr("KV cache"),
            tr("Keeps the keys and values of all tokens, so that they aren't computed again for each new token."),
            tr("Turn it off only to measure its effect."),
        ),
        "kv_reuse": Setting(
            tr("KV cache reuse"),
            tr("Reuses the cached keys and values of a prompt's beginning. Only the tokens after it are prefilled."),
            tr("Shortens the time to first token. In half precision, rounding may change the text; not in float32."),
        ),
        "kv_bits": Setting(
            tr("KV bits"),
            tr("Bits per number in a quantized KV cache. Fewer bits use less memory and are less exact."),
            tr("The text may change. An experiment measures the effect on memory, speed and text."),
        ),
        "kv_group_size": Setting(
            tr("KV group size"),
            tr("Quantized numbers that share one scale. The model's head size must be a multiple of it."),
        ),
        "kv_quantized_start": Setting(
            tr("KV quantized from"), tr("Token after which the KV cache is quantized."), unit=_TOKENS
        ),
        "kv_max_size": Setting(
            tr("KV cache size"),
            tr("Size of a rotating KV cache, in tokens. It keeps the first 4 tokens and the most recent ones."),
            tr("It limits memory use, but the model no longer sees the tokens that were dropped."),
            _TOKENS,
        ),
    }
)


def names_in(*sections: PanelSection) -> tuple[str, ...]:
    """Return the settings in these sections of the panel, in order."""
    return tuple(name for name, each in SETTINGS.items() if each.section in sections)


def needed_by(name: str) -> tuple[str, ...]:
    """Return all settings that must be on for this one to have an effect, the nearest first."""
    needs = SETTINGS[name].needs
    return (needs, *needed_by(needs)) if needs else ()


FILTERS = tuple(name for name in SETTINGS if "temperature" in needed_by(name) and name != "seed")
"""Names of the filters: settings that decide which tokens can be sampled at a temperature above 0."""


def is_off(name: str, sampling: Sampling) -> bool:
    """Return whether the value turns off the settings that depend on this one; for temperature that is 0."""
    return bool(getattr(sampling, name) == (0 if name == "temperature" else RANGES[name].neutral))


def setting_name(dotted: str) -> str:
    """Return the label of a setting within a sentence, by its name in files: `kv.bits`, `sampling.top_p`.

    A setting of a later version is returned unchanged.
    """
    part, _, own = dotted.rpartition(".")
    known = SETTINGS.get(f"{part}_{own}" if part in ("kv", "form") else own)
    return known.inside if known is not None else own.replace("_", " ")
