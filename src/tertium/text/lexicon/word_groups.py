"""Local word groups: a content word with the case markers and auxiliaries that follow it.

In Hindi घर में ("in the house") and जा रहा था ("was going") are such groups: the words that follow say what an ending
says elsewhere.
"""

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from tertium import _native
from tertium.errors import UnknownNameError
from tertium.text.lexicon.word_tables import GrowingTable, WordResource

MARKER, PUNCTUATION = 1, 2  # ids in the kernel's table; content words have none

# Case markers, the parts of compound ones, particles, then forms of the auxiliaries होना, रहना, जाना, चुकना, सकना,
# करना, देना, लेना, पाना, लगना, चाहना as they follow a verb.
_MARKERS = {
    "hi": (
        "ने को का के की से में पर तक द्वारा "
        "लिए साथ पास बाद पहले ऊपर नीचे अंदर बाहर बीच ओर तरफ बारे बिना अनुसार तहत कारण दौरान जरिए ज़रिए वाला वाले वाली "
        "ही भी तो "
        "है हैं हूँ हूं हो था थे थी थीं होगा होंगे होगी होंगी हुआ हुए हुई हुईं होता होते होती "
        "रहा रहे रही रहीं रहता रहते रहती गया गए गये गई गयी गईं जाता जाते जाती जाए जाएगा जाएंगे जाएगी "
        "चुका चुके चुकी सकता सकते सकती सका सके सकी दिया दिए दी देता देते देती लिया ली लेता लेते लेती "
        "पाया पाए पाई पाता पाते पाती लगा लगे लगी चाहिए"
    )
}


@dataclass(frozen=True)
class GroupWords(WordResource):
    """Tells case markers, auxiliaries and punctuation from content words."""

    language: str

    def __post_init__(self) -> None:
        if self.language not in _MARKERS:
            raise UnknownNameError.of("list of case markers and auxiliaries", self.language, _MARKERS)

    @property
    def mark(self) -> str:
        """The list and a hash of it."""
        return f"groups-{self.language}@{sha256(_MARKERS[self.language].encode()).hexdigest()[:12]}"

    @property
    def words(self) -> frozenset[str]:
        """The case markers and auxiliaries, composed as the normalizer composes text."""
        return _markers(self.language)

    def growing(self) -> GrowingTable:
        """Return the table of this list."""
        return _growing(self.language)

    def add(self, table: _native.KeyTable, words: list[str]) -> None:
        """Tell of each word what it is."""
        markers = self.words
        table.add(
            words, [[MARKER] if word in markers else [] if _has_letter(word) else [PUNCTUATION] for word in words]
        )


_has_letter = re.compile(r"\w").search


@cache
def _markers(language: str) -> frozenset[str]:
    return frozenset(_native.normalize(_MARKERS[language], "nfc").split())


@cache
def _growing(language: str) -> GrowingTable:
    return GrowingTable()
