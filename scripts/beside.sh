# shellcheck shell=sh
# Read by scripts that run commands side by side: the folder $work for what these leave, and commands that end with the script, whatever ends it.
#
# What a shell begins with & goes on after Ctrl-C, and for any other command it waits before it heeds a signal. So commands that take long are begun by
# `beside`: each leads a group of processes of its own, which is ended as a whole, and the shell waits for its number, $!.

work=$(mktemp -d)

end() {
    trap '' INT TERM
    jobs -p >"$work/jobs"
    while read -r leader; do
        # the second where it does not lead yet
        kill -- "-$leader" 2>/dev/null || kill "$leader" 2>/dev/null || true
    done <"$work/jobs"
    wait
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# Its input is empty; Ctrl-C is not ignored, which programs of tests send to others.
beside() { setsid env --default-signal=INT --default-signal=QUIT "$@" & }
