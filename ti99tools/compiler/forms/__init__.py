"""A compiled program on disks: for Extended BASIC, and for option 5 of Editor/Assembler.

| module     | what it does                                                    |
|------------|-----------------------------------------------------------------|
| basicdisk  | `LOAD` for Extended BASIC, and the parts that it reads          |
| option5    | the files of Editor/Assembler's option 5, and their loader      |
"""
