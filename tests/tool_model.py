"""The demo model with a chat template for tools, and output formats that force calls."""

import json
import shutil
from pathlib import Path

from app.engine.types import FormatKind, OutputFormat

TEMPLATE = (
    "{% if tools %}<|im_start|>system\n{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}<|im_end|>\n{% endif %}"
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}"
    "{% for tool_call in message.tool_calls or [] %}{% if tool_call.function %}"
    "{% set tool_call = tool_call.function %}{% endif %}"
    '<tool_call>{"name": "{{ tool_call.name }}", "arguments": {{ tool_call.arguments | tojson }}}</tool_call>'
    "{% endfor %}{% if message.role == 'tool' %} ({{ message.name }}, {{ message.tool_call_id }}){% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
WEATHER = '{"name": "weather", "arguments": {"place": "Seoul"}}'
CLOCK = '{"name": "clock", "arguments": {"zone": "KST"}}'


def made(demo: Path, folder: Path) -> Path:
    shutil.copytree(demo, folder)
    file = folder / "tokenizer_config.json"
    said = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(said | {"chat_template": TEMPLATE}), "utf-8")
    return folder


def planted(*calls: str, before: str = "") -> OutputFormat:
    """Return an output format that allows only this answer."""
    said = "".join(f"<tool_call>{call}</tool_call>" for call in calls)
    return OutputFormat().put(FormatKind.CHOICES, before + said)
