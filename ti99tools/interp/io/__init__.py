"""Screen, keyboard and files as statements use them: printers, line editor, open files."""
