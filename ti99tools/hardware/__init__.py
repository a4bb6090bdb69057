"""The TI-99/4A itself, which knows no BASIC: processor, assembler, machine, picture and sound."""
