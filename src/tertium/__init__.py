"""How good a translation is, how sure one can be of that, and how far the number can be trusted."""

from tertium.lazy import lazy

__version__ = "0.1.0"

HOMES = {
    "metrics": "Averaged BLEU CDER CHRF Combination METEOR Metric NIST PER TER TERp WER long_jump parse_metric",
    "corpus.whole": "TestSet read read_testset",
    "scoring.accumulator": "Accumulator",
    "scoring.loop": "align score",
    "scoring.pairwise": "pairwise",
    "decoding.mbr": "mbr mbr_batch",
    "scoring.scores": "Scores",
    "significance": "compare confidence",
    "report.notebook": "Page report",
    "judgments": "",
    "meta": "",
    "resegmentation.segmentation": "Segmentation resegment",
    "rewards": "",
    "arrow": "",
    "duckdb": "",
    "polars": "",
    "spark": "",
    "testing": "",
}
__getattr__, __dir__, _names = lazy(__name__, HOMES)
__all__ = ["__version__", *_names]
