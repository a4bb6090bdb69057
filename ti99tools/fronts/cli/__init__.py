"""One module for each command.

No logic: a command parses its options, calls `app`, words the outcome and prints it. No other
package imports this one.
"""
