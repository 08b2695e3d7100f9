#!/bin/sh
# Compares formats and settings on generated samples: mapping, fixed length, shuffling, number of workers.
#
# report.html has a chart and a sentence for each question; results.csv has every figure.
#
# run: sh exercises/compare_formats.sh
# prints:
#     …
#     report.html, results.csv and results.json are in comparison/
set -eu
stoker bench --data-root comparison --format hdf5,arrow,stk --num-samples 200 --sample-bytes 8k --repeat 2 --num-workers 1,2
cd comparison
ls report.html results.csv results.json >/dev/null
echo "report.html, results.csv and results.json are in comparison/"
