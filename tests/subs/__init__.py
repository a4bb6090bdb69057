"""SUBs that are compiled (`SUB … COMPILED`)."""
