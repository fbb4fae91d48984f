"""What `correlate` and `rank` are given: scores of systems, from texts, files or a folder, and human judgments."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.chosen import NOTHING_CHOSEN, Chosen
from tertium.cli.arguments.inputs import Inputs, input_options
from tertium.cli.arguments.options import Choice, imported_options, options
from tertium.cli.output.progress import warner
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgments import Judgments
    from tertium.meta.score_grid import GridSource
    from tertium.metrics.base import Floats

METHODS = Choice("tertium.meta:METHODS")
GROUPS = Choice("tertium.meta.coefficients.points:GROUPS")
LEVELS = Choice("tertium.judgments.table:LEVELS", also={"corpus": "system"})


@dataclass(frozen=True)
class JudgedInputs:
    """What was named on the command line."""

    inputs: Inputs
    judged_files: Sequence[str]
    form: str | None
    imported: Sequence[str]
    lower_is_better: Sequence[str]
    higher_is_better: Sequence[str]
    weights: str
    for_tasks: bool = False  # whether systems, references and metrics are those of the shared task
    chosen: Chosen = NOTHING_CHOSEN
    tell: Callable[[str], None] | None = None  # what is to be said goes there, not to standard error
    several: bool = False  # whether this is one of several language pairs, whose metrics have the same names
    kinds: Sequence[str] = ()  # of judgments, those that are wanted
    one_kind_of: str | None = None  # the level at which all judgments must be of one kind, if none is named

    def check(self, judgments: "Judgments") -> None:
        """Refuse kinds that are not there, and several where one is needed, before anything is scored."""
        for kind in self.kinds:
            if kind not in judgments.kinds and not (kind == "preference" and len(judgments.preferences)):
                raise UnknownNameError.of("kind of judgment", kind, judgments.kinds or ["none"])
        there = [kind for kind in judgments.kinds if self.one_kind_of in judgments.levels(kind)]
        if not self.kinds and len(there) > 1:
            raise InputError(
                f"Metrics are compared on one kind of judgment, but there are {self.one_kind_of}-level judgments of "
                f"{len(there)} kinds. Say which: --kind, one of {', '.join(there)}."
            )

    @classmethod
    def of(cls, options: dict[str, Any], *, quiet: bool) -> "JudgedInputs":
        """Take what `judged_options` gave; other options must be gone."""
        names = ("judged_files", "form", "imported", "lower_is_better", "higher_is_better", "weights")
        own = {name: options.pop(name) for name in names}
        chosen = Chosen.of(options)
        return cls(Inputs(**options, quiet=quiet), **own, chosen=chosen)

    @property
    def warn(self) -> Callable[[str], None]:
        """Tell what one should know."""
        return self.tell or warner(self.inputs.quiet)

    def with_evaluation_data(self) -> "tuple[JudgedInputs, str | None]":
        """Return the same with mt-metrics-eval's folder of a test set that -t names, and the kind that it names.

        That is meant if there are no systems, judgments or scores: they are all in there.
        """
        inputs = self.inputs
        if inputs.test_set is None or inputs.systems or self.judged_files or self.imported:
            return self, None
        from tertium.corpus.named.published import is_published
        from tertium.judgments.evaluation_data import evaluation_folder
        from tertium.judgments.folder import is_folder

        if is_published(inputs.test_set) and not is_folder(inputs.test_set):
            return self, None
        where = (inputs.test_set, None) if is_folder(inputs.test_set) else evaluation_folder(inputs.test_set)
        if inputs.language is None:
            from tertium.judgments import language_pairs

            pairs = ", ".join(language_pairs(str(where[0])))
            raise InputError(f"-t {inputs.test_set} needs a language pair: -l PAIR. It has {pairs}.")
        pairs_asked = inputs.language.split(",")
        one = inputs.language if len(pairs_asked) == 1 else None
        inside = replace(inputs, systems=(str(where[0]), *pairs_asked), test_set=None, language=one)
        return replace(self, inputs=inside), where[1]

    @property
    def folder(self) -> str | None:
        """The folder of a test set in mt-metrics-eval's layout, if the first name is one."""
        from tertium.judgments import is_folder

        first = next(iter(self.inputs.systems), "")
        if not first or not Path(first).is_dir():
            return None
        if not is_folder(first):
            raise InputError(
                f"{first} is a directory, but not a test set in mt-metrics-eval's layout: it lacks sources/ or "
                "system-outputs/. Give files of systems, or such a folder and a language pair."
            )
        return first


@dataclass(frozen=True)
class Judged:
    """Scores and judgments, read."""

    scores: "GridSource"
    judgments: "Judgments"
    lengths: "Floats | None"
    documents: "Sequence[str] | None"
    domains: "Sequence[str] | None" = None
    by_domain: "Judgments | None" = None  # of whole systems, the domain being their document


def judgment_options(also: str = "") -> Callable[[Any], Any]:
    """Add --judgments, and what such a file is."""
    return options(
        click.option("--judgments", "judged_files", multiple=True, metavar="FILE",
                     help=f"Human judgments; repeat for more files{also}."),
        click.option("--judgments-format", "form", metavar="FORM",
                     help="What FILE is (default: by its content); see: tertium judgments forms."),
    )  # fmt: skip


# HYP…, -r, -m and where the judgments and other scores are.
judged_options = options(
    input_options(required=False),
    judgment_options(" (not with a FOLDER)"),
    imported_options(", or a kind of judgment,"),
    click.option("--weights", type=click.Choice(["none", "length"]), default="none",
                 help="How segments weigh in documents and systems (default: none, all alike)."),
)  # fmt: skip


def marked(judgments: "Judgments", lower_is_better: Sequence[str]) -> "Judgments":
    """Return judgments of which those that were named count errors."""
    named = {name for name in lower_is_better if name in judgments.kinds}
    return replace(judgments, lower_is_better=judgments.lower_is_better | named) if named else judgments


def refuse_unused(names: Sequence[str], metrics: Sequence[str], judgments: "Judgments") -> None:
    """Refuse --lower-is-better of what is not there."""
    for name in names:
        if name not in metrics and name not in judgments.kinds:
            known = ", ".join([*metrics, *judgments.kinds])
            raise InputError(f"--lower-is-better {name}: there is no such metric or kind of judgment. Known: {known}.")
