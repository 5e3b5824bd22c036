# SPDX-License-Identifier: MIT
# What the scripts say. Sourced by ./run and ./test, which set `root` to the top of the tree.

log_dir=$root/build/log

say() {
	printf '%s\n' "$*"
}

# give_up CODE SENTENCE...
give_up() {
	local code=$1
	shift
	printf '%s\n' "$@" >&2
	exit "$code"
}

# quietly LOG SENTENCE COMMAND...: says the sentence, keeps what the command prints in
# build/log/LOG.log, and shows the end of that file only when the command fails. Its callers stop then:
# `set -e` alone would not stop a function that is called in a condition.
quietly() {
	local log=$log_dir/$1.log sentence=$2
	shift 2
	if ! { mkdir -p "$log_dir" && : >"$log"; } 2>/dev/null; then
		give_up 2 "This folder cannot be written by $(id -un): $root" \
			"Please copy it into a folder of your own and start there."
	fi
	say "$sentence"
	if ! "$@" >"$log" 2>&1 </dev/null; then
		tail -n 40 "$log" >&2
		printf '\n%s\n' "This failed: $*" "All that it printed is in $log" >&2
		return 1
	fi
}
