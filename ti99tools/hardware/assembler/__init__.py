"""TMS9900 assembly language: sources into memory and tagged object code.

Start at `assembling.assemble`. The dialect is that of TI's Editor/Assembler: label, operation,
operands and comment, separated by spaces; expressions are evaluated from left to right.
"""
