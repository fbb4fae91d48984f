"""One small corpus, written in every format that can be read."""

import bz2
import csv
import gzip
import io
import json
import lzma
from html import escape

# Our own sentences, with what formats trip over: markup, quotes, commas, an empty line's neighbours, other scripts.
HYPOTHESES = [
    "The boat leaves at 7.30, they say.",
    'He said "no" & left <early>; nobody knew why',
    "5 < 6 && 7 > 3 is true",
    "गाँव के पास कुआँ है।",
    "Книга лежить на столі (нова)",
    "  two  blanks  inside",
]
FIRST = [
    "The boat leaves at half past seven, they say.",
    'He said "no" & went <early>; nobody knew the reason',
    "5 < 6 && 7 > 3 holds",
    "गाँव के निकट एक कुआँ है।",
    "Нова книга лежить на столі",
    "  two  blanks  stand inside",
]
SECOND = [f"{text} indeed" for text in FIRST]
DOCUMENTS = ["boat", "boat", "maths", "village", "table", "table"]


def files() -> dict[str, bytes]:
    """Return the corpus in each format, by file name."""
    plain = {"hyp.txt": HYPOTHESES, "one.txt": FIRST, "two.txt": SECOND, "docs.txt": DOCUMENTS}
    made = {name: "".join(line + "\n" for line in lines).encode() for name, lines in plain.items()}
    for suffix, compress in ((".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)):
        made["hyp.txt" + suffix] = compress(made["hyp.txt"])
    rows = list(zip(DOCUMENTS, HYPOTHESES, FIRST, SECOND, strict=True))
    made["tabs.txt"] = "".join(f"{one}\t{two}\n" for _, _, one, two in rows).encode()
    made["table.tsv"] = "".join("\t".join(row) + "\n" for row in [("doc", "sys", "one", "two"), *rows]).encode()
    out = io.StringIO()
    csv.writer(out).writerows([("doc", "sys", "one", "two"), *rows])
    made["table.csv"] = out.getvalue().encode()
    made["table.jsonl"] = "".join(
        json.dumps({"doc": d, "sys": h, "refs": [a, b], "deep": {"one": a, "two": b}}) + "\n" for d, h, a, b in rows
    ).encode()
    made["set.xml"] = _xml(rows).encode()
    made["hyp.sgm"] = _sgml("tstset", {"mine": HYPOTHESES}).encode()
    made["ref.sgm"] = _sgml("refset", {"one": FIRST, "two": SECOND}).encode()
    made["hyp.trans"] = "".join(f"{h} ([mine][{d}][{i}])\n" for i, (d, h, _, _) in enumerate(rows)).encode()
    made["ref.trans"] = "".join(
        f"{text} ([any][{d}][{i}])\n" for i, (d, _, a, b) in reversed(list(enumerate(rows))) for text in (a, b)
    ).encode()
    return made


def _by_document() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for index, document in enumerate(DOCUMENTS):
        found.setdefault(document, []).append(index)
    return found


def _segments(texts: list[str], indices: list[int]) -> str:
    return "".join(f'<seg id="{k}">{escape(texts[i], quote=False)}</seg>\n' for k, i in enumerate(indices, start=1))


def _xml(rows: list[tuple[str, ...]]) -> str:
    documents = ""
    for document, indices in _by_document().items():
        documents += f'<doc id="{document}" origlang="xx">'
        documents += f'<src lang="xx"><p>{_segments(FIRST, indices)}</p></src>'
        for name, texts in (("one", FIRST), ("two", SECOND)):
            documents += f'<ref lang="yy" translator="{name}"><p>{_segments(texts, indices)}</p></ref>'
        documents += f'<hyp lang="yy" system="mine"><p>{_segments(HYPOTHESES, indices)}</p></hyp></doc>\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="small">\n{documents}</dataset>\n'


def _sgml(kind: str, sides: dict[str, list[str]]) -> str:
    documents = ""
    for name, texts in sides.items():
        for document, indices in _by_document().items():
            documents += (
                f'<DOC sysid="{name}" docid="{document}" genre=news>\n<p>\n{_segments(texts, indices)}</p>\n</DOC>\n'
            )
    return f'<{kind} setid="small" srclang="xx" trglang="yy">\n{documents}</{kind}>\n'
