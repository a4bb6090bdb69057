"""A window and a terminal to play in, at the machine's speed.

The host's clock is read here and nowhere below; no machine behaviour. `stage.Stage` is what both
front ends show and steer, `pilot.Pilot` hands the keys over and writes them down as a key script.
"""
