# SPDX-License-Identifier: MIT
# Suites of tests and their tally. Sourced by ./test after build.sh. A suite is a function that prints
# TAP on standard output and anything else on standard error.

passed_total=0
failed_total=0

# suite NAME SENTENCE FUNCTION ARGUMENT...: keeps the TAP in build/log/NAME.tap and the rest in
# NAME.log, counts, and shows what failed.
suite() {
	local name=$1 sentence=$2 start=$SECONDS code=0 passed failed
	local tap=$log_dir/$1.tap log=$log_dir/$1.log report=$log_dir/$1.failed
	shift 2
	mkdir -p "$log_dir"
	rm -f "$report"
	# A subshell on the left of || would ignore its own `set -e`.
	set +e
	(
		set -e
		"$@"
	) >"$tap" 2>"$log" </dev/null
	code=$?
	set -e
	read -r passed failed < <(
		awk -v code="$code" -v report="$report" -f "$root/tools/lib/tally.awk" "$tap"
	)
	passed_total=$((passed_total + passed))
	failed_total=$((failed_total + failed))
	printf '%-46s %5d passed %5d failed %5d s\n' \
		"$sentence" "$passed" "$failed" $((SECONDS - start))
	if [ "$failed" -gt 0 ]; then
		head -n 120 "$report" | sed 's/^/    /'
		tail -n 40 "$log" | sed 's/^/    /'
		say "    (whole: $tap and $log)"
	fi
}

# point NAME COMMAND...: one test point. Its number is left out, as TAP allows, and a failure stops
# nothing: the points of a suite stand for themselves.
point() {
	local name=$1 word='not ok'
	shift
	if "$@" >&2; then
		word=ok
	fi
	printf '%s - %s\n' "$word" "$name"
}

# tally: the last line; the status is that of the whole run.
tally() {
	say "$passed_total passed, $failed_total failed"
	[ "$failed_total" -eq 0 ] && [ "$passed_total" -gt 0 ]
}
