"""Every setting of a run by its name: what it is called, what it does, and when to change it, said once.

The panel, What's This?, the help, receipts, experiments and refusals read it. It stands in the engine because that
refuses in the same words, and apart from `app.controls` because that is read before a language is spoken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.words import tr


@dataclass(frozen=True, slots=True)
class Setting:
    """`meaning` is what it does, `advice` what else there is to know before it is changed."""

    words: str
    meaning: str = ""
    advice: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.meaning} {self.advice}".strip()

    @property
    def inside(self) -> str:
        """What it is called in the middle of a sentence."""
        return self.words if self.words[:2].isupper() else f"{self.words[:1].lower()}{self.words[1:]}"


_TOKENS = tr("tokens")
_WINDOW = tr("How many of the last tokens the penalty looks at; 0 looks at all of them.")

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "model": Setting(tr("Model")),
        "mode": Setting(tr("Mode")),
        "system": Setting(
            tr("System prompt"),
            tr("Said to the model before the conversation, by its chat template: who it is, how it shall answer."),
            tr("It takes prompt tokens in every turn, and changing it makes the model read the conversation anew."),
        ),
        "reply_start": Setting(
            tr("Start the reply with"),
            tr("Put into the model's mouth: its answer goes on from here, and the tokens are part of the prompt."),
            tr("This steers form better than any request: begin with “{” for JSON, or with the first item of a list."),
        ),
        "arguments": Setting(tr("Arguments")),
        "temperature": Setting(
            tr("Temperature"),
            tr("How boldly it chooses; 0 always takes the likeliest token."),
            tr(
                "Around 0.7 is lively; far above 1 unlikely tokens get through and the text falls apart. Low for "
                "facts and code, higher for ideas."
            ),
        ),
        "top_p": Setting(
            tr("Top-p"),
            tr("Keeps the likeliest tokens that together reach this probability."),
            tr(
                "It takes the long tail of nonsense away while the choice stays open where the model is unsure; "
                "0.9 to 0.95 is usual."
            ),
        ),
        "top_k": Setting(
            tr("Top-k"),
            tr("Keeps this many of the likeliest tokens; 0 keeps all."),
            tr("A blunt tool: the same number is too many where one word must follow, and too few where many could."),
            _TOKENS,
        ),
        "min_p": Setting(
            tr("Min-p"),
            tr("Drops tokens less likely than this share of the likeliest one."),
            tr(
                "It cuts hard where the model is certain and hardly at all where it isn't, so it goes well with a "
                "high temperature; try 0.05."
            ),
        ),
        "min_tokens_to_keep": Setting(
            tr("Tokens to keep"), tr("So many of the likeliest tokens stay, whatever min-p would drop."), unit=_TOKENS
        ),
        "xtc_probability": Setting(
            tr("XTC probability"),
            tr(
                "How often the likeliest tokens are passed over on purpose, all but the last one that is still "
                "likely enough."
            ),
            tr("It makes stories less predictable; for facts and code leave it at 0."),
        ),
        "xtc_threshold": Setting(
            tr("XTC threshold"),
            tr("From which probability on a token counts as likely, and may be passed over by XTC."),
        ),
        "repetition_penalty": Setting(
            tr("Repetition penalty"),
            tr("Above 1 makes tokens that occurred less likely, below 1 likelier."),
            tr(
                "1.05 to 1.2 helps a model that turns in circles; more hurts, since a text needs its commas, its "
                "names and its “the” again."
            ),
        ),
        "repetition_window": Setting(tr("Repetition window"), _WINDOW, unit=_TOKENS),
        "presence_penalty": Setting(
            tr("Presence penalty"),
            tr("Taken once from the logit of each token that occurred, however often."),
            tr("It pulls the text towards new words and new subjects."),
        ),
        "presence_window": Setting(tr("Presence window"), _WINDOW, unit=_TOKENS),
        "frequency_penalty": Setting(
            tr("Frequency penalty"),
            tr("Taken from the logit for each time that a token occurred: the more often, the less it may come again."),
        ),
        "frequency_window": Setting(tr("Frequency window"), _WINDOW, unit=_TOKENS),
        "logit_bias": Setting(
            tr("Logit bias"),
            tr("Added to the logit of a token: 100 nearly forces it, -100 nearly forbids it."),
            tr("A word may be several tokens, with a blank before it or without: ban each way of writing it."),
        ),
        "seed": Setting(
            tr("Seed"),
            tr(
                "Random seed. The same seed, prompt and settings give the same tokens on the same computer and "
                "library versions."
            ),
            tr("Left empty, each run has another one. A fixed one makes comparisons fair."),
        ),
        "max_tokens": Setting(
            tr("Max tokens"),
            tr("The most that a run may generate; then it ends with “length”."),
            tr(
                "It doesn't make answers shorter or longer by itself: one that is cut off goes on with Continue. "
                "Raise it if answers end in mid-sentence."
            ),
            _TOKENS,
        ),
        "stop_strings": Setting(
            tr("Stop strings"),
            tr("The answer ends where one of these begins, whatever tokens it is made of."),
            tr(
                "Text that may be the beginning of one is held back until that is certain. "
                "Good for formats: stop at a blank line, at “User:”, at “```”."
            ),
        ),
        "stop_ids": Setting(
            tr("End tokens"),
            tr("More tokens that end a run, besides the model's own end tokens."),
            tr("Use it where a model goes on talking past its end because its files name the wrong one."),
        ),
        "think_budget": Setting(
            tr("Thinking budget"),
            tr("The most tokens that an answer may think; then the model's own mark that ends its thoughts is put in."),
            tr(
                "A model that thinks for long answers sooner; its thoughts end in mid-sentence, and the answer may be "
                "worse. One that begins to think again is ended again."
            ),
            _TOKENS,
        ),
        "form_kind": Setting(
            tr("Form of the answer"),
            tr("Only tokens that keep the answer in this form can come, and the end only where the form may end."),
            tr(
                "The model doesn't know of the form: ask for it in words too, or it is led where it didn't want to go. "
                "What the form forbade is seen token by token. Reasoning and the start of the reply are outside of it."
            ),
        ),
        "tools": Setting(
            tr("Tools"),
            tr("What the model may call, as JSON: it is told of them by its chat template."),
            tr("Sluice runs none of them. A call is shown below the answer, and you say what the tool gives back."),
        ),
        "form_schema": Setting(tr("JSON schema")),
        "form_choices": Setting(tr("Choices")),
        "form_regex": Setting(tr("Regular expression")),
        "form_grammar": Setting(tr("Lark grammar")),
        "form_numbers": Setting(tr("Number of a range")),
        "observe": Setting(
            tr("Candidates"),
            tr("Keeps for each token what the model might have written instead, with probabilities."),
            tr(
                "The token view, the inspector, the end probability and the picture of sampling live on it. It costs "
                "a little speed, and the picture says how much."
            ),
        ),
        "draft": Setting(
            tr("Draft model"),
            tr("A small model that proposes tokens, which the large one checks several at a time."),
            tr(
                "Greedy output is unchanged, up to rounding. Above temperature 0 the distribution is unchanged, "
                "but a seed gives another text. Faster only if most proposals are accepted."
            ),
        ),
        "draft_tokens": Setting(
            tr("Draft tokens"),
            tr("How many tokens the draft model proposes for each step."),
            tr("More is faster only as long as they are accepted: 2 to 4."),
            _TOKENS,
        ),
        "adapter": Setting(
            tr("Adapter"),
            tr("Small layers that were trained on top of a model (LoRA or DoRA); the model's files stay as they are."),
            tr("Choosing another one, or none, leaves the model in memory."),
        ),
        "adapter_strength": Setting(
            tr("Adapter strength"),
            tr("How much of the adapter's own scale is used: 1 is as it was trained, 0 the model without it."),
            tr("What lies between shows what it changes. The prompt is read anew for each strength."),
        ),
        "interval": Setting(
            tr("Stream interval"),
            tr("How often text comes; the model works the same. At the end is what mlx-lm's generate() does."),
            unit=_TOKENS,
        ),
        "kv_enabled": Setting(
            tr("KV cache"),
            tr("The keys and values of everything read so far, which would else be computed again for each token."),
            tr("Switch it off only to see what it is worth."),
        ),
        "kv_reuse": Setting(
            tr("KV cache reuse"),
            tr("Reuses the cached keys and values of a prompt's beginning. Only the tokens after it are prefilled."),
            tr(
                "Shortens the time to first token, most in long conversations. In half precision rounding may "
                "change the text; in float32 it stays the same."
            ),
        ),
        "kv_bits": Setting(
            tr("KV bits"),
            tr("Bits for each number of the cache: fewer take less memory and are less exact."),
            tr("The text may become another one. There is an experiment that measures both."),
        ),
        "kv_group_size": Setting(
            tr("KV group size"),
            tr("How many numbers share a scale; the size of the model's heads has to be a multiple of it."),
        ),
        "kv_quantized_start": Setting(
            tr("KV quantised from"), tr("After which token quantising begins."), unit=_TOKENS
        ),
        "kv_max_size": Setting(
            tr("KV cache size"),
            tr("Size of a rotating KV cache, in tokens. It keeps the first 4 tokens and the most recent ones."),
            tr("It limits memory use, but the model no longer sees the tokens that were dropped."),
            _TOKENS,
        ),
    }
)


def setting_name(dotted: str) -> str:
    """What a setting is called in a line, by the name that it is kept under: `kv.bits`, `sampling.top_p`.

    One that a later version kept is told as it is written.
    """
    part, _, own = dotted.rpartition(".")
    known = SETTINGS.get(f"{part}_{own}" if part in ("kv", "form") else own)
    return known.inside if known is not None else own.replace("_", " ")
