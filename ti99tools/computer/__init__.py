"""Extended BASIC at work: numbers, interpreter, machine code, the console as one has it at home."""
