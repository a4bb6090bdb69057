"""A window and a terminal to play in, at the machine's speed.

The host's clock is read here and in no lower layer; the machine's behaviour is elsewhere. Both
front ends show and control a `realtime.Stage`; its `Pilot` passes the keys on and records them as a
key script.
"""
