"""Studies in other programs' files and back, one file per form."""

import io
import zipfile

from tertium.annotate.study.file import Study


def archive(study: Study) -> bytes:
    """Return the exports that suit a study, in one archive."""
    from tertium.annotate.exchange.forms import FORMS

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for form in FORMS:
            if form.suits(study):
                for name, text in form.written(study, names=False).items():
                    file.writestr(name, text)
    return packed.getvalue()
