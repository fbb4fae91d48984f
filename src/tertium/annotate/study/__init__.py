"""A study: texts, people, who judges what, and every answer, in one SQLite file."""

from tertium.annotate.study.building import Design, Material, create
from tertium.annotate.study.file import Study

__all__ = ["Design", "Material", "Study", "create"]
