# shellcheck shell=sh
# Sourced by scripts that run commands side by side. Provides the folder $work for the files of these commands, and the function `beside`.
# Commands started by `beside` end when the script ends, for whatever reason.
#
# A command that a shell starts with & survives Ctrl-C, and during any other command the shell delays signals. Long commands are therefore
# started by `beside`: each one leads a process group of its own, which is killed as a whole, and the shell waits for its process id, $!.

work=$(mktemp -d)

end() {
    trap '' INT TERM
    jobs -p >"$work/jobs"
    while read -r leader; do
        # the process alone if it does not lead its group yet
        kill -- "-$leader" 2>/dev/null || kill "$leader" 2>/dev/null || true
    done <"$work/jobs"
    wait
    rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# Starts a command in the background, with empty input. The command does not ignore SIGINT (Ctrl-C), which test programs send to other
# programs.
beside() { setsid env --default-signal=INT --default-signal=QUIT "$@" & }
