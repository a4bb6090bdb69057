"""Extended BASIC at work: numbers, interpreter, machine code, and the complete console."""
