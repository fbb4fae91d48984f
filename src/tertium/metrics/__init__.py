"""The metrics, one file each. A new one is added to `PLACES`; everything else finds it there."""

from tertium.lazy import lazy

# Where each metric is, by its name. Its file is read when it is first used.
PLACES = {
    "bleu": "bleu.BLEU",
    "chrf": "chrf.CHRF",
    "nist": "nist.NIST",
    "wer": "wer.WER",
    "per": "per.PER",
    "cder": "cder.CDER",
    "ter": "ter.metric.TER",
    "terp": "terp.metric.TERp",
    "meteor": "meteor.metric.METEOR",
}
HOMES = {home: name for home, _, name in (place.rpartition(".") for place in PLACES.values())} | {
    "alignment": "Alignment Chunk Operation Shift",
    "averaged": "Averaged",
    "base": "Floats Metric",
    "combination": "Combination",
    "every": "METRICS",
    "long_jumps": "LongJump long_jump",
    "names": "ALIASES labels parse_metric",
    "settings": "setting",
}
__getattr__, __dir__, __all__ = lazy(__name__, HOMES)
