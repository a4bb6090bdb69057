"""A window and a terminal to play in, at the machine's speed.

The host's clock is read here and nowhere below; machine behaviour is elsewhere. `realtime.Stage` is
what both front ends show and control; its `Pilot` passes the keys on and records them as a key
script.
"""
