"""What text is made of: tokenizers, with case folding and Unicode normalization."""

from tertium.text.tokenizers import UNICODE_FORMS, Tokenizer, tokenizer, tokenizer_names

__all__ = ["UNICODE_FORMS", "Tokenizer", "tokenizer", "tokenizer_names"]
