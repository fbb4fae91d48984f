"""What people said of translations: one tidy table, read from many kinds of files."""

from tertium.judgments.aggregation import Aggregate, aggregates, token_lengths
from tertium.judgments.details import Details
from tertium.judgments.folder import EvaluationSet, is_folder, language_pairs, read_folder
from tertium.judgments.forms import FORMS, Form, Glimpse, Reading, form_of
from tertium.judgments.labels import Labels
from tertium.judgments.mqm_weights import MQMWeights
from tertium.judgments.normalization import normalised
from tertium.judgments.post_edits import human_targeted
from tertium.judgments.preferences import Preferences
from tertium.judgments.raters.agreement import MEASURES, Agreement, agreement, preference_agreement
from tertium.judgments.raters.kappas import kappa
from tertium.judgments.raters.raters import Rater, controlled, raters_of
from tertium.judgments.reading import read_judgments
from tertium.judgments.scales import Scale, combined, comprehensibility, fluency
from tertium.judgments.spans import Span, Spans
from tertium.judgments.system_ranks import SystemRank, SystemRanks, ranks
from tertium.judgments.table import Judgments, Marked

__all__ = [
    "FORMS",
    "MEASURES",
    "Aggregate",
    "Agreement",
    "Details",
    "EvaluationSet",
    "Form",
    "Glimpse",
    "Judgments",
    "Labels",
    "MQMWeights",
    "Marked",
    "Preferences",
    "Rater",
    "Reading",
    "Scale",
    "Span",
    "Spans",
    "SystemRank",
    "SystemRanks",
    "aggregates",
    "agreement",
    "combined",
    "comprehensibility",
    "controlled",
    "fluency",
    "form_of",
    "human_targeted",
    "is_folder",
    "kappa",
    "language_pairs",
    "normalised",
    "preference_agreement",
    "ranks",
    "raters_of",
    "read_folder",
    "read_judgments",
    "token_lengths",
]
