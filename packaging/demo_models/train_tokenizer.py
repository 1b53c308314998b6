"""Learn the byte-level vocabulary that both models share from the corpus."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from chat import MARKS, THINKING, written
from corpus import STAGES, documents

VOCABULARY = 2048
SAMPLE_DOCUMENTS = 12_000
SEED = "tokenizer"


def ascii_texts() -> Iterator[str]:
    """The corpus without marks and without anything beyond ASCII.

    Merges learnt from ASCII alone leave every emoji and every Korean syllable in three or four single bytes,
    so that characters arriving in parts really occur in the stream of this model.
    """
    for stage in STAGES.values():
        for document in islice(documents(SEED, stage), SAMPLE_DOCUMENTS // len(STAGES)):
            text = written(document)
            for mark in (*MARKS, *THINKING):
                text = text.replace(mark, " ")
            yield text.encode("ascii", "ignore").decode()


def learn() -> Tokenizer:
    """A byte-level BPE with all 256 bytes, one token a digit, and the chat's marks."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(THINKING),
        special_tokens=[AddedToken(mark, special=True) for mark in MARKS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(ascii_texts(), trainer)
    # Ordinary added tokens: they are to be seen in the text, as with larger thinking models.
    tokenizer.add_tokens([AddedToken(mark, special=False, normalized=False) for mark in THINKING])
    return tokenizer


def id_of(tokenizer: Tokenizer, mark: str) -> int:
    """The id of a mark that every tokenizer made here has."""
    found = tokenizer.token_to_id(mark)
    if found is None:
        raise ValueError(f"the tokenizer has no {mark}")
    return int(found)


def load_or_learn(path: Path) -> Tokenizer:
    """The tokenizer in this file, made first where there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        learn().save(str(path))
    return Tokenizer.from_file(str(path))
