"""Several test sets at once: the language pairs of a folder, or its domains."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.chosen import chosen_options
from tertium.cli.arguments.judged_inputs import Judged, JudgedInputs, judged_options
from tertium.cli.arguments.judged_scores import read
from tertium.cli.arguments.options import options
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments

# What `correlate` and `rank` are given.
parts_options = options(
    judged_options,
    chosen_options,
    click.option("--by-domain", is_flag=True, help="Each domain of a FOLDER by itself, and their average."),
)


def read_parts(asked: JudgedInputs, *, by_segment: bool, by_domain: bool, for_tasks: bool = False) -> dict[str, Judged]:
    """Read each language pair of a folder, or each of its domains; or what was given otherwise, without a name."""
    if asked.folder is None:
        if by_domain:
            raise InputError(
                "--by-domain needs a test set's FOLDER, whose documents/ says which domain a segment is of."
            )
        return {"": read(asked, by_segment=by_segment)}
    folder, *named = asked.inputs.systems
    pairs = list(dict.fromkeys(named))
    from tertium.judgments import language_pairs

    if not pairs:
        raise InputError(f"{folder} is a test set's folder: name language pairs after it. It has "
                         f"{', '.join(language_pairs(folder)) or 'none'}.")  # fmt: skip
    asked.chosen.check_pairs(pairs, {*language_pairs(folder), *pairs}, asked.warn)
    found: dict[str, Judged] = {}
    for pair in pairs:
        inputs = replace(asked.inputs, systems=[folder, pair])
        several = len(pairs) > 1
        one = read(replace(asked, inputs=inputs, for_tasks=for_tasks, several=several), by_segment=by_segment)
        if by_domain:
            found |= {f"{pair} {name}" if several else name: part for name, part in _domains(one, pair).items()}
        else:
            found[pair if several or for_tasks else ""] = one
    return found


def _domains(one: Judged, pair: str) -> dict[str, Judged]:
    import numpy as np

    from tertium.meta.restricted import judged_inside, of_segments

    domains: Sequence[str] = one.domains or ()
    order = list(dict.fromkeys(domains))
    if len(order) < 2:
        raise InputError(f"{pair} has only the domain {', '.join(order) or '?'}: leave out --by-domain.")
    found = {}
    for place, domain in enumerate(order):
        inside = np.array([each == domain for each in domains])
        judgments = _with_wholes(judged_inside(one.judgments, inside), one.by_domain, domain)
        if len(judgments):
            found[domain] = replace(one, scores=of_segments(one.scores, inside, place), judgments=judgments)
    return found


def _with_wholes(judgments: "Judgments", by_domain: "Judgments | None", domain: str) -> "Judgments":
    """Add what people said of systems in this domain as a whole."""
    if by_domain is None or domain not in by_domain.document.names:
        return judgments
    from tertium.judgments import Judgments
    from tertium.judgments.labels import Labels

    rows = by_domain[by_domain.document.codes == by_domain.document.code(domain)]
    wholes = replace(rows, document=Labels.constant(None, len(rows)), lower_is_better=judgments.lower_is_better)
    return Judgments.joined([judgments, wholes]) if len(judgments) else wholes
