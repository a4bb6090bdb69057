"""The structured dialect (labels, blocks, constants, drawings, texts) turned into a listing.

A source goes through `reader` (files, conditions, constants), `blocks` (tree), `flatten` (sequence)
and `layout` (numbered lines). The language is described in docs/dialect.md.
"""

from ti99tools.language.dialect.translate import Generated, generate, generate_file

__all__ = ["Generated", "generate", "generate_file"]
