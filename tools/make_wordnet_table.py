"""Make the WordNet table that ships with tertium from a WordNet 3.0 database directory.

    python tools/make_wordnet_table.py /usr/share/wordnet src/tertium/data/wordnet

Debian's package wordnet-base has the directory. The table is gzipped text: for each part of speech a heading such as
`#noun`, then one line per synset with its lemmas, separated by tabs, then `#noun.exc` with the irregular forms and
their base forms. A star marks the usual sense of a lemma that has several: the one met most often in text. The notice
that Princeton asks for is written beside it, from the head of the database itself.
"""

import gzip
import sys
from collections import defaultdict
from pathlib import Path

from tertium.text.lexicon.synonym_files import POS, POS_STEP, read_synonyms


def table(directory: Path) -> str:
    """Return the table's text."""
    synsets, _ = read_synonyms(directory)
    members = defaultdict(list)
    for word in sorted(synsets.ids):
        usual, *others = synsets.ids[word]
        members[usual].append(f"{word}*" if others else word)
        for other in others:
            members[other].append(word)
    lines = []
    for name, pos in POS.items():
        lines += [f"#{name}", *("\t".join(members[id]) for id in sorted(members) if id // POS_STEP == pos)]
        exceptions = {(form, *bases) for form, part, bases in synsets.bases if part == pos}
        lines += [f"#{name}.exc", *("\t".join(forms) for forms in sorted(exceptions))]
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
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(table(source).encode(), 9, mtime=0)
    (target / "wordnet-3.0.gz").write_bytes(packed)
    (target / "LICENSE").write_text(notice(source), encoding="utf-8")


if __name__ == "__main__":
    main()
