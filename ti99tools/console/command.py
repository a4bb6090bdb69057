"""Command mode: the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.interp.printer import BOTTOM, MARGIN

if TYPE_CHECKING:
    from ti99tools.console.session import Console


class Commands:
    """Takes lines at the prompt."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show_prompt(self) -> None:
        """Show `>` in a new row at the bottom."""
        self._console.screen.scroll()
        self._console.screen.write(BOTTOM, MARGIN - 1, b">")

    def run(self) -> None:
        """Wait for a key."""
        self._console.machine.keyboard.wait_key()
