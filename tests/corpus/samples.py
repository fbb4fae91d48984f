"""One small corpus, written in every format that can be read."""

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
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
    made["memory.tmx"] = _tmx(rows).encode()
    made["job.xlf"] = _xliff(rows).encode()
    made["job2.xlf"] = _xliff2(rows).encode()
    made["sheet.xlsx"] = _xlsx([("doc", "sys", "one", "two"), *rows])
    made["sheet.ods"] = _ods([("doc", "sys", "one", "two"), *rows])
    return made


def _tmx(rows: list[tuple[str, ...]]) -> str:
    units = ""
    for _, *texts in rows:
        sides = zip(("xx", "yy-YY", "zz"), texts, strict=True)
        units += "<tu>" + "".join(
            f'<tuv xml:lang="{lang}"><seg><bpt i="1">&lt;b&gt;</bpt>{escape(text)}<ept i="1">/</ept></seg></tuv>\n'
            for lang, text in sides
        )
        units += "</tu>\n"
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><header/>'
    return f"{head}<body>\n{units}</body></tmx>\n"


def _xliff(rows: list[tuple[str, ...]]) -> str:
    units = "".join(
        f'<trans-unit id="{i}"><source>{escape(a)}</source><target state="final"><g id="1">{escape(b)}</g></target>'
        f'<alt-trans origin="MT"><target>{escape(h)}</target></alt-trans></trans-unit>\n'
        for i, (_, h, a, b) in enumerate(rows)
    )
    head = '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
    return f'{head}<file original="a" source-language="xx" target-language="yy"><body>\n{units}</body></file></xliff>\n'


def _xliff2(rows: list[tuple[str, ...]]) -> str:
    units = "".join(
        f'<unit id="{i}"><mtc:matches><mtc:match ref="#s"><source>x</source><target>{escape(h)}</target></mtc:match>'
        f'</mtc:matches><segment id="s" state="final"><source>{escape(a)}</source><target><pc id="1">{escape(b)}</pc>'
        "</target></segment></unit>\n"
        for i, (_, h, a, b) in enumerate(rows)
    )
    head = '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"'
    return f'{head} srcLang="xx" trgLang="yy"><file id="f">\n{units}</file></xliff>\n'


def _zip(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return data.getvalue()


def _xlsx(rows: list[tuple[str, ...]]) -> bytes:
    space, office = "http://schemas.openxmlformats.org/", "spreadsheetml/2006/main"
    cells = "".join(
        f'<row r="{r}">' + "".join(
            f'<c r="{"ABCDEFG"[c]}{r}" t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
            for c, text in enumerate(row)
        ) + "</row>"
        for r, row in enumerate(rows, 1)
    )  # fmt: skip
    relation = f'<Relationships xmlns="{space}package/2006/relationships"><Relationship Id="r1" Type="{space}officeDocument/2006/relationships/'
    return _zip({
        "[Content_Types].xml": f'<Types xmlns="{space}package/2006/content-types"/>',
        "_rels/.rels": f'{relation}officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{space}{office}" xmlns:r="{space}officeDocument/2006/relationships">'
        '<sheets><sheet name="First" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{relation}worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}{office}"><sheetData>{cells}</sheetData></worksheet>',
    })  # fmt: skip


def _ods(rows: list[tuple[str, ...]]) -> bytes:
    space = "urn:oasis:names:tc:opendocument:xmlns:"
    cells = "".join(
        "<table:table-row>" + "".join(
            f'<table:table-cell office:value-type="string"><text:p>{_spaced(text)}</text:p></table:table-cell>'
            for text in row
        ) + "</table:table-row>"
        for row in rows
    )  # fmt: skip
    names = "".join(f' xmlns:{name}="{space}{name}:1.0"' for name in ("office", "table", "text", "manifest"))
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return _zip({
        "mimetype": kind,
        "META-INF/manifest.xml": f'<manifest:manifest{names}><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{kind}"/></manifest:manifest>',
        "content.xml": f'<office:document-content{names}><office:body><office:spreadsheet><table:table table:name="First">'
        f"{cells}</table:table></office:spreadsheet></office:body></office:document-content>",
    })  # fmt: skip


def _spaced(text: str) -> str:
    """Return text as ODS keeps it: of blanks that follow each other, all but the first are elements."""
    return escape(text).replace("  ", '<text:s text:c="2"/>')


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
