"""sacreBLEU's tokenizers, in modules of the same names. Called with a text, each returns its tokens with blanks between."""
