"""From tokens to Python: names, value ranges, the compiler and what writes its text."""
