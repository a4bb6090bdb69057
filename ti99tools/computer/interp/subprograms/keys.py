"""Keyboard and joysticks: KEY, JOYST. Source: the recorded screen-key cases."""

from __future__ import annotations

from ti99tools.computer.interp.subprograms.args import Args, Surroundings, subprogram

LAST_UNIT = 5
LAST_JOYSTICK_UNIT = 4


@subprogram("KEY")
def key(rt: Surroundings, args: Args) -> None:
    """KEY(unit, key variable, status variable): scan the keyboard once, without waiting.

    Units 0–5, see `machine.keys`; key −1 and status 0 if no key is down, status 1 for a key that
    the scan before did not find, −1 for one that it did; see `machine.keyboard`.
    """
    unit = args.leading(0, LAST_UNIT)
    store_key = args.check_number()
    store_status = args.check_number()
    code, status = rt.machine.keyboard.scan(unit)
    store_status(status)
    store_key(code)
    args.end()


@subprogram("JOYST")
def joyst(rt: Surroundings, args: Args) -> None:
    """JOYST(unit, x variable, y variable): −4, 0 or 4 each; units 3 and 4 have no joystick.

    The keyboard is scanned too: a key found here is not new to the next CALL KEY.
    """
    unit = args.leading(1, LAST_JOYSTICK_UNIT)
    store_x = args.check_number()
    store_y = args.check_number()
    x, y = rt.machine.keyboard.scan_joystick(unit)
    store_y(y)
    store_x(x)
    args.end()
