"""The games as they are shipped, played as people play: `verify --stage shipped`.

`situation` says what a match has to put up with, `route` which keys are pressed, `clean` plays that
from a clean start, `visit` as people do, `judging` holds one against the other, `stage` does so for
many matches. No host is named here: `hosts.seat` is all that is asked of one.
"""
