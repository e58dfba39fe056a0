#!/bin/sh
# Compiles the kernels of crates/cuda with PyPI packages, which need no GPU, and inspects the machine code:
#
#     scripts/cuda.sh
#
# - PTX for each number of words and each number of moduli, kept in crates/cuda/ptx with the digest of its sources; a test fails if it
#   is stale;
# - cubins for sm_80 and sm_90, in the folder cuda of the target folder.
#
# For each kernel of the cubins, the script prints registers, bytes of the stack and of spills (stores and loads), and the number of opcodes
# of each kind: wide multiply-adds (IMAD.WIDE), high halves alone (IMAD.HI), additions (IADD3), products of 8-bit matrices (IMMA), accesses
# to global and to shared memory (LDG, STG; LDS, STS), words from other threads (SHFL), saved predicates (P2R), and all opcodes.
#
# Limits, for N words or K moduli:
#
# - Every kernel: 255 registers, which are all there are; no stack and no spills. The exception is the inversion on 33 words, whose spills
#   are at most 32 bytes.
# - A kernel of stages, which has one product and one reduction: at least 2N^2 and at most 3N^2 + 4N wide multiply-adds, and at most 10N
#   high halves. A product that is not wide would show as fewer multiply-adds; addresses of four operands count as multiply-adds.
# - A kernel whose threads split numbers into blocks of L = N/4 words has a block of rows of the product and of the reduction, executed four
#   times: at least 2L^2 wide multiply-adds and at most 20L more (multiples and addresses), at most 5L + 30 words from other threads, 168
#   registers (for three blocks), and at most 10 saved predicates, which would be carries. For its inversion, the limits of multiply-adds
#   and of words are three times as large.
# - A kernel of residues, which has three base extensions: 12K products of matrices, and 65536 registers for two blocks, or for one block
#   from K = 7 on.
# - The ceiling of multiply-adds: at least 256 of them in a loop, none with a uniform register, and at most half of the code anything else.
# - The ceiling of records: 16 loads in a loop, past the cache of the multiprocessor.
#
# Status: 1 if a kernel exceeds its limits, or if the tools are not available.

set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
out=${CARGO_TARGET_DIR:-$root/target}/cuda
venv=$(scripts/pypi.sh cuda nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvdisasm==13.2.51)
bin=$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13/bin)
kernels=crates/cuda/kernels
mkdir -p "$out" crates/cuda/ptx

