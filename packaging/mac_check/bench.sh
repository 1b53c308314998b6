#!/usr/bin/env bash
# Step: the measurements, as `make bench` has them; the short form only shows that each row comes.
set -uo pipefail
# shellcheck source=/dev/null
. packaging/mac_check/facts.sh

project=$PWD
cd "$OUT" || exit 1 # it leaves bench.json where it stands
if short; then
    PYTHONPATH=$project SLUICE_BENCH_LENGTH=short "$PYTHON" -m tests.bench records | tee table.txt
else
    PYTHONPATH=$project "$PYTHON" -m tests.bench | tee table.txt
fi
[ -s bench.json ]
judged "bench" $? "no bench.json"
sed 's/  */ /g' table.txt | while IFS= read -r line; do
    told "${line%% *}" "${line#* }"
done
exit "$FAILED"
