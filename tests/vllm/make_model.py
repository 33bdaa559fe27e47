"""Write a tiny Llama without weights, with a byte-level tokenizer; runs in vLLM's environment."""

import sys
from pathlib import Path

TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>\n{{ message.content }}\n{% endfor %}"
    "<|assistant|>\n"
)
SPECIAL = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]


def main(folder: Path) -> None:
    """Write the model, unless it is there.

    Args:
        folder: Where to.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, PreTrainedTokenizerFast

    if (folder / "config.json").exists():
        return
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *letters])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIAL)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )
    fast.chat_template = TEMPLATE
    config = LlamaConfig(
        architectures=["LlamaForCausalLM"],
        vocab_size=len(vocabulary),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=65536,
        eos_token_id=0,
        bos_token_id=0,
        pad_token_id=0,
    )
    fast.save_pretrained(folder)
    config.save_pretrained(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
