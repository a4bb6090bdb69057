"""The debugger's front ends: text commands, and the Debug Adapter Protocol for editors.

`sessions` begins a run in one of them; `debugplay` plays in a terminal and stops on request.
"""
