"""What is compared: segments with their references, and the files they come from."""

from tertium.corpus.segments import Segments, check_parallel, hypothesis_texts, is_arrow, reference_texts

__all__ = ["Segments", "check_parallel", "hypothesis_texts", "is_arrow", "reference_texts"]
