#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make.sh MRT-PLAN FOLDER: draws the pictures of algorithms.md into FOLDER, by
# the commands that stand beneath them there. make docs-plans calls it.
set -e
plan=$1
folder=$2
sed -n 's|^    mrt-plan \(.*\) -o docs/plans/\([a-z0-9_]*\.svg\)$|\2 \1|p' \
	"$(dirname "$0")/../algorithms.md" |
while read -r picture arguments; do
	# shellcheck disable=SC2086 # words
	"$plan" $arguments -o "$folder/$picture"
done
