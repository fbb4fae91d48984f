"""Paraphrase tables made from bitexts: phrases that share translations may mean the same."""

from tertium.paraphrase.alignment import Bitext
from tertium.paraphrase.extraction import Extraction, Report, extract
from tertium.paraphrase.filters import Filters
from tertium.paraphrase.sources import AlignedBitext, PivotTable

__all__ = ["AlignedBitext", "Bitext", "Extraction", "Filters", "PivotTable", "Report", "extract"]
