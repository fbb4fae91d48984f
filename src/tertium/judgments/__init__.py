"""What people said of translations: one tidy table, read from many kinds of files."""

from tertium.lazy import lazy

HOMES = {
    "aggregation": "Aggregate aggregates token_lengths",
    "details": "Details",
    "folder": "EvaluationSet is_folder language_pairs read_folder",
    "forms": "FORMS Form Glimpse Reading form_of",
    "labels": "Labels",
    "mqm_weights": "MQMWeights",
    "normalization": "normalised normalized",
    "post_edits": "human_targeted",
    "preferences": "Preferences",
    "raters.agreement": "MEASURES Agreement agreement preference_agreement",
    "raters.kappas": "kappa",
    "raters.raters": "Rater controlled raters_of",
    "reading": "read_judgments",
    "scales": "Scale combined comprehensibility fluency",
    "spans": "Span Spans",
    "system_ranks": "SystemRank SystemRanks ranks",
    "table": "Judgments Marked",
}
__getattr__, __dir__, __all__ = lazy(__name__, HOMES)
