"""What people said of translations: one tidy table, read from many kinds of files."""

from tertium.meta.judgments.aggregation import Aggregate, aggregates, ranks, token_lengths
from tertium.meta.judgments.agreement import MEASURES, Agreement, agreement, preference_agreement
from tertium.meta.judgments.direct_assessment import Assessments, read_appraise, read_da
from tertium.meta.judgments.folder import EvaluationSet, is_folder, language_pairs, read_folder
from tertium.meta.judgments.kappas import kappa
from tertium.meta.judgments.labels import Labels
from tertium.meta.judgments.mqm import MQMWeights
from tertium.meta.judgments.normalization import normalised
from tertium.meta.judgments.post_edits import human_targeted
from tertium.meta.judgments.preferences import Preferences
from tertium.meta.judgments.raters import Rater, controlled, raters_of
from tertium.meta.judgments.reading import FORMS, form_of, read_judgments
from tertium.meta.judgments.scales import Scale, combined, comprehensibility, fluency
from tertium.meta.judgments.table import Judgments

__all__ = [
    "FORMS",
    "MEASURES",
    "Aggregate",
    "Agreement",
    "Assessments",
    "EvaluationSet",
    "Judgments",
    "Labels",
    "MQMWeights",
    "Preferences",
    "Rater",
    "Scale",
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
    "read_appraise",
    "read_da",
    "read_folder",
    "read_judgments",
    "token_lengths",
]
