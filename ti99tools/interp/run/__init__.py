"""What is there while a program runs: execution, stack, errors and messages, memory, time."""
