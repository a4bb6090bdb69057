"""The games as they are shipped, played as people play: `verify --stage shipped`.

`situation` determines the circumstances of a match and its keys. `clean` plays it from a clean
start, `series` as people do, many times; `flaws` compares the two; `person` is the player. No
host is named here: any host with a session (`hosts.host`) will do.
"""
