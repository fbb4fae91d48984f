"""The methods: what pairs of tokens are worth, and what speaks for a cut."""

from dataclasses import dataclass, field

from tertium import _native
from tertium.errors import UnknownNameError

SCALE = 1000  # of the kernel's numbers


@dataclass(frozen=True)
class Method:
    """How a stream is aligned with segments; numbers are in units of a pair of equal tokens."""

    name: str
    tokenize: str
    letters: bool = False  # whether tokens are compared by their letters, or are equal or not
    alone: float = 1.0  # what a token without a partner costs; a pair of different tokens costs 1
    signs: dict[str, float] = field(default_factory=dict)
    doubt: float = 1.0

    @property
    def settings(self) -> _native.CutSettings:
        """What the kernel takes."""
        signs = dict.fromkeys(("final", "any_final", "large", "pause", "mark", "line"), 0.0) | self.signs
        return _native.CutSettings(
            letters=self.letters,
            equal=2 * SCALE,
            other=SCALE,
            alone=round(SCALE * self.alone),
            doubt=SCALE * self.doubt,
            **{name: round(SCALE * worth) for name, worth in signs.items()},
        )


SOFT = Method(
    "soft",
    "13a",
    letters=True,
    alone=0.5,
    signs={"final": 1.5, "any_final": 0.75, "large": 0.8, "pause": -0.2, "mark": -0.5, "line": 1.0},
    doubt=0.2,
)
MWER = Method("mwer", "none")
CHARS = Method(
    "chars",
    "char",
    signs={"final": 10, "any_final": 6, "large": 6, "pause": -2, "mark": -5, "line": 8},
    doubt=2,
)
METHODS = ("soft", "mwer", "chars", "length")
LIKE = ("mwersegmenter", "mweralign", "omnisteval")
CHOICES = (*METHODS, *LIKE)
ALIGNED = {method.name: method for method in (SOFT, MWER, CHARS)}


def method_named(name: str) -> Method:
    """Return the method of that name that aligns tokens."""
    if name not in ALIGNED:
        raise UnknownNameError.of("method of resegmentation", name, CHOICES)
    return ALIGNED[name]
