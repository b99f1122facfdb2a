"""Checks files with the command line, and prints the clashes from its JSON. Python 3.8 or later, nothing to install.

    python3 check.py part.stl housing.stl
"""

import json
import os
import subprocess
import sys

# The program of this clone or of this folder; NEARFIELD names another.
program = os.environ.get("NEARFIELD", "npx nearfield").split()
done = subprocess.run(
    [*program, "check", "--json", "--units", "mm", *sys.argv[1:]], capture_output=True, text=True, check=False
)
if done.returncode not in (0, 1):  # 0: nothing found, 1: something, 2: bad usage or a bad file
    sys.exit(done.stderr.strip())
answer = json.loads(done.stdout)
bodies = answer["bodies"]
for pair in answer["pairs"]:
    print(bodies[pair["a"]]["name"], pair["relation"], bodies[pair["b"]]["name"])
count = len(answer["pairs"])
print(f"{count} {'pair' if count == 1 else 'pairs'} of {len(bodies)} bodies meet")
