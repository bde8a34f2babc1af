#!/usr/bin/env bash
# Installs the module by pip, in a virtual environment, without a package index, from a clone; plays there.
# pip_test.sh SOURCE-TREE SCRATCH
set -euo pipefail
source=$1 scratch=$2
python=/usr/bin/python3
$python -c 'import venv, ensurepip, numpy' 2>/dev/null || { echo "skipped: python3-venv or python3-numpy is not installed"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
git -C "$source" ls-files -z --cached --others --exclude-standard | tar -C "$source" --null -T - -cf - |
    { mkdir "$scratch/tree" && tar -C "$scratch/tree" -xf -; }
$python -m venv --system-site-packages "$scratch/env"
"$scratch/env/bin/pip" install --no-index "$scratch/tree/tournaments/python" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
rm -rf "$scratch/tree" # nothing of it is needed any more
cd "$scratch"
"$scratch/env/bin/python" - <<'PROGRAM'
import croupier
batch = croupier.Batch(croupier.load("belote"), 8)
for _ in range(100):
    batch.step(batch.mask.argmax(1))
assert batch.finished > 8, batch.finished
run = croupier.run("oldmaid", ["random", lambda view, legal: 0], games=12)
assert run.report["games"] >= 12, run
PROGRAM
"$scratch/env/bin/croupier" run belote --agents rules:table,random --games 4 --out "$scratch/run" | grep -q 'belote: 4 games'
"$scratch/env/bin/croupier" version | grep -q croupier
rm -rf "$scratch"