# SHA-256 of the bytes of all sources, in the order of their names
digest=$(LC_ALL=C && export LC_ALL && cat "$kernels"/* | sha256sum | cut -d ' ' -f 1)

# inspect NUMBER CARD KERNELS LOG CODE: reads the log of ptxas and the disassembled machine code, prints a line for each kernel, and
# returns 1 if a kernel exceeds its limits or if there are not KERNELS kernels.
inspect() {
    awk -v number="$1" -v card="$2" -v kernels="$3" '
        /Compiling entry function/ { split($0, quoted, "\x27"); kernel = quoted[2]; names[++count] = kernel }
        /bytes stack frame/ { stack[kernel] = $1; stores[kernel] = $5; loads[kernel] = $9 }
        /Used [0-9]+ registers/ { for (i = 1; i < NF; i++) if ($i == "Used") registers[kernel] = $(i + 1) }
        /^\.text\./ { code = substr($1, 7); sub(":", "", code) }
        match($0, /\/\*[0-9a-f]+\*\/ +(@!?U?P[0-9T]+ +)?[A-Z][A-Z0-9_.]*/) {
            parts = split(substr($0, RSTART, RLENGTH), fields, " ")
            opcode = fields[parts]
            all[code]++
            if (opcode ~ /^LDG.*STRONG\.GPU/) past[code]++
            if (opcode ~ /^IMAD\.WIDE/ && /UR[0-9]/) uniform[code]++
            if (opcode ~ /^IMAD\.WIDE/) wide[code]++
            else if (opcode ~ /^IMAD\.HI/) high[code]++
            else if (opcode ~ /^IADD3/) sums[code]++
            else if (opcode ~ /^IMMA/) tensor[code]++
            else if (opcode ~ /^(LDG|STG)/) global[code]++
            else if (opcode ~ /^(LDS|STS)/) shared[code]++
            else if (opcode ~ /^SHFL/) lanes[code]++
            else if (opcode ~ /^P2R/) saved[code]++
        }
        END {
            for (i = 1; i <= count; i++) {
                k = names[i]
                printf "%-15s sm_%s %9d %6d %6d %6d %6d %6d %6d %6d %6d %6d %6d %6d %6d\n", k, card, registers[k], stack[k], stores[k],
                    loads[k], wide[k], high[k], sums[k], tensor[k], global[k], shared[k], lanes[k], saved[k], all[k]
                spills = k == "invert_33" ? 32 : 0
                if (registers[k] > 255 || stack[k] > spills || stores[k] > spills || loads[k] > spills) bad[k] = "registers or spills"
                stage = k ~ /^(single|group)/
                if (k == "ceiling_multiply_adds" && (wide[k] < number * number || uniform[k] || all[k] > 2 * wide[k])) bad[k] = "multiply-adds"
                if (k == "ceiling_digits" && tensor[k] < number || k == "ceiling_records" && past[k] != number) bad[k] = "operations"
                if (stage && (wide[k] < 2 * number * number || wide[k] > 3 * number * number + 4 * number || high[k] > 10 * number)) bad[k] = "multiply-adds"
                if (k ~ /split/) {
                    words = number / 4
                    times = k ~ /^invert/ ? 3 : 1
                    if (wide[k] < times * 2 * words * words || wide[k] > times * (2 * words * words + 20 * words)) bad[k] = "multiply-adds"
                    if (lanes[k] > times * (5 * words + 30) || saved[k] > 10) bad[k] = "words from other threads, or carries saved"
                    if (times == 1 && registers[k] > 168) bad[k] = "registers"
                }
                blocks = number < 7 ? 2 : 1
                if (k ~ /^residues/ && (tensor[k] != 12 * number || registers[k] * 32 * number * blocks > 65536)) bad[k] = "products or registers"
                if (all[k] == 0) bad[k] = "no code"
                if (k in bad) { print k ": outside of its limits: " bad[k]; status = 1 }
            }
            if (count != kernels) { print count " kernels instead of " kernels " for " number; status = 1 }
            exit status
        }' "$4" "$5"
}

# compile NAME SOURCE MACRO NUMBER KERNELS: makes the PTX and the cubins of a source with MACRO = NUMBER, under this name, and inspects
# their kernels.
compile() {
    ptx=crates/cuda/ptx/$1.ptx
    "$bin/nvcc" -O3 -std=c++17 --ptx -arch=compute_80 "-D$3=$4" -o "$out/$1.ptx" "$kernels/$2"
    {
        echo "// Kernels for $3 = $4, written by scripts/cuda.sh: nvcc 13.0.88 -O3 -arch=compute_80, without comments and indentation."
        echo "// SHA-256 of the sources: $digest"
        # the kernels use nothing newer than PTX 7.8, which drivers support from CUDA 11.8 on
        sed -e 's@//.*@@' -e 's/^[[:blank:]]*//' -e 's/[[:blank:]]*$//' -e '/^$/d' -e 's/^\.version 9\.0$/.version 7.8/' "$out/$1.ptx"
    } > "$ptx"
    for card in 80 90; do
        made=$out/$1.sm_$card
        "$bin/ptxas" -O3 "-arch=sm_$card" -v -o "$made.cubin" "$ptx" 2> "$made.txt"
        "$bin/nvdisasm" -c "$made.cubin" > "$made.sass"
        inspect "$4" "$card" "$5" "$made.txt" "$made.sass" || status=1
    done
}

printf '%-15s %-5s %9s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n' \
    kernel card registers stack stores loads wide high add tensor global shared lanes saved all
status=0
for words in 8 12 16 24 33; do
    compile "$words" all.cu WORDS "$words" 3
done
compile 68 split.cu WORDS 68 2
for moduli in 2 3 5 7 9; do
    compile "residues-$moduli" residues.cu BASE "$moduli" 1
done
compile ceilings ceilings.cu ROUNDS 16 5
# a build that includes the cubins compares this digest with that of its PTX
echo "$digest" > "$out/digest"
exit $status
