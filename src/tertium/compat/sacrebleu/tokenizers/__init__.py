"""sacreBLEU's tokenizers, in modules of the same names; each returns the tokens of a text with blanks between them."""
