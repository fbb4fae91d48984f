"""What a form of export is: a name, whether it suits a study, and the files it writes."""

from abc import ABC, abstractmethod
from typing import ClassVar

from tertium.annotate.study.file import Study


class ExportForm(ABC):
    """A layout that a study can be written in; `written` returns texts by file name."""

    name: ClassVar[str]
    holds: ClassVar[str]
    has_texts: ClassVar[bool] = False  # whether it says something before anybody has answered

    def suits(self, study: Study) -> bool:
        """Whether a study's answers can be said in this form."""
        return True

    @abstractmethod
    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return the files; annotators by their codes unless `names`."""
