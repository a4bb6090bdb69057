"""Front ends: the command line, editors, the page in a browser, fixtures for pytest."""
