"""Paired tests by sacreBLEU's names, for programs that call them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.compat.sacrebleu.errors import NoReferencesError
from tertium.compat.sacrebleu.metrics import Metric, Signature
from tertium.compat.sacrebleu.paired import DEFAULT_SAMPLES, paired_results, shown_seed
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Result:
    """A score; of a paired test also a p-value; of a bootstrap also the mean and half the interval of replicates."""

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


class PairedTest:
    """Compares all systems with the first, by several metrics. Call it for signatures and results."""

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Sequence[Sequence[str]] | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in DEFAULT_SAMPLES:
            raise UnknownNameError.of("test", test_type, DEFAULT_SAMPLES)
        names = [name for name, _ in named_systems]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise InputError(f"The system {twice[0]} is given twice.")
        self.systems = {name: list(lines) for name, lines in named_systems}
        self.metrics = dict(metrics)
        self.references = references
        self.test_type = test_type
        self.n_samples = n_samples or DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = max(n_ar_confidence, 0) if test_type == "ar" else 0
        self.n_jobs = n_jobs  # taken, without effect: all cores are used anyway

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
        """Return, by metric, the signature; and a table: the systems' names, and each metric's results."""
        signatures: dict[str, Signature] = {}
        table: dict[str, list[str | Result]] = {"System": list(self.systems)}
        for name, metric in self.metrics.items():
            found, _ = paired_results(
                self.test_type,
                self.n_samples,
                {name: metric},
                self.systems,
                self._references_of(metric),
                confidence=self.n_ar_confidence,
            )
            cells = [row[0] for row in found.values()]
            table[name] = [Result(cell.score, cell.p_value, cell.mean, cell.ci) for cell in cells]
            signatures[name] = self._signature(metric)
        return signatures, table

    def _references_of(self, metric: Metric[Any]) -> list[list[str]]:
        references = metric.kept_references if self.references is None else self.references
        if references is None:
            raise NoReferencesError("No references were given, neither to the test nor to its metrics.")
        return [list(one) for one in references]

    def _signature(self, metric: Metric[Any]) -> Signature:
        signature = metric.get_signature()
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence:
            signature.update("bs", self.n_ar_confidence)
        signature.update("seed", shown_seed())
        return signature


def estimate_ci(scores: "NDArray[np.floating[Any]]") -> tuple[float, float]:
    """Return the mean of replicates' scores, and half the width of their middle 95 %."""
    from tertium.significance.sacrebleu import mean_and_width

    return mean_and_width(scores)
