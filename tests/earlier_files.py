"""Files of an early version, literally: controls had four classes."""

from app.controls import Controls, Mode
from app.engine.types import KV, Limits, Sampling

CONTROLS = Controls(
    mode=Mode.RAW,
    system="Be brief. 🌊",
    reply_start="Well,",
    arguments=(("enable_thinking", False), ("level", 2)),
    sampling=Sampling(temperature=0.0, top_k=40, logit_bias=((3, -1.5), (9, 2.0))),
    limits=Limits(-1, ("\n\n", "ende"), (7,)),
    kv=KV(reuse=False, bits=4, group_size=32, quantized_start=8, max_size=64),
    seed=42,
    observe=10,
    draft_tokens=5,
    interval=0,
)
"""Controls in each of them."""
BEGINNING = Controls(system="Be kind.", sampling=Sampling(top_p=0.9), observe=5, draft_tokens=4)
"""Also in the settings file."""
SETTINGS_FILE = (
    '{"version": 1, "settings": {"model": "demo", "mode": "raw", "system": "Be brief. 🌊",'
    ' "reply_start": "Well,", "arguments": [["enable_thinking", false], ["level", 2]],'
    ' "sampling": {"temperature": 0.0, "top_p": 1.0, "top_k": 40, "min_p": 0.0, "min_tokens_to_keep": 1,'
    ' "xtc_probability": 0.0, "xtc_threshold": 0.1, "repetition_penalty": 1.0, "repetition_window": 20,'
    ' "presence_penalty": 0.0, "presence_window": 20, "frequency_penalty": 0.0, "frequency_window": 20,'
    ' "logit_bias": [[3, -1.5], [9, 2.0]], "seed": 0}, "limits": {"max_tokens": -1,'
    ' "stop_strings": ["\\n\\n", "ende"], "stop_ids": [7]}, "seed": 42, "kv": {"enabled": true,'
    ' "reuse": false, "bits": 4, "group_size": 32, "quantized_start": 8, "max_size": 64},'
    ' "draft": "/models/small", "draft_tokens": 5, "interval": 0, "observe": 10, "folders": [],'
    ' "servers": [], "presets": {"own": [], "chosen": "Balanced", "of_models": []}, "enter_sends": true,'
    ' "view": "", "colouring": "", "shortcuts": [], "recent_actions": [], "appearance": "",'
    ' "high_contrast": false, "text_percent": 100, "language": "", "toured": false,'
    ' "beginning": {"used": true, "saved": {"mode": "chat", "system": "Be kind.", "reply_start": "",'
    ' "arguments": [], "sampling": {"temperature": 0.7, "top_p": 0.9, "top_k": 0, "min_p": 0.0,'
    ' "min_tokens_to_keep": 1, "xtc_probability": 0.0, "xtc_threshold": 0.1, "repetition_penalty": 1.0,'
    ' "repetition_window": 20, "presence_penalty": 0.0, "presence_window": 20, "frequency_penalty": 0.0,'
    ' "frequency_window": 20, "logit_bias": [], "seed": 0}, "limits": {"max_tokens": 256,'
    ' "stop_strings": [], "stop_ids": []}, "kv": {"enabled": true, "reuse": true, "bits": null,'
    ' "group_size": 64, "quantized_start": 0, "max_size": null}, "seed": null, "observe": 5,'
    ' "draft_tokens": 4, "interval": 1}}, "cache": "", "keep_days": 0, "told_before": 0.0,'
    ' "advanced": {"memory_gb": 0.0, "prefill_chunk": 0, "frame_ms": 0}, "layout": {"geometry": "",'
    ' "columns": [], "rows": [], "controls_shown": true, "inspector_shown": false,'
    ' "sessions_shown": true, "exact_prompt": [], "exact_prompt_shown": false, "folded": ["bias", "kv",'
    ' "draft"], "end_probability_shown": false}, "session": 0, "closed": 0.0}}'
)
SESSION_FILE = (
    '{"format":"sluice session","version":1,"title":"","named":false,"pinned":false,'
    '"created":1500000000.0,"changed":1500000000.0,"settings":{"mode":"raw","system":"Be brief. 🌊",'
    '"reply_start":"Well,","arguments":[["enable_thinking",false],["level",2]],'
    '"sampling":{"temperature":0.0,"top_p":1.0,"top_k":40,"min_p":0.0,"min_tokens_to_keep":1,'
    '"xtc_probability":0.0,"xtc_threshold":0.1,"repetition_penalty":1.0,"repetition_window":20,'
    '"presence_penalty":0.0,"presence_window":20,"frequency_penalty":0.0,"frequency_window":20,'
    '"logit_bias":[[3,-1.5],[9,2.0]],"seed":0},"limits":{"max_tokens":-1,"stop_strings":["\\n\\n",'
    '"ende"],"stop_ids":[7]},"kv":{"enabled":true,"reuse":false,"bits":4,"group_size":32,'
    '"quantized_start":8,"max_size":64},"seed":42,"observe":10,"draft_tokens":5,"interval":0},'
    '"draft":"typed","turns":[]}'
)
SESSION_ROW = (
    '{"mode": "raw", "system": "Be brief. \\ud83c\\udf0a", "reply_start": "Well,",'
    ' "arguments": [["enable_thinking", false], ["level", 2]], "sampling": {"temperature": 0.0,'
    ' "top_p": 1.0, "top_k": 40, "min_p": 0.0, "min_tokens_to_keep": 1, "xtc_probability": 0.0,'
    ' "xtc_threshold": 0.1, "repetition_penalty": 1.0, "repetition_window": 20, "presence_penalty": 0.0,'
    ' "presence_window": 20, "frequency_penalty": 0.0, "frequency_window": 20, "logit_bias": [[3, -1.5],'
    ' [9, 2.0]], "seed": 0}, "limits": {"max_tokens": -1, "stop_strings": ["\\n\\n", "ende"],'
    ' "stop_ids": [7]}, "kv": {"enabled": true, "reuse": false, "bits": 4, "group_size": 32,'
    ' "quantized_start": 8, "max_size": 64}, "seed": 42, "observe": 10, "draft_tokens": 5, "interval": 0}'
)
"""Column of a session in the session database."""


def as_written_now(text: str) -> str:
    """Return the same with later settings at their defaults."""
    for seed, later in (('"seed": 0}', ', "adapter_strength": 1.0}'), ('"seed":0}', ',"adapter_strength":1.0}')):
        text = text.replace(seed, seed[:-1] + later)
    return text
