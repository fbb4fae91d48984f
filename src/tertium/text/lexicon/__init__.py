"""What is known of words and phrases: stems, synonyms, paraphrases, function words.

Every resource has a `name`, a `hash` of what it holds and the `mark` that a signature shows; `PhraseTable.index` and
the `table` of the others are what kernels take. Nothing is loaded before it is asked for.
"""

from tertium.text.lexicon.function_words import FunctionWords
from tertium.text.lexicon.phrases import PhraseTable, write_index
from tertium.text.lexicon.resources import MeteorFiles, meteor_files
from tertium.text.lexicon.stems import Stems, stem_words, stemmer_names
from tertium.text.lexicon.synonyms import Synonyms

__all__ = [
    "FunctionWords",
    "MeteorFiles",
    "PhraseTable",
    "Stems",
    "Synonyms",
    "meteor_files",
    "stem_words",
    "stemmer_names",
    "write_index",
]
