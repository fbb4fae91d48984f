"""Outputs and their post-edits as they are named on the command line."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.cli.arguments.files import open_named_systems
from tertium.cli.arguments.inputs import parsed_metrics
from tertium.cli.arguments.judgment_files import texts_of
from tertium.cli.output.progress import warner
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments


def human_targeted_files(
    systems: Sequence[str],
    post_edits: Sequence[str],
    references: Sequence[str],
    metrics: Sequence[str],
    documents: str | None,
    threads: int | None,
    quiet: bool,
) -> "Judgments":
    """Read outputs, post-edits and references, and score them by each metric."""
    from tertium.judgments import Judgments, human_targeted
    from tertium.judgments.post_edits import takes_lengths

    outputs = {}
    for name, file in open_named_systems(systems, kind=None, warn=warner(quiet)).items():
        texts: list[str] = []
        while len(block := file.take(1 << 15)):
            texts += [block[i][0] for i in range(len(block))]
        outputs[name] = texts
    edited = _by_system(post_edits, list(outputs), quiet)
    for name, texts in outputs.items():
        for side in edited.get(name, ()):
            _check(len(texts), len(side), name, "its post-edits")
    sides = [texts_of(path, quiet) for path in references]
    for path, side in zip(references, sides, strict=True):
        _check(len(next(iter(outputs.values()))), len(side), next(iter(outputs)), path)
    ids = [group[0] for group in texts_of(documents, quiet)] if documents is not None else None
    parts = []
    by_label = parsed_metrics(metrics, None)
    others = [label for label, metric in by_label.items() if not takes_lengths(metric)]
    if sides and 0 < len(others) < len(by_label):
        warner(quiet)(f"{', '.join(others)}: no use is made of -r, whose length only edits are divided by.")
    for label, metric in by_label.items():
        parts.append(
            human_targeted(
                outputs,
                {name: _merged(edited[name]) for name in outputs if name in edited},
                references=_merged(sides) if sides and (len(others) == len(by_label) or label not in others) else None,
                metric=metric,
                kind=f"h{label}",
                documents=ids,
                threads=threads,
            )
        )
    return Judgments.joined(parts)


def _check(ours: int, theirs: int, name: str, what: str) -> None:
    if ours != theirs:
        raise InputError(f"{name} has {ours:,} segments, but there are {theirs:,} in {what}.")


def _by_system(arguments: Sequence[str], systems: Sequence[str], quiet: bool) -> dict[str, list[list[list[str]]]]:
    named = [argument.partition("=") for argument in arguments]
    by_name = all(
        equals and name in systems and not Path(a).exists()
        for a, (name, equals, _) in zip(arguments, named, strict=True)
    )
    if not by_name and len(arguments) != len(systems):
        raise InputError(
            f"There are {len(systems)} systems and {len(arguments)} files of post-edits. Give one per system in the "
            f"same order, or name them: {systems[0]}=FILE."
        )
    found: dict[str, list[list[list[str]]]] = {}
    for index, (argument, (name, _, path)) in enumerate(zip(arguments, named, strict=True)):
        owner, file = (name, path) if by_name else (systems[index], argument)
        found.setdefault(owner, []).append(texts_of(file, quiet))
    return found


def _merged(sides: Sequence[Sequence[Sequence[str]]]) -> list[list[str]]:
    """Return per segment all texts of all sides."""
    return [[text for group in segment for text in group] for segment in zip(*sides, strict=True)]
