"""Test sets by name: which there are, where their files come from, and what stands in them."""
