"""Imports point one way: the table of wings, enforced."""

from pathlib import Path

import pytest

from tests import house, layers

CONTRIBUTING = Path(__file__).parents[1] / "CONTRIBUTING.md"


def test_imports_point_down() -> None:
    wrong = {
        name: found
        for name, module in layers.modules().items()
        if (found := layers.forbidden(name, module.imports))
    }
    assert not wrong


EXAMPLES = [
    ("base.errors", "ti99tools.media.disk.image.DiskImage", False),
    ("media.disk.image", "construct", True),
    ("media.disk.image", "click", False),
    ("hardware.machine.machine", "ti99tools.computer.console.session.Console", False),
    ("hardware.render.picture", "PIL.Image", True),
    ("language.lint.lint", "ti99tools.computer.numbers.radix", False),
    ("computer.interp.io.printer", "ti99tools.computer.interp.run.runtime", False),
    ("computer.interp.run.execution", "ti99tools.computer.interp.run.runtime", True),
    ("computer.console.session", "ti99tools.computer.interp.run.runtime", True),
    ("games.models.model", "ti99tools.computer.console.session.Console", False),
    ("games.models.model", "ti99tools.Console", False),
    ("games.models.model", "ti99tools.base.errors.TIError", True),
    ("games.report.html", "ti99tools.games.verify.result.Verdict", True),
    ("games.report.html", "ti99tools.games.verify.campaign", False),
    ("games.report.html", "ti99tools.games.verify", False),
    ("games.hosts.virtual", "ti99tools.computer.console.session.Console", True),
    ("games.hosts.mame", "ti99tools.computer.console.session", False),
    ("games.hosts.mame", "ti99tools.Console", False),
    ("app.run", "ti99tools.games.report.text", True),
    ("app.run", "ti99tools.fronts.cli.main", False),
    ("fronts.cli.run", "ti99tools.app.run", True),
    ("fronts.cli.run", "ti99tools.computer.console.session", False),
    ("fronts.pytest_plugin", "ti99tools.Console", True),
    ("fronts.lsp.server", "ti99tools.__version__", True),
    ("__main__", "ti99tools.games.verify", False),
]
"""A module, what it would import, and whether the table allows it."""


def test_the_table_can_be_broken() -> None:
    for module, imported, allowed in EXAMPLES:
        assert (not layers.forbidden(module, {imported})) == allowed, (module, imported)


def test_the_table_names_what_is_there() -> None:
    there = layers.modules()
    for row, allowed in layers.NARROWER.items():
        assert {row, *allowed} - set(there) == set(), row
    assert {name.partition(".")[0] for name in there} == {*layers.WINGS, *layers.ROOF}


def test_the_table_permits_nothing_that_nobody_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert layers.unused() == {}
    generous = {"language.syntax": {"base", "media.tape"}, "language.lint": {"base"}}
    monkeypatch.setattr(layers, "NARROWER", generous)
    assert layers.unused() == {"language.syntax": {"media.tape"}}


def test_the_table_allows_no_circle() -> None:
    table = {name: allowed & set(layers.NARROWER) for name, allowed in layers.NARROWER.items()}
    assert house.circles(table) == []


def test_imports_inside_functions_count(tmp_path: Path) -> None:
    (tmp_path / "lazy.py").write_text("def late():\n    from ti99tools.app import run\n")
    (module,) = house.read(tmp_path).values()
    assert layers.forbidden("media.lazy", module.imports) == {"app.run"}


def test_the_picture_of_the_house_is_made_from_the_table() -> None:
    assert f"```\n{layers.picture()}\n```" in CONTRIBUTING.read_text(encoding="utf-8")


def test_nothing_imports_the_command_line() -> None:
    for name, module in layers.modules().items():
        if name != "__main__" and not name.startswith("fronts.cli"):
            assert not any(n.startswith("ti99tools.fronts.cli") for n in module.imports), name


READS_LINES = {
    "ti99tools.language.syntax.parse_line",
    "ti99tools.language.syntax.parser.parse_line",
    "ti99tools.language.syntax.parse_from",
    "ti99tools.language.syntax.parser.parse_from",
    "ti99tools.language.syntax.parser.Parser",
    "ti99tools.language.prescan.Prescan",
    "ti99tools.language.prescan.scanner.Prescan",
}
"""What parses a line or the rest of it, and what the machine does at RUN."""


def test_no_room_but_analysis_parses_lines_or_runs_the_pre_scan() -> None:
    below = ("language.syntax", "language.prescan", "language.analysis")
    readers = {name for name, module in layers.modules().items() if module.imports & READS_LINES}
    # Typed: a line at the prompt, and an expression in the debugger.
    typed = {"computer.console.command", "computer.console.evaluating"}
    assert {name for name in readers if not name.startswith(below)} == typed
