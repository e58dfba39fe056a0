#!/bin/sh
# Runs a program on an emulated processor with AVX-512 IFMA, for machines without it, and ends with the status of the program:
#
#     BOCHS=... scripts/emulate.sh PROGRAM [ARGUMENT ...]
#
# `make emulated` makes this script cargo's runner of test programs, and `make secrets` runs the stepped programs by it. BOCHS is the path
# of the emulator, Bochs, configured with --enable-x86-64, --enable-evex and --with-nogui; by default it is the `bochs` on PATH
# (Debian 12's has no AVX-512). apt-get downloads Debian's kernel and the rest of the machine; nothing is installed (scripts/apt.sh).
#
# The machine has one processor, an Intel Ice Lake with some 100 million instructions a second. The program starts after half a minute, and
# a second of work on real hardware takes a minute. The clock of the machine counts instructions. The 2 GB of memory hold the program, its
# libraries and the files of the repository, at the same paths as here. Variables that begin with BILINEAR_ or RUST_ have the same values.
# Files that the program writes are lost.
#
# Status: 2 if there is no such emulator, or if the machine stopped before the program had ended; the end of its output is then shown.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bochs=${BOCHS:-bochs}
command -v "$bochs" >/dev/null || {
    echo "scripts/emulate.sh: $bochs: there is no such emulator; set BOCHS to the path of one" >&2
    exit 2
}
packages=$("$root/scripts/apt.sh" emulated amd64 bochsbios vgabios isolinux syslinux-common xorriso busybox-static linux-image-cloud-amd64) || exit 2
work=$(mktemp -d)
emulator=
trap '[ -z "$emulator" ] || kill "$emulator" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
machine=$work/machine

# Prints words in quotes, so that a shell reads them back unchanged.
quote() {
    for word in "$@"; do
        printf "'%s' " "$(printf '%s' "$word" | sed "s/'/'\\\\''/g")"
    done
}

# Copies a file into the machine, at the same path. Used for the program and its libraries.
copy() {
    mkdir -p "$machine$(dirname -- "$1")"
    cp -L -- "$1" "$machine$1"
}
program=$(realpath -- "$1")
shift
copy "$program"
ldd "$program" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do copy "$library"; done
mkdir -p "$machine/bin" "$machine/proc" "$machine/sys" "$machine/dev" "$machine/tmp" "$machine$PWD"
cp "$packages/bin/busybox" "$machine/bin/"

# The status of the program goes to the console, and its output to the second serial line.
cat >"$machine/init" <<END
#!/bin/busybox sh
/bin/busybox --install /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ifconfig lo up
stty -F /dev/ttyS1 raw
export PATH=/bin HOME=/
$(export -p | grep -E '^export (BILINEAR|RUST)_' || true)
cd $(quote "$PWD")
if grep -qw avx512ifma /proc/cpuinfo; then
    $(quote "$program" "$@") >/dev/ttyS1 2>&1 </dev/null
    echo "status \$?" >/dev/console
else
    echo "no AVX-512 IFMA" >/dev/console
fi
sleep 1
poweroff -f
END
chmod +x "$machine/init"
mkdir -p "$work/disc/isolinux"
# The kernel creates a folder only if the archive lists it, before the files in it.
archive() { "$packages/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1; }
(cd "$machine" && find . | archive) >"$work/disc/memory.gz"
(cd "$root" && git ls-files --cached --others --exclude-standard --deduplicate) | sed "s|^|${root#/}/|" |
    awk -F/ '{ folder = ""; for (i = 1; i < NF; i++) { folder = folder $i; if (!seen[folder]++) print folder; folder = folder "/" } print }' |
    (cd / && archive) >>"$work/disc/memory.gz"
rm -rf "$machine"

# Feature 580, fast short REP MOVSB, is switched off: Bochs claims it, and this kernel does not start with it.
cp "$packages/boot"/vmlinuz-* "$work/disc/vmlinuz"
cp "$packages/usr/lib/ISOLINUX/isolinux.bin" "$packages/usr/lib/syslinux/modules/bios/ldlinux.c32" "$work/disc/isolinux/"
cat >"$work/disc/isolinux/isolinux.cfg" <<'END'
default linux
prompt 0
label linux
 kernel /vmlinuz
 append initrd=/memory.gz console=ttyS0 clearcpuid=580 nokaslr mitigations=off nosmp quiet lpj=10000000
END
LD_LIBRARY_PATH=$packages/lib/x86_64-linux-gnu:$packages/usr/lib/x86_64-linux-gnu "$packages/usr/bin/xorriso" -as mkisofs -quiet \
    -o "$work/disc.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table "$work/disc" \
    2>"$work/xorriso" || {
    cat "$work/xorriso" >&2
    exit 2
}
cat >"$work/bochsrc" <<END
display_library: nogui
megs: 2048
romimage: file=$packages/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$packages/usr/share/vgabios/vgabios.bin
cpu: model=corei7_icelake_u, ips=100000000
ata0-master: type=cdrom, path=$work/disc.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/console
com2: enabled=1, mode=file, dev=$work/said
log: $work/log
info: action=ignore
error: action=ignore
panic: action=fatal
END
touch "$work/said" "$work/console" "$work/log"
"$bochs" -q -f "$work/bochsrc" >"$work/screen" 2>&1 </dev/null &
emulator=$!
tail -f -n +1 --pid="$emulator" "$work/said"
wait
if grep -q "no AVX-512 IFMA" "$work/console"; then
    echo "scripts/emulate.sh: $bochs emulates no AVX-512 IFMA: it has to be configured with --enable-evex" >&2
    exit 2
fi
status=$(sed -n 's/^status \([0-9]*\).*/\1/p' "$work/console" 2>/dev/null)
if [ -z "$status" ]; then
    echo "scripts/emulate.sh: the emulated machine stopped before $program had ended" >&2
    tail -n 30 "$work/console" "$work/log" "$work/screen" >&2
    exit 2
fi
exit "$status"
