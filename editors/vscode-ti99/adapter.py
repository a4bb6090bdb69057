"""Starts `ti99tools debug --dap` for VS Code; TI99TOOLS names the command where it is elsewhere."""

import os
import shutil
import subprocess
import sys

command = os.environ.get("TI99TOOLS", "ti99tools")
found = shutil.which(command)
if found is None:
    sys.exit(f"{command} is not on the PATH; set TI99TOOLS to where it is")
sys.exit(subprocess.call([found, "debug", "--dap"]))
