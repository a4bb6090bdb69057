"""What the statements of a program mean together: scopes, and the names that each sets and uses."""
