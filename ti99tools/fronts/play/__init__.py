"""A window and a terminal to play in, at the machine's speed.

Both show and control an `app.realtime.Stage`; its `Pilot` passes the keys on and records them as a
key script.
"""
