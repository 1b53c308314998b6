"""What each control does to the text, and when to change it."""

from __future__ import annotations

from app.ui.guide.explanations.types import Explained
from app.words import tr

CONTROLS = {
    "preset": Explained(
        tr("Preset"),
        tr(
            "Values for all of Sampling at once. What differs from it is bold, with an arrow that sets it back. "
            "Save your own with ⋯ when you come back to the same values again and again."
        ),
    ),
    "system_prompt": Explained(
        tr("System prompt"),
        tr(
            "Said to the model before the conversation, by its chat template: who it is, how it shall answer. It takes "
            "prompt tokens in every turn, and changing it makes the model read the conversation anew."
        ),
    ),
    "reply_start": Explained(
        tr("Start the reply with"),
        tr(
            "The first words of the answer, written by you. The model goes on from there, so this steers form better "
            "than any request: begin with “{” for JSON, or with the first item of a list."
        ),
    ),
    "max_tokens": Explained(
        tr("Max tokens"),
        tr(
            "The most that an answer may have. It doesn't make answers shorter or longer by itself: a run that gets "
            "there is cut off and ends with “length”, and Continue goes on. Raise it if answers end in mid-sentence."
        ),
    ),
    "stop_strings": Explained(
        tr("Stop strings"),
        tr(
            "The answer ends where one of these would begin, and doesn't show it. Text that may be the beginning of "
            "one is held back until that is certain. Good for formats: stop at a blank line, at “User:”, at “```”."
        ),
    ),
    "stop_ids_search": Explained(
        tr("End tokens"),
        tr(
            "Tokens that end the answer like the model's own end token. Use it where a model goes on talking "
            "past its end because its files name the wrong one."
        ),
    ),
    "temperature": Explained(
        tr("Temperature"),
        tr(
            "How boldly the model chooses. At 0 it always takes the likeliest token: the same prompt gives the same "
            "text. Around 0.7 is lively; far above 1 unlikely tokens get through and the text falls apart. Low for "
            "facts and code, higher for ideas."
        ),
    ),
    "top_p": Explained(
        tr("Top-p"),
        tr(
            "Keeps only the likeliest tokens that together reach this probability, and draws among them. It takes the "
            "long tail of nonsense away while the choice stays open where the model is unsure; 0.9 to 0.95 is usual."
        ),
    ),
    "top_k": Explained(
        tr("Top-k"),
        tr(
            "Keeps this many of the likeliest tokens, however likely they are; 0 keeps all. A blunt tool: the same "
            "number is too many where one word must follow, and too few where many could."
        ),
    ),
    "min_p": Explained(
        tr("Min-p"),
        tr(
            "Drops tokens that are less likely than this share of the likeliest one. It cuts hard where the model is "
            "certain and hardly at all where it isn't, so it goes well with a high temperature; try 0.05."
        ),
    ),
    "min_tokens_to_keep": Explained(
        tr("Tokens to keep"), tr("So many of the likeliest tokens stay, whatever min-p would drop.")
    ),
    "xtc_probability": Explained(
        tr("XTC probability"),
        tr(
            "How often the likeliest tokens are passed over on purpose, all but the last one that is still likely "
            "enough. It makes stories less predictable; for facts and code leave it at 0."
        ),
    ),
    "xtc_threshold": Explained(
        tr("XTC threshold"), tr("From which probability on a token counts as likely, and may be passed over by XTC.")
    ),
    "repetition_penalty": Explained(
        tr("Repetition penalty"),
        tr(
            "Makes tokens that occurred lately less likely. 1.05 to 1.2 helps a model that turns in circles; more "
            "hurts, since a text needs its commas, its names and its “the” again."
        ),
    ),
    "repetition_window": Explained(
        tr("Repetition window"), tr("How far back a token counts as having occurred, in tokens.")
    ),
    "presence_penalty": Explained(
        tr("Presence penalty"),
        tr(
            "Taken once from the logit of each token that occurred, however often: it pulls the text towards new words "
            "and new subjects."
        ),
    ),
    "frequency_penalty": Explained(
        tr("Frequency penalty"),
        tr("Taken from the logit for each time that a token occurred: the more often, the less it may come again."),
    ),
    "logit_bias_search": Explained(
        tr("Logit bias"),
        tr(
            "Adds a number to the logit of one token wherever it could come. −100 forbids it, +5 makes it clearly "
            "likelier. A word may be several tokens, with a blank before it or without: ban each way of writing it."
        ),
    ),
    "seed": Explained(
        tr("Seed"),
        tr(
            "Where chance begins. Left empty, each run has another one; with a number, the same prompt and settings "
            "give the same tokens again, which makes comparisons fair. Without effect at temperature 0."
        ),
    ),
    "record_candidates": Explained(
        tr("Record candidates"),
        tr(
            "Keeps for each token what the model might have written instead, with probabilities. The token view, the "
            "inspector, the end probability and the picture of sampling live on it. It costs a little speed, and "
            "the picture says how much."
        ),
    ),
    "kv_enabled": Explained(
        tr("KV cache"),
        tr(
            "The keys and values of everything read so far. Without it each token means computing all before it again: "
            "switch it off only to see what it is worth."
        ),
    ),
    "kv_reuse": Explained(
        tr("Use it again in the next run"),
        tr(
            "A prompt that begins like the last one is read only from where it differs. The text is the same; the "
            "first token comes sooner, the more so the longer the conversation."
        ),
    ),
    "kv_max_size": Explained(
        tr("Largest size"),
        tr(
            "The most tokens that the cache keeps; the oldest give way. It bounds memory, but the model forgets what "
            "was said there."
        ),
    ),
    "kv_bits": Explained(
        tr("Quantise to"),
        tr(
            "Stores keys and values with fewer bits. It saves memory in long conversations; the text may become "
            "another one. There is an experiment that measures both."
        ),
    ),
    "draft_model": Explained(
        tr("Draft model"),
        tr(
            "A small model with the same vocabulary that guesses ahead; the large one checks several guesses in one "
            "step. The text stays as it would be without. It pays where most guesses are right."
        ),
    ),
    "draft_tokens": Explained(
        tr("Draft tokens"),
        tr("How many tokens it guesses for each step. More is faster only as long as they are accepted: 2 to 4."),
    ),
    "stream_interval": Explained(
        tr("Stream interval"),
        tr(
            "With every token, in bigger helpings, or all at the end. The model works the same; only what you see, "
            "and when, is different."
        ),
    ),
}
