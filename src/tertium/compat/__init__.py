"""Stand-ins for other programs: the same names, calls and text, so that changing one import is the whole move."""
