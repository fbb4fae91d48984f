"""What sacreBLEU's command does with its test sets by name: lists, echoes, fetches, scores by origin."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any

from tertium.compat.sacrebleu.metrics import Metric
from tertium.corpus.named.catalogue import NamedSet, named_set, named_sets
from tertium.corpus.named.conversion import has_documents
from tertium.corpus.named.loading import Loaded, load, segments_kept
from tertium.corpus.named.store import all_fields, counted_references, field_lines, provide
from tertium.errors import InputError, UnknownNameError

Lines = list[str]
Say = Callable[[str], None]


def answered(options: Namespace, say: Say) -> bool:
    """Do what the options about test sets ask for, if that is all; tell whether it was."""
    if options.download:
        one = named_set(options.download)
        provide(one, one.pair(options.language_pair), say=_once(options, say))
    elif options.list:
        _list(options, say)
    elif options.citation:
        _cite(options, say)
    elif options.echo:
        for name in _names(options):
            _echo(named_set(name), options, say)
    else:
        return False
    return True


def _names(options: Namespace) -> list[str]:
    if not options.test_set:
        raise InputError("No test set was named. Add -t SET; --list shows those that there are.")
    return str(options.test_set).split(",")


def _once(options: Namespace, say: Say) -> Say:
    """Return what tells once of each file that is worked on."""
    told: set[str] = set()

    def tell(what: str) -> None:
        name = what.partition(":")[0]
        if name not in told and not options.quiet:
            told.add(name)
            say(f"Preparing {name}")

    return tell


def _list(options: Namespace, say: Say) -> None:
    if options.test_set:
        for name in options.test_set.split(","):
            one = named_set(name)
            for pair in [one.pair(options.language_pair)] if options.language_pair else one.pairs:
                found = one.pair(pair) if isinstance(pair, str) else pair
                print(f"{found.name}: {', '.join(all_fields(one, found, say=_once(options, say)))}")
        return
    pair = options.language_pair
    print(f"The available test sets for {pair} are:" if pair else "The available test sets are:")
    for name, one in sorted(named_sets().items()):
        if not pair or pair in one.pairs:
            print(f"{name:<30}: {one.title}.")


def _cite(options: Namespace, say: Say) -> None:
    for name in _names(options):
        print(named_set(name).citation)


def _echo(one: NamedSet, options: Namespace, say: Say) -> None:
    pair = one.pair(options.language_pair)
    tell = _once(options, say)
    provide(one, pair, say=tell)
    there = all_fields(one, pair, say=tell)
    wanted = there if options.echo == ["all"] else list(options.echo)
    first = counted_references(one, pair)[0]
    fields = []
    for name in wanted:
        field = first if name == "ref" and "ref" not in there else name
        if field not in there:
            raise UnknownNameError.of(f"field of {one.name} {pair.name}", name, there)
        fields.append(field_lines(one, pair, field, say=tell))
    kept = segments_kept(one, pair, origlang=options.origlang, subset=options.subset, say=tell)
    for row in compress(zip(*fields, strict=True), kept):
        print("\t".join(row))


def loaded(options: Namespace, say: Say) -> Loaded:
    """Return the test set that is scored."""
    if not options.language_pair:
        raise InputError(f"-t {options.test_set} needs a language pair, such as -l en-de; --list shows those it has.")
    return load(
        options.test_set,
        options.language_pair,
        origlang=options.origlang,
        subset=options.subset,
        say=_once(options, say),
    )


def print_details(
    options: Namespace, metrics: Mapping[str, Metric[Any]], lines: Lines, scored: Loaded | None, say: Say
) -> None:
    """Print scores by the language a text was written in first, and by what is known of its documents."""
    rows = [] if scored is None or options.origlang else _details(options, lines, say)
    if not rows:
        print("No subset information found. Consider using --origlang argument.")
        return
    widest = max(len(label) for label, _, _ in rows)
    names = {metric: _score_name(metric) for metric in metrics.values()}
    widest_name = max(map(len, names.values()))
    for label, chosen, references in rows:
        for metric, name in names.items():
            score = metric.corpus_score(chosen, references)
            shown = score.format(options.width, True)
            print(f"{label:<{widest}} : sentences={len(chosen):<6} {name:<{widest_name}} = {shown}")


def _score_name(metric: Metric[Any]) -> str:
    """Return what a metric's scores are called."""
    return str(metric.corpus_score(["a"], [["a"]]).name)


def _details(options: Namespace, lines: Lines, say: Say) -> list[tuple[str, Lines, list[Lines]]]:
    """Return label, hypotheses and references of each part that has segments."""
    sets = [named_set(name) for name in options.test_set.split(",")]
    if not all(has_documents(one.pair(options.language_pair)) for one in sets):
        return []
    if not all(one.subsets for one in sets) and any(one.subsets for one in sets):
        say("Some of the test sets tell nothing of their documents, so only languages are told apart.")
    languages = sorted({language for one in sets for language in _languages(one, options)})
    rows = []
    for language in languages:
        for label, subset in _subsets(sets, options.subset):
            kept = [
                keep
                for one in sets
                for keep in segments_kept(one, one.pair(options.language_pair), origlang=language, subset=subset)
            ]
            if any(kept):
                whole = load(options.test_set, options.language_pair, origlang=language, subset=subset)
                rows.append((f"origlang={language} {label}", list(compress(lines, kept)), [*whole.references.values()]))
    return rows


def _languages(one: NamedSet, options: Namespace) -> Sequence[str]:
    return field_lines(one, one.pair(options.language_pair), "origlang", say=lambda what: None)


def _subsets(sets: Sequence[NamedSet], asked: str | None) -> list[tuple[str, str | None]]:
    """Return the parts by country and domain, with how they are labelled."""
    if asked is not None:
        return [("domain=ALL", None), (f"domain={asked}", asked)]
    if not all(one.subsets for one in sets):
        return [("domain=ALL", None)]
    tags = [tag.split("-") for one in sets for tag in one.subsets.values()]
    countries = sorted({tag[0] for tag in tags})
    domains = sorted({tag[1] for tag in tags})
    return [
        ("domain=ALL", None),
        *((f"country={name}", f"country:{name}") for name in countries),
        *((f"domain={name}", name) for name in domains),
    ]
