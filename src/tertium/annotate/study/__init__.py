"""A study: texts, people, who judges what, and every answer, in one SQLite file."""

from tertium.annotate.study.building import Design, Material, check_new, create
from tertium.annotate.study.file import Study

__all__ = ["Design", "Material", "Study", "check_new", "create"]
