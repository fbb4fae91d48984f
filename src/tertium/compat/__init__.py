"""Stand-ins for other programs: the same names, calls and text, so that changing one import is the whole move."""

from tertium.errors import UnknownNameError

_PROGRAMS = ("sacrebleu", "jiwer")


def install(*names: str) -> None:
    """Put the stand-ins under the originals' names, for code that cannot be changed: all of them, or those named.

    From then on `import sacrebleu` and `from jiwer import wer` find tertium's. Call it before anything else imports
    them: what was imported before keeps the original.
    """
    import sys

    from tertium.compat.standing_in import StandIns

    for name in names or _PROGRAMS:
        if name not in _PROGRAMS:
            raise UnknownNameError.of("program", name, _PROGRAMS)
        if not any(isinstance(finder, StandIns) and finder.name == name for finder in sys.meta_path):
            sys.meta_path.insert(0, StandIns(name))
        for module in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
            del sys.modules[module]
