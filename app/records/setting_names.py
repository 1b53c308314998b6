"""What a setting is called in a line of a receipt or a cell of a table: short, and in small letters."""

from __future__ import annotations

from app.words import tr

NAMES = {
    "model": tr("model"),
    "draft": tr("draft model"),
    "mode": tr("mode"),
    "system": tr("system"),
    "reply_start": tr("reply start"),
    "arguments": tr("arguments"),
    "temperature": tr("temperature"),
    "top_p": tr("top p"),
    "top_k": tr("top k"),
    "min_p": tr("min p"),
    "min_tokens_to_keep": tr("min tokens to keep"),
    "xtc_probability": tr("xtc probability"),
    "xtc_threshold": tr("xtc threshold"),
    "repetition_penalty": tr("repetition penalty"),
    "repetition_window": tr("repetition window"),
    "presence_penalty": tr("presence penalty"),
    "presence_window": tr("presence window"),
    "frequency_penalty": tr("frequency penalty"),
    "frequency_window": tr("frequency window"),
    "logit_bias": tr("logit bias"),
    "seed": tr("seed"),
    "max_tokens": tr("max tokens"),
    "stop_strings": tr("stop strings"),
    "stop_ids": tr("stop ids"),
    "enabled": tr("enabled"),
    "reuse": tr("reuse"),
    "bits": tr("bits"),
    "group_size": tr("group size"),
    "quantized_start": tr("quantized start"),
    "max_size": tr("max size"),
    "observe": tr("observe"),
    "draft_tokens": tr("draft tokens"),
    "interval": tr("interval"),
}


def setting_name(dotted: str) -> str:
    """By the name under which it is compared; one that a later version kept is told as it is written."""
    own = dotted.rpartition(".")[2]
    return NAMES.get(own) or own.replace("_", " ")
