"""The games as they are shipped, played as people play: `verify --stage shipped`.

`situation` is what a match has to put up with, and which keys are pressed. `clean` plays them from
a clean start, `series` as people do, many times; `verdict` compares the two, and `person` is who
plays. No host is named here: any one with a seat (`hosts.seat`) will do.
"""
