"""`python -m tertium.compat.sacrebleu` is the command."""

from tertium.compat.sacrebleu.sacrebleu import main

main()
