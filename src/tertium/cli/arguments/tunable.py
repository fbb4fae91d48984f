"""What `tune` is given: judgments, and systems that can be scored by any metric."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.arguments import judged_folder
from tertium.cli.arguments.judged_inputs import JudgedInputs, judgments_of, refuse_unused, scored_files

if TYPE_CHECKING:
    from tertium.metrics.base import Floats, Metric


class Tunable:
    """Judgments, and systems that can be scored by any metric; the first time tells documents and lengths."""

    def __init__(self, given: JudgedInputs) -> None:
        warn = given.warn
        self.documents: Sequence[str] | None = None
        self.lengths: Floats | None = None
        self._given, self._found = given, None
        if given.folder is None:
            self.judgments = judgments_of(given, warn)
            tables: list[str] = []
        else:
            self._found, self.judgments, self._systems = judged_folder.opened(given, warn)
            tables = list(self._found.metric_scores)
        refuse_unused(given.lower_is_better, tables, self.judgments)

    def rows(self, metric: "Metric") -> "dict[str, Floats]":
        """Return the rows of each system."""
        if self._found is None:
            scores, self.lengths = scored_files(self._given, {"tuned": metric})
        else:
            scores = judged_folder.scored(self._given, self._found, self._systems, {"tuned": metric})
            self.lengths = judged_folder.lengths_of(self._given, self._found)
        if scores.document_names is not None and scores.document_positions is not None:
            self.documents = [scores.document_names[place] for place in scores.document_positions.tolist()]
        assert scores.kept_rows is not None
        return {name: scores.kept_rows[name]["tuned"] for name in scores.systems}
