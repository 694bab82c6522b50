# supervise DIR QUIT PROGRAM [ARG ...]
#
# Runs PROGRAM until it ends. A line on standard input is the name of a signal
# to stop it with. The end of standard input means that the test process is
# gone: PROGRAM gets the signal QUIT, and DIR is removed.
#
# POSIX has INT and QUIT ignored in what a script starts in the background; they
# reach only a program that asks for them itself, as PostgreSQL does.
dir=$1 quit=$2
shift 2
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
(
	if ! read -r signal; then
		signal=$quit
		: >"$dir/abandoned"
	fi
	kill -s "$signal" "$program"
	tenths=0
	while [ "$tenths" -lt 100 ]; do
		sleep 0.1
		tenths=$((tenths + 1))
	done
	kill -s KILL "$program"
) <&3 &
watcher=$!
wait "$program"
code=$?
kill -s KILL "$watcher"
if [ -e "$dir/abandoned" ]; then
	cd / # the folder is ours to remove, so it cannot be where we stand
	rm -rf -- "$dir" || rm -rf -- "$dir"
fi
exit "$code"
