"""How far raters agree, and who does not fit."""
