"""The games as they are shipped, played as people play: `verify --stage shipped`.

`situation` is what a match has to put up with, `route` which keys are pressed. `clean` plays them
from a clean start, `visit` as people do, `judging` compares the two, `stage` does so for many
matches. No host is named here: any one with a seat (`hosts.seat`) will do.
"""
