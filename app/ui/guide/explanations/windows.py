"""What the windows beside the main one are there for."""

from __future__ import annotations

from app.definitions.types import Definition
from app.words import tr

WINDOWS = {
    "model_picker": Definition(
        tr("Models"),
        tr(
            "Models on this machine, on the hub, and on servers. Before anything is loaded or fetched, “Will it fit?” "
            "adds up what it takes for the context that you set."
        ),
    ),
    "servers_page": Definition(
        tr("Servers"),
        tr(
            "Programs that run models elsewhere and speak the interface of OpenAI's: mlx_lm.server, vLLM, llama.cpp, "
            "LM Studio, Ollama. The model's memory and speed are theirs; what is measured here includes the network."
        ),
    ),
    "serving_dialog": Definition(
        tr("Serve a model"),
        tr(
            "mlx_lm.server in a process of its own, for other programs of this machine. It ends with Sluice, and is "
            "started over when it breaks down. Across machines, each holds a part of the model, so that together they "
            "run what is too large for one."
        ),
    ),
    "runs_window": Definition(
        tr("Runs"),
        tr(
            "A line for each run; ◆ marks what differs from the line above. Choose one for its receipt, two or more to "
            "compare curves and texts."
        ),
    ),
    "experiment_window": Definition(
        tr("Experiments"),
        tr(
            "A question, arms that differ in one thing, several runs each in mixed order, and one sentence that says "
            "what was found, or that the difference is within the noise."
        ),
    ),
    "settings": Definition(
        tr("Settings"),
        tr(
            "How the program looks, speaks and works, what new sessions begin with, where models are looked for, and "
            "what is kept. Each change counts at once, or says when."
        ),
    ),
    "numbers_dialog": Definition(
        tr("Numbers as tables"), tr("What the graph, the figures and the gauges draw, as tables to be read and copied.")
    ),
    "branches_dialog": Definition(
        tr("Branches"),
        tr("The conversation as a tree: each edit, each new answer and each fork is a branch that stays."),
    ),
    "stop_steps": Definition(
        tr("Stop strings, step by step"),
        tr(
            "How tokens become characters, and how text is held back because a stop string may have begun, one token "
            "at a time."
        ),
    ),
    "shortcuts_sheet": Definition(
        tr("Keyboard shortcuts"),
        tr("Every key that does something. Choose an action and press the keys that it shall have."),
    ),
    "code_dialog": Definition(
        tr("Code"), tr("The program, or the command, that does the same with mlx-lm alone, to be copied.")
    ),
}
