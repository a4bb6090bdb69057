"""Paths of modules that programs of others use: they hold, and are the modules themselves."""

import re
import subprocess
import sys
from importlib import import_module

import pytest

from ti99tools.kept import KEPT


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_each_kept_name_gives_what_the_module_has() -> None:
    for kept, moved in KEPT.items():
        old, new = import_module(f"ti99tools.{kept}"), import_module(f"ti99tools.{moved}")
        public = [each for each in vars(new) if not each.startswith("_")]
        assert public
        assert [each for each in public if getattr(old, each) is not getattr(new, each)] == [], kept


def test_every_way_of_importing_works_in_a_fresh_process() -> None:
    code = (
        "from ti99tools.trace import keyscript\n"
        "import ti99tools.models.model as model\n"
        "from ti99tools.verify.adapter import Adapter\n"
        "print(keyscript.Until.__name__, model.Model.__name__, Adapter.__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("Until Model Adapter\n", 0)
    warned = re.findall(r"<string>:\d: DeprecationWarning: (ti99tools\.\S+) is", done.stderr)
    assert warned == [
        "ti99tools.trace.keyscript",
        "ti99tools.models.model",
        "ti99tools.verify.adapter",
    ]


def test_other_names_are_not_found() -> None:
    for name in ("ti99tools.trace.nothing", "ti99tools.nothing", "ti99tools.cli"):
        with pytest.raises(ModuleNotFoundError):
            import_module(name)
