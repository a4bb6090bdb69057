"""What to do about mistakes: words of other BASICs, slips, and statements that always fail.

`statements` is asked about a statement that fails, `slips` about habits and misread texts,
`otherbasics` about words that Extended BASIC lacks.
"""
