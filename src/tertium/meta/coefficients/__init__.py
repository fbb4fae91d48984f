"""Coefficients of agreement between a metric and people: one file per family, one line here each."""

from tertium.errors import UnknownNameError
from tertium.meta.coefficients.accuracy import Accuracy23, AccuracyEq
from tertium.meta.coefficients.agreement import PairAgreement
from tertium.meta.coefficients.base import Method
from tertium.meta.coefficients.kendall import Kendall23, KendallA, KendallB, KendallC
from tertium.meta.coefficients.pair_counts import PairCounts
from tertium.meta.coefficients.pairwise_accuracy import PairwiseAccuracy
from tertium.meta.coefficients.pairwise_differences import PairwiseDifferencePearson
from tertium.meta.coefficients.pearson import Pearson
from tertium.meta.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from tertium.meta.coefficients.spearman import Spearman, SpearmanTop
from tertium.meta.coefficients.wmt_kendall import WMT12, WMT13, WMT14, KendallLike

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Pearson,
        PairwiseDifferencePearson,
        Spearman,
        SpearmanTop,
        KendallA,
        KendallB,
        KendallC,
        Kendall23,
        Accuracy23,
        AccuracyEq,
        WMT12,
        WMT13,
        WMT14,
        KendallLike,
        PairAgreement,
        PairwiseAccuracy,
        SoftPairwiseAccuracy,
    )
}


def method_of(name: str) -> type[Method]:
    """Return the coefficient of this name."""
    if name not in METHODS:
        raise UnknownNameError.of("method", name, METHODS)
    return METHODS[name]


def of_preferences(name: str) -> type[PairCounts] | None:
    """Return the coefficient of this name if it can be used on preferences between two outputs."""
    method = method_of(name)
    return method if issubclass(method, PairCounts) and method.on_preferences else None
