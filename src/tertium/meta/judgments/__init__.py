"""What people said of translations: one tidy table, read from many kinds of files."""

from tertium.meta.judgments.folder import EvaluationSet, is_folder, language_pairs, read_folder
from tertium.meta.judgments.labels import Labels
from tertium.meta.judgments.preferences import Preferences
from tertium.meta.judgments.reading import FORMS, read_judgments
from tertium.meta.judgments.table import Judgments

__all__ = [
    "FORMS",
    "EvaluationSet",
    "Judgments",
    "Labels",
    "Preferences",
    "is_folder",
    "language_pairs",
    "read_folder",
    "read_judgments",
]
