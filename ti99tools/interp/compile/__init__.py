"""From tokens to Python: pre-scan, names, value ranges, the compiler and what writes its text."""
